"""The nouns: what a memory is made of. Nothing here knows a store, a model or a page.

MRAgent's memory is M = (C, V, R): cues C, contents V in layers, relations R of triples
(cue, tag, content). Raw turns lie below it and are never changed. Ids are random and mean nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Precision = Literal["instant", "day", "month", "year", "unknown"]
Layer = Literal["turn", "episode", "fact", "topic"]
CueKind = Literal["people", "entity", "location", "time", "event", "task", "topic", "verb"]
MadeBy = Literal["raw", "rule", "model", "person"]
Kind = Literal[
    "file", "conversation", "turn", "cue", "tag", "content", "relation", "correction",
    "unit", "version", "calibration", "run", "step", "mark", "change",
]  # fmt: skip
Value = str | int | None | tuple[str | int | None, ...]


def new_id() -> str:
    """A random id of 16 hex digits; never derived from text, so it can stand in a predicate."""
    return secrets.token_hex(8)


def now() -> datetime:
    """The current time in UTC: for recorded times only, never for a time that was not stated."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as exactly as it is known: the closed span [start, end] in UTC, and how it was given.

    `zoned` is False where the source named no zone: then the wall clock is kept as if it were UTC.
    A week or a season is a span with the precision "day". An unknown time has no span.
    """

    start: datetime | None = None
    end: datetime | None = None
    precision: Precision = "unknown"
    zoned: bool = False

    @property
    def known(self) -> bool:
        return self.start is not None


UNKNOWN = Moment()


@dataclass(frozen=True, slots=True)
class File:
    """An imported file: what it was taken for, and the report of its import (see importing)."""

    id: str
    name: str
    format: str
    recorded: datetime
    report: dict[str, Any] = field(default_factory=dict[str, Any], compare=False)
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A dialogue or one session of it. `source` is the format's own name for it."""

    id: str
    file_id: str
    title: str
    source: str
    speakers: tuple[str, ...]
    started: Moment
    ended: Moment
    turns: int
    revision: int = 1
    kind: Literal["conversation"] = "conversation"


@dataclass(frozen=True, slots=True)
class Turn:
    """One raw dialogue unit, verbatim and never rewritten.

    `position` orders the turns of a conversation (the second key where times are equal or absent).
    `source` is the format's own id ("D8:6"). `branch` is "main" or names an alternative (an edited
    or regenerated reply). `folded` keeps what is no utterance (thoughts, tool output, hidden text):
    stored and searchable, but no memory is built from it.
    """

    id: str
    conversation_id: str
    position: int
    speaker: str
    role: str
    text: str
    said: Moment
    source: str = ""
    session: str = ""
    language: str = ""
    branch: str = "main"
    folded: bool = False
    attachments: tuple[str, ...] = ()
    sensitivity: int = 0
    revision: int = 1
    kind: Literal["turn"] = "turn"


@dataclass(frozen=True, slots=True)
class Cue:
    """A handle by which a memory can be reached: an entity, person, place, time, topic ...

    `key` is the normalised name by which it is found again (see words.normalise). `vector`
    (dimension of the embedder) is None in zero-model mode and for time cues.
    """

    id: str
    name: str
    key: str
    cue_kind: CueKind
    vector: Vector | None = field(default=None, compare=False, repr=False)
    made_by: MadeBy = "rule"
    pinned: bool = False
    revision: int = 1
    kind: Literal["cue"] = "cue"


@dataclass(frozen=True, slots=True)
class Tag:
    """A short noun phrase that bridges a cue to a content; read before any content is opened."""

    id: str
    name: str
    key: str
    vector: Vector | None = field(default=None, compare=False, repr=False)
    made_by: MadeBy = "rule"
    revision: int = 1
    kind: Literal["tag"] = "tag"


