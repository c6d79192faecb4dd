"""Undoing everything gives every answer back: the same scores of all memories, by words and by meaning."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, own_lines, write_lines
from some_edits import some_edit

from memcore.baselines import Search, fused
from memcore.channels import Lexical
from memcore.editing import Who
from memcore.errors import InputError
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask

ASKED = ("Who runs the pottery studio?", "Where does the marathon take place?", "What is the cat called?")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = Memories.open(tmp_path / "store", embedder="multilingual").scope("town", create=True)
    list(made.import_path(write_lines(tmp_path / "town.jsonl", own_lines(TOWN, "town"))))
    return made


def answers(memory: Memory) -> dict[str, Any]:
    """For each question the score of every memory in either channel, and what the full-text index finds."""
    memory.tidy()
    graph = memory.snapshot().graph
    ids, lexical = graph.columns.content_ids, Lexical(graph)
    found: dict[str, Any] = {}
    for text in ASKED:
        asked = Search(Ask(text, 20), memory.prepared(text), graph, lexical, memory.settings)
        parts = fused(asked)
        assert all(scores.any() for scores in parts.values())
        found[text] = {name: dict(zip(ids, scores.tolist(), strict=True)) for name, scores in parts.items()}
        found[text]["full text"] = dict(memory.search(text))
    return found


def test_undoing_everything_gives_the_same_answers_with_the_same_scores(memory: Memory) -> None:
    before, chance, done = answers(memory), random.Random(1), 0
    for n in range(16):
        try:
            memory.edit(some_edit(memory, chance, n), Who("ann"))
            done += 1
        except InputError:
            continue
    assert done > 8 and answers(memory) != before
    for _ in range(done):
        memory.undo()
    assert answers(memory) == before and memory.corrections().all == []
