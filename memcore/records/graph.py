"""MRAgent: M = (C, V, R), cues, contents in layers, triples (cue, tag, content); and corrections of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from memcore.records.basics import UNKNOWN, MadeBy, Moment, Vector

Layer = Literal["turn", "episode", "fact", "topic"]
CueKind = Literal["people", "entity", "location", "time", "event", "task", "topic", "verb"]
Value = str | int | None | tuple[str | int | None, ...]
Triple = tuple[str, str, str]


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
    """What can be opened and become evidence: a turn, a segment of a long one, an episode, a fact, a topic.

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

    @property
    def first_turn(self) -> str:
        """The turn under which corrections of a content are kept; "" where it rests on none."""
        return self.origin[0] if self.origin else ""


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

    @property
    def triple(self) -> Triple:
        """Its three ends: the ids of cue, tag and content."""
        return self.cue_id, self.tag_id, self.content_id


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
