"""MRAgent: what happens in one reconstruction.

Spans point into the question, which the trace's header keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Strategy = Literal["active", "dense", "bm25", "fusion", "priors", "nhop", "graph", "recmem"]
Tier = Literal["subconscious", "episodic", "semantic"]
Mode = Literal["ce", "cte", "ctc"]
ActionKind = Literal[
    "cue_tags",  # cue -> tags
    "pair_contents",  # (cue, tag) -> contents
    "cue_contents",  # cue -> contents without tags (ablation CE)
    "tag_contents",  # tag -> contents, for a tag that the query itself is near to
    "content_handles",  # content -> cues and tags not asked before: the reverse move
    "content_neighbours",  # content -> the turns before and after it
    "content_time",  # content -> contents of the day it speaks of
    "window_contents",  # asked time window -> contents
    "topic_episodes",  # topic -> the episodes it sums up
    "person_facts",  # person -> facts
    "search",  # whole-store search: passive strategies, or seeding where switched on
]
Match = Literal["exact", "subset", "jaccard", "nearest", "speaker", "time", "reverse"]
PrunedWhy = Literal[
    "tag_rank",  # the cue has many tags and this one is far from the query
    "hub_cap",  # the cue reaches more contents than the cap
    "coarse",  # below the cut of the cheap score
    "fine",  # below the cut of the full ranking
    "weak",  # opened, but too far below the best to count as evidence
    "layer",  # its layer is switched off
    "withheld",  # the asker may not see it
    "common_cue",  # a cue so common that following it back says nothing
]
Limit = Literal[
    "sufficient", "step_limit", "call_limit", "token_budget", "read_budget", "nothing_left",
    "router_failed", "cancelled",
]  # fmt: skip


class QueryCue(NamedTuple):
    """A cue read from the question: the span [start, end) of its characters, and its kind."""

    start: int
    end: int
    cue_kind: str


class Window(NamedTuple):
    """A time span the question asks about: first and last day as proleptic ordinals."""

    first: int
    last: int
    precision: str


class Activated(NamedTuple):
    """A cue or tag that became active: how it matched, how well, and from which content (reverse)."""

    id: str
    how: Match
    score: float
    source: str = ""


class Action(NamedTuple):
    """One traversal the router chose. Unused ends are empty."""

    action: ActionKind
    cue_id: str = ""
    tag_id: str = ""
    content_id: str = ""


class Candidate(NamedTuple):
    """A content that was reached, with every component of its score and the path that reached it.

    Components are already weighted, so that they add up to `total`.
    """

    content_id: str
    total: float
    dense: float = 0.0
    lexical: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    tag: float = 0.0
    cue: float = 0.0
    neighbour: float = 0.0
    reverse: float = 0.0
    evidence: float = 0.0
    via_cue: str = ""
    via_tag: str = ""
    via_content: str = ""


class PrunedNode(NamedTuple):
    """A cue, tag or content left behind, and why."""

    id: str
    node: Literal["cue", "tag", "content"]
    why: PrunedWhy
    score: float


class KeptNode(NamedTuple):
    """An opened content that became evidence, at the revision that was read."""

    content_id: str
    revision: int
    score: float


class Sentence(NamedTuple):
    """A part of the extractive answer: the span [start, end) of a content's text."""

    content_id: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A run began, on the memory as it stood after commit `seq`."""

    strategy: Strategy
    budget: int
    auto_budget: bool
    mode: Mode
    seq: int
    contents: int
    seeded: bool = False
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True, slots=True)
class QueryRead:
    """The question was read: its cues, the people it names, the times it asks about."""

    cues: tuple[QueryCue, ...]
    windows: tuple[Window, ...]
    speakers: tuple[str, ...]
    kind: Literal["query_read"] = "query_read"


@dataclass(frozen=True, slots=True)
class ActionsChosen:
    """Step 1 of the loop: the router chose these traversals."""

    step: int
    actions: tuple[Action, ...]
    kind: Literal["actions_chosen"] = "actions_chosen"


@dataclass(frozen=True, slots=True)
class Woken:
    """Cues and tags that joined the active set: matched by the query, or woken by evidence."""

    step: int
    cues: tuple[Activated, ...]
    tags: tuple[Activated, ...]
    kind: Literal["woken"] = "woken"


@dataclass(frozen=True, slots=True)
class Traversed:
    """Step 2: what the traversals returned together. `reached` counts all contents reached so far."""

    step: int
    calls: int
    new_contents: int
    reached: int
    capped: tuple[tuple[str, int, int], ...] = ()
    kind: Literal["traversed"] = "traversed"


@dataclass(frozen=True, slots=True)
class Ranked:
    """Step 3, first half: the best candidates with their scores; `hidden` more were ranked below."""

    step: int
    candidates: tuple[Candidate, ...]
    hidden: int
    kind: Literal["ranked"] = "ranked"


@dataclass(frozen=True, slots=True)
class Opened:
    """Contents that were read, in order; `read` counts the origin turns read so far."""

    step: int
    content_ids: tuple[str, ...]
    turn_ids: tuple[str, ...]
    read: int
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Routed:
    """Step 3 and 4: what was kept as evidence and what was pruned, each with its reason."""

    step: int
    kept: tuple[KeptNode, ...]
    pruned: tuple[PrunedNode, ...]
    kind: Literal["routed"] = "routed"


@dataclass(frozen=True, slots=True)
class Judged:
    """Step 5: is the evidence sufficient? `missing` are the query cues it does not touch yet."""

    step: int
    enough: bool
    budget: int
    missing: tuple[QueryCue, ...]
    spread: float
    kind: Literal["judged"] = "judged"


@dataclass(frozen=True, slots=True)
class RoleFailed:
    """A model role failed at this step; `went_on` says how the algorithm continued."""

    step: int
    role: str
    error: str
    went_on: str
    kind: Literal["role_failed"] = "role_failed"


@dataclass(frozen=True, slots=True)
class Stopped:
    """The loop ended, and the limit that ended it."""

    step: int
    limit: Limit
    read: int
    kind: Literal["stopped"] = "stopped"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer as sentences of evidence. `made_by` "rule" is extractive, nothing was written."""

    sentences: tuple[Sentence, ...]
    made_by: Literal["rule", "model"]
    kind: Literal["answered"] = "answered"


TraceEvent = (
    Asked | QueryRead | ActionsChosen | Woken | Traversed | Ranked | Opened | Routed | Judged
    | RoleFailed | Stopped | Answered
)  # fmt: skip
