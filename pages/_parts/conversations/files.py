"""The imported files with their reports, and the last import taken back on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.view.naming import counted
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.conversations.report_view import saved_report_view
from pages._parts.editing.desk import who
from pages._parts.import_desk import desk
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import File

LOOKED_AT = 50


def files(memory: Memory) -> None:
    """Every imported file with its report, newest first."""
    imported = memory.files()
    undo_last_import(memory, imported)
    if not imported:
        st.caption("No file was imported into this memory.")
    for file in reversed(imported):
        with st.container(border=True):
            saved_report_view(file)
            st.caption(f"Imported {instant(file.recorded, zone())}")


def undo_last_import(memory: Memory, imported: list[File]) -> None:
    """Where the last change in place is an import: what it brought, and a button that takes it back."""
    last = next((change for change in memory.changes(LOOKED_AT) if change.undoable), None)
    if last is None or last.events[-1].kind != "imported":
        return
    names = {file.id: file.name for file in imported}
    name = plain(names.get(last.events[-1].file_id, "the last file"), 60)
    turns = counted(sum(event.turns for event in last.events), "turn")
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"Last change: {name} was imported, {turns}.")
        st.button(
            "Undo this import", on_click=_undo, args=(memory,), key="import:undo", icon=":material/undo:"
        )


def _undo(memory: Memory) -> None:
    try:
        taken = memory.undo(author=who().author)
        st.toast(f"Taken back: {counted(taken.removed, 'record')} removed.")
        desk().clear()
    except MemcoreError as error:
        st.toast(plain(str(error)))
