"""One question to one memory: which strategy answers it, and who does its roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple, get_args

from memcore.baselines import STRATEGIES, Search, passive, seeded
from memcore.channels import Lexical
from memcore.errors import InputError
from memcore.events import Strategy, TraceEvent
from memcore.forking import Override, ask_of, overridden, still_there, up_to
from memcore.graph import Graph
from memcore.llm.casting import ModelOf, Part, cast_of, nobody
from memcore.llm.listening import Listening
from memcore.llm.model_router import ROLES, Ground, ModelRouter
from memcore.llm.offline.extractor import extract_query
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.protocols import Embedder
from memcore.llm.role_asking import RoleAsking
from memcore.prompted import as_kept
from memcore.question import Question, prepare
from memcore.reconstruction import Ask, Limits, Router, Steps, always, reconstruct
from memcore.recorded_run import Run
from memcore.records import Moment, TraceHeader, new_id, now
from memcore.run_state import fold
from memcore.settings import Settings
from memcore.stopping import Stop
from memcore.store import Scope
from memcore.tiered import tiered
from memcore.tiers import Tiers
from memcore.withholding import asked_by, saying_what_was_withheld
from memcore.without import without

STEPWISE = ("active", "graph")


class Snapshot(NamedTuple):
    """The graph at one commit and its word index."""

    graph: Graph
    lexical: Lexical


@dataclass(frozen=True, slots=True)
class Asking:
    """Strategies over one scope; `snapshot` and `tiers` give the memory as of the last commit.

    `models` says who does a role in a run (see models.Models.of), None where rules do.
    """

    scope: Scope
    embedder: Embedder
    snapshot: Callable[[], Snapshot]
    tiers: Callable[[], Tiers]
    models: ModelOf = nobody

    def ask(self, ask: Ask, settings: Settings, listening: Listening) -> Run:
        """See Memory.ask."""
        header = self._header(ask)
        roles = ROLES if ask.strategy in STEPWISE else ("answer",)
        cast = cast_of(self.models, roles, Part(header.id, ask.model), listening)
        return Run(header, self.scope, self.events(ask, settings, listening.cancelled, cast=cast))

    def fork(
        self, trace_id: str, step: int, override: Override, settings: Settings, listening: Listening
    ) -> Run:
        """See Memory.fork."""
        before, events = self.scope.trace(trace_id)
        ask = ask_of(before, events[0])
        past = asked_by(self.scope.viewer.clearance, up_to(events, step))
        question, seen = self.prepared(ask.question, ask.asked), self._seen(ask)
        still_there(past, seen.graph)
        state = fold(past)
        decided = overridden(override, state, seen.graph)
        state.apply(decided)
        header = replace(self._header(ask), parent=trace_id, parent_step=step)
        cast = cast_of(self.models, ROLES, Part(header.id, ask.model, state.step), listening)
        router = self._router(ask, question, seen, settings, cast)
        limits = Limits(steps_of(settings, cast), settings.calls, listening.cancelled)
        rest = self._as_kept(reconstruct(ask, seen.graph, router, limits, state), settings)
        return Run(header, self.scope, chain(past, [decided], rest))

    def _header(self, ask: Ask) -> TraceHeader:
        return TraceHeader(
            id=new_id(),
            question=ask.question.strip(),
            strategy=ask.strategy,
            budget=ask.budget,
            started=now(),
            status="running",
            seq=self.snapshot().graph.seq,
        )

    def prepared(self, text: str, asked: Moment) -> Question:
        """See Memory.prepared."""
        graph = self.snapshot().graph
        return prepare(text, asked, graph, extract_query, self.embedder, self.scope.term_hashes)

    def events(
        self, ask: Ask, settings: Settings, cancelled: Stop, question: Question | None = None,
        cast: RoleAsking | None = None,
    ) -> Iterator[TraceEvent]:  # fmt: skip
        """See Memory.events; without a `cast` of models by rules alone."""
        _check(ask)
        if ask.strategy == "graph":
            settings = replace(settings, steps=1)  # passive: all reads of the budget fall to the only step
        question = question or self.prepared(ask.question, ask.asked)
        seen = self._seen(ask)
        graph = seen.graph
        router = self._router(ask, question, seen, settings, cast)
        if ask.strategy in STRATEGIES:
            ranking = STRATEGIES[ask.strategy](Search(ask, question, *seen, settings))
            events = passive(ask, graph, ranking, router)
        elif ask.strategy == "recmem":
            events = passive(ask, graph, tiered(ask, question, graph, self.tiers(), settings), router)
        else:
            limits = Limits(steps_of(settings, cast), settings.calls, cancelled)
            events = reconstruct(ask, graph, router, limits)
        return self._as_kept(events, settings)

    def _seen(self, ask: Ask) -> Snapshot:
        """The memory without what is left out."""
        seen = self.snapshot()
        if not ask.without:
            return seen
        graph = without(seen.graph, ask.without)
        return Snapshot(graph, Lexical(graph))

    def _router(
        self, ask: Ask, question: Question, seen: Snapshot, settings: Settings, cast: RoleAsking | None
    ) -> Router:
        """Rules, and models where some take part."""
        graph, lexical = seen
        seeds = seeded(Search(ask, question, *seen, settings)) if ask.seeded else ()
        steps = steps_of(settings, cast)

        def rules(of: Question) -> OfflineRouter:
            return OfflineRouter(ask, of, graph, lexical, settings, self.scope.texts, seeds, steps)

        if cast is None or not (cast.models or cast.asides):
            return rules(question)
        return ModelRouter(Ground(ask, question, graph, settings, self.scope.texts, rules), cast)

    def _as_kept(self, events: Iterator[TraceEvent], settings: Settings) -> Iterator[TraceEvent]:
        """As they are kept; to who may not see all, the run says what was withheld."""
        events = (as_kept(event, self.scope.hash) for event in events)
        beside = self.scope.beside
        if beside is None:
            return events
        return saying_what_was_withheld(events, self.scope.viewer.clearance, beside, settings.withheld_named)


def steps_of(settings: Settings, cast: RoleAsking | None) -> Steps:
    """Fewer steps as long as a model decides in them; once it is out, rules take as many as ever."""
    if cast is None:
        return always(settings.steps)
    few = min(settings.steps, settings.model_steps)
    return lambda state: few if cast.decides(state) else settings.steps


def _check(ask: Ask) -> None:
    if ask.budget < 1:
        raise InputError("The budget must be at least 1: it is the number of turns that may be read.")
    if ask.strategy not in get_args(Strategy):
        known = ", ".join(get_args(Strategy))
        raise InputError(f"There is no strategy {ask.strategy!r}: choose one of {known}.")
