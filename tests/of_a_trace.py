"""What happened in a reconstruction, picked out of its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcore.events import TraceEvent


def of(events: Sequence[TraceEvent], kind: str) -> list[Any]:
    """The events of this kind."""
    return [e for e in events if e.kind == kind]


def failures(events: Sequence[TraceEvent]) -> list[tuple[str, str, str]]:
    """Which roles failed, of what, and how the run went on."""
    return [(e.role, e.error, e.went_on) for e in of(events, "role_failed")]


def limit_of(events: Sequence[TraceEvent]) -> str:
    """What ended the run."""
    (stopped,) = of(events, "stopped")
    return stopped.limit
