"""What erasures keep out of later imports, and letting it in again, confirmed by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Receipt
from memcore.view.naming import counted
from memcore.view.times import instant
from memcore.words import fold
from pages._parts.clock import zone
from pages._parts.memory import current
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

LIFT = ("lift", "허용")
_TYPED, _TOLD = "privacy:show:lift:", "privacy:show:lifted"


def held_back(memory: Memory, receipts: list[Receipt]) -> None:
    """A line for each erasure that keeps something out."""
    found = memory.erasure.held_back()
    told = st.session_state.pop(_TOLD, "")
    if not found and not told:
        return
    st.markdown("**Kept out of later imports**")
    if told:
        st.caption(f":material/info: {plain(told)}")
    asked_by = {r.id: r.author for r in receipts}
    for held in found:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            by = f", {plain(asked_by[held.erasure], 40)}" if held.erasure in asked_by else ""
            st.markdown(
                f"{counted(held.records, 'source')} since {plain(instant(held.when, zone()))}{by}",
                width="stretch",
            )
            with st.popover("Lift", icon=":material/lock_open:"):
                _form(held.erasure, held.records)


def _form(erasure: str, number: int) -> None:
    with st.form(f"privacy-lift-{erasure}", border=False):
        st.markdown("Lifting brings nothing back by itself: a later import of the same file may.")
        ask = f"Type **{LIFT[0]}** (or **{LIFT[1]}**) to confirm"
        st.text_input(ask, key=f"{_TYPED}{erasure}", autocomplete="off")
        st.form_submit_button(f"Let {counted(number, 'source')} in again", on_click=_lift, args=(erasure,))


def _lift(erasure: str) -> None:
    typed = fold(str(st.session_state.get(f"{_TYPED}{erasure}") or "")).strip()
    if typed not in {fold(word) for word in LIFT}:
        st.session_state[_TOLD] = f"Nothing was lifted: type {LIFT[0]} to confirm."
        return
    number = current().erasure.lift([erasure])
    st.session_state[_TOLD] = f"{counted(number, 'source')} can be imported again."
