"""A change is one commit with its reason, and can be taken back exactly, or is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from store_records import Named, content, conversation, cue, memory, tag, turn

from memcore.errors import InputError, NotFound
from memcore.events import Imported, Repaired, Undone
from memcore.records import Content, Cue, Record, Relation, new_id
from memcore.settings import Settings
from memcore.store import Scope, Store

IMPORTED = Imported("00000000", 1)


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return Store.open(tmp_path / "store", embedder=Named()).create_scope("mine")


def everything(scope: Scope, ids: list[str]) -> dict[str, tuple[Record, bytes | None]]:
    """Records with their vectors, without revisions, which an undo raises."""
    found = scope.get(ids)
    plain = {i: replace(r, revision=1) if hasattr(r, "revision") else r for i, r in found.items()}  # type: ignore[call-arg]
    vectors = {i: getattr(r, "vector", None) for i, r in found.items()}
    return {i: (plain[i], None if v is None else v.tobytes()) for i, v in vectors.items()}


def test_upserts_deletions_and_the_reason_are_one_version_of_the_table(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    version = scope.items.version
    old, relation = records[4], records[-1]
    seq = scope.commit(
        IMPORTED,
        upserts=[replace(old, name="pond"), tag("new")],
        deletes=[relation.id],  # type: ignore[call-arg]
    )
    assert scope.items.version == version + 1
    assert seq == scope.seq() == 2
    change = scope.changes()[0]
    assert (change.seqs, change.events, change.made, change.updated, change.deleted) == (
        (2,),
        (IMPORTED,),
        1,
        1,
        1,
    )
    assert scope.get([relation.id]) == {}


def test_inserts_upserts_and_deletions_go_in_together(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, inserts=records)
    place, relation, new = records[4], records[-1], memory("another lake")
    before = everything(scope, [r.id for r in records])
    version = scope.items.version
    renamed = replace(place, name="pond", revision=2)  # type: ignore[call-arg]
    scope.commit(IMPORTED, inserts=new, upserts=[renamed], deletes=[relation.id])
    assert scope.items.version == version + 1
    assert scope.get([r.id for r in new]) == {r.id: r for r in new}
    scope.undo()
    assert everything(scope, [r.id for r in (*records, *new)]) == before


def test_commits_are_numbered_one_by_one(scope: Scope) -> None:
    assert [scope.commit(IMPORTED, upserts=[cue(str(n))]) for n in range(4)] == [1, 2, 3, 4]
    assert [c.seqs for c in scope.changes(limit=2)] == [(4,), (3,)]


def test_an_id_made_from_text_is_refused_before_anything_is_written(scope: Scope) -> None:
    for wrong in ("lake", "x' OR '1'='1", "", "ABCDEF0123456789"):
        with pytest.raises(InputError, match="hexadecimal"):
            scope.commit(IMPORTED, upserts=[replace(cue(), id=wrong)])
        with pytest.raises(InputError, match="hexadecimal"):
            scope.commit(IMPORTED, deletes=[wrong])
    assert scope.count() == {}


def test_deleting_what_is_not_there_is_no_error(scope: Scope) -> None:
    scope.commit(IMPORTED, deletes=[new_id()])
    assert scope.changes()[0].deleted == 0


def test_an_import_of_several_commits_is_undone_as_one_change(scope: Scope) -> None:
    group = new_id()
    kept = memory("a first lake")
    scope.commit(IMPORTED, upserts=kept)
    before = everything(scope, [r.id for r in kept])
    for _ in range(3):
        scope.commit(IMPORTED, upserts=memory("a second pond"), group=group)
    assert scope.changes()[0].seqs == (2, 3, 4)
    taken = scope.undo()
    assert (taken.groups, taken.seq, taken.removed, taken.restored) == ((group,), 5, 21, 0)
    assert scope.count() == {**dict.fromkeys(("file", "conversation", "turn", "content", "cue", "tag"), 1),
                             "relation": 1, "change": 5}  # fmt: skip
    assert everything(scope, [r.id for r in kept]) == before
    assert scope.search("pond") == []
    assert scope.changes()[0].events == (Undone(group),)
    assert [c.undone for c in scope.changes()] == [False, True, False]


def test_an_edit_and_a_deletion_come_back_word_for_word_and_vector_for_vector(scope: Scope) -> None:
    records = memory("I swam in the lake")
    source = scope.hash("s")
    scope.commit(IMPORTED, upserts=records, source_hashes={records[2].id: source})
    ids = [r.id for r in records]
    before, found = everything(scope, ids), scope.search("swam")
    shown, place, relation = records[3], records[4], records[-1]
    assert isinstance(shown, Content) and isinstance(place, Cue)
    other = np.ones(4, np.float32)
    edited = [
        replace(shown, text="I ran", vector=other, revision=2),
        replace(place, name="road", vector=None),
    ]
    scope.commit(IMPORTED, upserts=edited, deletes=[relation.id, records[2].id])
    assert len(scope.search("swam")) == 0
    scope.undo()
    assert everything(scope, ids) == before
    assert scope.search("swam") == found
    assert scope.known([source]) == {source}
    assert scope.get([shown.id])[shown.id].revision == 3  # type: ignore[union-attr]


def test_rows_written_twice_in_a_change_come_back_as_before_its_first_commit(scope: Scope) -> None:
    place, group = cue("first"), new_id()
    scope.commit(IMPORTED, upserts=[place])
    scope.commit(IMPORTED, upserts=[replace(place, name="second", revision=2)], group=group)
    scope.commit(IMPORTED, upserts=[replace(place, name="third", revision=3)], group=group)
    scope.undo()
    assert scope.get([place.id])[place.id] == replace(place, revision=4)


def test_changes_are_undone_one_after_the_other_to_the_beginning(scope: Scope) -> None:
    place = cue("one")
    scope.commit(IMPORTED, upserts=[place])
    scope.commit(IMPORTED, upserts=[replace(place, name="two", revision=2)])
    scope.commit(IMPORTED, deletes=[place.id])
    names = []
    for _ in range(3):
        scope.undo()
        names.append([r.name for r in scope.get([place.id]).values()])  # type: ignore[union-attr]
    assert names == [["two"], ["one"], []]
    with pytest.raises(NotFound, match="no change left"):
        scope.undo()


def test_an_undo_or_a_repair_is_not_undone(scope: Scope) -> None:
    scope.commit(IMPORTED, upserts=[cue()])
    scope.commit(Repaired(()), upserts=[tag()])
    repair = scope.changes()[0].group
    taken = scope.undo()
    for group in (repair, *taken.groups, scope.changes()[0].group):
        with pytest.raises(InputError, match="already undone"):
            scope.undo(group)
    with pytest.raises(NotFound):
        scope.undo("x' OR 1=1")


def test_a_change_that_later_ones_edited_is_not_undone_before_them(scope: Scope) -> None:
    place, first = cue("one"), new_id()
    scope.commit(IMPORTED, upserts=[place], group=first)
    scope.commit(IMPORTED, upserts=[replace(place, name="two", revision=2)])
    with pytest.raises(InputError, match="1 later change rests on this one: undo those first"):
        scope.undo(first)
    scope.undo()
    scope.undo(first)
    assert scope.get([place.id]) == {}


def test_a_change_that_later_memories_refer_to_is_not_undone_before_them(scope: Scope) -> None:
    place, bridge, first = cue(), tag(), new_id()
    scope.commit(IMPORTED, upserts=[place, bridge], group=first)
    said = turn(new_id())
    shown = content(said)
    scope.commit(IMPORTED, upserts=[said, shown, Relation(new_id(), place.id, bridge.id, shown.id, said.id)])
    with pytest.raises(InputError, match="1 later change"):
        scope.undo(first)
    second = scope.changes()[0].group
    scope.commit(IMPORTED, upserts=[replace(content(said), id=new_id())])
    with pytest.raises(InputError, match="1 later change"):
        scope.undo(second)


def test_an_edit_that_a_later_one_overwrote_or_deleted_is_not_undone_before_it(scope: Scope) -> None:
    one, two, edit = cue("one"), cue("two"), new_id()
    scope.commit(IMPORTED, upserts=[one, two])
    edited = [replace(c, name="edited", revision=2) for c in (one, two)]
    scope.commit(IMPORTED, upserts=edited, group=edit)
    scope.commit(IMPORTED, upserts=[replace(one, name="again", revision=3)], deletes=[two.id])
    with pytest.raises(InputError, match="1 later change"):
        scope.undo(edit)


def test_a_conversation_keeps_its_place_when_it_is_edited(scope: Scope) -> None:
    talks = [conversation(title=str(n)) for n in range(3)]
    scope.commit(IMPORTED, upserts=talks)
    scope.commit(IMPORTED, upserts=[replace(talks[2], turns=9, revision=2)])
    assert [c.title for c in scope.conversations()] == ["0", "1", "2"]


def test_compacting_now_and_then_loses_nothing(tmp_path: Path) -> None:
    settings = Settings(optimize_every=5)
    scope = Store.open(tmp_path / "s", embedder=Named(), settings=settings).create_scope("mine")
    places = [cue(str(n)) for n in range(23)]
    for place in places:
        scope.commit(IMPORTED, upserts=[place])
    scope.tidy()
    assert scope.items.fragments() < 5
    assert scope.get([p.id for p in places]) == {p.id: p for p in places}
    scope.undo()
    assert len(scope.names("cue")) == 22
