"""MRAgent: what happens in one reconstruction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memcore.access.permissions import MOST_SENSITIVE
from memcore.events.parts import (
    TIERS,
    Action,
    Activated,
    Candidate,
    KeptNode,
    Limit,
    Mode,
    ModelRole,
    PrunedNode,
    QueryCue,
    Sentence,
    Shown,
    Strategy,
    Tier,
    Window,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A run began, on the memory as it stood after commit `seq`.

    `model` is the one named for all roles, empty for those of the settings; `without` are contents that
    were left out; `asked_on` is the day on which it was asked as an ordinal, 0 where not given. `clearance`
    is how sensitive a memory who asks may see, `tiers` are those that the strategy recmem searches.
    """

    strategy: Strategy
    budget: int
    auto_budget: bool
    mode: Mode
    seq: int
    contents: int
    seeded: bool = False
    reverse: bool = True
    use_time: bool = True
    use_speaker: bool = True
    model: str = ""
    without: tuple[str, ...] = ()
    asked_on: int = 0
    clearance: int = MOST_SENSITIVE
    tiers: tuple[Tier, ...] = TIERS
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True, slots=True)
class QueryRead:
    """The question was read: its cues, the people it names, the times it asks about.

    `also` are cues of the memory that a model named in other words than the question's.
    """

    cues: tuple[QueryCue, ...]
    windows: tuple[Window, ...]
    speakers: tuple[str, ...]
    also: tuple[str, ...] = ()
    made_by: Literal["rule", "model"] = "rule"
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
    """Step 3 and 4: what was kept as evidence and what was pruned, each with its reason.

    `withheld` counts what was withheld from who asks beside those that `pruned` names.
    """

    step: int
    kept: tuple[KeptNode, ...]
    pruned: tuple[PrunedNode, ...]
    withheld: int = 0
    kind: Literal["routed"] = "routed"


@dataclass(frozen=True, slots=True)
class Judged:
    """Step 5: is the evidence sufficient? `missing` are the query cues it does not touch yet.

    `follow` are cues of the evidence that a model wants followed in the next step.
    """

    step: int
    enough: bool
    budget: int
    missing: tuple[QueryCue, ...]
    spread: float
    follow: tuple[Activated, ...] = ()
    kind: Literal["judged"] = "judged"


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A model was asked in a role: which prompt, by its hash and by what was shown in it, and what it took.

    The prompt can be made again from that (see prompted); the reply is kept with the recorded ones and
    goes with any erasure. `outcome` is "ok" or the name of the error; `chars` is how long a text was shown.
    `attempts` are the calls that were made for it, none where a recorded reply was given. `reply` is the id
    under which the reply was recorded, "" where it was not or has none.
    """

    step: int
    role: ModelRole
    model: str
    prompt: str
    shown: tuple[Shown, ...]
    chars: int
    sent: int
    received: int
    cached: int
    milliseconds: int
    attempts: int
    outcome: str = "ok"
    reply: str = ""
    kind: Literal["model_asked"] = "model_asked"


@dataclass(frozen=True, slots=True)
class Overridden:
    """A person decided after this step: contents kept or pruned by hand, cues to follow, turns to add.

    `turn_ids` are the turns read for what was kept without having been opened before.
    """

    step: int
    kept: tuple[KeptNode, ...]
    pruned: tuple[PrunedNode, ...]
    cues: tuple[Activated, ...]
    turn_ids: tuple[str, ...] = ()
    more: int = 0
    kind: Literal["overridden"] = "overridden"


@dataclass(frozen=True, slots=True)
class RoleFailed:
    """A model role failed at this step; `went_on` says how the algorithm continued.

    "offline": rules did this step. "offline from here": rules do the rest of the run.
    """

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
    """The answer as sentences of evidence. `made_by` "rule" is extractive, nothing was written.

    What a model wrote stands in its recorded `reply` to the prompt of this hash; `sentences` are then the
    contents it cites, whole. `found` is False where it says that the evidence does not answer the question.
    """

    sentences: tuple[Sentence, ...]
    made_by: Literal["rule", "model"]
    model: str = ""
    prompt: str = ""
    found: bool = True
    reply: str = ""
    kind: Literal["answered"] = "answered"


TraceEvent = (
    Asked | QueryRead | ActionsChosen | Woken | Traversed | Ranked | Opened | Routed | Judged
    | ModelAsked | Overridden | RoleFailed | Stopped | Answered
)  # fmt: skip
