# pyright: basic, reportAttributeAccessIssue=false
"""One erasure in a store: made ready, carried out, and completed by whoever opens the store after a crash.

    prepare    what is to stay of the rows concerned is laid beside the store, then the intent: ids only
    complete   one commit takes rows out and writes others anew; then tables are purged of all older text

Between the intent and its end nobody else can write: taking the writer lock completes it first. Every
step can be done again. What lies beside the store holds nothing of what goes: a crash reveals nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from memcore.errors import StoreDamaged
from memcore.events import ChangeEvent
from memcore.records import AgentRun, Record, RunMark, RunStep, Turn
from memcore.store.commit import GONE, Journalled, Stamp, WriteDoor, change_row, emptied, with_column
from memcore.store.folder import RECEIPTS, Folder
from memcore.store.images import stripped_changes
from memcore.store.keyed import KeyedHash
from memcore.store.lance_errors import lance_errors
from memcore.store.purging import leftovers, purge
from memcore.store.receipts import silence
from memcore.store.registry import forgotten
from memcore.store.rows import TermHashes, to_rows
from memcore.store.schema import items_indexes, traces_indexes
from memcore.store.tables import Table, among
from memcore.store.tombstones import tombstones

INTENT = "erasure.json"
STAYING = "erasure.arrow"
SIDE_FILES = (INTENT, STAYING, f"{INTENT}.tmp", f"{STAYING}.tmp")
_KEPT = ("made", "state", "group_id", "source_hash")
_PART = 2_000  # traces named by one predicate


@dataclass(frozen=True, slots=True)
class Removal:
    """What is taken out of one scope.

    `gone` are rows to delete, `rewritten` records as they are to stay. `images` are (change row, record): the
    earlier versions that go from the journal (see lineage.concerned_images). `unworded` are change rows whose
    author and reason go, `traces` whole traces, `receipts` are (receipt, part) of earlier erasures. With
    `held_back`, what is imported from where the deleted rows came from stays out, but for those `left_empty`,
    which were not meant themselves.
    """

    gone: Sequence[str]
    rewritten: Sequence[Record] = ()
    images: frozenset[tuple[str, str]] = frozenset()
    unworded: frozenset[str] = frozenset()
    traces: Sequence[str] = ()
    receipts: frozenset[tuple[str, str]] = frozenset()
    left_empty: frozenset[str] = frozenset()
    held_back: bool = True


class Stage(NamedTuple):
    """How far a removal is: what it does now, steps done, steps in all. The last one says what the tables
    held then beside their current rows, table by table (see purging.Leftovers); all 0."""

    doing: str
    done: int
    total: int
    left: Mapping[str, int] = {}


def prepare(
    door: WriteDoor, traces: Table, removal: Removal, stamp: Stamp, event: ChangeEvent, terms: TermHashes
) -> None:
    """Write down what is to be done. From here on it will be done. Needs the writer lock."""
    items = door.items
    found = items.read_among(items.schema.names, "id", removal.gone)
    there = found.filter(pc.not_equal(found.column("kind"), "change"))
    rows = [
        _rewritten(items, removal.rewritten, stamp, terms),
        stripped_changes(items, removal),
        change_row(items.schema, stamp, _journalled(event, removal), items.schema.empty_table()),
        emptied(items.schema, there, stamp.seq),
    ]
    if removal.held_back:
        empty = pc.is_in(there.column("id"), pa.array([*removal.left_empty], pa.string()))
        silenced = items.read_among(items.schema.names, "id", _silenced(removal))
        came = pa.concat_tables([there.filter(pc.invert(empty)), silenced])
        rows.append(tombstones(came, stamp))
    folder = door.folder
    with lance_errors():
        _write_rows(folder.path / STAYING, pa.concat_tables(rows))
        intent = {
            "items": items.name,
            "traces": traces.name,
            "of": list(removal.traces),
            "receipts": sorted(removal.receipts),
        }
        _write(folder.path / INTENT, json.dumps(intent).encode())


def complete(folder: Folder, db: Any) -> Iterator[Stage]:
    """Carry out what was prepared, from wherever it stopped. Needs the writer lock."""
    intent = pending(folder)
    if intent is None:
        _remove(folder)
        return
    items, traces = Table(db, intent["items"]), Table(db, intent["traces"])
    named = (("items", items), ("traces", traces))
    total = len(items_indexes()) + len(traces_indexes()) + 6
    yield Stage("taking out", 0, total)
    _take_out(folder, items)
    done = 1
    for step, _ in purge(items, items_indexes()):
        yield Stage("writing anew" if step == 1 else "indexing", done + step, total)
    done += len(items_indexes()) + 2
    with folder.tracing():
        for at in range(0, len(intent["of"]), _PART):
            where = among("trace_id", intent["of"][at : at + _PART])
            if where:
                traces.remove(where)
        for step, _ in purge(traces, traces_indexes()):
            yield Stage("traces", done + step, total)
        left = {f"{of} {name}": n for of, t in named for name, n in leftovers(t)._asdict().items()}
    _forget_replies(folder)
    keyed = KeyedHash(bytes.fromhex(folder.head()["key"]))
    silence(folder.path / RECEIPTS, intent.get("receipts", ()), keyed.text)
    _remove(folder)
    yield Stage("done", total, total, left)


def pending(folder: Folder) -> dict[str, Any] | None:
    """The intent that is not completed yet: names of tables and ids."""
    path = folder.path / INTENT
    with lance_errors():
        if not path.exists():
            return None
        try:
            return json.loads(path.read_bytes())
        except json.JSONDecodeError as error:
            raise StoreDamaged("The note of an unfinished erasure is broken: restore the store.") from error


def finish_pending(folder: Folder, db: Any) -> Mapping[str, int]:
    """What a crash left unfinished, and what it left lying about; what the tables then hold beside their
    rows. Needs the writer lock."""
    left: Mapping[str, int] = {}
    if any((folder.path / name).exists() for name in SIDE_FILES):
        for stage in complete(folder, db):
            left = stage.left or left
    return left


def _forget_replies(folder: Folder) -> None:
    """Recorded replies retell memories and name no record: all of them go, they can be asked for again."""
    with lance_errors():
        for name in forgotten():
            (folder.path / name).unlink(missing_ok=True)


def _take_out(folder: Folder, items: Table) -> None:
    """One commit: readers see the memory before it or after it."""
    path = folder.path / STAYING
    if path.exists():
        with lance_errors(), pa.memory_map(str(path)) as source:
            rows = pa.ipc.open_stream(source).read_all()
        items.merge(rows)
    if items.count(GONE):
        items.remove(GONE)


def _silenced(removal: Removal) -> set[str]:
    """Redacted turns, and runs of which words were taken out: an import of the same would bring them back."""
    runs = {r.id for r in removal.rewritten if isinstance(r, AgentRun)}
    runs |= {r.id for r in removal.rewritten if isinstance(r, Turn) and r.redacted}
    return runs | {r.run_id for r in removal.rewritten if isinstance(r, RunStep | RunMark)}


def _rewritten(items: Table, records: Sequence[Record], stamp: Stamp, terms: TermHashes) -> pa.Table:
    """The rows of records as they stay. They belong to the change that made them, as before."""
    rows = to_rows(records, items.schema, terms)
    ids = rows.column("id").to_pylist()
    # a handle that is new belongs to the change that made the content it leads to
    of = dict(zip(ids, rows.column("content_id").to_pylist(), strict=True))
    wanted = {*ids, *(c for c in of.values() if c)}
    found = items.read_among(["id", *_KEPT, "position"], "id", wanted).to_pylist()
    old = {row["id"]: row for row in found}
    new = {"made": stamp.seq, "state": stamp.seq, "group_id": stamp.group}
    for column in _KEPT:
        values = [old[i][column] if i in old else old.get(of[i] or "", new).get(column) for i in ids]
        rows = with_column(rows, column, values)
    kinds = rows.column("kind").to_pylist()
    places = zip(ids, kinds, rows.column("position").to_pylist(), strict=True)
    kept = [old[i]["position"] if kind == "conversation" and i in old else at for i, kind, at in places]
    rows = with_column(rows, "position", kept)
    return with_column(rows, "seq", [stamp.seq] * len(ids))


def _journalled(event: ChangeEvent, removal: Removal) -> Journalled:
    return Journalled(event, 0, len(removal.rewritten), {}, (), ())


def _write_rows(path: Path, rows: pa.Table) -> None:
    draft = path.with_name(f"{path.name}.tmp")
    with open(draft, "wb") as out:
        with pa.ipc.new_stream(out, rows.schema) as stream:
            stream.write_table(rows)
        out.flush()
        os.fsync(out.fileno())
    os.replace(draft, path)


def _write(path: Path, content: bytes) -> None:
    draft = path.with_name(f"{path.name}.tmp")
    with open(draft, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    os.replace(draft, path)


def _remove(folder: Folder) -> None:
    """The rows first: an intent without them has been carried out."""
    with lance_errors():
        for name in reversed(SIDE_FILES):
            (folder.path / name).unlink(missing_ok=True)
