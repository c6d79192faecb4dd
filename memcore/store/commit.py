# pyright: basic, reportAttributeAccessIssue=false
"""The one door through which a scope is written: every change is one commit of one table.

Records, deletions, the journal row and the before-images of what was overwritten go in together, so
a crash leaves all of it or nothing. New rows need no before-image: they carry the commit that made them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memcore.access.roles import act_of
from memcore.errors import InputError, StoreError
from memcore.events import ChangeEvent, dump
from memcore.records import Record, new_id, now
from memcore.store.facts import changed
from memcore.store.folder import Folder
from memcore.store.rows import TermHashes, to_rows
from memcore.store.scribe import Scribe
from memcore.store.tables import Table, among, is_id

CHANGES = "kind = 'change'"
GONE = "kind = 'gone'"  # a row emptied by a deletion: no more than its id and the commit that took it
MOST_EMPTIED = 20_000
_DENSE = pa.ipc.IpcWriteOptions(compression="zstd")  # a tenth of the size for relations, in 1 ms per 1,000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a commit is to do: see `Scope.commit`."""

    event: ChangeEvent
    inserts: Sequence[Record]
    upserts: Sequence[Record]
    deletes: Sequence[str]
    group: str | None
    source_hashes: Mapping[str, str]

    def ids(self) -> list[str]:
        """Everything that must be an id or a hash, and nothing else."""
        records = [r.id for r in (*self.inserts, *self.upserts)]
        return [*records, *self.deletes, *self.source_hashes.values(), *([self.group] if self.group else [])]


@dataclass(frozen=True, slots=True)
class Journalled:
    """What the journal keeps of one commit beside the before-images.

    `touched` counts the older rows it wrote over or deleted, by the group that had made them;
    `over` are the ids it wrote over, `gone` those it deleted.
    """

    event: ChangeEvent
    made: int
    updated: int
    touched: Mapping[str, int]
    over: Sequence[str]
    gone: Sequence[str]

    def body(self) -> str:
        saved = {"event": dump(self.event), "made": self.made, "updated": self.updated}
        ids = {"over": list(self.over), "gone": list(self.gone)}
        return json.dumps({**saved, "touched": dict(self.touched), **ids}, ensure_ascii=False)


class WriteDoor:
    """Commits to one items table under the writer lock of its folder; each is entered in the audit."""

    def __init__(
        self, items: Table, folder: Folder, term_hashes: TermHashes, optimize_every: int, scribe: Scribe
    ) -> None:
        self.items = items
        self.scribe = scribe
        self.folder = folder
        self._term_hashes = term_hashes
        self._optimize_every = optimize_every
        self._last: tuple[int, int] | None = None

    def seq(self) -> int:
        """The number of the last commit, 0 before the first; read once per version of the table."""
        version = self.items.version
        if self._last is None or self._last[0] != version:
            self._last = version, last_seq(self.items)
        return self._last[1]

    def commit(self, change: Change) -> int:
        """See `Scope.commit`."""
        _only_ids(change.ids())
        with self.folder.writing():
            stamp = Stamp(self.seq() + 1, change.group or new_id())
            schema = self.items.schema
            over = {r.id for r in change.upserts}
            before = there(self.items.read_among(schema.names, "id", [*over, *change.deletes]))
            records = {r.id: r for r in (*change.inserts, *change.upserts)}
            rows = to_rows(records.values(), schema, self._term_hashes)
            rows = _stamped(rows, stamp, before, change.source_hashes)
            found = before.column("id").to_pylist()
            gone, kept = [i for i in found if i not in over], [i for i in found if i in over]
            gone_rows = before.filter(pc.is_in(before.column("id"), pa.array(gone, pa.string())))
            made = len(rows) - len(kept)
            journalled = Journalled(change.event, made, len(kept), _by_group(before), kept, gone)
            why = Journalling(stamp, journalled, before)
            self.write(rows, why, only_new=len(before) == 0, gone=gone_rows)
        return stamp.seq

    def write(
        self, rows: pa.Table, why: Journalling, *, only_new: bool, gone: pa.Table, where: str = ""
    ) -> None:
        """One commit: the rows, the journal row, and the deletion of the rows `gone`, of which id and
        content are read (`where`: a predicate for them). It is entered in the audit before.

        Rows that are all new are appended, which is many times faster than merging them. A deletion
        within a merge reads the whole table, so that few rows are rather emptied, and swept later.
        """
        written, seq = len(rows), why.stamp.seq
        rows = pa.concat_tables([rows, why.row(self.items.schema)])
        few = len(gone) <= MOST_EMPTIED
        if few and len(gone):
            rows = pa.concat_tables([rows, emptied(self.items.schema, gone, seq)])
        with self.folder.writing(), self.entered(why.stamp, why.journalled.event, (written, len(gone))):
            if only_new:
                self.items.add(rows)
            else:
                self.items.merge(rows, None if few else where or among("id", gone.column("id").to_pylist()))
            if seq % self._optimize_every == 0:
                # the change is safe by now: a compaction that fails for want of room is made good later
                with suppress(StoreError):
                    self.tidy()

    def entered(
        self, stamp: Stamp, event: ChangeEvent, counts: tuple[int, int], author: str = ""
    ) -> AbstractContextManager[None]:
        """The audit's entry of a commit, before the block and once more if it fails; `counts` are the rows
        written and deleted. Raises NotAllowed to who may not do such a thing."""
        self.scribe.allow(act_of(event.kind))
        fact = changed(event, stamp.seq, stamp.group, counts)
        return self.scribe.entering(fact, author or getattr(event, "author", ""))

    def tidy(self) -> None:
        """Sweep emptied rows and compact the table; needs the writer lock."""
        if self.items.count(GONE):
            self.items.remove(GONE)
        self.items.tidy()


