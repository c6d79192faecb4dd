"""RecMem: raw units, what was decided of each and why, thresholds, earlier versions of episodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from memcore.records.basics import Moment, Vector

Counting = Literal["counts_new_unit", "neighbours_reach", "neighbours_exceed"]
MergeOrder = Literal["before_gate", "at_consolidation"]
Operation = Literal["merge", "refine_in_merge", "consolidate", "refine", "extract", "update"]
Outcome = Literal["stored", "pending", "merged", "consolidated", "failed"]
UnitState = Literal["live", "pending", "merged", "consolidated"]


class Thresholds(NamedTuple):
    """What decides whether a unit is merged, consolidated or kept. Similarities are cosines."""

    theta_sim: float
    theta_count: int
    merge: float
    counting: Counting = "counts_new_unit"
    order: MergeOrder = "before_gate"
    collect: int = 1


class Near(NamedTuple):
    """A unit, episode or fact near to another, and its cosine to six decimals."""

    id: str
    score: float


class Spent(NamedTuple):
    """One call of a writer: what it was for, tokens sent and received."""

    operation: Operation
    sent: int
    received: int


class Decision(NamedTuple):
    """RecMem's record of what was done with one unit, and why.

    `recurring` counts the unit and its `neighbours`, the live units above theta_sim, nearest first; `below`
    is the nearest one where there is none.
    `merge` says how merging was tried; a declined merge is on the bill like every other call.
    `episodes` are those made or merged into, `facts` what refinement added. `consumed` are the live units
    that left with this one. `why` says what kept a unit out of the comparison, `error` what failed.
    `eager` is what a system that reads every unit with a model would have spent on it.
    """

    outcome: Outcome
    thresholds: Thresholds
    recurring: int = 1
    nearest: Near | None = None
    merge: Literal["none", "pending", "declined", "failed", "accepted"] = "none"
    neighbours: tuple[Near, ...] = ()
    below: Near | None = None
    consumed: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    spent: tuple[Spent, ...] = ()
    why: Literal["", "no_embedder", "uncovered", "empty"] = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """RecMem's unit of experience: two consecutive turns, in the subconscious tier. Its text is theirs.

    `order` counts the units of a scope as they arrived, from 1. It is in exactly one state; `decision` is
    what was decided when it arrived. `label` is a name that a person gave the cluster it is the first of.
    `tokens` is the length of its text, `eager` what a system would have spent on it that reads every unit
    with a model.
    """

    id: str
    conversation_id: str
    position: int
    origin: tuple[str, ...]
    order: int
    said: Moment
    recorded: datetime | None = None
    speakers: tuple[str, ...] = ()
    state: UnitState = "live"
    episodes: tuple[str, ...] = ()
    decision: Decision | None = None
    tokens: int = 0
    eager: tuple[Spent, ...] = ()
    label: str = ""
    sensitivity: int = 0
    vector: Vector | None = field(default=None, compare=False, repr=False)
    revision: int = 1
    kind: Literal["unit"] = "unit"


@dataclass(frozen=True, slots=True)
class Version:
    """An episode's text as it was before a unit was merged into it."""

    id: str
    content_id: str
    text: str
    content_revision: int
    recorded: datetime
    kind: Literal["version"] = "version"


@dataclass(frozen=True, slots=True)
class Calibration:
    """The thresholds of a scope for one embedder, and the share of its units they were chosen to move."""

    id: str
    embedder: str
    thresholds: Thresholds
    share: float
    units: int
    recorded: datetime
    revision: int = 1
    kind: Literal["calibration"] = "calibration"
