"""A run on the canvas: its graph is sent once, its steps are marks laid over it.

While the run is under way, each step that is over brings its own nodes, once; nothing that stands is
moved or sent again. When it has ended, the whole graph takes the place of those parts, at the same spots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.view.trace import TraceGraph, grown, marks_at, trace_graph, trace_payload
from pages._parts.canvas import Overlay, Show, canvas, overlay

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory

CANVAS = "trace"
HEIGHT = 360
GROW = "grow"  # the token of an overlay that only adds


@dataclass
class Sent:
    """What this session has sent of one trace: the payload it began with, and each later part."""

    trace_id: str
    ended: bool
    base: dict[str, Any]
    events: int = 0
    drawn: TraceGraph | None = None
    parts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def ids(self) -> set[str]:
        """The ids of every node and edge sent so far."""
        sent = (self.base, *self.parts)
        return {item["id"] for payload in sent for item in (*payload["nodes"], *payload["edges"])}


def draw_graph(memory: Memory, trace_id: str, events: Sequence[TraceEvent], step: int, *, ended: bool) -> str:
    """The graph with the marks of `step`; the id of the node that is selected, or ""."""
    sent = _sent(memory, trace_id, events, ended)
    assert sent.drawn is not None
    picked = canvas(sent.base, key=CANVAS, show=Show(height=HEIGHT, fit=trace_id, layout=trace_id))
    marks = marks_at(events, memory.snapshot().graph, sent.drawn, step)
    with st.container(horizontal=True, gap=None):  # companions without a face take no room of their own
        overlay(CANVAS, Overlay(marks.nodes, marks.edges, token=f"{trace_id}:{step}"))
        for number, part in enumerate(sent.parts):
            overlay(CANVAS, Overlay({}, {}, add=part, token=GROW), key=f"{CANVAS}:{trace_id}:{number}")
    chosen = picked.nodes or _chosen_of(sent)
    return chosen[0] if chosen else ""


def _sent(memory: Memory, trace_id: str, events: Sequence[TraceEvent], ended: bool) -> Sent:
    """Laid out once per number of events, then kept with the session."""
    kept: Sent | None = st.session_state.get("trace:sent")
    if kept is None or (kept.trace_id, kept.ended) != (trace_id, ended):
        drawn = _drawn(memory, events)
        kept = Sent(trace_id, ended, trace_payload(drawn), len(events), drawn)
    elif kept.events != len(events):
        kept.drawn, kept.events = _drawn(memory, events), len(events)
        part = grown(trace_payload(kept.drawn), kept.ids())
        kept.parts += [part] if part["nodes"] or part["edges"] else []
    st.session_state["trace:sent"] = kept
    return kept


def _drawn(memory: Memory, events: Sequence[TraceEvent]) -> TraceGraph:
    texts = memory.texts({c.content_id for e in events if e.kind == "ranked" for c in e.candidates})
    return trace_graph(events, memory.snapshot().graph, texts)


def _chosen_of(sent: Sent) -> tuple[str, ...]:
    """The selection of a node that came later than the payload the canvas was given."""
    selection = st.session_state.get(f"{CANVAS}:kept", {}).get("selection") or {}
    known = {node["id"] for part in sent.parts for node in part["nodes"]}
    return tuple(n for n in selection.get("nodes", ()) if isinstance(n, str) and n in known)
