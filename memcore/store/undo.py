# pyright: basic, reportAttributeAccessIssue=false
"""Taking a change back, and bringing it back again, each as a commit of its own.

Undo deletes what the change made and writes back, word for word and vector for vector, what it had
overwritten or deleted. Its own journal row keeps what it removed, so redo is the same the other way.
Both are refused while later changes rest on the rows concerned; those are named. Each change is turned by
one commit, so a large one is never half undone; what is yielded says how far it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from memcore.errors import InputError, NotFound
from memcore.events import Redone, Undone
from memcore.records import new_id
from memcore.store.commit import (
    CHANGES,
    Journalled,
    Journalling,
    Stamp,
    WriteDoor,
    there,
    unpacked,
    with_column,
)
from memcore.store.journal import ChangeRow, Entry, changes, entries, next_to_redo
from memcore.store.obstacles import NOT_THERE, Turning, in_the_way, refuse
from memcore.store.tables import is_id


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undo or a redo did: the changes, the last commit, rows removed and written back."""

    groups: tuple[str, ...] = ()
    seq: int = 0
    removed: int = 0
    restored: int = 0

    @property
    def rows(self) -> int:
        return self.removed + self.restored


class Underway(NamedTuple):
    """How far an undo or a redo is: what it does now, what it has done, and about how many rows in all."""

    doing: Literal["checking", "writing", "done"]
    taken: TakenBack
    rows: int


def undo(door: WriteDoor, group: str | None, also_later: bool, author: str) -> Iterator[Underway]:
    """See `Scope.undoing`."""
    with door.folder.writing():
        journal = entries(door)
        first = _undoable(journal, group)
        rows = {c.group: c for c in changes(journal)}
        waiting = _with_later(door, journal, rows, first) if also_later else [first]
        total, taken = sum(change.rows for change in waiting), TakenBack()
        for change in waiting:
            yield Underway("checking", taken, total)
            turning = _undoing(door, journal, change)
            refuse(door, journal, turning)
            yield Underway("writing", taken, total)
            keep = all(e.kind != "imported" for e in change.events)
            taken = _done(taken, turning, _turned(door, turning, Undone(change.group, author), keep=keep))
            journal = entries(door) if change is not waiting[-1] else journal
    yield Underway("done", taken, taken.rows)


def redo(door: WriteDoor, group: str | None, author: str) -> Iterator[Underway]:
    """See `Scope.redoing`."""
    with door.folder.writing():
        journal = entries(door)
        change = _redoable(journal, group)
        yield Underway("checking", TakenBack(), change.rows)
        turning = _redoing(door, journal, change)
        refuse(door, journal, turning)
        yield Underway("writing", TakenBack(), change.rows)
        taken = _done(TakenBack(), turning, _turned(door, turning, Redone(change.group, author), keep=False))
    yield Underway("done", taken, taken.rows)


def finished(steps: Iterator[Underway]) -> TakenBack:
    """Carries an undo or a redo out to its end."""
    taken = TakenBack()
    for step in steps:
        taken = step.taken
    return taken


def blockers(door: WriteDoor, group: str) -> list[ChangeRow]:
    """The later changes that must be undone before this one, the newest first; none if it is free."""
    journal = entries(door)
    change = _undoable(journal, group)
    rows = {c.group: c for c in changes(journal)}
    return _with_later(door, journal, rows, change)[:-1]


def redoable(door: WriteDoor, group: str) -> bool:
    """See `Scope.redoable`."""
    journal = entries(door)
    change = _found(journal, group)
    return change.redoable and not in_the_way(door, journal, _redoing(door, journal, change)).stuck


def difference(door: WriteDoor, group: str) -> tuple[pa.Table, pa.Table]:
    """The rows a change wrote over, deleted or made: as they were before it, and as it left them.

    Rows it made are only in the second, rows it deleted only in the first.
    """
    journal = entries(door)
    change = _found(journal, group)
    before = _before(door, change)
    gone = {i for e in journal if e.group == group for i in e.gone}
    made = door.items.read(["id"], _made_by(group)).column("id").to_pylist()
    ids = [i for i in dict.fromkeys([*before.column("id").to_pylist(), *made]) if i not in gone]
    later = [e for e in journal if e.seq > change.seqs[-1]]
    replaced = [e.group for e in later if e.over.intersection(ids) or set(ids).intersection(e.gone)]
    images = [_images(door, g) for g in dict.fromkeys(replaced)]
    images.append(door.items.read_among(door.items.schema.names, "id", ids))
    every = pa.concat_tables(images)
    return before, _first_of_each(every.filter(pc.is_in(every.column("id"), pa.array(ids, pa.string()))))


