# pyright: basic, reportAttributeAccessIssue=false
"""Taking a change back, and bringing it back again, each as a commit of its own.

Undo deletes what the change made and writes back, word for word and vector for vector, what it had
overwritten or deleted. Its own journal row keeps what it removed, so redo is the same the other way.
Both are refused while later changes rest on the rows concerned; those are named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from memcore.errors import InputError, InTheWay, NotFound
from memcore.events import Redone, Undone
from memcore.records import new_id
from memcore.store.commit import CHANGES, Journalled, Stamp, WriteDoor, change_row, unpacked, with_column
from memcore.store.journal import ChangeRow, Entry, changes, entries, next_to_redo, undone
from memcore.store.tables import among, is_id

_ENDS = ["cue_id", "tag_id", "content_id", "turn_id", "conversation_id"]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undo or a redo did: the changes, the last commit, rows removed and written back."""

    groups: tuple[str, ...]
    seq: int
    removed: int
    restored: int


@dataclass(frozen=True, slots=True)
class Turning:
    """One change about to be undone or redone: the rows to write back, the ids to remove, and since when
    a later change could stand in the way."""

    change: ChangeRow
    back: pa.Table
    remove: list[str]
    since: int


def undo(door: WriteDoor, group: str | None, also_later: bool) -> TakenBack:
    """See `Scope.undo`."""
    with door.folder.writing():
        journal = entries(door)
        first = _chosen(
            journal, group, "undoable", next((c.group for c in changes(journal) if c.undoable), None)
        )
        rows = {c.group: c for c in changes(journal)}
        waiting = _with_later(door, journal, rows, first) if also_later else [first]
        taken = TakenBack((), 0, 0, 0)
        for change in waiting:
            turning = _undoing(door, change)
            _refuse_if_in_the_way(door, entries(door), turning)
            keep = all(e.kind != "imported" for e in change.events)
            taken = _done(taken, turning, _turned(door, turning, Undone(change.group), keep=keep))
    return taken


def redo(door: WriteDoor, group: str | None) -> TakenBack:
    """See `Scope.redo`."""
    with door.folder.writing():
        journal = entries(door)
        change = _chosen(journal, group, "redoable", next_to_redo(journal))
        turning = _redoing(door, journal, change)
        _refuse_if_in_the_way(door, journal, turning)
        seq = _turned(door, turning, Redone(change.group), keep=False)
    return _done(TakenBack((), 0, 0, 0), turning, seq)


def blockers(door: WriteDoor, group: str) -> list[ChangeRow]:
    """The later changes that must be undone before this one, the newest first; none if it is free."""
    journal = entries(door)
    change = _chosen(journal, group, "undoable", None)
    rows = {c.group: c for c in changes(journal)}
    return _with_later(door, journal, rows, change)[:-1]


def difference(door: WriteDoor, group: str) -> tuple[pa.Table, pa.Table]:
    """The rows a change wrote over, deleted or made: as they were before it, and as it left them.

    Rows it made are only in the second, rows it deleted only in the first.
    """
    journal = entries(door)
    change = _chosen(journal, group, None, None)
    before = _before(door, change)
    gone = {i for e in journal if e.group == group for i in e.gone}
    made = door.items.read(["id"], _made_by(group)).column("id").to_pylist()
    ids = [i for i in dict.fromkeys([*before.column("id").to_pylist(), *made]) if i not in gone]
    later = [e for e in journal if e.seq > change.seqs[-1]]
    replaced = [e.group for e in later if e.over.intersection(ids) or set(ids).intersection(e.gone)]
    images = [_images(door, g) for g in dict.fromkeys(replaced)]
    images.append(door.items.read_among(door.items.schema.names, "id", ids))
    every = pa.concat_tables(images)
    wanted = set(ids)
    first = {i: at for at, i in reversed(list(enumerate(every.column("id").to_pylist()))) if i in wanted}
    return before, every.take(pa.array(sorted(first.values()), pa.int64()))


def _chosen(journal: list[Entry], group: str | None, must_be: str | None, last: str | None) -> ChangeRow:
    wanted = group or last
    if wanted is None:
        raise NotFound(f"There is no change left to {'redo' if must_be == 'redoable' else 'undo'}.")
    chosen = next((c for c in changes(journal) if c.group == wanted), None)
    if chosen is None or not is_id(wanted):
        raise NotFound("There is no such change in this memory.")
    if must_be == "undoable" and not chosen.undoable:
        raise InputError("This change is already undone, or is itself an undo or a repair.")
    if must_be == "redoable" and not chosen.redoable:
        raise InputError(_why_not_again(chosen))
    return chosen


def _why_not_again(change: ChangeRow) -> str:
    if any(e.kind == "imported" for e in change.events):
        return "An import that was undone is brought back by importing the file again."
    return "This change is in place; there is nothing to redo."


def _with_later(
    door: WriteDoor, journal: list[Entry], rows: dict[str, ChangeRow], change: ChangeRow
) -> list[ChangeRow]:
    """The change and everything that rests on it, newest first."""
    found, open_ = {change.group: change}, [change]
    while open_:
        turning = _undoing(door, open_.pop())
        for group in _in_the_way(door, journal, turning) - set(found):
            found[group] = rows[group]
            open_.append(rows[group])
    return sorted(found.values(), key=lambda c: c.seqs[-1], reverse=True)


