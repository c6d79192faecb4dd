"""The column beside graph and table: what was done last, what is under way, else the selected node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.editing_together import let_through, selected
from memcore.view.neighbourhood import Filters
from pages._parts.editing import badge, desk, saving, tasks, turning
from pages._parts.editing.bar import EDIT, MODE, READ
from pages._parts.editing.bulk import bulk
from pages._parts.editing.fields import fields
from pages._parts.editing.notice import notice, saving_progress
from pages._parts.editing.preview import preview
from pages._parts.editing.relations import relations
from pages._parts.graph.growth import follow
from pages._parts.viewing import may

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory


SELECTED, FILTERED = "The selection", "All that pass the filters"


def side(
    memory: Memory, graph: Graph, picked: tuple[str, ...], wanted: Filters, read: Callable[[], None]
) -> None:
    """Draw the column; `read` draws the selected node when nothing is being edited."""
    if not may(memory):
        read()
        return
    desk.hold(memory, picked)
    notice()
    task = desk.task()
    if turning.under_way():
        with st.container(border=True):
            turning.progress()
    elif saving.under_way():
        with st.container(border=True):
            saving_progress()
    elif desk.proposal():
        with st.container(border=True, key="edit-panel"):
            preview(memory, graph)
    elif task:
        with st.container(border=True, key="edit-panel"):
            tasks.draw(memory, graph, task, follow)
    elif _mode(picked, wanted) == EDIT:
        with st.container(border=True, key="edit-panel"):
            _edit(memory, graph, picked, wanted)
    else:
        read()
        if picked:
            badge.corrections(memory, graph, picked[0], memory.relations(picked[0]))
    badge.disputes(memory, graph, open_=not picked)


def _mode(picked: tuple[str, ...], wanted: Filters) -> str:
    if not picked and not wanted:
        return READ
    st.session_state.setdefault(MODE, READ)
    return st.segmented_control(
        "Read or edit", [READ, EDIT], key=MODE, required=True, label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip


def _edit(memory: Memory, graph: Graph, picked: tuple[str, ...], wanted: Filters) -> None:
    if _filtered(picked, wanted):
        bulk(memory, graph, let_through(graph, wanted))
    elif len(picked) > 1:
        bulk(memory, graph, selected(graph, picked))
    else:
        _one(memory, graph, *picked)


def _filtered(picked: tuple[str, ...], wanted: Filters) -> bool:
    """Whether what the filters let through is edited, and not what is selected."""
    if not (picked and wanted):
        return bool(wanted)
    key = f"edit:bulk:where:{len(picked)}:{picked[0]}"
    return st.radio("Edit", [SELECTED, FILTERED], key=key, persist_state="session") == FILTERED


def _one(memory: Memory, graph: Graph, node: str) -> None:
    found = memory.relations(node)
    fields(memory, graph, node)
    relations(memory, graph, node, found)
    badge.corrections(memory, graph, node, found)
