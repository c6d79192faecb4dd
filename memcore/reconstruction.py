"""MRAgent, sections 2 and 4: memory is reconstructed step by step, not retrieved at once.

    S = (Z, H): active cues, tags and contents; evidence so far
    repeat   A = choose(x, S)                 which traversals
             candidates = traverse(A)         cue -> tags -> contents, and back from evidence to cues
             kept, pruned = route(candidates) open the best, keep what is evidence, say why not
             H = H + kept
    until    enough(S) or a limit; the limit that ended it is an event

The paper's active policy is v(t) = pi(x, S(t-1)); the passive one fixes everything by x alone.
Every step yields events; the state is their fold, so a run can be redrawn, or resumed from a prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from memcore.errors import ModelError
from memcore.events import (
    Action,
    ActionsChosen,
    Activated,
    Answered,
    Asked,
    Judged,
    KeptNode,
    Limit,
    Mode,
    Opened,
    PrunedNode,
    QueryRead,
    Ranked,
    RoleFailed,
    Routed,
    Stopped,
    Strategy,
    Tier,
    TraceEvent,
    Traversed,
    Woken,
)
from memcore.graph import Graph
from memcore.records import Moment


@dataclass(frozen=True, slots=True)
class Ask:
    """One question and how it may be answered.

    The switches are the paper's ablations: `mode` ce (cue -> content), cte (with tags, turns and
    episodes only), ctc (all layers); `reverse` off leaves only what the query itself activates.
    `seeded` adds a search of the whole store at the start, which the paper does not do. `tiers` are those
    that the strategy recmem searches.
    """

    question: str
    budget: int
    strategy: Strategy = "active"
    auto_budget: bool = False
    mode: Mode = "ctc"
    reverse: bool = True
    use_time: bool = True
    use_speaker: bool = True
    seeded: bool = False
    tiers: tuple[Tier, ...] = ("subconscious", "episodic", "semantic")
    asked: Moment = field(default_factory=Moment)


@dataclass
class State:
    """S = (Z, H), changed only by `apply`. Everything in it follows from the events alone."""

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
    pruned: dict[str, PrunedNode] = field(default_factory=dict[str, PrunedNode])
    ranked: Ranked | None = None
    judged: Judged | None = None
    limit: Limit | None = None
    answer: Answered | None = None

    def apply(self, event: TraceEvent) -> TraceEvent:
        """Take one event in, and hand it on."""
        _FOLD[event.kind](self, event)
        return event


class Router(Protocol):
    """The roles of one reconstruction. Offline they are rules; a model may stand in their place."""

    def read(self) -> QueryRead:
        """Cues, people and time windows of the question."""
        ...

    def choose(self, state: State) -> tuple[Woken, ActionsChosen]:
        """The traversals of this step, and the cues and tags that became active for them."""
        ...

    def traverse(self, state: State, actions: Iterable[Action]) -> Traversed:
        """Run them on the graph. Replaying the actions of a saved run gives the same reach."""
        ...

    def resume(self, state: State) -> None:
        """Be where this router was after the whole steps that `state` is the fold of."""
        ...

    def rank(self, state: State) -> Ranked:
        """The candidates reached so far and not opened, best first, with every score component."""
        ...

    def route(self, state: State) -> tuple[Opened, Routed]:
        """Open the best candidates; keep what is evidence, prune the rest with reasons."""
        ...

    def enough(self, state: State) -> Judged:
        """Is the evidence sufficient, and how much may still be read?"""
        ...

    def answer(self, state: State) -> Answered:
        """Sentences of the evidence that answer the question."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a run that is not sufficient. `cancelled` is asked once per step."""

    steps: int
    calls: int
    cancelled: Callable[[], bool] = lambda: False


