"""A run that is recorded as it happens: its trace holds every step that is over, also after a crash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memcore.audit import MOST_IDS, Read
from memcore.events import Routed, TraceEvent
from memcore.records import TraceHeader, now
from memcore.run_state import fold
from memcore.store import Scope

_STEP_ENDS = ("query_read", "judged", "overridden", "answered")


@dataclass
class Run:
    """One recorded run: iterate it to make it happen. The trace is stored step by step."""

    header: TraceHeader
    scope: Scope
    source: Iterator[TraceEvent]

    def __iter__(self) -> Iterator[TraceEvent]:
        """Yield each event once it is stored; whatever ends the run, its trace says how it ended."""
        events: list[TraceEvent] = []
        stored = 0
        status: Literal["finished", "stopped", "failed"] = "failed"
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
            ended = replace(self.header, status=status, ended=now(), events=len(events))
            self.scope.finish_trace(ended, events, read(ended, events))


def read(header: TraceHeader, events: Sequence[TraceEvent]) -> Read:
    """What the audit enters of a run that has ended: what it opened and kept, in its order."""
    state = fold(events)  # what a person kept or left by hand counts as well
    opened, kept = list(state.opened), list(state.evidence)
    withheld = sum(_withheld(e) for e in events if e.kind == "routed")
    steps = sum(e.kind == "judged" for e in events)
    ids = tuple(opened[:MOST_IDS]), tuple(kept[:MOST_IDS])
    return Read(header.id, header.status, steps, len(opened), len(kept), withheld, *ids)


def _withheld(event: Routed) -> int:
    """How many contents this step withheld, those that it does not name included."""
    return event.withheld + sum(p.why == "withheld" for p in event.pruned)
