"""A question that was asked: in one line how, when, how it ended, and what it was forked from."""

from __future__ import annotations

from memcore.records import TraceHeader
from memcore.view.forks import forked
from memcore.view.naming import STATUS_NAMES, counted, strategy_name
from memcore.view.times import instant


def trace_line(header: TraceHeader, zone: str = "") -> str:
    """Active reconstruction · 12 turns to read · 3 May 2023, 15:56 CEST · finished · fork at step 3."""
    parts = (
        strategy_name(header.strategy),
        f"{counted(header.budget, 'turn')} to read",
        instant(header.started, zone),
        STATUS_NAMES[header.status],
        forked(header),
    )
    return " · ".join(filter(None, parts))
