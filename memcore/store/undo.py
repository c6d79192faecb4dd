# pyright: basic, reportAttributeAccessIssue=false
"""The journal as a person reads it, and taking a change back.

A change is all commits of one group. Undoing is itself a commit: it deletes what the group made and
writes back, word for word and vector for vector, what the group had overwritten or deleted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memcore.errors import InputError, NotFound
from memcore.events import ChangeEvent, Undone, load
from memcore.records import new_id
from memcore.store.commit import CHANGES, Journalled, Stamp, WriteDoor, change_row, unpacked, with_column
from memcore.store.tables import is_id

_NOT_UNDOABLE = ("undone", "repaired")
_JOURNAL = ["seq", "group_id", "recorded", "body"]
_REFERS = ["id", "cue_id", "tag_id", "content_id", "turn_id", "conversation_id", "origin"]


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change: its commits oldest first, when the last was made, and how many rows it wrote."""

    group: str
    seqs: tuple[int, ...]
    events: tuple[ChangeEvent, ...]
    when: datetime
    made: int
    updated: int
    deleted: int
    undone: bool

    @property
    def undoable(self) -> bool:
        return not self.undone and self.events[-1].kind not in _NOT_UNDOABLE


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undo did: the change, the commit that took it back, rows removed and written back."""

    group: str
    seq: int
    removed: int
    restored: int


def changes(door: WriteDoor) -> list[ChangeRow]:
    """All changes, the newest first."""
    entries = _journal(door)
    undone = {e["event"].group for e in entries if e["event"].kind == "undone"}
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        groups.setdefault(entry["group_id"], []).append(entry)
    found = [_change(group, entries, group in undone) for group, entries in groups.items()]
    return sorted(found, key=lambda change: change.seqs[-1], reverse=True)


def undo(door: WriteDoor, group: str | None) -> TakenBack:
    """See `Scope.undo`."""
    with door.folder.writing():
        change = _chosen(changes(door), group)
        before = _before(door, change)
        made = door.items.read(["id"], _made_by(change.group)).column("id").combine_chunks()
        _refuse_if_built_on(door, change, before, made)
        stamp = Stamp(door.seq() + 1, new_id())
        restored = _restored(door, before, stamp)
        schema = door.items.schema
        journalled = Journalled(Undone(change.group), 0, len(restored), {}, [])
        row = change_row(schema, stamp, journalled, schema.empty_table())
        together = pa.concat_tables([restored, row])
        door.write(together, stamp.seq, only_new=False, delete=_made_by(change.group))
    return TakenBack(change.group, stamp.seq, len(made), len(restored))


def _made_by(group: str) -> str:
    return f"group_id = '{group}' AND kind <> 'change'"


def _journal(door: WriteDoor) -> list[dict[str, Any]]:
    rows = door.items.read(_JOURNAL, CHANGES).sort_by("seq").to_pylist()
    return [{**row, **(body := json.loads(row["body"])), "event": load(body["event"])} for row in rows]


def _change(group: str, entries: list[dict[str, Any]], undone: bool) -> ChangeRow:
    return ChangeRow(
        group=group,
        seqs=tuple(e["seq"] for e in entries),
        events=tuple(e["event"] for e in entries),
        when=entries[-1]["recorded"],
        made=sum(e["made"] for e in entries),
        updated=sum(e["updated"] for e in entries),
        deleted=sum(len(e["gone"]) for e in entries),
        undone=undone,
    )


def _chosen(found: list[ChangeRow], group: str | None) -> ChangeRow:
    if group is None:
        chosen = next((c for c in found if c.undoable), None)
        if chosen is None:
            raise NotFound("There is no change left to undo.")
        return chosen
    chosen = next((c for c in found if c.group == group), None)
    if chosen is None or not is_id(group):
        raise NotFound("There is no such change in this memory.")
    if not chosen.undoable:
        raise InputError("This change is already undone, or is itself an undo or a repair.")
    return chosen


def _before(door: WriteDoor, change: ChangeRow) -> pa.Table:
    """The rows the change overwrote or deleted, as they were before its first commit."""
    rows = door.items.read(["seq", "before"], f"{CHANGES} AND group_id = '{change.group}'").sort_by("seq")
    tables = [unpacked(b.as_py()) for b in rows.column("before") if b.is_valid]
    if not tables:
        return door.items.schema.empty_table()
    every = pa.concat_tables(tables)
    first = {i: at for at, i in reversed(list(enumerate(every.column("id").to_pylist())))}
    every = every.take(pa.array(sorted(first.values()), pa.int64()))
    return every.filter(pc.not_equal(every.column("group_id"), change.group))


def _refuse_if_built_on(door: WriteDoor, change: ChangeRow, before: pa.Table, made: pa.Array) -> None:
    """Raises InputError when later changes touched the same rows, or refer to them."""
    journal = _journal(door)
    undone = {e["event"].group for e in journal if e["event"].kind == "undone"}
    later = [
        e
        for e in journal
        if e["seq"] > change.seqs[0]
        and e["group_id"] not in undone | {change.group}
        and e["event"].kind not in _NOT_UNDOABLE
    ]
    touched = sum(e["touched"].get(change.group, 0) for e in later)
    gone = {i for e in journal if e["group_id"] == change.group for i in e["gone"]}
    touched += _moved_on(door, change, before, gone) + _references(door, change, made)
    if touched:
        places = f"{touched:,} place{'s' if touched != 1 else ''}"
        raise InputError(f"Later changes build on this one in {places}: undo those first.")


def _moved_on(door: WriteDoor, change: ChangeRow, before: pa.Table, gone: set[str]) -> int:
    """How many of the rows to write back were changed or deleted after the change."""
    ids = before.column("id").to_pylist()
    state = dict(zip(*door.items.read_among(["id", "state"], "id", ids).to_pydict().values(), strict=True))
    as_left = [state[i] in change.seqs if i in state else i in gone for i in ids]
    return as_left.count(False)


def _references(door: WriteDoor, change: ChangeRow, made: pa.Array) -> int:
    """How many rows made later by others refer to rows that would be deleted."""
    where = f"made > {change.seqs[0]} AND group_id <> '{change.group}' AND kind <> 'change'"
    rows = door.items.read(_REFERS, where)
    refers = {c: pc.is_in(rows.column(c), made) for c in _REFERS[1:-1]}
    origins = rows.column("origin").combine_chunks()
    inside = pc.is_in(pc.list_flatten(origins), made)
    through_origin = pc.list_parent_indices(origins).filter(inside)
    direct = pa.chunked_array([pa.nulls(len(rows), pa.bool_()).fill_null(False)])
    for column in refers.values():
        direct = pc.or_(direct, column)
    return len({*pc.indices_nonzero(direct).to_pylist(), *through_origin.to_pylist()})


def _restored(door: WriteDoor, before: pa.Table, stamp: Stamp) -> pa.Table:
    """The old rows with a new commit number, and a new revision where another one stands now."""
    ids = before.column("id").to_pylist()
    current = door.items.read_among(["id", "revision"], "id", ids).to_pydict()
    revision = dict(zip(current["id"], current["revision"], strict=True))
    old = before.column("revision").to_pylist()
    new = [r if revision.get(i) is None else max(r, revision[i]) + 1 for i, r in zip(ids, old, strict=True)]
    return with_column(with_column(before, "revision", new), "seq", [stamp.seq] * len(ids))
