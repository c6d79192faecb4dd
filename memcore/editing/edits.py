"""The edits, who makes them, and what one comes to: plain values, nothing is carried out here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from memcore.events import Edited
from memcore.records import CueKind, Record, RunMark

NodeKind = Literal["cue", "tag"]


@dataclass(frozen=True, slots=True)
class Set:
    """Give one field of some records a value: rename, re-kind, retime, re-tag, pin, mark sensitive."""

    record_kind: str
    ids: tuple[str, ...]
    field: str
    value: Any
    action: Literal["set"] = "set"


@dataclass(frozen=True, slots=True)
class Merge:
    """Let one cue or tag stand for others: their relations move to it, their names lead to it."""

    record_kind: NodeKind
    ids: tuple[str, ...]
    into: str
    action: Literal["merge"] = "merge"


@dataclass(frozen=True, slots=True)
class Split:
    """Move some relations of a cue or tag to a new one."""

    record_kind: NodeKind
    id: str
    relation_ids: tuple[str, ...]
    name: str
    action: Literal["split"] = "split"


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove cues, tags, contents (all with their relations) or relations. Raw turns always stay."""

    record_kind: str
    ids: tuple[str, ...]
    action: Literal["delete"] = "delete"


@dataclass(frozen=True, slots=True)
class Relate:
    """Add the relation (cue, tag, content); a cue or tag of that name is made where there is none."""

    content_id: str
    cue: str
    tag: str
    cue_kind: CueKind = "topic"
    record_kind: Literal["relation"] = "relation"
    action: Literal["relate"] = "relate"


@dataclass(frozen=True, slots=True)
class Resolve:
    """Decide a disputed correction: keep mine, take what extraction says now, or keep both (texts only)."""

    correction_id: str
    choice: Literal["mine", "new", "both"]
    record_kind: Literal["correction"] = "correction"
    action: Literal["resolve"] = "resolve"


@dataclass(frozen=True, slots=True)
class Add:
    """Add a mark to an agent run: a boundary, a check, or a step back to where a branch was left."""

    mark: RunMark
    record_kind: Literal["mark"] = "mark"
    action: Literal["add"] = "add"


Edit = Set | Merge | Split | Delete | Relate | Resolve | Add


class Who(NamedTuple):
    """Who edits, and why, in the person's own words."""

    author: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an edit would do to the memory as of commit `seq`. `before` holds every record it changes or
    removes, as it is now."""

    seq: int
    event: Edited
    inserts: tuple[Record, ...]
    upserts: tuple[Record, ...]
    deletes: tuple[str, ...]
    before: Mapping[str, Record]

    @property
    def rows(self) -> int:
        return len(self.inserts) + len(self.upserts) + len(self.deletes)
