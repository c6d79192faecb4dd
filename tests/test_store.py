"""A store keeps every record exactly, one memory apart from the other, and refuses what it cannot read."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from store_records import INSTANT, Named, content, conversation, cue, file, memory, tag, turn

from memcore.access.permissions import OWNER
from memcore.errors import InputError, ScopeError, StoreDamaged, StoreMismatch
from memcore.events import Imported
from memcore.records import UNKNOWN, Content, Cue, File, Moment, Turn, new_id
from memcore.store import Scope, Store, _migrate
from memcore.store.folder import Folder
from memcore.store.registry import HOLDS_TEXT, TEXTLESS
from memcore.words import terms

IMPORTED = Imported("00000000", 1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store", embedder=Named())


@pytest.fixture
def scope(store: Store) -> Scope:
    return store.create_scope("mine")


def test_every_kind_of_record_comes_back_as_it_was(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    found = scope.get([r.id for r in records] + ["ffffffffffffffff", "no id' OR '1'='1"])
    assert found == {r.id: r for r in records}
    given = next(r for r in records if isinstance(r, File))
    assert found[given.id].report == given.report  # type: ignore[union-attr]
    for record in records:
        if isinstance(record, Cue | Content):
            np.testing.assert_array_equal(found[record.id].vector, record.vector)  # type: ignore[union-attr]


def test_records_of_one_kind_are_the_same_and_ids_of_others_are_left_out(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    for kind in {type(r) for r in records}:
        assert scope.get([r.id for r in records], kind) == {r.id: r for r in records if type(r) is kind}
    two = scope.get([r.id for r in records], Cue, Content)
    assert {type(r) for r in two.values()} == {Cue, Content}


def test_records_are_read_while_another_process_compacts(store: Store, scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    other, stop = Store.open(store.folder.path, embedder=Named()).scope("mine", OWNER), Event()

    def compact() -> None:
        while not stop.is_set():
            other.commit(IMPORTED, inserts=[tag(new_id())])
            other.tidy()

    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(compact)
        try:
            for _ in range(200):
                assert scope.get([r.id for r in records]) == {r.id: r for r in records}
        finally:
            stop.set()
        running.result()
    assert scope.seq() == other.seq() > 2


def test_absent_values_stay_absent(scope: Scope) -> None:
    talk = conversation(UNKNOWN)
    bare = Turn(
        new_id(), talk.id, 3, "", "tool", "", UNKNOWN, branch="b2", folded=True, attachments=("a.png",)
    )
    part = replace(content(bare), span=(0, 0), vector=None, recorded=None, origin=(), event=UNKNOWN)
    timeless = Cue(new_id(), "May 2023", "2023-05", "time", None)
    scope.commit(IMPORTED, upserts=[talk, bare, part, timeless])
    found = scope.get([talk.id, bare.id, part.id, timeless.id])
    assert found == {r.id: r for r in (talk, bare, part, timeless)}
    assert found[timeless.id].vector is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text", ["", "a\0b", "<script>'\"; DROP", "\u202eabc", "x" * 1_000_000, "메모리는 좋다"]
)
def test_any_text_comes_back_as_it_was(scope: Scope, text: str) -> None:
    said = turn(new_id(), text=text)
    scope.commit(IMPORTED, upserts=[said])
    assert scope.texts([said.id]) == {said.id: text}


def test_half_a_surrogate_pair_does_not_stop_an_import(scope: Scope) -> None:
    said = replace(turn(new_id(), text="bad \ud83d end"), source="\ud83d")
    scope.commit(IMPORTED, upserts=[said])
    assert scope.texts([said.id]) == {said.id: "bad ? end"}


def test_zero_model_mode_has_no_vectors(tmp_path: Path) -> None:
    scope = Store.open(tmp_path / "zero", embedder=Named("none", "", 0)).create_scope("mine")
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    columns = scope.columns()
    assert columns.content_vectors.shape == (1, 0)
    assert scope.get([records[3].id])[records[3].id].vector is None  # type: ignore[union-attr]


def test_a_vector_of_another_length_is_refused_and_one_that_is_no_number_is_none(scope: Scope) -> None:
    with pytest.raises(StoreMismatch, match="4 numbers"):
        scope.commit(IMPORTED, upserts=[replace(cue(), vector=np.ones(5, np.float32))])
    broken = replace(cue(), vector=np.array([1, np.nan, 0, 0], np.float32))
    scope.commit(IMPORTED, upserts=[broken])
    assert scope.get([broken.id])[broken.id].vector is None  # type: ignore[union-attr]


def test_an_empty_memory_answers_everything_with_nothing(scope: Scope) -> None:
    columns = scope.columns()
    assert (columns.seq, columns.content_ids, len(columns.relation_cue)) == (0, [], 0)
    assert columns.cue_vectors.shape == (0, 4)
    assert columns.origin_offsets.tolist() == [0] == columns.term_offsets.tolist()
    assert scope.get([new_id()]) == {} == scope.count() == scope.texts([])
    assert (
        scope.files() == scope.conversations() == scope.turns(new_id()) == scope.relations_of(new_id()) == []
    )
    assert scope.search("anything") == scope.changes() == scope.traces() == scope.names("cue") == []
    assert scope.known([scope.hash("x")]) == set()


def test_columns_are_in_reading_order_whatever_the_order_of_writing(scope: Scope) -> None:
    late = conversation(INSTANT)
    early = conversation(Moment(*(2 * [INSTANT.start.replace(year=2020)]), "instant"))  # type: ignore[union-attr]
    undated = [conversation(UNKNOWN), conversation(UNKNOWN)]
    order = [early, late, *undated]
    turns = [turn(c.id, p) for c in order for p in (0, 1, 10)]
    contents = [content(t) for t in turns]
    scope.commit(IMPORTED, upserts=[late, *undated, early, *turns[::-1], *contents[::-1]])
    columns = scope.columns()
    assert columns.content_ids == [c.id for c in contents]
    assert columns.positions.tolist() == [0, 1, 10] * 4
    assert columns.conversation_ids == [t.conversation_id for t in turns]
    assert [columns.turn_ids[i] for i in columns.origin] == [t.id for t in turns]
    assert [c.id for c in scope.conversations()] == [c.id for c in order]


def test_columns_hold_days_words_and_relations_of_each_content(scope: Scope) -> None:
    records = memory("Lake, lake and running")
    scope.commit(IMPORTED, upserts=records)
    columns = scope.columns()
    assert columns.said_days.tolist() == [INSTANT.start.toordinal()]  # type: ignore[union-attr]
    assert columns.event_first.tolist() == columns.event_last.tolist() == columns.said_days.tolist()
    spoken = next(r for r in records if isinstance(r, Content)).spoken
    assert columns.terms.tolist() == scope.term_hashes(terms(spoken)).tolist()
    assert terms(spoken)[-3:] == ["lake", "lake", "run"]
    triple = (columns.relation_cue.tolist(), columns.relation_tag.tolist(), columns.relation_content.tolist())
    assert triple == ([0], [0], [0])
    np.testing.assert_array_equal(columns.content_vectors[0], records[3].vector)  # type: ignore[union-attr]


def test_segments_of_one_turn_follow_each_other(scope: Scope) -> None:
    said = turn(new_id())
    parts = [replace(content(said), id=new_id(), span=(s, s + 5)) for s in (0, 5, 10)]
    scope.commit(IMPORTED, upserts=[said, *parts[::-1]])
    assert scope.columns().content_ids == [p.id for p in parts]


def test_turns_are_read_page_by_page(scope: Scope) -> None:
    talk = conversation()
    turns = [turn(talk.id, p) for p in range(7)]
    scope.commit(IMPORTED, upserts=[*turns[::-1], turn(new_id())])
    assert scope.turns(talk.id, 2, 3) == turns[2:5]
    assert scope.turns(talk.id) == turns
    assert scope.turns("x' OR kind='turn") == []


def test_turns_are_counted_as_they_are_by_now(scope: Scope) -> None:
    one, other = conversation(), conversation()
    turns = [turn(one.id, 0), turn(one.id, 1), turn(other.id, 0)]
    scope.commit(IMPORTED, inserts=[one, other, *turns])
    assert scope.turn_counts([one.id, other.id]) == {one.id: 2, other.id: 1}
    scope.commit(IMPORTED, deletes=[turns[0].id])
    assert scope.turn_counts([one.id]) == {one.id: 1}
    assert scope.turn_counts([]) == scope.turn_counts(["no id"]) == {}


def test_relations_are_found_from_each_of_their_ends(scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=[*records, *memory()])
    relation = records[-1]
    for end in (relation.cue_id, relation.tag_id, relation.content_id, relation.turn_id):  # type: ignore[union-attr]
        assert scope.relations_of(end) == [relation]


def test_files_names_and_counts(scope: Scope) -> None:
    first, place, bridge = file(), cue(), tag()
    scope.commit(IMPORTED, upserts=[first, place, bridge])
    assert scope.files() == [first]
    assert scope.names("cue") == [(place.id, place.key)]
    assert scope.names("tag") == [(bridge.id, bridge.key)]
    assert scope.count() == {"file": 1, "cue": 1, "tag": 1, "change": 1}


def test_what_was_imported_is_known_by_a_keyed_hash(scope: Scope) -> None:
    said = turn(new_id())
    seen, unseen = scope.hash("chat.json D1:0"), scope.hash("chat.json D1:1")
    scope.commit(IMPORTED, upserts=[said], source_hashes={said.id: seen})
    assert scope.known([seen, unseen]) == {seen}
    scope.commit(IMPORTED, upserts=[replace(said, text="edited", revision=2)])
    assert scope.known([seen]) == {seen}


def test_the_hash_of_a_text_differs_from_store_to_store(tmp_path: Path, scope: Scope) -> None:
    other = Store.open(tmp_path / "other", embedder=Named()).create_scope("mine")
    assert scope.hash("x") != other.hash("x")
    assert scope.term_hashes(["lake"]).tolist() != other.term_hashes(["lake"]).tolist()


def test_no_memory_is_seen_from_another(store: Store, scope: Scope) -> None:
    other = store.create_scope("hers")
    records = memory("the secret lake")
    scope.commit(IMPORTED, upserts=records, source_hashes={records[2].id: scope.hash("s")})
    assert other.get([r.id for r in records]) == {} == other.count()
    assert other.search("secret") == other.changes() == other.conversations() == []
    assert other.known([scope.hash("s")]) == set()
    assert other.seq() == 0


@pytest.mark.parametrize("name", [None, "", "nobody"])
def test_a_question_without_a_memory_is_refused(store: Store, name: str | None) -> None:
    store.create_scope("mine")
    with pytest.raises(ScopeError):
        store.scope(name, OWNER)


def test_a_memory_is_made_once(store: Store, scope: Scope) -> None:
    scope.commit(IMPORTED, upserts=memory())
    assert store.create_scope("mine").seq() == 1
    assert store.scopes(OWNER) == ["mine"]
    with pytest.raises(ScopeError):
        store.create_scope("  ")


def test_another_process_sees_the_memory_at_once(store: Store, scope: Scope) -> None:
    again = Store.open(store.folder.path, embedder=Named()).scope("mine", OWNER)
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    assert again.get([records[0].id]) == {records[0].id: records[0]}


@pytest.mark.parametrize("other", [Named("large"), Named(fingerprint="2:abc"), Named(dimension=8)])
def test_another_embedder_is_refused_and_the_writer_named(store: Store, scope: Scope, other: Named) -> None:
    with pytest.raises(StoreMismatch, match=r"written with the embedder small .* new folder"):
        Store.open(store.folder.path, embedder=other)
    assert Store.open(store.folder.path, embedder=None).embedder == "small"


def test_the_first_memory_binds_a_store_to_its_embedder_and_opening_binds_nobody(store: Store) -> None:
    head = store.folder.head()
    again = Store.open(store.folder.path, embedder=Named("large", "1", 8))
    assert store.folder.head() == head and (store.embedder, again.embedder) == ("", "")
    with pytest.raises(ScopeError):
        again.scope("mine", OWNER)
    again.create_scope("mine")
    assert store.embedder == again.embedder == "large"
    assert store.folder.head()["embedder"]["dimension"] == 8
    assert again.fits() and not store.fits()
    assert Store.open(store.folder.path, embedder=None).fits()
    for enter in (lambda: store.create_scope("yours"), lambda: store.scope("mine", OWNER)):
        with pytest.raises(StoreMismatch, match="written with the embedder large"):
            enter()
    assert again.scopes(OWNER) == ["mine"]


def test_who_had_an_empty_store_open_still_makes_its_first_memory_after_another_only_opened_it(
    store: Store,
) -> None:
    Store.open(store.folder.path, embedder=Named("large", "1", 8))
    records = memory()
    store.create_scope("mine").commit(IMPORTED, upserts=records)
    assert store.embedder == "small"
    assert store.scope("mine", OWNER).get([records[0].id]) == {records[0].id: records[0]}


def test_a_newer_schema_is_refused(store: Store) -> None:
    store.folder.write_head({**store.folder.head(), "schema": 99})
    with pytest.raises(StoreMismatch, match="newer version"):
        Store.open(store.folder.path, embedder=Named())


def test_an_older_store_is_taken_through_every_migration_in_order(store: Store) -> None:
    def step(name: str):
        return lambda db, head: {**head, "steps": [*head.get("steps", []), name]}

    _migrate(store.folder, [step("to 2"), step("to 3")])
    assert store.folder.head()["steps"] == ["to 2", "to 3"]
    assert store.folder.head()["schema"] == 3
    _migrate(store.folder, [step("to 2"), step("to 3")])
    assert store.folder.head()["steps"] == ["to 2", "to 3"]


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no store in this folder"):
        Store.open(tmp_path / "nothing", embedder=Named(), create=False)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="other files"):
        Store.open(tmp_path, embedder=Named())
    with pytest.raises(InputError, match="a file"):
        Store.open(tmp_path / "letter.txt", embedder=Named())
    assert [p.name for p in tmp_path.iterdir()] == ["letter.txt"]


def test_a_store_that_was_half_made_is_made_again(tmp_path: Path) -> None:
    Folder(tmp_path / "s", 1).make()
    (tmp_path / "s" / "store.json.1.2.tmp").write_text("{")
    assert Store.open(tmp_path / "s", embedder=Named()).scopes(OWNER) == []


def test_a_broken_head_is_said_to_be_broken(store: Store) -> None:
    (store.folder.path / "store.json").write_text("{")
    with pytest.raises(StoreDamaged, match=r"store\.json"):
        Store.open(store.folder.path, embedder=Named())


def test_the_key_is_readable_by_its_owner_only(store: Store) -> None:
    assert (store.folder.path / "store.json").stat().st_mode & 0o777 == 0o600
    assert len(json.loads((store.folder.path / "store.json").read_text())["key"]) == 64


def test_every_column_is_known_to_hold_text_or_not(scope: Scope) -> None:
    tables = {"items": scope.items, "traces": scope.runs.table}
    for name, table in tables.items():
        listed = {place.name for place in HOLDS_TEXT if place.where == name}
        textless = set(TEXTLESS[name].split())  # type: ignore[index]
        assert not listed & textless
        assert listed | textless == set(table.schema.names)


def test_every_index_over_words_is_listed(scope: Scope) -> None:
    over = {f"items.{c}" for i in scope.items._table.list_indices() for c in i.columns}
    textless = {f"items.{c}" for c in TEXTLESS["items"].split()}
    assert over - textless == {place.name for place in HOLDS_TEXT if place.where == "index"}
