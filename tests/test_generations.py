"""A new generation absorbs every unit once more; raw units stay, and a person's doing stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from recurring_memory import THETA, TOPICS, brought_in, everything, lines, opened, shown, sound

from memcore.editing import Relate, Set, Who
from memcore.errors import Stale, StoreFull
from memcore.events import Reconsolidated
from memcore.memory import Memory
from memcore.records import Content

ANN = Who("Ann")
SAID = (*(TOPICS[i % 3] for i in range(18)), "violin", "tomato")
STRICT = THETA._replace(theta_count=6)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = opened(tmp_path / "store")
    brought_in(made, tmp_path, lines(SAID))
    return made


def texts(memory: Memory) -> list[tuple[str, str, int, int]]:
    """Turns and facts as extraction read them: no generation may touch these."""
    scope = memory._scope
    turns = [t for talk in memory.conversations() for t in memory.turns(talk.id)]
    facts = [c for c in scope.derived() if c.layer == "fact" and c.span]
    return sorted(
        [(t.id, t.text, 0, 0) for t in turns] + [(f.id, f.text, *(f.span or (0, 0))) for f in facts]
    )


def episode_of(memory: Memory, topic: str) -> Content:
    (found,) = [e for e in memory.recurrence.episodes() if topic in e.text]
    return found


def test_a_generation_is_what_the_same_stream_gives_under_its_thresholds(
    memory: Memory, tmp_path: Path
) -> None:
    said = texts(memory)
    *_, last = memory.recurrence.apply(STRICT)
    assert (last.done, last.total) == (20, 20) and memory.recurrence.thresholds == STRICT
    straight = opened(tmp_path / "straight", STRICT)
    brought_in(straight, tmp_path, lines(SAID))
    assert shown(memory) == shown(straight)
    assert texts(memory) == said
    sound(memory, tmp_path / "store")
    event = memory.changes()[0].events[-1]
    assert isinstance(event, Reconsolidated)
    assert (event.units, event.episodes, event.facts) == (20, 3, 0)
    assert event.removed == 3 and event.share == 0.9


def test_earlier_versions_are_those_of_the_new_generation(memory: Memory) -> None:
    assert [len(memory.recurrence.versions(e.id)) for e in memory.recurrence.episodes()] == [3, 3, 3]
    list(memory.recurrence.apply(THETA._replace(theta_count=5)))
    for episode in memory.recurrence.episodes():
        (version,) = memory.recurrence.versions(episode.id)
        assert version.text != episode.text and episode.revision == 2
    assert len(memory._scope.all_versions()) == 3


def test_undoing_a_generation_restores_everything_and_redoing_brings_it_back(
    memory: Memory, tmp_path: Path
) -> None:
    before, found = everything(memory), memory.search("pottery")
    *_, last = memory.recurrence.apply(STRICT)
    after, then = everything(memory), shown(memory)
    assert after != before
    memory.undo(last.group)
    assert everything(memory) == before and memory.recurrence.thresholds == THETA
    assert {i for i, _ in memory.search("pottery")} == {i for i, _ in found}
    sound(memory, tmp_path / "store")
    memory.redo(last.group)
    assert everything(memory) == after and shown(memory) == then
    assert memory.recurrence.thresholds == STRICT
    sound(memory, tmp_path / "store")


@pytest.mark.parametrize("theta", [0.0, 1.0])
def test_both_ends_of_the_slider(memory: Memory, tmp_path: Path, theta: float) -> None:
    before = texts(memory)
    list(memory.recurrence.apply(THETA._replace(theta_sim=theta, merge=theta)))
    states = {u.state for u in memory.recurrence.units()}
    assert states <= ({"live"} if theta == 1.0 else {"live", "merged", "consolidated"})
    assert texts(memory) == before
    sound(memory, tmp_path / "store")


def test_a_person_s_words_stand_in_a_new_generation(memory: Memory, tmp_path: Path) -> None:
    mine = episode_of(memory, "pottery")
    memory.edit(Set("content", (mine.id,), "text", "Ann and pottery, in my own words."), ANN)
    units = {u.id: u.decision for u in memory.recurrence.units() if u.id in mine.units}
    list(memory.recurrence.apply(STRICT))
    kept = episode_of(memory, "pottery")
    assert (kept.id, kept.text, kept.units) == (mine.id, "Ann and pottery, in my own words.", mine.units)
    assert {u.id: u.decision for u in memory.recurrence.units() if u.id in mine.units} == units
    assert len(memory.recurrence.episodes()) == 3
    sound(memory, tmp_path / "store")
    brought_in(memory, tmp_path, lines(["pottery"], "more"))
    assert episode_of(memory, "pottery").text == "Ann and pottery, in my own words."
    assert len(episode_of(memory, "pottery").units) == len(mine.units) + 1
    (correction,) = memory.corrections().of(mine.id, "text")
    assert correction.disputed


def test_units_are_merged_into_an_episode_that_stays(memory: Memory, tmp_path: Path) -> None:
    """One that was declined before may belong to it now; the person's words stand and it is disputed."""
    list(memory.recurrence.apply(THETA._replace(merge=1.0, theta_count=6)))
    mine = episode_of(memory, "marathon")
    memory.edit(Set("content", (mine.id,), "text", "All about the marathon."), ANN)
    brought_in(memory, tmp_path, lines(["marathon"] * 2, "more"))
    assert [u.state for u in memory.recurrence.units()[-2:]] == ["live", "live"]
    list(memory.recurrence.apply(THETA._replace(theta_count=6)))
    kept = episode_of(memory, "marathon")
    assert kept.text == "All about the marathon." and len(kept.units) == 8
    assert [u.state for u in memory.recurrence.units()[-2:]] == ["merged", "merged"]
    sound(memory, tmp_path / "store")


