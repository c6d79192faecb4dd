"""Receipts: every erasure of this memory, one opened beside the list, and what is kept out of imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Receipt
from memcore.view.conversations import pages_of
from memcore.view.naming import counted
from memcore.view.privacy_receipt import badge, title
from pages._parts.clock import zone
from pages._parts.privacy.flow import PART, RECEIPT
from pages._parts.privacy.held import held_back
from pages._parts.privacy.receipt_view import receipt_view
from pages._parts.say import plain
from pages._parts.states import OVERVIEW, Action, nothing_stored

if TYPE_CHECKING:
    from memcore.memory import Memory

PAGE = 12


def receipts(memory: Memory) -> None:
    """Draw the part."""
    found = memory.erasure.receipts()
    if lost := memory.erasure.lost():
        are = "is" if lost == 1 else "are"
        st.warning(
            f"The history knows of {counted(lost, 'erasure')} of which there {are} no receipt any more.",
            icon=":material/error:",
        )
    if unreadable := memory.erasure.unreadable():
        st.warning(
            f"Somebody changed {counted(unreadable, 'receipt')} so that nobody can read what was erased.",
            icon=":material/error:",
        )
    if not found:
        nothing_stored(
            Action("Find what is to be erased", act=_to_erase), OVERVIEW, "Nothing was erased yet",
            "Each erasure leaves a receipt here: what was done and checked, and what that does not prove.",
        )  # fmt: skip
    else:
        left, right = st.columns([2, 3], gap="medium")
        with left:
            opened = _list(found)
            held_back(memory, found)
        with right:
            receipt_view(memory, opened)
        return
    held_back(memory, found)


def _to_erase() -> None:
    st.session_state[PART] = "Erase"


def _list(found: list[Receipt]) -> Receipt:
    """In pages; the one in the address is open, else the newest."""
    by_id = {r.id: r for r in found}
    asked = st.query_params.get(RECEIPT, "")
    if asked and asked not in by_id:
        st.caption("The receipt of this link is not one of this memory; the newest is shown.")
    opened = by_id.get(asked, found[0])
    pages, page = pages_of(len(found), PAGE), 1
    if pages > 1:
        page = st.pagination(pages, default=found.index(opened) // PAGE + 1, key="privacy:receipts")
        page = min(page, pages)
    st.caption(f"{counted(len(found), 'erasure')} of this memory, newest first")
    listed = found[(page - 1) * PAGE : page * PAGE]
    names = {r.id: plain(title(r, zone())) for r in listed}
    key = f"privacy:receipts:{page}"
    st.session_state[key] = opened.id if opened.id in names else None
    st.radio(
        "Receipt", list(names), index=None, format_func=names.__getitem__, key=key, on_change=_open,
        captions=[f"{badge(r)} · {plain(r.author, 40)}" for r in listed], args=(key,),
        label_visibility="collapsed",
    )  # fmt: skip
    return opened


def _open(key: str) -> None:
    if chosen := st.session_state[key]:
        st.query_params[RECEIPT] = chosen
