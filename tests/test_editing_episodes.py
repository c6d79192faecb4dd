"""An episode deleted by hand loses nothing: its units are live again, its facts are what extraction said."""

from __future__ import annotations

from pathlib import Path

import pytest
from building import own_lines, write_lines

from memcore.editing import Delete, Set, Who
from memcore.errors import InputError
from memcore.memories import Memories
from memcore.memory import Memory

ANN = Who("ann")
SAID = [
    ("Ann", "I love green tea."),
    ("Bo", "So you said."),
    ("Ann", "My brother Felix is a potter."),
    ("Bo", "He made the bowl."),
]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memories.open(tmp_path / "store", embedder="none").scope("town", create=True)
    list(memory.import_path(write_lines(tmp_path / "t.jsonl", own_lines(SAID)), mode="eager"))
    return memory


def test_units_are_live_again_and_facts_are_what_extraction_said(memory: Memory) -> None:
    (episode,) = memory.recurrence.episodes()
    facts = memory.recurrence.facts()
    assert facts and {f.episode_id for f in facts} == {episode.id}
    memory.edit(Delete("content", (episode.id,)), ANN)
    assert memory.recurrence.episodes() == [] and memory.recurrence.facts() == []
    assert {u.state for u in memory.recurrence.units()} == {"live"}
    lowered = memory.get(f.id for f in facts)
    assert {f.text for f in facts} == {r.text for r in lowered.values() if r.kind == "content"}


def test_undo_brings_the_episode_its_facts_and_its_units_back(memory: Memory) -> None:
    before = (memory.recurrence.episodes(), memory.recurrence.facts(), memory.recurrence.units())
    memory.edit(Delete("content", (before[0][0].id,)), ANN)
    memory.undo()
    after = (memory.recurrence.episodes(), memory.recurrence.facts(), memory.recurrence.units())
    for old, new in zip(before, after, strict=True):
        assert [(r.id, getattr(r, "units", ())) for r in old] == [
            (r.id, getattr(r, "units", ())) for r in new
        ]
    assert [u.state for u in before[2]] == [u.state for u in after[2]]


def test_a_cluster_is_named_by_its_first_unit_and_the_name_can_be_taken_away(memory: Memory) -> None:
    first = memory.recurrence.units()[0]
    memory.edit(Set("unit", (first.id,), "label", "  찻잔과 차 "), ANN)
    assert memory.recurrence.units()[0].label == "찻잔과 차"
    memory.edit(Set("unit", (first.id,), "label", ""), ANN)
    assert memory.recurrence.units()[0].label == ""


def test_an_episode_under_which_units_rest_keeps_its_layer(memory: Memory) -> None:
    (episode,) = memory.recurrence.episodes()
    with pytest.raises(InputError, match="delete it"):
        memory.edit(Set("content", (episode.id,), "layer", "fact"), ANN)
    memory.edit(Set("content", (episode.id,), "layer", "episode"), ANN)
    assert [e.id for e in memory.recurrence.episodes()] == [episode.id]
