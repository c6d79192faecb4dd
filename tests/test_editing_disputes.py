"""What becomes of a person's words and of a model's when the model tells the same turn otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from building import own_lines, write_lines
from by_name import ANN

from memcore.editing import Delete, Resolve, Set
from memcore.extraction import Extraction, FoundCue, Rewriting
from memcore.llm.offline.extractor import RuleExtractor
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Content, Moment, Turn

MAY = Moment(datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 5, 1, 23, tzinfo=UTC), "day")
SAID = [("Ann", "I met Bob in Paris and we ate bread."), ("Bob", "The bread was stale.")]
TOLD, RETOLD, MINE = (
    "Ann met Bob in Paris.",
    "In Paris, Ann met Bob, her friend.",
    "Ann met Bob in Lyon.",
)


class Teller(RuleExtractor):
    """Tells the first turn in these words, or says nothing of its own."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        first, *more = super().extract(turns)
        cues = (FoundCue("Bob", "people", 0, 0), FoundCue("Paris", "location", 0, 0))
        told = Rewriting(self._words, 2, cues, ("meeting",), ((0, 0), (1, 0)), (), Moment())
        return [first._replace(rewriting=told, made_by="model") if self._words else first, *more]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory in which a person corrected what a model told."""
    found = Memories.open(tmp_path / "store", embedder="none").scope("town", create=True)
    list(found.import_path(write_lines(tmp_path / "t.jsonl", own_lines(SAID))))
    read_by(found, TOLD)
    found.edit(Set("content", (told(found, TOLD).id,), "text", MINE), ANN)
    return found


def read_by(memory: Memory, words: str) -> None:
    list(memory.reextract(Teller(words)))


def contents(memory: Memory) -> list[Content]:
    ids = memory.snapshot().graph.columns.content_ids
    return [c for c in memory.get(ids).values() if isinstance(c, Content)]


def told(memory: Memory, words: str) -> Content:
    (found,) = [c for c in contents(memory) if c.text == words]
    return found


def disputed(memory: Memory) -> list[str]:
    return [c.id for c in memory.corrections().all if c.disputed is not None]


def decide(memory: Memory, choice: str) -> None:
    (correction,) = disputed(memory)
    memory.edit(Resolve(correction, choice), ANN)  # type: ignore[arg-type]


def test_both_are_found_by_their_cues_and_stay_so_at_every_later_reading(
    memory: Memory, tmp_path: Path
) -> None:
    read_by(memory, RETOLD)
    decide(memory, "both")
    for words in (RETOLD, RETOLD, TOLD, RETOLD):
        read_by(memory, words)
        assert (told(memory, MINE).made_by, told(memory, words).made_by) == ("person", "model")
        for text in (MINE, words):
            assert {r.made_by for r in memory.relations(told(memory, text).id)} == {"model"}
        assert disputed(memory) == []
    assert Memories.open(tmp_path / "store", embedder="none").examined() == []


def corrected_also(memory: Memory, field: str, value: object) -> None:
    """Another field of the person's memory is set too."""
    memory.edit(Set("content", (told(memory, MINE).id,), field, value), ANN)


def keep_both(memory: Memory) -> None:
    (text,) = [c.id for c in memory.corrections().all if c.disputed is not None and c.slot == "text"]
    memory.edit(Resolve(text, "both"), ANN)


@pytest.mark.parametrize(
    ("field", "value"), [("layer", "fact"), ("event", MAY), ("sensitivity", 1), ("pinned", True)]
)
def test_both_stand_whatever_else_was_corrected(memory: Memory, field: str, value: object) -> None:
    corrected_also(memory, field, value)
    read_by(memory, RETOLD)
    keep_both(memory)
    for _ in range(2):
        read_by(memory, RETOLD)
        assert getattr(told(memory, MINE), field) == value
        assert told(memory, RETOLD).made_by == "model" and disputed(memory) == []


def test_deleting_ones_own_leaves_what_was_read(memory: Memory) -> None:
    read_by(memory, RETOLD)
    decide(memory, "both")
    memory.edit(Delete("content", (told(memory, MINE).id,)), ANN)
    read_by(memory, RETOLD)
    assert told(memory, RETOLD) and MINE not in {c.text for c in contents(memory)}
    memory.edit(Delete("content", (told(memory, RETOLD).id,)), ANN)
    read_by(memory, RETOLD)
    assert RETOLD not in {c.text for c in contents(memory)}


def test_what_was_corrected_of_the_relations_of_a_memory_goes_with_it(memory: Memory) -> None:
    before = memory.relations(told(memory, MINE).id)
    memory.edit(Delete("relation", (before[0].id,)), ANN)
    read_by(memory, "")
    decide(memory, "new")
    assert memory.corrections().all == []
    read_by(memory, RETOLD)
    assert len(memory.relations(told(memory, RETOLD).id)) == len(before)


def test_words_written_by_hand_are_not_laid_over_others_elsewhere(memory: Memory, tmp_path: Path) -> None:
    read_by(memory, RETOLD)
    decide(memory, "both")
    lines = list(memory.exported())
    assert {o.state for o in memory.replay(lines)} == {"already"}
    other = Memories.open(tmp_path / "other", embedder="none").scope("town", create=True)
    list(other.import_path(write_lines(tmp_path / "t.jsonl", own_lines(SAID))))
    read_by(other, RETOLD)
    assert {o.state for o in other.replay(lines)} == {"not_found"}
    assert told(other, RETOLD)


def test_history_says_that_both_were_kept(memory: Memory) -> None:
    read_by(memory, RETOLD)
    decide(memory, "both")
    (event,) = memory.changes()[0].events
    assert (event.action, event.field) == ("resolve", "both")  # type: ignore[union-attr]


def test_what_a_person_keeps_against_silence_is_still_found_by_its_cues(memory: Memory) -> None:
    handles = {r.triple for r in memory.relations(told(memory, MINE).id)}
    read_by(memory, "")
    decide(memory, "mine")
    for words in ("", RETOLD, RETOLD):
        read_by(memory, words)
        assert handles <= {r.triple for r in memory.relations(told(memory, MINE).id)}
        assert RETOLD not in {c.text for c in contents(memory)}


def test_a_memory_that_was_let_go_comes_back_when_it_is_said_again(memory: Memory) -> None:
    read_by(memory, "")
    decide(memory, "new")
    assert MINE not in {c.text for c in contents(memory)} and memory.corrections().all == []
    read_by(memory, RETOLD)
    assert told(memory, RETOLD).made_by == "model" and memory.relations(told(memory, RETOLD).id)


def test_the_new_words_are_a_models(memory: Memory) -> None:
    read_by(memory, RETOLD)
    decide(memory, "new")
    assert told(memory, RETOLD).made_by == "model" and memory.corrections().all == []
