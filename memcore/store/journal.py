# pyright: basic, reportAttributeAccessIssue=false
"""The journal as a person reads it: the commits of a group are one change, undone, redone or in place.

Undoing and redoing are commits of their own, so the history is never shortened, only continued.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from memcore.events import ChangeEvent, load
from memcore.store.commit import CHANGES, WriteDoor

_COLUMNS = ["seq", "group_id", "recorded", "body"]
_OF_HISTORY = ("undone", "redone", "repaired", "erased", "lifted")


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit. `over` are the ids it wrote over, `gone` those it deleted, `touched` counts both by
    the group that had made them."""

    seq: int
    group: str
    when: datetime
    event: ChangeEvent
    made: int
    updated: int
    touched: Mapping[str, int]
    over: frozenset[str]
    gone: tuple[str, ...]

    @property
    def of_history(self) -> bool:
        return self.event.kind in _OF_HISTORY


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
    def rows(self) -> int:
        return self.made + self.updated + self.deleted

    @property
    def undoable(self) -> bool:
        return not self.undone and self.events[-1].kind not in _OF_HISTORY

    @property
    def redoable(self) -> bool:
        """An import is brought back by importing again: its undo keeps no second copy of it."""
        return self.undone and all(e.kind != "imported" for e in self.events)


def entries(door: WriteDoor) -> list[Entry]:
    """All commits, oldest first."""
    rows = door.items.read(_COLUMNS, CHANGES).sort_by("seq").to_pylist()
    return [_entry(row, json.loads(row["body"])) for row in rows]


def undone(journal: list[Entry]) -> set[str]:
    """The groups that are taken back now."""
    found: set[str] = set()
    for entry in journal:
        if entry.event.kind == "undone":
            found.add(entry.event.group)
        elif entry.event.kind == "redone":
            found.discard(entry.event.group)
    return found


def changes(journal: list[Entry]) -> list[ChangeRow]:
    """All changes, the newest first."""
    groups: dict[str, list[Entry]] = {}
    for entry in journal:
        groups.setdefault(entry.group, []).append(entry)
    back = undone(journal)
    found = [_change(group, commits, group in back) for group, commits in groups.items()]
    return sorted(found, key=lambda change: change.seqs[-1], reverse=True)


def next_to_redo(journal: list[Entry]) -> str | None:
    """The group whose undo was the last thing that happened, with only undos and redos after it."""
    back = undone(journal)
    for entry in reversed(journal):
        if not entry.of_history:
            return None
        if entry.event.kind == "undone" and entry.event.group in back:
            return entry.event.group
    return None


def _entry(row: dict, body: dict) -> Entry:
    return Entry(
        seq=row["seq"],
        group=row["group_id"],
        when=row["recorded"],
        event=cast(ChangeEvent, load(body["event"])),
        made=body["made"],
        updated=body["updated"],
        touched=body["touched"],
        over=frozenset(body.get("over", ())),
        gone=tuple(body["gone"]),
    )


def _change(group: str, commits: list[Entry], is_undone: bool) -> ChangeRow:
    return ChangeRow(
        group=group,
        seqs=tuple(e.seq for e in commits),
        events=tuple(e.event for e in commits),
        when=commits[-1].when,
        made=sum(e.made for e in commits),
        updated=sum(e.updated for e in commits),
        deleted=sum(len(e.gone) for e in commits),
        undone=is_undone,
    )