def reconstruct(
    ask: Ask, graph: Graph, router: Router, limits: Limits, state: State | None = None
) -> Iterator[TraceEvent]:
    """Yield what happens until the evidence is sufficient or a limit ends it.

    Given the `state` folded from a prefix of whole steps of a saved run, goes on from there. A router
    that fails ends the run with the limit `router_failed`; what was gathered so far is kept and answered
    from. A question that cannot be read ends it at once, and an answer that fails leaves the evidence.
    """
    if state is None:
        state = State()
        yield state.apply(asked(ask, graph))
    elif state.step:
        router.resume(state)
    limit = limit_reached(state, limits) if state.step else None
    role = "reader"
    try:
        if state.query is None:
            yield state.apply(router.read())
        role = "router"
        while limit is None:
            yield from one_step(state, router)
            limit = limit_reached(state, limits)
    except ModelError as error:
        yield state.apply(RoleFailed(state.step, role, type(error).__name__, "answered from evidence"))
        limit = "router_failed"
    yield state.apply(Stopped(state.step, limit or "router_failed", len(state.turns)))
    yield from answered(state, router)


def answered(state: State, router: Router) -> Iterator[TraceEvent]:
    """The answer, or the event that there is none: the evidence stands either way."""
    try:
        yield state.apply(router.answer(state))
    except ModelError as error:
        yield state.apply(RoleFailed(state.step, "answer", type(error).__name__, "left the evidence"))


def one_step(state: State, router: Router) -> Iterator[TraceEvent]:
    """Choose, traverse, rank, route, judge: one round of the paper's loop."""
    woken, chosen = router.choose(state)
    yield state.apply(woken)
    yield state.apply(chosen)
    yield state.apply(router.traverse(state, chosen.actions))
    yield state.apply(router.rank(state))
    opened, routed = router.route(state)
    yield state.apply(opened)
    yield state.apply(routed)
    yield state.apply(router.enough(state))


def limit_reached(state: State, limits: Limits) -> Limit | None:
    """The first limit that ends the run now, if any."""
    judged = state.judged
    if judged is not None and judged.enough:
        return "sufficient"
    if len(state.turns) >= state.budget:
        return "read_budget"
    if state.ranked is None or not state.ranked.candidates:
        return "nothing_left"
    if limits.cancelled():
        return "cancelled"
    if state.step >= limits.steps:
        return "step_limit"
    return "call_limit" if state.calls >= limits.calls else None


def asked(ask: Ask, graph: Graph) -> Asked:
    """The opening event: what was asked for, on which state of the memory.

    An automatic budget starts at half and grows with the difficulty of the question.
    """
    return Asked(
        strategy=ask.strategy,
        budget=max(1, ask.budget // 2) if ask.auto_budget else ask.budget,
        auto_budget=ask.auto_budget,
        mode=ask.mode,
        seq=graph.seq,
        contents=len(graph),
        seeded=ask.seeded,
    )


def fold(events: Iterable[TraceEvent]) -> State:
    """The state after these events: any prefix of a trace gives the state at that point."""
    state = State()
    for event in events:
        state.apply(event)
    return state


def _asked(state: State, event: Asked) -> None:
    state.budget, state.seq, state.strategy = event.budget, event.seq, event.strategy


def _query_read(state: State, event: QueryRead) -> None:
    state.query = event


def _woken(state: State, event: Woken) -> None:
    state.step = event.step
    state.cues |= {a.id: a for a in event.cues}
    state.tags |= {a.id: a for a in event.tags}


def _actions_chosen(state: State, event: ActionsChosen) -> None:
    state.step = event.step
    state.actions += event.actions
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


def _routed(state: State, event: Routed) -> None:
    state.evidence |= {k.content_id: k for k in event.kept}
    state.pruned |= {p.id: p for p in event.pruned}
    for kept in event.kept:
        state.pruned.pop(kept.content_id, None)


def _judged(state: State, event: Judged) -> None:
    state.judged, state.budget = event, event.budget


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
    "role_failed": _role_failed,
    "stopped": _stopped,
    "answered": _answered,
}
