# pyright: basic, reportAttributeAccessIssue=false
"""What a crash, a full disk or a lost file can leave in a store: found, and repaired where it is safe.

A commit is atomic, so most of this is never seen. Repairs of memory go through the one write door and
appear in the journal; nothing that a person said is ever removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from memcore.access.permissions import OWNER
from memcore.errors import StoreDamaged
from memcore.events import Repaired
from memcore.records import now
from memcore.store import Store
from memcore.store.commit import CHANGES
from memcore.store.lance_errors import lance_errors
from memcore.store.schema import items_indexes, traces_indexes
from memcore.store.scope import Scope

Problem = Literal[
    "missing_table",  # a memory whose table is gone or unreadable
    "orphan_table",  # a table that no memory names: a crash while a memory was made
    "leftover_file",  # a draft of store.json
    "dangling_relation",  # its cue, tag or content is missing
    "lost_origin",  # a content or unit whose turn is missing
    "lost_run",  # a step or mark whose run is missing
    "orphan_node",  # a cue or tag without a relation
    "journal_gap",  # a commit number without its journal row
    "unjournalled_row",  # a row written by a commit that the journal does not know
    "running_trace",  # a run that did not say how it ended
    "missing_index",
    "broken_audit",  # an entry of the audit is not as it was written: `memcore audit verify` says which
    "unaudited_commit",  # a commit without an entry: it is older than the audit, or the audit was removed
    "altered_receipt",  # a receipt of an erasure is not as it was written
    "lost_receipt",  # an erasure that the journal knows left a receipt, which is gone
]
_REPAIRABLE = {
    "orphan_table", "leftover_file", "dangling_relation", "lost_origin", "lost_run", "running_trace",
    "missing_index",
}  # fmt: skip
_ENDS = {"cue_id": "cue", "tag_id": "tag", "content_id": "content"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of problem in one memory ("" for the store itself). `ids` name what is concerned."""

    problem: Problem
    scope: str
    count: int
    ids: tuple[str, ...] = ()

    @property
    def repairable(self) -> bool:
        return self.problem in _REPAIRABLE

    @property
    def harmless(self) -> bool:
        """Whether it is only worth knowing: a cue that nothing uses any more."""
        return self.problem == "orphan_node"


def examine(store: Store) -> list[Finding]:
    """Everything that is not as it should be; empty for a healthy store. Changes nothing."""
    return [*_in_folder(store), *(f for name in store.scopes(OWNER) for f in _in_scope(store, name))]


def repair(store: Store) -> list[Finding]:
    """Repairs what `examine` finds and can be repaired, and returns what remains."""
    with store.folder.writing():
        for finding in examine(store):
            if finding.repairable:
                _repair(store, finding)
    return examine(store)


def _in_folder(store: Store) -> Iterator[Finding]:
    named = {scope[table] for scope in store.folder.head()["scopes"] for table in ("items", "traces")}
    with lance_errors():
        present = set(store.db.list_tables().tables)
    yield from _found("orphan_table", "", sorted(present - named))
    yield from _found("leftover_file", "", [path.name for path in store.folder.leftovers()])
    if not (verdict := store.audit.verify()).ok:
        yield Finding("broken_audit", "", 1, (str(verdict.broken_at),))


def _in_scope(store: Store, name: str) -> Iterator[Finding]:
    try:
        scope = store.scope(name, OWNER)
        yield from _in_memory(scope)
        yield from _in_journal(scope)
        yield from _found("unaudited_commit", name, [str(seq) for seq in _unaudited(store, scope)])
        yield from _found("altered_receipt", name, scope.altered_receipts())
        yield from _found("lost_receipt", name, scope.lost_receipts())
    except StoreDamaged:
        yield Finding("missing_table", name, 1)
        return
    running = [trace.id for trace in scope.traces(limit=10_000) if trace.status == "running"]
    yield from _found("running_trace", name, running)
    missing = scope.items.missing_indexes(items_indexes())
    yield from _found("missing_index", name, [f"items.{column}" for column in missing])
    missing = scope.runs.table.missing_indexes(traces_indexes())
    yield from _found("missing_index", name, [f"traces.{column}" for column in missing])