@dataclass(frozen=True, slots=True)
class Stamp:
    """The number of a commit and the group of commits it belongs to."""

    seq: int
    group: str


@dataclass(frozen=True, slots=True)
class Journalling:
    """What the journal is about to say of a commit, with the rows as they were before it."""

    stamp: Stamp
    journalled: Journalled
    before: pa.Table

    def row(self, schema: pa.Schema) -> pa.Table:
        """The journal row."""
        return change_row(schema, self.stamp, self.journalled, self.before)


def change_row(schema: pa.Schema, stamp: Stamp, journalled: Journalled, before: pa.Table) -> pa.Table:
    """The journal row of a commit, with the rows as they were before it."""
    values = {
        "id": new_id(),
        "kind": "change",
        "seq": stamp.seq,
        "made": stamp.seq,
        "state": stamp.seq,
        "group_id": stamp.group,
        "recorded": now(),
        "body": journalled.body(),
        "before": packed(before) if len(before) else b"",
    }
    return pa.table([pa.array([values.get(f.name)], f.type) for f in schema], schema=schema)


def last_seq(items: Table) -> int:
    """The number of the last commit to a table, 0 before the first."""
    return pc.max(items.read(["seq"], CHANGES).column("seq")).as_py() or 0


def there(rows: pa.Table) -> pa.Table:
    """The rows without those that are emptied."""
    return rows.filter(pc.not_equal(rows.column("kind"), "gone"))


def emptied(schema: pa.Schema, gone: pa.Table, seq: int) -> pa.Table:
    """What is left of rows: their ids, and of relations also the content whose relations changed."""
    rows = len(gone)
    values = {"id": gone.column("id"), "content_id": gone.column("content_id"), "kind": ["gone"] * rows}
    values |= {"seq": [seq] * rows, "before": [b""] * rows, "body": [""] * rows}  # never null, see rows
    empty = schema.empty_table()
    columns = {f.name: values.get(f.name, pa.nulls(rows, f.type)) for f in empty.schema}
    return pa.table(columns, schema=schema)


def unpacked(before: bytes) -> pa.Table:
    """The rows that a journal row keeps."""
    return pa.ipc.open_stream(before).read_all()


def with_column(rows: pa.Table, name: str, values: Any) -> pa.Table:
    """The rows with one column replaced."""
    at = rows.schema.get_field_index(name)
    return rows.set_column(at, rows.schema.field(at), pa.array(values, rows.schema.field(at).type))


def packed(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema, options=_DENSE) as out:
        out.write_table(rows)
    return sink.getvalue().to_pybytes()


def _only_ids(ids: Sequence[str]) -> None:
    if not all(is_id(i) for i in ids):
        raise InputError("An id must be hexadecimal digits, as records.new_id makes them.")


def _by_group(before: pa.Table) -> dict[str, int]:
    counted = pc.value_counts(before.column("group_id").combine_chunks())
    return {c["values"]: c["counts"] for c in counted.to_pylist()}


def _stamped(rows: pa.Table, stamp: Stamp, before: pa.Table, hashes: Mapping[str, str]) -> pa.Table:
    """The rows with the columns a commit fills in; what was known of an older row is kept."""
    ids = rows.column("id").to_pylist()
    kept = ("made", "group_id", "source_hash", "position")
    old = {row["id"]: row for row in before.select(["id", "kind", *kept]).to_pylist()}
    nothing: dict[str, Any] = {}
    rows = with_column(rows, "seq", [stamp.seq] * len(ids))
    rows = with_column(rows, "state", [stamp.seq] * len(ids))
    rows = with_column(rows, "made", [old.get(i, nothing).get("made", stamp.seq) for i in ids])
    rows = with_column(rows, "group_id", [old.get(i, nothing).get("group_id", stamp.group) for i in ids])
    found = [hashes.get(i) or old.get(i, nothing).get("source_hash") for i in ids]
    rows = with_column(rows, "source_hash", found)
    if not any(row["kind"] == "conversation" for row in old.values()):
        return rows
    places = zip(ids, rows.column("kind").to_pylist(), rows.column("position").to_pylist(), strict=True)
    kept_places = [old[i]["position"] if k == "conversation" and i in old else p for i, k, p in places]
    return with_column(rows, "position", kept_places)
