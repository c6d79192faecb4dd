"""Corrections that extraction disagrees with: all three values, and a decision for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Resolve
from memcore.errors import MemcoreError
from memcore.view.conversations import pages_of
from memcore.view.corrected import Named
from memcore.view.disputes import Choice, Dispute, decisions, disputes
from memcore.view.naming import counted
from memcore.view.record_words import ends_of
from pages._parts.editing import desk
from pages._parts.editing.preview import signature
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory

PAGE = 8


def waiting(memory: Memory) -> int:
    """How many wait for a decision."""
    return sum(c.disputed is not None for c in memory.corrections().all)


def deciding(memory: Memory) -> None:
    """Each with its three values and what can be done."""
    corrections = [c for c in memory.corrections().all if c.disputed is not None]
    if not corrections:
        st.markdown(":material/check_circle: Extraction agrees with every correction.")
        st.caption("When it is run again and says something else, both readings are listed here.")
        return
    st.caption(f"{counted(len(corrections), 'correction')} that extraction now reads in another way.")
    with st.container(horizontal=True):
        signature()
    pages, page = pages_of(len(corrections), PAGE), 1
    if pages > 1:
        page = min(st.pagination(pages, key="history:disputes"), pages)
    listed = corrections[(page - 1) * PAGE : page * PAGE]
    records = memory.get([c.record_id for c in listed])
    records |= memory.get(ends_of(records.values()))
    named = Named(memory.corrections(), memory.snapshot().graph, records.values())
    for dispute in disputes(listed, records, named):
        with st.container(border=True):
            _dispute(memory, dispute)


def _dispute(memory: Memory, dispute: Dispute) -> None:
    st.markdown(f"**{plain(dispute.what[:1].upper() + dispute.what[1:], 120)}**")
    columns = st.columns(3)
    named = (
        ("Read at first", dispute.extracted),
        ("Corrected to", dispute.mine),
        ("Read now", dispute.now),
    )
    for column, (label, value) in zip(columns, named, strict=True):
        with column, st.container(gap=None):
            st.caption(label)
            st.text(verbatim(value[:1000]))
    why = f": {plain(dispute.reason, 300)}" if dispute.reason else ""
    st.caption(f"Corrected by {plain(dispute.author, 60) or 'somebody'}{why}")
    with st.container(horizontal=True):
        for choice, label in decisions(gone=dispute.gone, both=dispute.both).items():
            key = f"history:{choice}:{dispute.id}"
            st.button(label, key=key, on_click=_decide, args=(memory, dispute.id, choice))


def _decide(memory: Memory, correction: str, choice: Choice) -> None:
    try:
        memory.edit(Resolve(correction, choice), desk.who())
        st.session_state[desk.REASON] = ""
        st.toast("Decided.")
    except MemcoreError as error:
        st.toast(plain(str(error)), icon=":material/info:")
