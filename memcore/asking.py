"""One question to one memory: which strategy answers it, and how its run is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast, get_args

from memcore.baselines import STRATEGIES, passive, seeded
from memcore.channels import Lexical
from memcore.errors import InputError
from memcore.events import Strategy, TraceEvent
from memcore.graph import Graph
from memcore.llm.offline.extractor import extract_query
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.protocols import Embedder
from memcore.question import Question, prepare
from memcore.reconstruction import Ask, Limits, reconstruct
from memcore.records import Moment, TraceHeader, new_id, now
from memcore.settings import Settings
from memcore.store import Scope
from memcore.tiered import tiered
from memcore.tiers import Tiers

_STEP_ENDS = ("query_read", "judged", "answered")


class Snapshot(NamedTuple):
    """The graph at one commit and its word index."""

    graph: Graph
    lexical: Lexical


@dataclass
class Run:
    """One recorded run: iterate it to make it happen. The trace is stored step by step."""

    header: TraceHeader
    scope: Scope
    source: Iterator[TraceEvent]

    def __iter__(self) -> Iterator[TraceEvent]:
        """Yield each event once it is stored; whatever ends the run, its trace says how it ended."""
        events: list[TraceEvent] = []
        stored, status = 0, "failed"
        self.scope.save_trace(self.header)
        try:
            for event in self.source:
                events.append(event)
                if event.kind in _STEP_ENDS:
                    self.scope.append_events(self.header.id, stored, events[stored:])
                    stored = len(events)
                yield event
            status = "finished"
        except GeneratorExit:
            status = "stopped"
            raise
        finally:
            if any(e.kind == "stopped" and e.limit == "cancelled" for e in events):
                status = "stopped"
            ended = replace(self.header, status=cast(Any, status), ended=now(), events=len(events))
            self.scope.finish_trace(ended, events)


@dataclass(frozen=True, slots=True)
class Asking:
    """Strategies over one scope; `snapshot` and `tiers` give the memory as of the last commit."""

    scope: Scope
    embedder: Embedder
    snapshot: Callable[[], Snapshot]
    tiers: Callable[[], Tiers]

    def ask(self, ask: Ask, settings: Settings, cancelled: Callable[[], bool]) -> Run:
        """See Memory.ask."""
        source = self.events(ask, settings, cancelled)
        header = TraceHeader(
            id=new_id(),
            question=ask.question.strip(),
            strategy=ask.strategy,
            budget=ask.budget,
            started=now(),
            status="running",
            seq=self.snapshot().graph.seq,
        )
        return Run(header, self.scope, source)

    def prepared(self, text: str, asked: Moment) -> Question:
        """See Memory.prepared."""
        graph = self.snapshot().graph
        return prepare(text, asked, graph, extract_query, self.embedder, self.scope.term_hashes)

    def events(
        self, ask: Ask, settings: Settings, cancelled: Callable[[], bool], question: Question | None = None
    ) -> Iterator[TraceEvent]:
        """See Memory.events."""
        if ask.strategy == "graph":
            settings = replace(settings, steps=1)  # passive: all reads of the budget fall to the only step
        _check(ask)
        question = question or self.prepared(ask.question, ask.asked)
        graph, lexical = self.snapshot()
        seeds = seeded(question, graph, lexical, settings) if ask.seeded else ()
        router = OfflineRouter(ask, question, graph, lexical, settings, self.scope.texts, seeds)
        if ask.strategy in STRATEGIES:
            ranking = STRATEGIES[ask.strategy](ask, question, graph, lexical, settings)
            return passive(ask, graph, ranking, router)
        if ask.strategy == "recmem":
            return passive(ask, graph, tiered(ask, question, graph, self.tiers(), settings), router)
        return reconstruct(ask, graph, router, Limits(settings.steps, settings.calls, cancelled))


def _check(ask: Ask) -> None:
    if ask.budget < 1:
        raise InputError("The budget must be at least 1: it is the number of turns that may be read.")
    if ask.strategy not in get_args(Strategy):
        known = ", ".join(get_args(Strategy))
        raise InputError(f"There is no strategy {ask.strategy!r}: choose one of {known}.")
