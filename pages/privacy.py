"""Privacy: find, plan and erase for good, with a receipt; past receipts, retention rules, and the audit."""

import streamlit as st

from pages._parts.frame import leave_v1_mode
from pages._parts.memory import SAMPLES, current
from pages._parts.privacy import erasing, flow
from pages._parts.privacy.audit import audit
from pages._parts.privacy.finding import finding
from pages._parts.privacy.outcome import outcome
from pages._parts.privacy.planning import planning
from pages._parts.privacy.receipts import receipts
from pages._parts.privacy.retention import retention
from pages._parts.states import IMPORT, nothing_stored, shown_errors
from pages._parts.viewing import read_only

leave_v1_mode()
PARTS = ERASE, RECEIPTS, RETENTION, AUDIT = ("Erase", "Receipts", "Retention", "Audit")


def erase(memory) -> None:
    """Find, plan, confirm; what is under way; what came of it."""
    if erasing.under_way(memory.id):
        with st.container(border=True, key="privacy-progress"):
            erasing.progress(memory.id)
        return
    if outcome(memory):
        return
    now = flow.flow(memory)
    if now.planning and now.found is not None:
        planning(memory, now)
    elif {*memory.count()} - {"change"}:
        finding(memory)
    else:
        nothing_stored(IMPORT, SAMPLES)


st.title("Privacy", anchor=False)
with shown_errors():
    memory = current()
    if read_only(memory, "erase"):
        st.stop()
    flow.entered(memory)
    missing = flow.take_link(memory)
    if missing:
        st.warning(missing, icon=":material/info:")
    part = st.segmented_control(
        "Part", PARTS, key=flow.PART, bind="query-params", required=True, label_visibility="collapsed",
        default=None if flow.PART in st.session_state else ERASE,
    )  # fmt: skip
    if part == RECEIPTS:
        receipts(memory)
    elif part == RETENTION:
        retention(memory)
    elif part == AUDIT:
        audit(memory)
    else:
        erase(memory)