@pytest.mark.parametrize("how", ["pinned", "related", "fact"])
def test_what_a_person_had_a_hand_in_survives(memory: Memory, tmp_path: Path, how: str) -> None:
    mine = episode_of(memory, "parrot")
    fact = next(f for f in memory.recurrence.facts() if f.episode_id == mine.id)
    if how == "pinned":
        memory.edit(Set("content", (mine.id,), "pinned", True), ANN)
    elif how == "related":
        memory.edit(Relate(mine.id, "Bo", "birds of the house"), ANN)
    else:
        memory.edit(Set("content", (fact.id,), "text", "Ann has a parrot."), ANN)
    list(memory.recurrence.apply(THETA._replace(theta_count=20)))
    (kept,) = memory.recurrence.episodes()
    assert (kept.id, kept.units, kept.text) == (mine.id, mine.units, mine.text)
    assert {f.episode_id for f in memory.recurrence.facts()} == {mine.id}
    assert len(memory.recurrence.facts()) == 6
    sound(memory, tmp_path / "store")


def test_a_generation_that_was_stopped_changes_nothing(memory: Memory) -> None:
    before = everything(memory)
    asked = iter([False] * 7)
    assert list(memory.recurrence.apply(STRICT, lambda: next(asked, True))) == []
    assert everything(memory) == before and memory.recurrence.calibration() is None


def test_a_generation_on_a_full_disk_changes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(memory)

    def full(*_: Any, **__: Any) -> None:
        raise StoreFull("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(memory._scope._door, "write", full)
        with pytest.raises(StoreFull):
            list(memory.recurrence.apply(STRICT))
    assert everything(memory) == before
    list(memory.recurrence.apply(STRICT))
    assert memory.recurrence.thresholds == STRICT


def test_what_was_written_meanwhile_is_not_overwritten(memory: Memory, tmp_path: Path) -> None:
    """A unit arrives while a generation is being made."""
    generation = memory.recurrence
    other = opened(tmp_path / "store")

    def arrives() -> bool:
        if len(other.recurrence.units()) == 20:
            brought_in(other, tmp_path, lines(["pottery"], "meanwhile"))
        return False

    with pytest.raises(Stale):
        list(generation.apply(STRICT, arrives))
    assert len(memory.recurrence.units()) == 21 and memory.recurrence.thresholds == THETA


def test_an_empty_memory_has_a_generation_too(tmp_path: Path) -> None:
    empty = opened(tmp_path / "store")
    *_, last = empty.recurrence.apply(STRICT)
    assert (last.done, last.total) == (0, 0) and empty.recurrence.thresholds == STRICT


def test_generation_after_generation_ends_where_it_began(memory: Memory, tmp_path: Path) -> None:
    begun = shown(memory)
    for thresholds in (STRICT, THETA._replace(theta_sim=1.0, merge=1.0), THETA):
        list(memory.recurrence.apply(thresholds))
    assert shown(memory) == begun
    sound(memory, tmp_path / "store")
