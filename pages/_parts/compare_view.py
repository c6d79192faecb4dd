"""Three strategies side by side at the same budget, with recall where the expected turns are marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.reconstruction import Ask
from memcore.view.comparison import LANES, lane_view
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory


def compare(
    memory: Memory, trace_id: str, ask: Ask, events: Sequence[TraceEvent], known: Sequence[str]
) -> None:
    """`events` are the trace's own; the passive lanes run once per trace, without being recorded."""
    lanes = _lanes(memory, trace_id, ask, events)
    read = {t for lane in lanes.values() for e in lane if e.kind == "opened" for t in e.turn_ids}
    records = memory.get(read)
    sources = sorted({r.source for r in records.values() if r.kind == "turn"} | set(known))
    expected = st.multiselect(
        "Turns the answer should rest on",
        sources,
        default=list(known),
        key=f"expected:{trace_id}",
        format_func=verbatim,
    )
    for column, name in zip(st.columns(len(lanes)), lanes, strict=True):
        view = lane_view(name, lanes[name], records, expected)
        with column:
            recall = (
                "mark expected turns" if view.recall is None else f"{view.recall:.0%} of the expected turns"
            )
            st.markdown(f"**{view.name}**")
            st.caption(f"{len(view.rows)} turns read, {view.looked_at:,} memories looked at · {recall}")
            rows = [
                {
                    "": "●" if r.expected else "",
                    "step": r.step,
                    "turn": verbatim(r.source, 16),
                    "text": verbatim(r.text, 160),
                }
                for r in view.rows
            ]
            st.dataframe(rows, hide_index=True, height=420)


def _lanes(
    memory: Memory, trace_id: str, ask: Ask, events: Sequence[TraceEvent]
) -> dict[str, list[TraceEvent]]:
    kept = st.session_state.get("compare")
    if kept is None or kept[0] != trace_id:
        others = [name for name in LANES if name != ask.strategy]
        lanes = {ask.strategy: list(events)}
        for name in others:
            lanes[name] = list(memory.events(Ask(ask.question, ask.budget, strategy=name)))
        st.session_state["compare"] = kept = (trace_id, lanes)
    return kept[1]
