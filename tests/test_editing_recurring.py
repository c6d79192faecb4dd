"""Corrections of an episode's handles stand when more recurs, and in a new generation; so does a deletion."""

from __future__ import annotations

from pathlib import Path

import pytest
from recurring_memory import THETA, brought_in, everything, lines, opened, sound

from memcore.editing import Delete, Relate, Set, Who
from memcore.erasure import Hit
from memcore.memory import Memory
from memcore.records import Content, Cue, Relation, Tag

ANN = Who("Ann")
SAID = ("pottery", "marathon", "pottery", "violin", "pottery", "marathon", "pottery", "tomato")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = opened(tmp_path / "store")
    brought_in(made, tmp_path, lines(SAID))
    return made


def the_episode(memory: Memory) -> Content:
    (found,) = memory.recurrence.episodes()
    return found


def handles(memory: Memory) -> dict[tuple[str, str], Relation]:
    """The handles of the only episode, by the names of cue and tag."""
    relations = memory.relations(the_episode(memory).id)
    nodes = memory.get(i for r in relations for i in (r.cue_id, r.tag_id))
    names = {i: n.name for i, n in nodes.items() if isinstance(n, Cue | Tag)}
    return {(names[r.cue_id], names[r.tag_id]): r for r in relations}


def merge_one_more(memory: Memory, folder: Path, name: str = "more") -> None:
    brought_in(memory, folder, lines(["pottery"], name))
    assert memory.recurrence.units()[-1].state == "merged"


def test_a_deleted_handle_of_an_episode_stays_deleted(memory: Memory, tmp_path: Path) -> None:
    gone = ("pottery", "pottery")
    left = {*handles(memory)} - {gone}
    memory.edit(Delete("relation", (handles(memory)[gone].id,)), ANN)
    merge_one_more(memory, tmp_path)
    assert {*handles(memory)} == left
    list(memory.recurrence.apply(THETA))
    assert {*handles(memory)} == left
    sound(memory, tmp_path / "store")


def test_a_deleted_handle_does_not_come_back_when_its_episode_is_written_anew(memory: Memory) -> None:
    episode, gone = the_episode(memory), handles(memory)["pottery", "pottery"]
    memory.edit(Delete("relation", (gone.id,)), ANN)
    plan = memory.erasure.plan([Hit(episode.origin[-1], "turn", "whole", "named")])
    assert episode.id in plan.after
    made = [r for r in plan.after.values() if isinstance(r, Relation) and r.content_id == episode.id]
    assert (gone.cue_id, gone.tag_id) not in {(r.cue_id, r.tag_id) for r in made}


def test_a_handle_of_an_episode_keeps_the_tag_a_person_gave_it(memory: Memory, tmp_path: Path) -> None:
    memory.edit(Set("relation", (handles(memory)["pottery", "pottery"].id,), "tag", "handmade"), ANN)
    shown = {*handles(memory)}
    assert ("pottery", "handmade") in shown
    merge_one_more(memory, tmp_path)
    assert {*handles(memory)} == shown
    list(memory.recurrence.apply(THETA))
    assert {*handles(memory)} == shown


def test_a_handle_that_fell_together_with_another_stays_one(memory: Memory, tmp_path: Path) -> None:
    memory.edit(Relate(the_episode(memory).id, "pottery", "handmade"), ANN)
    memory.edit(Set("relation", (handles(memory)["pottery", "pottery"].id,), "tag", "handmade"), ANN)
    shown = {*handles(memory)}
    merge_one_more(memory, tmp_path)
    assert {*handles(memory)} == shown and ("pottery", "pottery") not in shown


def test_an_episode_keeps_a_cue_that_was_renamed(memory: Memory, tmp_path: Path) -> None:
    ann = handles(memory)["Ann", "pottery"].cue_id
    memory.edit(Set("cue", (ann,), "name", "Annabel Lee"), ANN)
    merge_one_more(memory, tmp_path)
    assert handles(memory)["Annabel Lee", "pottery"].cue_id == ann


def test_a_new_episode_gets_a_cue_that_was_renamed_before(tmp_path: Path) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(["pottery"] * 2))
    ann = dict(memory._scope.names("cue"))
    (id_,) = [i for i, key in ann.items() if key == "ann"]
    memory.edit(Set("cue", (id_,), "name", "Annabel Lee"), ANN)
    brought_in(memory, tmp_path, lines(["pottery"], "more"))
    assert handles(memory)["Annabel Lee", "pottery"].cue_id == id_


def test_what_a_person_deletes_is_not_made_again_of_the_same_units(memory: Memory, tmp_path: Path) -> None:
    memory.edit(Delete("content", (the_episode(memory).id,)), ANN)
    before = everything(memory)
    assert memory.recurrence.foresee(THETA).episodes == {}
    for _ in range(2):
        list(memory.recurrence.apply(THETA))
        assert memory.recurrence.episodes() == []
    memory.undo()
    memory.undo()
    assert everything(memory) == before
    sound(memory, tmp_path / "store")


def test_what_a_person_deleted_may_come_of_more_than_the_same_units(memory: Memory, tmp_path: Path) -> None:
    memory.edit(Delete("content", (the_episode(memory).id,)), ANN)
    list(memory.recurrence.apply(THETA))
    brought_in(memory, tmp_path, lines(["pottery"], "more"))
    assert len(the_episode(memory).units) == 5
    list(memory.recurrence.apply(THETA))
    assert len(the_episode(memory).units) == 5
    sound(memory, tmp_path / "store")


def test_undoing_the_deletion_lets_a_new_generation_make_the_episode(memory: Memory) -> None:
    memory.edit(Delete("content", (the_episode(memory).id,)), ANN)
    memory.undo()
    list(memory.recurrence.apply(THETA))
    assert len(the_episode(memory).units) == 4