def _in_memory(scope: Scope) -> Iterator[Finding]:
    rows = scope.items.read(["id", "kind", *_ENDS, "origin", "conversation_id"])
    ids = {
        kind: rows.filter(pc.equal(rows.column("kind"), kind))
        for kind in (*_ENDS.values(), "turn", "relation", "unit", "run", "step", "mark")
    }
    relations = ids["relation"]
    whole = pa.chunked_array([pa.nulls(len(relations), pa.bool_()).fill_null(True)])
    for column, kind in _ENDS.items():
        whole = pc.and_(whole, pc.is_in(relations.column(column), ids[kind].column("id").combine_chunks()))
    yield from _found(
        "dangling_relation", scope.name, relations.column("id").filter(pc.invert(whole)).to_pylist()
    )
    turns = ids["turn"].column("id").combine_chunks()
    for kind in ("content", "unit"):
        rests = ids[kind].combine_chunks()
        origins = rests.column("origin").combine_chunks()
        lost = pc.invert(pc.is_in(pc.list_flatten(origins), turns))
        of = pc.unique(pc.list_parent_indices(origins).filter(lost))
        yield from _found("lost_origin", scope.name, rests.column("id").take(of).to_pylist())
    runs = ids["run"].column("id").combine_chunks()
    for kind in ("step", "mark"):
        of_run = ids[kind]
        there = pc.is_in(of_run.column("conversation_id"), runs)
        yield from _found("lost_run", scope.name, of_run.column("id").filter(pc.invert(there)).to_pylist())
    for column in ("cue_id", "tag_id"):
        nodes = ids[_ENDS[column]].column("id")
        used = pc.is_in(nodes, relations.column(column).combine_chunks())
        yield from _found("orphan_node", scope.name, nodes.filter(pc.invert(used)).to_pylist())


def _in_journal(scope: Scope) -> Iterator[Finding]:
    seqs = set(scope.items.read(["seq"], CHANGES).column("seq").to_pylist())
    gaps = set(range(1, max(seqs, default=0) + 1)) - seqs
    yield from _found("journal_gap", scope.name, [str(seq) for seq in sorted(gaps)])
    written = scope.items.read(["id", "seq"])
    known = pc.is_in(written.column("seq"), pa.array(sorted(seqs), pa.int64()))
    yield from _found(
        "unjournalled_row", scope.name, written.column("id").filter(pc.invert(known)).to_pylist()
    )


def _unaudited(store: Store, scope: Scope) -> list[int]:
    """Every commit is entered before it is made."""
    seqs = set(scope.items.read(["seq"], CHANGES).column("seq").to_pylist())
    return sorted(seqs - store.audit.commits(scope.table))


def _found(problem: Problem, scope: str, ids: list[str]) -> Iterator[Finding]:
    if ids:
        yield Finding(problem, scope, len(ids), tuple(ids))


def _repair(store: Store, finding: Finding) -> None:
    if finding.problem == "orphan_table":
        with lance_errors():
            for name in finding.ids:
                store.db.drop_table(name)
    elif finding.problem == "leftover_file":
        for path in store.folder.leftovers():
            path.unlink(missing_ok=True)
    elif finding.problem in ("dangling_relation", "lost_origin", "lost_run"):
        _remove(store.scope(finding.scope, OWNER), finding)
    elif finding.problem == "running_trace":
        _stop(store.scope(finding.scope, OWNER), finding.ids)
    elif finding.problem == "missing_index":
        _index(store.scope(finding.scope, OWNER), finding.ids)


def _remove(scope: Scope, finding: Finding) -> None:
    """The relations or contents, and with a content the relations that lead to it."""
    led_to = scope.relations_of(*finding.ids) if finding.problem == "lost_origin" else []
    gone = [*finding.ids, *(relation.id for relation in led_to)]
    scope.commit(Repaired(((finding.problem, finding.count),)), deletes=gone)


def _stop(scope: Scope, trace_ids: tuple[str, ...]) -> None:
    """A run that is in fact still going writes its header again when it ends."""
    for trace_id in trace_ids:
        header, _ = scope.trace(trace_id)
        scope.save_trace(replace(header, status="stopped", ended=now()))


def _index(scope: Scope, places: tuple[str, ...]) -> None:
    columns = [place.partition(".")[::2] for place in places]
    items, traces = items_indexes(), traces_indexes()
    scope.items.create_indexes({c: items[c] for table, c in columns if table == "items"})
    scope.runs.table.create_indexes({c: traces[c] for table, c in columns if table == "traces"})
