# pyright: basic, reportAttributeAccessIssue=false
"""Records as they stood at a change: before it, and as it left them, whatever became of them since.

The journal keeps every row that a commit wrote over or removed. So a record as a change left it is the one
that the next change found; where none came, it is the one that is there now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from memcore.records import Correction, Record, Relation
from memcore.store.commit import CHANGES, WriteDoor, there, unpacked
from memcore.store.journal import Entry, entries
from memcore.store.rows import from_rows

Wanted = Mapping[str, Collection[str]]  # by the group of a change, ids of records


class Stood(NamedTuple):
    """Records by id, before a change and as it left them. What the change did not touch is in both, and what
    it made too: then both say what it was called."""

    before: dict[str, Record]
    after: dict[str, Record]


def stood(door: WriteDoor, wanted: Wanted) -> dict[str, Stood]:
    """By group of the change: the records asked for, and those that they lead to."""
    journal, found = entries(door), dict[str, Stood]()
    asked: Wanted = {}
    while asked != wanted:
        found, asked = _Past(door, journal, wanted).all(), wanted
        wanted = {group: list(dict.fromkeys([*asked[group], *_led_to(at)])) for group, at in found.items()}
    return found


class _Past:
    """What the journal keeps of some records, read at once."""

    def __init__(self, door: WriteDoor, journal: list[Entry], wanted: Wanted) -> None:
        ids = {i for of in wanted.values() for i in of}
        self._wanted = wanted
        self._own: dict[str, list[Entry]] = {}
        self._replacing: dict[str, list[Entry]] = {}
        for entry in journal:
            self._own.setdefault(entry.group, []).append(entry)
            for id_ in ids.intersection(entry.over) | ids.intersection(entry.gone):
                self._replacing.setdefault(id_, []).append(entry)
        self._undoing = [entry for entry in journal if entry.event.kind == "undone"]
        self._now = _by_id(door.items.read_among(door.items.schema.names, "id", ids))
        self._concerned = {group: self._entries(group, of) for group, of in wanted.items()}
        seqs = sorted({e.seq for found in self._concerned.values() for e in found})
        self._kept = _kept(door, seqs, ids)

    def all(self) -> dict[str, Stood]:
        return {group: self._of(group) for group in self._wanted}

    def _of(self, group: str) -> Stood:
        own = [e.seq for e in self._concerned[group] if e.group == group]
        later = [e.seq for e in self._concerned[group] if e.group != group]
        removed = {
            i for e in self._own.get(group, ()) for i in e.gone
        }  # an undo may have brought it back since
        left = [i for i in self._wanted[group] if i not in removed]
        after = {i: r for i in left if (r := self._first(later, i) or self._now.get(i))}
        before = {i: r for i in self._wanted[group] if (r := self._first(own, i) or after.get(i))}
        return Stood(before, after)

    def _first(self, seqs: list[int], id_: str) -> Record | None:
        return next((self._kept[s][id_] for s in seqs if id_ in self._kept.get(s, ())), None)

    def _entries(self, group: str, ids: Collection[str]) -> list[Entry]:
        """Of the commits of a change and those after it, those that may have replaced one of these records,
        oldest first. What an undo replaced is not listed by id: all undos count while a record is missing."""
        own = self._own.get(group, [])
        if not own or not ids:
            return []
        missing = any(i not in self._now for i in ids)
        undoing = [e for e in self._undoing if missing or e.event.group == group]
        unlisted = [e for e in own if not e.over and not e.gone]
        listed = [e for i in ids for e in self._replacing.get(i, ())]
        found = {e.seq: e for e in (*unlisted, *listed, *undoing)}
        return [found[seq] for seq in sorted(found) if seq >= own[0].seq]


def _kept(door: WriteDoor, seqs: list[int], ids: Collection[str]) -> dict[int, dict[str, Record]]:
    """By commit, the records of these ids that it replaced."""
    if not seqs:
        return {}
    rows = door.items.read(["seq", "before"], f"{CHANGES} AND seq IN ({','.join(map(str, seqs))})")
    among = pa.array([*ids], pa.string())
    kept: dict[int, dict[str, Record]] = {}
    for row in rows.to_pylist():
        if row["before"]:
            before = unpacked(row["before"])
            kept[row["seq"]] = _by_id(before.filter(pc.is_in(before.column("id"), among)))
    return kept


def _by_id(rows: pa.Table) -> dict[str, Record]:
    return {record.id: record for record in from_rows(there(rows))}


def _led_to(at: Stood) -> list[str]:
    """The ends of relations, and what corrections are of."""
    found = (*at.before.values(), *at.after.values())
    ends = [i for r in found if isinstance(r, Relation) for i in r.triple]
    return ends + [r.record_id for r in found if isinstance(r, Correction)]
