"""History: every change with who, why and what; undo, redo, disputes; corrections carried to other stores."""

import streamlit as st

from pages._parts.editing import turning
from pages._parts.frame import leave_v1_mode
from pages._parts.history.carry import carrying
from pages._parts.history.disputes import deciding, waiting
from pages._parts.history.listing import changes
from pages._parts.memory import SAMPLES, current
from pages._parts.states import IMPORT, nothing_stored, shown_errors
from pages._parts.viewing import read_only

leave_v1_mode()
CHANGES, DISPUTED, CARRY = "Changes", "Disputed", "Export and replay"

st.title("History", anchor=False)
with shown_errors():
    memory = current()
    if read_only(memory):
        st.markdown("What was changed, and why, tells of what is left out: this view shows no history.")
        st.stop()
    rows = memory.changes(None)
    if not rows:
        nothing_stored(IMPORT, SAMPLES)
        st.stop()
    with st.container():  # there at all times, so that nothing below changes its place
        if turning.under_way():
            turning.progress()
    number = waiting(memory)
    part = st.segmented_control(
        "Part",
        (CHANGES, DISPUTED, CARRY),
        key="part",
        bind="query-params",
        required=True,
        default=None if "part" in st.session_state else CHANGES,
        label_visibility="collapsed",
    )
    if number and part != DISPUTED:
        one = "1 correction is disputed by extraction and waits"
        told = one if number == 1 else f"{number:,} corrections are disputed by extraction and wait"
        st.caption(f":material/info: {told} for a decision under *{DISPUTED}*.")
    if part == DISPUTED:
        deciding(memory)
    elif part == CARRY:
        carrying(memory, rows)
    else:
        changes(memory, rows)
