"""A run beside others: strategies at the same budget, with recall where the expected turns are marked, or
another run of the same question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore import samples
from memcore.reconstruction import Ask
from memcore.run_state import fold
from memcore.view.comparison import LaneView, default_lanes, lane_view, turns_read
from memcore.view.naming import STRATEGY_NAMES, counted
from pages._parts.clock import zone
from pages._parts.reconstruction.beside import beside
from pages._parts.reconstruction.beside_runs import Told, partner
from pages._parts.reconstruction.trace_view import ROW, text_column
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import Record, TraceHeader

MOST = 4
TEXT = 80  # characters that three lines of a narrow lane hold
# Where they do not fit beside each other, the lanes stand below each other.
WIDE = "<style>div:has(> [class*='st-key-lane-']) { min-width: min(330px, 100%) }</style>"
KEPT, LANES, WITH = "compare:runs", "compare:lanes", "compare:with"
STRATEGIES, RUNS = "Other strategies", "Another run or model"


def compare(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
    """Beside what the run is put: strategies, or a run of the same question."""
    if st.session_state.get(f"{WITH}:of") != header.id:
        st.session_state[f"{WITH}:of"] = header.id
        st.session_state[WITH] = RUNS if partner(header.id) or header.parent else STRATEGIES
    chosen = st.segmented_control(
        "Compare with", (STRATEGIES, RUNS), key=WITH, required=True, label_visibility="collapsed"
    )
    if chosen == RUNS:
        beside(memory, Told(header, events))
    else:
        _strategies(memory, header, events)


def _strategies(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
    """The trace's own run beside others, which are run once, when asked for, and not recorded."""
    budget = fold(events).budget
    st.session_state.setdefault(LANES, default_lanes(header.strategy))
    names = st.multiselect(
        "Strategies", list(STRATEGY_NAMES), key=LANES, format_func=STRATEGY_NAMES.get, max_selections=MOST
    )
    if not names:
        st.caption("Choose at least one strategy.")
        return
    lanes = {name: _events(memory, header, events, Ask(header.question, budget, name)) for name in names}
    records = memory.get(turns_read(lanes.values()))
    expected = _expected(memory, header, records)
    st.caption(f"Each may read {counted(budget, 'turn')}.")
    st.html(WIDE)
    with st.container(horizontal=True):
        for name in names:
            with st.container(width="stretch", key=f"lane-{name}"):
                _lane(lane_view(name, lanes[name], records, expected, zone()))


def _expected(memory: Memory, header: TraceHeader, records: Mapping[str, Record]) -> list[str]:
    """The turns the answer should rest on: those written with a sample question, and those marked by hand."""
    questions = samples.questions(memory.name) if memory.viewer.sees_all else []
    known = next((q["evidence"] for q in questions if q["question"] == header.question), [])
    turns = {r.id: r for r in records.values() if r.kind == "turn"}
    by_source = {r.source: r.id for r in turns.values()}
    given = [by_source.get(source, source) for source in known]
    key = f"expected:{header.id}"
    marked = [m for m in st.session_state.get(key, given) if m in turns or m in known]
    st.session_state[key] = list(dict.fromkeys([*marked, *(g for g in given if g not in turns)]))

    def label(option: str) -> str:
        turn = turns.get(option)
        return verbatim(
            f"{turn.source} {turn.speaker}: {turn.text}" if turn else f"{option} (read by none)", 60
        )

    options = sorted({*turns, *given}, key=label)
    return st.multiselect("Turns the answer should rest on", options, key=key, format_func=label)


def _lane(view: LaneView) -> None:
    part = None if view.recall is None else f"{100 * view.recall:.0f} %"
    recall = f"{part} of the expected turns" if part else "no expected turns marked"
    st.markdown(f"**{view.name}** · {recall}")
    read, ranked = counted(len(view.rows), "turn"), counted(view.looked_at, "memory", "memories")
    st.caption(f"{read} read, {ranked} ranked")
    rows = [
        {"turn": verbatim(r.source, 16), "expected": "●" * r.expected, "text": verbatim(r.text, TEXT)}
        for r in view.rows
    ]
    layout = {
        "turn": text_column("Turn", 62),
        **({} if view.recall is None else {"expected": text_column("Expected", 78)}),
        "text": st.column_config.TextColumn("Text", width=180),
    }
    if rows:
        st.dataframe(
            rows, hide_index=True, column_config=layout, column_order=layout, row_height=ROW, height=420
        )
    else:
        st.caption(plain("It read nothing."))


def _events(
    memory: Memory, header: TraceHeader, events: Sequence[TraceEvent], ask: Ask
) -> Sequence[TraceEvent]:
    """The recorded run, or another that is made once per trace and kept with the session."""
    if ask.strategy == header.strategy:
        return events
    kept: tuple[str, dict[str, list[TraceEvent]]] | None = st.session_state.get(KEPT)
    if kept is None or kept[0] != header.id:
        st.session_state[KEPT] = kept = (header.id, {})
    if ask.strategy not in kept[1]:
        kept[1][ask.strategy] = list(memory.events(ask))
    return kept[1][ask.strategy]
