"""Which runs of one question there are, and which of them stands beside the one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.errors import NotFound
from memcore.view.forks import forked
from memcore.view.model_calls import who_answered
from memcore.view.naming import counted, strategy_name
from pages._parts.reconstruction.branches import when

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader

LISTED, OFFERED = 500, 12
PAIRS, KEPT = "beside:pairs", "beside:kept"


class Told(NamedTuple):
    """A stored run."""

    header: TraceHeader
    events: Sequence[TraceEvent]

    @property
    def without(self) -> tuple[str, ...]:
        """The memories that it was asked without."""
        return next((e.without for e in self.events if e.kind == "asked"), ())

    @property
    def name(self) -> str:
        """When it was asked, who answered, and what sets it apart."""
        left_out = counted(len(self.without), "memory", "memories") if self.without else ""
        parts = (
            when(self.header),
            "" if self.header.strategy == "active" else strategy_name(self.header.strategy),
            f"by {who_answered(self.events)}",
            forked(self.header),
            f"without {left_out}" if left_out else "",
        )
        return " · ".join(filter(None, parts))


def pair(trace_id: str, other: str) -> None:
    """Let another run stand beside this one, and this one beside it."""
    st.session_state.setdefault(PAIRS, {}).update({trace_id: other, other: trace_id})


def partner(trace_id: str) -> str:
    """The run that was last put beside this one, "" where none was."""
    return st.session_state.get(PAIRS, {}).get(trace_id, "")


def others(memory: Memory, header: TraceHeader) -> list[TraceHeader]:
    """The other runs of the same question that have ended, its family and the newest first."""
    found = [
        h
        for h in memory.traces(LISTED)
        if h.id != header.id and h.question == header.question and h.status != "running"
    ]
    near = {header.parent, partner(header.id)}
    found.sort(key=lambda h: h.id not in near and h.parent != header.id)
    return found[:OFFERED]


def told(memory: Memory, trace_id: str) -> Told | None:
    """A stored run, read once while nothing is written: one that has ended does not change, but may be
    erased. None where it is no longer kept."""
    kept: dict[str, tuple[int, Told]] = st.session_state.setdefault(KEPT, {})
    at = memory.snapshot().graph.seq
    if trace_id not in kept or kept[trace_id][0] != at or kept[trace_id][1].header.status == "running":
        kept.pop(trace_id, None)
        try:
            kept[trace_id] = at, Told(*memory.trace(trace_id))
        except NotFound:
            return None
    return kept[trace_id][1]
