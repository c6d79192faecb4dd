"""The fields of one node as a form: what is shown now, and below it what extraction had said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Edit, Set
from memcore.errors import InputError
from memcore.view.editing import Editable, editables
from memcore.view.typed_times import as_typed
from pages._parts.editing import desk
from pages._parts.editing.values import typed, widget
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory
    from memcore.records import Record

LONG = 600


def fields(memory: Memory, graph: Graph, node: str) -> None:
    """The form of a node; it goes to the preview, never straight to the store."""
    record = desk.opened(memory, node)
    if record is None:
        st.caption("This is no longer there.")
        return
    _told_if_changed(memory, record)
    listed = editables(record, desk.overlay(memory, graph))
    with st.form(f"edit:form:{node}:{record.revision}", border=False):
        for item in listed:
            widget(item.field, item.value, _key(record, item))
            if item.extracted:
                st.caption(f"Extracted: {plain(item.extracted, LONG)}")
        if record.kind == "tag":
            st.caption("Renaming a tag renames it everywhere; to change one relation, use the list below.")
        st.form_submit_button(
            "Preview the change", on_click=_propose, args=(record, listed), key="edit:fields", type="primary"
        )


def _told_if_changed(memory: Memory, record: Record) -> None:
    now = memory.get([record.id]).get(record.id)
    if now is None or now.revision != record.revision:
        st.warning("Somebody changed this since you opened it.", icon=":material/sync_problem:")
        st.button("Show what is there now", on_click=desk.reopen, key="edit:reopen")


def _propose(record: Record, listed: list[Editable]) -> None:
    try:
        edits = [edit for item in listed if (edit := _edit(record, item))]
    except InputError as error:
        desk.tell(str(error))
        return
    if edits:
        desk.propose(tuple(edits), {record.id: record.revision})
    else:
        desk.tell("Nothing was changed.")


def _edit(record: Record, item: Editable) -> Edit | None:
    key, name = _key(record, item), item.field.name
    text = st.session_state.get(key)
    same = text == as_typed(item.value) if name == "event" else text == item.value
    return None if same else Set(record.kind, (record.id,), name, typed(name, key))


def _key(record: Record, item: Editable) -> str:
    return f"edit:{record.id}:{record.revision}:{item.field.name}"
