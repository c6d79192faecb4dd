"""What came of the erasure that this session watched: its receipt, or why it did not begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages._parts.privacy import erasing
from pages._parts.privacy.flow import RECEIPT
from pages._parts.privacy.receipt_view import receipt_view
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

_SHOWN, _FAILED = "privacy:outcome", "privacy:failed"


def outcome(memory: Memory) -> bool:
    """Draw it until it is put away; whether a receipt is shown."""
    ended = erasing.taken_over(memory.id)
    if ended is not None:
        st.session_state[_FAILED] = str(ended.job.error) if ended.job.error else ""
        st.session_state[_SHOWN] = (memory.id, ended.receipt.id) if ended.receipt else None
    if told := st.session_state.get(_FAILED):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/error: {plain(told)}", width="stretch")
            st.button("Understood", on_click=_put_away, key="privacy:understood")
    shown = st.session_state.get(_SHOWN)
    if shown is None or shown[0] != memory.id:
        return False
    receipt = memory.erasure.receipt(shown[1])
    receipt_view(memory, receipt)
    st.button(
        "Find something else to erase", on_click=_put_away, key="privacy:done", icon=":material/search:"
    )
    return True


def _put_away() -> None:
    st.session_state.pop(_SHOWN, None)
    st.session_state.pop(_FAILED, None)
    st.query_params.pop(RECEIPT, None)
