"""Runs that were forked off another: which they are, and from which step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memcore.events import Overridden, TraceEvent
from memcore.records import TraceHeader


class Branch(NamedTuple):
    """A run of a family: `depth` 0 is the one that was asked, its forks are 1, theirs 2."""

    header: TraceHeader
    depth: int


def forked(header: TraceHeader) -> str:
    """Fork at step 3; "" for a run that was asked."""
    return f"fork at step {header.parent_step or 0}" if header.parent else ""


def forks_of(headers: Iterable[TraceHeader], trace_id: str) -> list[TraceHeader]:
    """The runs that go on from a step of this one, by the step and then by when."""
    found = [h for h in headers if h.parent == trace_id]
    return sorted(found, key=lambda h: (h.parent_step or 0, h.started))


def family(headers: Iterable[TraceHeader], trace_id: str) -> list[Branch]:
    """The run that was asked, and everything forked off it, each after its parent."""
    known = {h.id: h for h in headers}
    first = trace_id
    while first in known and (parent := known[first].parent) in known:
        first = str(parent)
    found: list[Branch] = []
    waiting = [Branch(known[first], 0)] if first in known else []
    while waiting:
        branch = waiting.pop()
        found.append(branch)
        forks = forks_of(known.values(), branch.header.id)
        waiting += [Branch(fork, branch.depth + 1) for fork in reversed(forks)]
    return found


def decisions(events: Iterable[TraceEvent]) -> list[Overridden]:
    """What persons decided in a run, in order."""
    return [e for e in events if e.kind == "overridden"]