def _found(journal: list[Entry], group: str) -> ChangeRow:
    chosen = next((c for c in changes(journal) if c.group == group), None)
    if chosen is None or not is_id(group):
        raise NotFound("There is no such change in this memory.")
    return chosen


def _undoable(journal: list[Entry], group: str | None) -> ChangeRow:
    """The change to be undone: the last one that can be where none is named."""
    wanted = group or next((c.group for c in changes(journal) if c.undoable), None)
    if wanted is None:
        raise NotFound("There is no change left to undo.")
    chosen = _found(journal, wanted)
    if not chosen.undoable:
        raise InputError("This change is already undone, or is itself an undo or a repair.")
    return chosen


def _redoable(journal: list[Entry], group: str | None) -> ChangeRow:
    """The change to be brought back: the one undone last where none is named."""
    wanted = group or next_to_redo(journal)
    if wanted is None:
        raise NotFound("There is no change left to redo.")
    chosen = _found(journal, wanted)
    if not chosen.redoable:
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
        turning = _undoing(door, journal, open_.pop())
        for group in in_the_way(door, journal, turning).groups - set(found):
            found[group] = rows[group]
            open_.append(rows[group])
    return sorted(found.values(), key=lambda c: c.seqs[-1], reverse=True)


def _undoing(door: WriteDoor, journal: list[Entry], change: ChangeRow) -> Turning:
    """A change undone: what it wrote must be as it left it, what it deleted must still be gone."""
    made = door.items.read(["id"], _made_by(change.group)).column("id").to_pylist()
    back = _before(door, change)
    left, gone = frozenset(change.seqs), _gone(journal, change.group)
    expected = {i: NOT_THERE if i in gone else left for i in back.column("id").to_pylist()}
    return Turning(change, back, made, change.seqs[0], expected | dict.fromkeys(made, left))


def _redoing(door: WriteDoor, journal: list[Entry], change: ChangeRow) -> Turning:
    """A change redone: what it wrote over must be as it found it, what it made must not be there."""
    last = next(e for e in reversed(journal) if e.event.kind == "undone" and e.event.group == change.group)
    back, before = _images(door, last.group), _before(door, change)
    found = dict(zip(before.column("id").to_pylist(), before.column("state").to_pylist(), strict=True))
    expected = {i: frozenset([found[i]]) if i in found else NOT_THERE for i in back.column("id").to_pylist()}
    gone = [i for i in _gone(journal, change.group) if i in found]
    return Turning(change, back, gone, last.seq, expected | {i: frozenset([found[i]]) for i in gone})


def _gone(journal: list[Entry], group: str) -> dict[str, None]:
    return {i: None for e in journal if e.group == group for i in e.gone}


def _turned(door: WriteDoor, turning: Turning, event: Undone | Redone, *, keep: bool) -> int:
    """One commit: rows written back and removed; with `keep`, the journal holds what they replace."""
    stamp = Stamp(door.seq() + 1, new_id())
    schema = door.items.schema
    ids = turning.back.column("id").to_pylist()
    replaced = schema.empty_table()
    if keep:
        replaced = there(door.items.read_among(schema.names, "id", [*ids, *turning.remove]))
    why = Journalling(stamp, Journalled(event, 0, len(ids), {}, (), ()), replaced)
    rows = _restored(door, turning.back, stamp)
    where = _made_by(turning.change.group) if event.kind == "undone" else ""
    gone = door.items.read_among(["id", "content_id"], "id", turning.remove)
    door.write(rows, why, only_new=False, gone=gone, where=where)
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
    return _first_of_each(pa.concat_tables(tables))


def _first_of_each(rows: pa.Table) -> pa.Table:
    """Of each record the first of its rows."""
    first = {i: at for at, i in reversed(list(enumerate(rows.column("id").to_pylist())))}
    return rows.take(pa.array(sorted(first.values()), pa.int64()))


def _before(door: WriteDoor, change: ChangeRow) -> pa.Table:
    """The rows the change overwrote or deleted, as they were before its first commit."""
    images = _images(door, change.group)
    return images.filter(pc.not_equal(images.column("group_id"), change.group))


def _restored(door: WriteDoor, before: pa.Table, stamp: Stamp) -> pa.Table:
    """The old rows with a new commit number, and a new revision where another one stands now."""
    ids = before.column("id").to_pylist()
    current = door.items.read_among(["id", "revision"], "id", ids).to_pydict()
    revision = dict(zip(current["id"], current["revision"], strict=True))
    old = before.column("revision").to_pylist()
    new = [r if revision.get(i) is None else max(r, revision[i]) + 1 for i, r in zip(ids, old, strict=True)]
    return with_column(with_column(before, "revision", new), "seq", [stamp.seq] * len(ids))
