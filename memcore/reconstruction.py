"""MRAgent, sections 2 and 4: memory is reconstructed step by step, not retrieved at once.

    S = (Z, H): active cues, tags and contents; evidence so far
    repeat   A = choose(x, S)                 which traversals
             candidates = traverse(A)         cue -> tags -> contents, and back from evidence to cues
             kept, pruned = route(candidates) open the best, keep what is evidence, say why not
             H = H + kept
    until    enough(S) or a limit; the limit that ended it is an event

The paper's active policy is v(t) = pi(x, S(t-1)); the passive one fixes everything by x alone.
Every step yields events; the state is their fold, so a run can be redrawn, or resumed from a prefix,
also after a person has decided otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memcore.errors import Cancelled, ModelError
from memcore.events import (
    TIERS,
    Action,
    ActionsChosen,
    Answered,
    Asked,
    Judged,
    Limit,
    Mode,
    Opened,
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
from memcore.run_state import State
from memcore.stopping import Stop, never

Steps = Callable[[State], int]
"""How many steps a run may take, as things stand."""


def always(steps: int) -> Steps:
    """The same whatever happens."""
    return lambda state: steps


@dataclass(frozen=True, slots=True)
class Ask:
    """One question and how it may be answered.

    The switches are the paper's ablations: `mode` ce (cue -> content), cte (with tags, turns and
    episodes only), ctc (all layers); `reverse` off leaves only what the query itself activates.
    `seeded` adds a search of the whole store at the start, which the paper does not do. `tiers` are those
    that the strategy recmem searches. `model` does all the roles: "" is as the settings say, "offline" by
    rules. `without` are contents that are left out, as if they had never been said.
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
    tiers: tuple[Tier, ...] = TIERS
    asked: Moment = field(default_factory=Moment)
    model: str = ""
    without: tuple[str, ...] = ()


class Router(Protocol):
    """The roles of one reconstruction. Offline they are rules; a model may stand in their place.

    Raises ModelError where a role cannot be done at all, Cancelled where the person stopped it.
    """

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

    def open(self, state: State) -> Opened:
        """The best candidates, as many as may be read in this step."""
        ...

    def route(self, state: State) -> Routed:
        """Of what was opened in this step keep what is evidence, prune the rest with reasons."""
        ...

    def enough(self, state: State) -> Judged:
        """Is the evidence sufficient, and how much may still be read?"""
        ...

    def answer(self, state: State) -> Answered:
        """Sentences of the evidence that answer the question."""
        ...

    def asides(self) -> Sequence[TraceEvent]:
        """What happened beside the roles since this was last asked: models that were asked, or failed."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a run that is not sufficient. `steps` and `cancelled` are asked once per step."""

    steps: Steps
    calls: int
    cancelled: Stop = never


def reconstruct(
    ask: Ask, graph: Graph, router: Router, limits: Limits, state: State | None = None
) -> Iterator[TraceEvent]:
    """Yield what happens until the evidence is sufficient or a limit ends it.

    Given the `state` folded from a prefix of whole steps of a saved run, goes on from there. A router
    that fails ends the run with the limit `router_failed`; what was gathered so far is kept and answered
    from. A question that cannot be read ends it at once, and an answer that fails leaves the evidence.
    A model that fails ends nothing: its role is done by rules, and the router says so.
    """
    if state is None:
        state = State()
        yield state.apply(asked(ask, graph))
    else:
        router.resume(state)
    limit = limit_reached(state, limits) if state.step else None
    role = "reader"
    try:
        if state.query is None:
            yield from happened(state, router, router.read())
        role = "router"
        while limit is None:
            yield from one_step(state, router)
            limit = limit_reached(state, limits)
    except Cancelled:
        limit = "cancelled"
    except ModelError as error:
        failed = RoleFailed(state.step, role, type(error).__name__, "answered from evidence")
        yield from happened(state, router, failed)
        limit = "router_failed"
    yield from happened(state, router, Stopped(state.step, limit, len(state.turns)))
    yield from answered(state, router)


def answered(state: State, router: Router) -> Iterator[TraceEvent]:
    """The answer, or the event that there is none: the evidence stands either way."""
    try:
        yield from happened(state, router, router.answer(state))
    except Cancelled:
        yield from happened(state, router)
    except ModelError as error:
        failed = RoleFailed(state.step, "answer", type(error).__name__, "left the evidence")
        yield from happened(state, router, failed)


def one_step(state: State, router: Router) -> Iterator[TraceEvent]:
    """Choose, traverse, rank, open, route, judge: one round of the paper's loop."""
    woken, chosen = router.choose(state)
    yield from happened(state, router, woken, chosen)
    yield from happened(state, router, router.traverse(state, chosen.actions))
    yield from happened(state, router, router.rank(state))
    yield from happened(state, router, router.open(state))
    yield from happened(state, router, router.route(state))
    yield from happened(state, router, router.enough(state))


def happened(state: State, router: Router, *events: TraceEvent) -> Iterator[TraceEvent]:
    """What a role came to, after what happened on its way there."""
    for event in (*router.asides(), *events):
        yield state.apply(event)


def limit_reached(state: State, limits: Limits) -> Limit | None:
    """The first limit that ends the run now, if any."""
    judged, ranked = state.judged, state.ranked
    if judged is not None and judged.enough and not state.overridden:
        return "sufficient"
    if len(state.turns) >= state.budget:
        return "read_budget"
    leads_on = state.wanted or state.overridden or state.looking
    if (ranked is None or not ranked.candidates) and not leads_on:
        return "nothing_left"
    if limits.cancelled():
        return "cancelled"
    if state.step >= limits.steps(state):
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
        reverse=ask.reverse,
        use_time=ask.use_time,
        use_speaker=ask.use_speaker,
        tiers=ask.tiers,
        model=ask.model,
        without=ask.without,
        asked_on=ask.asked.start.toordinal() if ask.asked.start else 0,
    )
