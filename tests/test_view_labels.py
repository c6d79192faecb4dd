"""What nobody said is never shown without saying how it was made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from building import own_lines, write_lines

from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import UNKNOWN, Content
from memcore.view.answer import quoted
from memcore.view.naming import labelled, made_by_whom
from memcore.view.node_panel import needed, panel

EPISODE = Content(
    "e1", "episode", "It hurts.", ("t1",), "c1", 0, "", UNKNOWN, units=("u1", "u2"), made_by="rule"
)


def test_a_text_that_came_of_units_says_how_it_was_made() -> None:
    assert labelled(EPISODE) == "(extractive) It hurts."
    assert labelled(replace(EPISODE, made_by="model")) == "(written by a model) It hurts."
    assert labelled(replace(EPISODE, made_by="person")) == "It hurts."
    assert made_by_whom(replace(EPISODE, units=(), layer="turn", made_by="raw")) == ""


def test_a_quoted_episode_names_its_maker_in_the_place_of_a_speaker() -> None:
    found = quoted(EPISODE, 0.5, {})
    assert found is not None and found.who == "episode, extractive"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memories.open(tmp_path / "store", embedder="none").scope("town", create=True)
    list(memory.import_path(write_lines(tmp_path / "town.jsonl", own_lines()), mode="eager"))
    return memory


def test_the_panel_of_an_episode_counts_its_units_and_calls_it_extractive(memory: Memory) -> None:
    episode = memory.recurrence.episodes()[0]
    graph = memory.snapshot().graph
    shown = panel(graph, episode.id, memory.get(needed(graph, episode.id)))
    assert shown is not None
    assert f"{len(episode.units)} recurring unit" in shown.sentence and "not phrased" in shown.sentence
    assert shown.chain[0].label == "Memory, extractive"
    turn = next(i for i in graph.columns.content_ids if i != episode.id)
    said = panel(graph, turn, memory.get(needed(graph, turn)))
    assert said is not None and said.chain[0].label == "Memory"
