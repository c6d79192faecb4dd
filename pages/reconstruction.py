"""Reconstruction: ask, watch the answer being reconstructed step by step, and look at any past run."""

import streamlit as st

from pages._parts.frame import leave_v1_mode
from pages._parts.memory import current
from pages._parts.past_runs import past_runs
from pages._parts.reconstruction.ask_form import ask_form
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.opened_trace import TRACE
from pages._parts.reconstruction.run_view import show_run
from pages._parts.states import nothing_stored, shown_errors

leave_v1_mode()
LISTED = 30


def past(memory) -> None:
    """The last runs, newest first, each a link."""
    headers = memory.traces(LISTED)
    with st.expander(f"Past runs ({len(headers)})" if len(headers) < LISTED else f"The last {LISTED} runs"):
        past_runs(memory, headers)


st.title("Reconstruction", anchor=False)
with shown_errors():
    memory = current()
    if not len(memory.snapshot().graph):
        nothing_stored()
        st.stop()
    ask_form(memory)
    trace_id = TRACE.shown(memory)
    if trace_id:
        run = runs().current
        show_run(memory, trace_id, run if run is not None and run.trace_id == trace_id else None)
    past(memory)
