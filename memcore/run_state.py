"""MRAgent, section 2: S = (Z, H), the state of a reconstruction, is the fold of its events.

So any prefix of a trace gives the state at that point, from which the run can be shown or gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from memcore.events import (
    Action,
    ActionsChosen,
    Activated,
    Answered,
    Asked,
    Judged,
    KeptNode,
    Limit,
    ModelAsked,
    Opened,
    Overridden,
    PrunedNode,
    QueryRead,
    Ranked,
    RoleFailed,
    Routed,
    Stopped,
    TraceEvent,
    Traversed,
    Woken,
)


@dataclass
class State:
    """S = (Z, H), changed only by `apply`. Everything in it follows from the events alone.

    `wanted` are cues to be woken in the next step, `barred` contents that a person left behind for good;
    `overridden` until the step after a person's decision begins, `looking` where the last step asked for
    the tags of a cue.
    """

    step: int = 0
    calls: int = 0
    budget: int = 0
    seq: int = 0
    strategy: str = ""
    query: QueryRead | None = None
    cues: dict[str, Activated] = field(default_factory=dict[str, Activated])
    tags: dict[str, Activated] = field(default_factory=dict[str, Activated])
    actions: list[Action] = field(default_factory=list[Action])
    first_actions: int = 0
    opened: dict[str, int] = field(default_factory=dict[str, int])
    turns: dict[str, int] = field(default_factory=dict[str, int])
    evidence: dict[str, KeptNode] = field(default_factory=dict[str, KeptNode])
    kept_at: dict[str, int] = field(default_factory=dict[str, int])
    wanted: dict[str, Activated] = field(default_factory=dict[str, Activated])
    barred: set[str] = field(default_factory=set[str])
    overridden: bool = False
    looking: bool = False
    models: list[ModelAsked] = field(default_factory=list[ModelAsked])
    pruned: dict[str, PrunedNode] = field(default_factory=dict[str, PrunedNode])
    ranked: Ranked | None = None
    judged: Judged | None = None
    limit: Limit | None = None
    answer: Answered | None = None

    def apply(self, event: TraceEvent) -> TraceEvent:
        """Take one event in, and hand it on."""
        _FOLD[event.kind](self, event)
        return event

    def opened_now(self) -> tuple[str, ...]:
        """The contents that were opened in this step, in order."""
        return tuple(content for content, step in self.opened.items() if step == self.step)


def fold(events: Iterable[TraceEvent]) -> State:
    """The state after these events: any prefix of a trace gives the state at that point."""
    state = State()
    for event in events:
        state.apply(event)
    return state


def through(events: Iterable[TraceEvent], step: int) -> list[TraceEvent]:
    """The events up to the end of a step, and those that belong to none."""
    return [event for event in events if getattr(event, "step", 0) <= step]


def _asked(state: State, event: Asked) -> None:
    state.budget, state.seq, state.strategy = event.budget, event.seq, event.strategy


def _query_read(state: State, event: QueryRead) -> None:
    state.query = event


def _woken(state: State, event: Woken) -> None:
    state.step, state.overridden = event.step, False
    state.wanted.clear()
    state.cues |= {a.id: a for a in event.cues}
    state.tags |= {a.id: a for a in event.tags}


def _actions_chosen(state: State, event: ActionsChosen) -> None:
    state.step = event.step
    state.actions += event.actions
    state.looking = any(a.action == "cue_tags" for a in event.actions)
    if event.step == 1:
        state.first_actions = len(event.actions)


def _traversed(state: State, event: Traversed) -> None:
    state.calls = event.calls


def _ranked(state: State, event: Ranked) -> None:
    state.ranked = event


def _opened(state: State, event: Opened) -> None:
    state.opened |= dict.fromkeys(event.content_ids, event.step)
    for turn in event.turn_ids:
        state.turns.setdefault(turn, event.step)


def _routed(state: State, event: Routed | Overridden) -> None:
    state.evidence |= {k.content_id: k for k in event.kept}
    state.pruned |= {p.id: p for p in event.pruned}
    for kept in event.kept:
        state.pruned.pop(kept.content_id, None)
        state.kept_at[kept.content_id] = event.step


def _judged(state: State, event: Judged) -> None:
    state.judged, state.budget = event, event.budget
    state.wanted |= {a.id: a for a in event.follow}


def _model_asked(state: State, event: ModelAsked) -> None:
    state.models.append(event)


def _overridden(state: State, event: Overridden) -> None:
    """A person has the last word: it stands until the run ends."""
    _routed(state, event)
    for kept in event.kept:
        state.opened.setdefault(kept.content_id, event.step)
        state.barred.discard(kept.content_id)
    for turn in event.turn_ids:
        state.turns.setdefault(turn, event.step)
    for left in event.pruned:
        state.evidence.pop(left.id, None)
        state.barred.add(left.id)
    state.wanted |= {a.id: a for a in event.cues}
    state.budget += event.more
    state.overridden = True


def _role_failed(state: State, event: RoleFailed) -> None:
    state.step = event.step


def _stopped(state: State, event: Stopped) -> None:
    state.limit = event.limit


def _answered(state: State, event: Answered) -> None:
    state.answer = event


_FOLD: dict[str, Callable[[State, Any], None]] = {
    "asked": _asked,
    "query_read": _query_read,
    "woken": _woken,
    "actions_chosen": _actions_chosen,
    "traversed": _traversed,
    "ranked": _ranked,
    "opened": _opened,
    "routed": _routed,
    "judged": _judged,
    "model_asked": _model_asked,
    "overridden": _overridden,
    "role_failed": _role_failed,
    "stopped": _stopped,
    "answered": _answered,
}
