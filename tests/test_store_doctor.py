"""The doctor finds what a crash can leave, repairs what is safe to repair, and says so in the journal."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from store_records import Named, cue, memory

from memcore.access.permissions import Viewer
from memcore.events import Imported, Repaired
from memcore.memories import Memories
from memcore.models.at_work import Models
from memcore.records import Relation, TraceHeader, new_id, now
from memcore.store import Scope, Store
from memcore.store.doctor import examine, repair

IMPORTED = Imported("00000000", 1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store", embedder=Named())


@pytest.fixture
def scope(store: Store) -> Scope:
    made = store.create_scope("mine")
    made.commit(IMPORTED, upserts=memory())
    return made


def problems(store: Store) -> dict[str, int]:
    return {finding.problem: finding.count for finding in examine(store)}


def test_a_healthy_store_has_nothing_to_report(store: Store, scope: Scope) -> None:
    assert examine(store) == repair(store) == []
    assert scope.seq() == 1


def test_relations_without_ends_are_removed_and_journalled(store: Store, scope: Scope) -> None:
    columns = scope.columns()
    ends = [columns.cue_ids[0], columns.tag_ids[0], columns.content_ids[0]]
    broken = [Relation(new_id(), *ends, "") for _ in range(3)]
    broken = [replace(broken[0], cue_id=new_id()), replace(broken[1], content_id=new_id())]
    scope.commit(IMPORTED, upserts=broken)
    assert len(scope.columns().relation_cue) == 1
    assert problems(store) == {"dangling_relation": 2}
    assert repair(store) == []
    assert scope.changes()[0].events == (Repaired((("dangling_relation", 2),)),)


def test_nobody_is_told_of_a_memory_that_they_may_not_enter(store: Store, scope: Scope) -> None:
    scope.commit(IMPORTED, upserts=[cue("unused")])
    memories = Memories(store, Named(), Models())
    assert [found.scope for found in memories.examined()] == ["mine"]
    assert memories.examined(Viewer("Bo", 3, frozenset({"theirs"}))) == []
    assert memories.bytes() == store.bytes() > 0


def test_a_content_whose_turn_is_lost_goes_with_its_relations(store: Store, scope: Scope) -> None:
    records = memory()
    scope.commit(IMPORTED, upserts=records)
    scope.commit(IMPORTED, deletes=[records[2].id])
    assert problems(store) == {"lost_origin": 1}
    assert [(f.problem, f.harmless) for f in repair(store)] == [("orphan_node", True)] * 2
    assert len(scope.columns().content_ids) == 1


def test_an_unused_cue_is_only_reported(store: Store, scope: Scope) -> None:
    scope.commit(IMPORTED, upserts=[cue("unused")])
    assert [f.count for f in repair(store)] == [1]
    assert len(scope.names("cue")) == 2


def test_what_a_crash_left_while_a_memory_was_made_is_removed(store: Store, scope: Scope) -> None:
    for number in range(12):
        store.db.create_table(f"items_{number}", schema=pa.schema([("id", pa.string())]))
    (store.folder.path / "store.json.1.2.tmp").write_text("{")
    assert problems(store) == {"orphan_table": 12, "leftover_file": 1}
    assert repair(store) == []
    assert scope.seq() == 1


def test_a_run_that_never_ended_is_marked_stopped(store: Store, scope: Scope) -> None:
    run = TraceHeader(new_id(), "q", "active", 20, now(), "running")
    scope.save_trace(run)
    assert problems(store) == {"running_trace": 1}
    assert repair(store) == []
    assert scope.trace(run.id)[0].status == "stopped"


def test_a_lost_journal_row_is_reported_and_kept(store: Store, scope: Scope) -> None:
    scope.commit(IMPORTED, upserts=memory())
    scope.items._table.delete("kind = 'change' AND seq = 1")
    expected = {"journal_gap": 1, "unjournalled_row": 7}
    assert problems(store) == expected
    assert {f.problem: f.count for f in repair(store)} == expected


def test_a_lost_index_is_made_again(store: Store, scope: Scope) -> None:
    scope.items._table.drop_index("text_idx")
    assert problems(store) == {"missing_index": 1}
    assert repair(store) == []
    assert len(scope.search("running")) == 2


def test_a_lost_table_is_reported_and_the_other_memories_stay(store: Store, scope: Scope) -> None:
    store.create_scope("hers")
    table = next(s["items"] for s in store.folder.head()["scopes"] if s["name"] == "hers")
    shutil.rmtree(store.folder.tables / f"{table}.lance")
    (found,) = repair(store)
    assert (found.problem, found.scope) == ("missing_table", "hers")
    assert scope.seq() == 1