def _undoing(door: WriteDoor, change: ChangeRow) -> Turning:
    made = door.items.read(["id"], _made_by(change.group)).column("id").to_pylist()
    return Turning(change, _before(door, change), made, change.seqs[0])


def _redoing(door: WriteDoor, journal: list[Entry], change: ChangeRow) -> Turning:
    last = next(e for e in reversed(journal) if e.event.kind == "undone" and e.event.group == change.group)
    gone = [i for e in journal if e.group == change.group for i in e.gone]
    return Turning(change, _images(door, last.group), gone, last.seq)


def _turned(door: WriteDoor, turning: Turning, event: Undone | Redone, *, keep: bool) -> int:
    """One commit: rows written back and removed; with `keep`, the journal holds what they replace."""
    stamp = Stamp(door.seq() + 1, new_id())
    schema = door.items.schema
    ids = turning.back.column("id").to_pylist()
    replaced = door.items.read_among(schema.names, "id", [*ids, *turning.remove]) if keep else None
    journalled = Journalled(event, 0, len(ids), {}, (), ())
    row = change_row(schema, stamp, journalled, schema.empty_table() if replaced is None else replaced)
    rows = pa.concat_tables([_restored(door, turning.back, stamp), row])
    where = _made_by(turning.change.group) if event.kind == "undone" else among("id", turning.remove)
    door.write(rows, stamp.seq, only_new=False, delete=where)
    return stamp.seq


def _done(taken: TakenBack, turning: Turning, seq: int) -> TakenBack:
    return TakenBack(
        (*taken.groups, turning.change.group),
        seq,
        taken.removed + len(turning.remove),
        taken.restored + len(turning.back),
    )


def _made_by(group: str) -> str:
    return f"group_id = '{group}' AND kind <> 'change'"


def _images(door: WriteDoor, group: str) -> pa.Table:
    """The before-images of a group, the oldest of each row."""
    rows = door.items.read(["seq", "before"], f"{CHANGES} AND group_id = '{group}'").sort_by("seq")
    tables = [unpacked(packed) for packed in rows.column("before").to_pylist() if packed]
    if not tables:
        return door.items.schema.empty_table()
    every = pa.concat_tables(tables)
    first = {i: at for at, i in reversed(list(enumerate(every.column("id").to_pylist())))}
    return every.take(pa.array(sorted(first.values()), pa.int64()))


def _before(door: WriteDoor, change: ChangeRow) -> pa.Table:
    """The rows the change overwrote or deleted, as they were before its first commit."""
    images = _images(door, change.group)
    return images.filter(pc.not_equal(images.column("group_id"), change.group))


def _refuse_if_in_the_way(door: WriteDoor, journal: list[Entry], turning: Turning) -> None:
    later = _in_the_way(door, journal, turning)
    if later:
        count = f"{len(later):,} later change{'s' if len(later) != 1 else ''}"
        rests = "rests" if len(later) == 1 else "rest"
        raise InTheWay(f"{count} {rests} on this one: undo those first, or all of them together.", later)


def _in_the_way(door: WriteDoor, journal: list[Entry], turning: Turning) -> set[str]:
    """The groups of live changes since then that touched these rows, or refer to what would go."""
    back = undone(journal)
    later = [
        e
        for e in journal
        if e.seq > turning.since and not e.of_history and e.group not in back | {turning.change.group}
    ]
    rows = {*turning.back.column("id").to_pylist(), *turning.remove}
    found = {
        e.group
        for e in later
        if e.touched.get(turning.change.group) or rows & e.over or rows.intersection(e.gone)
    }
    ends = _ends(turning.back) - rows
    found |= {e.group for e in later if ends.intersection(e.gone)} if later else set()
    return found | _referring(door, {e.group for e in later} - found, turning) if later else found


def _ends(rows: pa.Table) -> set[str]:
    return {i for name in _ENDS for i in rows.column(name).drop_null().to_pylist()}


def _referring(door: WriteDoor, groups: Iterable[str], turning: Turning) -> set[str]:
    """Of these groups, those that made rows which refer to what would be removed."""
    where = among("group_id", groups)
    if where is None or not turning.remove:
        return set()
    rows = door.items.read(["group_id", "origin", *_ENDS], f"{where} AND kind <> 'change'")
    removed = pa.array(turning.remove, pa.string())
    hit = pc.is_in(rows.column(_ENDS[0]), removed)
    for name in _ENDS[1:]:
        hit = pc.or_(hit, pc.is_in(rows.column(name), removed))
    origins = rows.column("origin").combine_chunks()
    through = pc.list_parent_indices(origins).filter(pc.is_in(pc.list_flatten(origins), removed))
    makers = rows.column("group_id")
    return {*makers.filter(hit).to_pylist(), *makers.take(through).to_pylist()}


def _restored(door: WriteDoor, before: pa.Table, stamp: Stamp) -> pa.Table:
    """The old rows with a new commit number, and a new revision where another one stands now."""
    ids = before.column("id").to_pylist()
    current = door.items.read_among(["id", "revision"], "id", ids).to_pydict()
    revision = dict(zip(current["id"], current["revision"], strict=True))
    old = before.column("revision").to_pylist()
    new = [r if revision.get(i) is None else max(r, revision[i]) + 1 for i, r in zip(ids, old, strict=True)]
    return with_column(with_column(before, "revision", new), "seq", [stamp.seq] * len(ids))