@dataclass(frozen=True, slots=True)
class Content:
    """What can be opened and become evidence: a turn, a segment of a long one, a fact, a topic.

    `origin` names the turns it stands for: reading it costs that many turns of the budget.
    Of an episode and of a fact that came of one, `units` are the raw units it rests on; such a fact
    names its `episode_id`.
    `event` is when it happened, `said` when it was said, `recorded` when it was stored.
    `span` is the part of the single origin turn that it shows, None for the whole.
    """

    id: str
    layer: Layer
    text: str
    origin: tuple[str, ...]
    conversation_id: str
    position: int
    speaker: str
    said: Moment
    event: Moment = UNKNOWN
    recorded: datetime | None = None
    session: str = ""
    span: tuple[int, int] | None = None
    units: tuple[str, ...] = ()
    episode_id: str = ""
    made_by: MadeBy = "raw"
    sensitivity: int = 0
    pinned: bool = False
    vector: Vector | None = field(default=None, compare=False, repr=False)
    revision: int = 1
    kind: Literal["content"] = "content"

    @property
    def spoken(self) -> str:
        """What is embedded and counted of a content: who says it, and what."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class Relation:
    """The triple (cue, tag, content), with the turn whose clause it was read from."""

    id: str
    cue_id: str
    tag_id: str
    content_id: str
    turn_id: str
    made_by: MadeBy = "rule"
    revision: int = 1
    kind: Literal["relation"] = "relation"


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person put in place of what extraction said, and would say again.

    Keyed by the origin turn ("" for wherever it stands), the slot and the extracted value, never by a
    row, so that no later import or extraction loses it. Extracted None: added by hand; corrected None:
    removed. `record_id` is the row that shows it now; `disputed` is what a later extraction said instead
    of both, until somebody decides.
    """

    id: str
    target: Literal["cue", "tag", "relation", "content"]
    slot: str
    origin: str
    extracted: Value
    corrected: Value
    record_id: str
    author: str
    reason: str
    recorded: datetime
    disputed: Value = None
    revision: int = 1
    kind: Literal["correction"] = "correction"


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


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One agent run over one task, its own or recorded. `source` is the format's own name for it.

    `task_id` and `trial` make runs of the same task comparable. `reward` is the format's own score, None
    where it has none. A subagent's run names the run and the position of the step that started it.
    """

    id: str
    file_id: str
    title: str
    source: str
    task: str
    agent: str = ""
    model: str = ""
    task_id: str = ""
    trial: int | None = None
    reward: float | None = None
    outcome: str = ""
    steps: int = 0
    started: Moment = UNKNOWN
    parent_run: str = ""
    parent_step: int | None = None
    revision: int = 1
    kind: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class RunStep:
    """One executed step of an agent run, verbatim: MAGE's (action, observation) pair.

    `position` counts the steps of a run from 1; 0 is the start. `parent` is the position of the step it
    follows where the source says so (search trees); None means the one before it. `signals` are
    reason codes for why it may have failed. `thought` is what the agent said to itself before it acted.
    """

    id: str
    run_id: str
    position: int
    action: str
    observation: str
    thought: str = ""
    tool: str = ""
    parent: int | None = None
    signals: tuple[str, ...] = ()
    source: str = ""
    said: Moment = UNKNOWN
    sensitivity: int = 0
    revision: int = 1
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True)
class RunMark:
    """A turn in a run that is no step: a subgoal was declared done (compress), checked (maintain), or the
    agent went back (revise). It comes after the step at position `after`, in the order of `rank`.

    `summary` and `note` are a subgoal's; `target` is the step gone back to; `rule` names what made the
    mark ("agent", "person" or a detector), `evidence` the steps it was read from.
    """

    id: str
    run_id: str
    after: int
    action: Literal["compress", "maintain", "revise"]
    rank: int = 0
    summary: str = ""
    note: str = ""
    passed: bool = True
    target: int | None = None
    rule: str = "agent"
    evidence: tuple[int, ...] = ()
    made_by: MadeBy = "rule"
    revision: int = 1
    kind: Literal["mark"] = "mark"


Record = (
    File | Conversation | Turn | Cue | Tag | Content | Relation | Correction
    | Unit | Version | Calibration | AgentRun | RunStep | RunMark
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """What a list of traces shows. `parent` and `parent_step` name the trace it was forked from."""

    id: str
    question: str
    strategy: str
    budget: int
    started: datetime
    status: Literal["running", "finished", "stopped", "failed"]
    ended: datetime | None = None
    seq: int = 0
    events: int = 0
    parent: str | None = None
    parent_step: int | None = None
