"""Reconstruction: ask, watch the answer being reconstructed step by step, and look at any past run."""

import streamlit as st

from memcore.view.naming import STATUS_NAMES, STRATEGY_NAMES
from pages._parts.frame import leave_v1_mode
from pages._parts.memory import current
from pages._parts.reconstruction.ask_form import ask_form
from pages._parts.reconstruction.branches import forked
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.opened_trace import opened_trace
from pages._parts.reconstruction.run_view import show_run
from pages._parts.say import plain, verbatim
from pages._parts.states import nothing_stored, shown_errors

leave_v1_mode()
LISTED = 30


def past(memory) -> None:
    """The last runs, newest first, each a link."""
    headers = memory.traces(LISTED)
    with st.expander(f"Past runs ({len(headers)})" if len(headers) < LISTED else f"The last {LISTED} runs"):
        if not headers:
            st.caption("Nothing was asked of this memory yet.")
        for h in headers:
            strategy = STRATEGY_NAMES.get(h.strategy, h.strategy)
            words = (
                f"{h.started:%d %b %H:%M} UTC",
                strategy,
                verbatim(h.question, 90),
                STATUS_NAMES[h.status],
                forked(h),
            )
            label, link = " · ".join(filter(None, words)), {"trace": h.id, "scope": memory.name}
            st.page_link("pages/reconstruction.py", label=plain(label), query_params=link)


st.title("Reconstruction")
with shown_errors():
    memory = current()
    if not len(memory.snapshot().graph):
        nothing_stored()
        st.stop()
    ask_form(memory)
    trace_id = opened_trace(memory)
    if trace_id:
        run = runs().current
        show_run(memory, trace_id, run if run is not None and run.trace_id == trace_id else None)
    past(memory)
