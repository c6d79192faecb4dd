"""Corrections on real dialogue stand after the same import and a new extraction, and nothing else changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memcore.editing import Delete, Edit, Merge, Set, Who
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Content, Record

ANN = Who("ann")


@pytest.fixture
def file(shared_data: Path, tmp_path: Path) -> Path:
    """The first conversation of the benchmark."""
    samples = shared_data / "locomo" / "locomo6.json"
    if not samples.exists():
        pytest.skip("locomo/locomo6.json is not among the shared real-world files")
    path = tmp_path / "one.json"
    path.write_text(json.dumps(json.loads(samples.read_text("utf-8"))[:1]), "utf-8")
    return path


@pytest.fixture
def memory(tmp_path: Path, file: Path) -> Iterator[Memory]:
    made = Memories.open(tmp_path / "store", embedder="none").scope("one", create=True)
    list(made.import_path(file))
    yield made


def everything(memory: Memory) -> dict[str, Record]:
    c = memory.snapshot().graph.columns
    found = memory.get([*c.cue_ids, *c.tag_ids, *c.content_ids])
    relations = {r.id: r for r in memory.relations(*c.content_ids)}
    return {i: replace(r, revision=1) for i, r in (found | relations).items()}  # type: ignore[call-arg]


def reextracted(memory: Memory) -> tuple[int, int, int]:
    *_, last = memory.reextract()
    return last.made, last.removed, last.conflicts


def test_extraction_again_of_a_whole_conversation_changes_nothing(memory: Memory) -> None:
    before, seq = everything(memory), memory.snapshot().graph.seq
    assert reextracted(memory) == (0, 0, 0)
    assert memory.snapshot().graph.seq == seq and everything(memory) == before


def test_corrections_stand_after_the_same_import_and_extraction(memory: Memory, file: Path) -> None:
    graph = memory.snapshot().graph
    c = graph.columns
    common = [c.cue_ids[i] for i in sorted(range(len(c.cue_ids)), key=lambda i: -graph.cue_degree(i))[2:8]]
    content = c.content_ids[40]
    edits: list[Edit] = [
        Set("relation", (memory.relations(common[0])[0].id,), "tag", "the tag that is right"),
        Set("cue", (common[1],), "name", "A better name"),
        Merge("cue", (common[2],), common[3]),
        Delete("cue", (common[4],)),
        Set("content", (content,), "text", "What was meant."),
        Set("cue", (common[1],), "name", "The best name"),
        Set("relation", (memory.relations(common[1])[0].id,), "cue", "Somebody else"),
    ]
    for edit in edits:
        memory.edit(edit, ANN)
    corrected = everything(memory)
    list(memory.import_path(file))
    assert reextracted(memory) == (0, 0, 0)
    assert everything(memory) == corrected
    shown = corrected[content]
    assert isinstance(shown, Content) and shown.text == "What was meant."
    assert not {common[2], common[4]} & set(corrected)
