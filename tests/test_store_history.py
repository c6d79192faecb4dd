"""Undo and redo: each is a commit of its own, exact, and refused while later changes rest on the rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from store_records import Named, content, cue, memory, tag, turn

from memcore.errors import InputError, InTheWay, NotFound
from memcore.events import Edited, Imported, Undone, load
from memcore.records import Cue, Record, Relation, new_id
from memcore.store import Scope, Store, past
from memcore.store.commit import unpacked

IMPORTED = Imported("00000000", 1)
EDITED = Edited("set", "cue", "name", (), 1, "ann", "")


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return Store.open(tmp_path / "store", embedder=Named()).create_scope("mine")


def renamed(scope: Scope, place: Cue, name: str) -> tuple[Cue, str]:
    """One edit of a cue, and the group it is."""
    found = scope.get([place.id])[place.id]
    assert isinstance(found, Cue)
    group = new_id()
    changed = replace(found, name=name, revision=found.revision + 1)
    scope.commit(EDITED, upserts=[changed], group=group)
    return changed, group


def names(scope: Scope, *records: Record) -> list[str]:
    found = scope.get([r.id for r in records])
    return [getattr(found[r.id], "name", "?") if r.id in found else "gone" for r in records]


def test_redo_brings_back_what_undo_took_and_both_may_be_repeated(scope: Scope) -> None:
    place, other = cue("one"), cue("two")
    scope.commit(IMPORTED, upserts=[place, other])
    new = tag("new")
    scope.commit(
        EDITED, inserts=[new], upserts=[replace(place, name="edited", revision=2)], deletes=[other.id]
    )
    for _ in range(3):
        scope.undo()
        assert names(scope, place, other, new) == ["one", "two", "gone"]
        scope.redo()
        assert names(scope, place, other, new) == ["edited", "gone", "new"]
    assert scope.get([place.id])[place.id].vector is not None  # type: ignore[union-attr]
    assert [c.undone for c in scope.changes() if c.events[0].kind == "edited"] == [False]


def test_several_steps_are_undone_and_redone_in_order(scope: Scope) -> None:
    place = cue("0")
    scope.commit(IMPORTED, upserts=[place])
    for n in "123":
        renamed(scope, place, n)
    seen = [names(scope, place)[0]]
    for _ in range(3):
        scope.undo()
        seen += names(scope, place)
    for _ in range(3):
        scope.redo()
        seen += names(scope, place)
    assert "".join(seen) == "3210123"
    with pytest.raises(NotFound, match="left to redo"):
        scope.redo()


def test_a_new_edit_ends_what_can_be_redone_without_a_name_but_not_with_one(scope: Scope) -> None:
    place, other = cue("one"), cue("two")
    scope.commit(IMPORTED, upserts=[place, other])
    _, first = renamed(scope, place, "edited")
    scope.undo()
    renamed(scope, other, "second")
    with pytest.raises(NotFound, match="left to redo"):
        scope.redo()
    scope.redo(first)
    assert names(scope, place, other) == ["edited", "second"]


def test_a_redo_that_would_write_over_a_newer_edit_is_refused(scope: Scope) -> None:
    place = cue("one")
    scope.commit(IMPORTED, upserts=[place])
    _, first = renamed(scope, place, "edited")
    scope.undo()
    _, second = renamed(scope, place, "newer")
    with pytest.raises(InTheWay) as refused:
        scope.redo(first)
    assert refused.value.groups == {second}
    assert names(scope, place) == ["newer"]


def test_what_stands_in_the_way_is_named_and_can_go_with_it(scope: Scope) -> None:
    place, other = cue("one"), cue("two")
    scope.commit(IMPORTED, upserts=[place, other])
    _, first = renamed(scope, place, "a")
    _, second = renamed(scope, place, "b")
    _, apart = renamed(scope, other, "kept")
    _, third = renamed(scope, place, "c")
    assert [c.group for c in scope.blockers(first)] == [third, second]
    assert scope.blockers(apart) == []
    with pytest.raises(InTheWay, match="2 later changes rest"):
        scope.undo(first)
    taken = scope.undo(first, also_later=True)
    assert taken.groups == (third, second, first)
    assert names(scope, place, other) == ["one", "kept"]


def test_changes_that_rest_on_it_through_others_are_named_too(scope: Scope) -> None:
    place, bridge = cue("one"), tag("t")
    scope.commit(IMPORTED, upserts=[place])
    first, second, third = new_id(), new_id(), new_id()
    scope.commit(EDITED, inserts=[bridge], group=first)
    said = turn(new_id())
    shown = content(said)
    relation = Relation(new_id(), place.id, bridge.id, shown.id, said.id)
    scope.commit(EDITED, inserts=[said, shown, relation], group=second)
    scope.commit(EDITED, upserts=[replace(relation, revision=2)], group=third)
    assert [c.group for c in scope.blockers(first)] == [third, second]


def test_a_relation_does_not_come_back_without_the_cue_that_was_deleted_since(scope: Scope) -> None:
    records = memory()
    place, relation = records[4], records[-1]
    scope.commit(IMPORTED, upserts=records)
    first, second = new_id(), new_id()
    scope.commit(EDITED, deletes=[relation.id], group=first)
    scope.commit(EDITED, deletes=[place.id], group=second)
    with pytest.raises(InTheWay) as refused:
        scope.undo(first)
    assert refused.value.groups == {second}
    scope.undo(first, also_later=True)
    assert set(scope.get([place.id, relation.id])) == {place.id, relation.id}


def test_an_undone_import_is_brought_back_by_importing_again(scope: Scope) -> None:
    group = new_id()
    scope.commit(IMPORTED, upserts=memory(), group=group)
    scope.undo()
    with pytest.raises(InputError, match="importing the file again"):
        scope.redo(group)


def test_a_large_change_can_be_read_back_from_among_its_own_rows(scope: Scope) -> None:
    place, other, bridge, said = cue("one"), cue("two"), tag("t"), turn(new_id())
    shown = content(said)
    rows = [Relation(new_id(), place.id, bridge.id, shown.id, said.id) for _ in range(6_000)]
    scope.commit(IMPORTED, inserts=[place, other, bridge, said, shown, *rows])
    scope.commit(EDITED, upserts=[replace(r, cue_id=other.id, revision=2) for r in rows])
    assert len(scope.relations_of(other.id)) == 6_000
    assert scope.undo().restored == 6_000
    assert len(scope.relations_of(place.id)) == 6_000


def test_an_undo_and_a_redo_say_how_far_they_are(scope: Scope) -> None:
    place, other, bridge, said = cue("one"), cue("two"), tag("t"), turn(new_id())
    shown = content(said)
    rows = [Relation(new_id(), place.id, bridge.id, shown.id, said.id) for _ in range(30)]
    scope.commit(IMPORTED, inserts=[place, other, bridge, said, shown, *rows])
    scope.commit(EDITED, upserts=[replace(r, cue_id=other.id, revision=2) for r in rows])
    for steps in (scope.undoing(), scope.redoing()):
        assert [(s.doing, s.taken.rows, s.rows) for s in steps] == [
            ("checking", 0, 30),
            ("writing", 0, 30),
            ("done", 30, 30),
        ]


def test_an_undo_with_later_changes_counts_the_rows_of_all_of_them(scope: Scope) -> None:
    place = cue("0")
    scope.commit(IMPORTED, upserts=[place])
    groups = [renamed(scope, place, n)[1] for n in "123"]
    steps = list(scope.undoing(groups[0], also_later=True))
    assert [s.taken.rows for s in steps if s.doing == "writing"] == [0, 1, 2]
    assert {s.rows for s in steps} == {3} and steps[-1].taken.groups == tuple(reversed(groups))


def test_an_undo_that_is_left_before_it_writes_changes_nothing_and_gives_the_lock_back(scope: Scope) -> None:
    place = cue("0")
    scope.commit(IMPORTED, upserts=[place])
    renamed(scope, place, "1")
    steps = scope.undoing()
    assert [next(steps).doing, next(steps).doing] == ["checking", "writing"]
    del steps
    assert names(scope, place) == ["1"] and not scope.changes()[0].undone
    renamed(scope, place, "2")


def test_who_undid_and_who_redid_is_in_the_journal_and_an_undo_of_before_still_loads(scope: Scope) -> None:
    place = cue("one")
    scope.commit(IMPORTED, upserts=[place])
    renamed(scope, place, "edited")
    scope.undo(author="bo")
    scope.redo(author="cy")
    redone, undone = scope.changes()[:2]
    assert [e.author for row in (redone, undone) for e in row.events if e.kind != "imported"] == ["cy", "bo"]
    assert load({"kind": "undone", "group": "0123"}) == Undone("0123", "")


def test_records_are_told_as_they_stood_at_each_change_whatever_became_of_them(scope: Scope) -> None:
    place, bridge, said = cue("one"), tag("old tag"), turn(new_id())
    shown, other = content(said), tag("new tag")
    relation = Relation(new_id(), place.id, bridge.id, shown.id, said.id)
    scope.commit(IMPORTED, upserts=[place, bridge, other, said, shown, relation])
    _, first = renamed(scope, place, "two")
    _, second = renamed(scope, place, "three")
    moved, gone, last = new_id(), new_id(), new_id()
    scope.commit(EDITED, upserts=[replace(relation, tag_id=other.id, revision=2)], group=moved)
    scope.commit(EDITED, deletes=[bridge.id], group=gone)
    scope.commit(EDITED, deletes=[relation.id], group=last)
    wanted = {first: [place.id], second: [place.id], moved: [relation.id], gone: [bridge.id]}
    found = scope.stood(wanted)

    def named(group: str, id_: str) -> tuple[str, str]:
        sides = (found[group].before, found[group].after)
        return tuple(getattr(side.get(id_), "name", "gone") for side in sides)  # type: ignore[return-value]

    assert named(first, place.id) == ("one", "two")
    assert named(second, place.id) == ("two", "three")
    assert named(gone, bridge.id) == ("old tag", "gone")
    before, after = (side[relation.id] for side in (found[moved].before, found[moved].after))
    assert isinstance(before, Relation) and isinstance(after, Relation)
    assert (before.tag_id, after.tag_id) == (bridge.id, other.id)
    assert found[moved].before[bridge.id].name == "old tag"  # type: ignore[union-attr]
    assert found[moved].after[other.id].name == "new tag"  # type: ignore[union-attr]


def test_only_what_replaced_a_record_asked_for_is_unpacked(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, other = cue("one"), cue("other")
    scope.commit(IMPORTED, upserts=[place, other])
    both, alone = new_id(), new_id()
    for record, group in ((place, both), (other, both), (other, alone)):
        scope.commit(EDITED, upserts=[replace(record, name="edited", revision=2)], group=group)
    read: list[list[str]] = []

    def unpack(packed: bytes) -> pa.Table:
        found = unpacked(packed)
        read.append(found.column("id").to_pylist())
        return found

    monkeypatch.setattr(past, "unpacked", unpack)
    found = scope.stood({both: [place.id], alone: []})
    assert found[both].before[place.id].name == "one"  # type: ignore[union-attr]
    assert found[alone] == ({}, {})
    assert {i for ids in read for i in ids} == {place.id}


def test_what_an_undone_change_had_made_is_still_told_by_name(scope: Scope) -> None:
    made, group, later = cue("made by hand"), new_id(), new_id()
    scope.commit(EDITED, inserts=[made], group=group)
    scope.commit(EDITED, upserts=[replace(made, pinned=True, revision=2)], group=later)
    scope.undo()
    scope.undo()
    found = scope.stood({group: [made.id], later: [made.id]})
    assert {found[g].after[made.id].name for g in (group, later)} == {"made by hand"}  # type: ignore[union-attr]


def test_a_change_can_be_redone_only_where_what_it_was_made_on_is_there(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    place = next(r for r in records if isinstance(r, Cue))
    _, edit = renamed(scope, place, "edited")
    scope.undo()
    assert scope.redoable(edit)
    scope.undo()  # the import
    assert not scope.redoable(edit)
    scope.commit(IMPORTED, upserts=memory())
    assert not scope.redoable(edit)
    with pytest.raises(InputError):
        scope.redo(edit)
