"""The fields of one node: what is shown now, and below it what extraction had said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Set
from memcore.view.editing import editables
from pages._parts.editing import desk, drafts
from pages._parts.editing.drafts import FORM
from pages._parts.editing.proposing import entered, proposing
from pages._parts.editing.values import read, widget
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory
    from memcore.records import Record

LONG = 600


def fields(memory: Memory, graph: Graph, node: str) -> None:
    """What can be typed goes to the preview, never straight to the store."""
    record = drafts.opened(memory, FORM, [node]).get(node)
    if record is None:
        st.caption("This is no longer there.")
        return
    _told_if_changed(memory, record)
    with entered("fields"):
        for item in editables(record, desk.overlay(memory, graph)):
            widget(item.field, item.value, drafts.key(FORM, record, item.field.name))
            if item.extracted:
                st.caption(f"Extracted: {plain(item.extracted, LONG)}")
        if record.kind == "tag":
            st.caption("Renaming a tag renames it everywhere; to change one relation, use the list below.")
        with st.container(horizontal=True):
            proposing("Preview the change", lambda: _proposal(record), "edit:fields")
            if drafts.typed(FORM, record):
                st.button("Discard", on_click=drafts.discard, args=((FORM,), (node,)), key="edit:discard")


def _told_if_changed(memory: Memory, record: Record) -> None:
    now = memory.get([record.id]).get(record.id)
    if now is None or now.revision != record.revision:
        st.warning("Somebody changed this since you opened it.", icon=":material/sync_problem:")
        forget = (FORM,), (record.id,)
        st.button("Show what is there now", on_click=drafts.discard, args=forget, key="edit:reopen")


def _proposal(record: Record) -> desk.Proposal:
    typed = drafts.typed(FORM, record)
    edits = (Set(record.kind, (record.id,), field.name, read(field, text)) for field, text in typed.items())
    return desk.Proposal(tuple(edits), {record.id: record.revision})
