"""The column beside the clusters: what was done last, what is being edited, else the selected cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.clusters import Cluster
from memcore.view.kinds import KINDS
from memcore.view.recurrence_graph import sentence
from pages._parts.editing import desk, saving, turning
from pages._parts.editing.badge import corrections
from pages._parts.editing.fields import fields
from pages._parts.editing.notice import notice, saving_progress
from pages._parts.editing.preview import preview
from pages._parts.recurrence import choice
from pages._parts.recurrence.episode import episode, no_episode
from pages._parts.recurrence.members import members_of
from pages._parts.recurrence.read import Loaded, Shown
from pages._parts.say import plain
from pages._parts.viewing import read_only

if TYPE_CHECKING:
    from memcore.memory import Memory


def side(memory: Memory, loaded: Loaded, shown: Shown) -> None:
    """Draw the column."""
    cluster = choice.selected(loaded, shown.found)
    choice.remember(cluster)
    if read_only(memory):
        with st.container(border=True, key="recurrence-panel"):
            _read(memory, loaded, shown, cluster)
        return
    desk.hold(memory, (cluster.id,) if cluster else ())
    notice()
    with st.container(border=True, key="recurrence-panel"):
        if turning.under_way():
            turning.progress()
        elif saving.under_way():
            saving_progress()
        elif desk.proposal():
            preview(memory, memory.snapshot().graph)
        elif cluster is not None and choice.edited(cluster.id):
            _edit(memory, choice.edited(cluster.id))
        else:
            _read(memory, loaded, shown, cluster)


def _read(memory: Memory, loaded: Loaded, shown: Shown, cluster: Cluster | None) -> None:
    if cluster is None:
        st.markdown("**Nothing selected**")
        st.caption("Click a cluster, or a row of the table, to read its units and what became of them.")
    else:
        _cluster(memory, loaded, shown, cluster)


def _edit(memory: Memory, content: str) -> None:
    """The form of an episode or a fact: to the preview, then saved, like on the page Graph."""
    st.button("Back to the cluster", on_click=choice.edit, args=("", ""), icon=":material/arrow_back:")
    graph = memory.snapshot().graph
    fields(memory, graph, content)
    corrections(memory, graph, content, memory.relations(content))


def _cluster(memory: Memory, loaded: Loaded, shown: Shown, cluster: Cluster) -> None:
    look, name = KINDS[cluster.state], shown.names.get(cluster.id, "")
    st.markdown(f"**{plain(name, 80)}** :gray-badge[{look.name}]")
    st.markdown(sentence(cluster))
    if memory.viewer.sees_all:
        _naming(loaded, cluster)
    if cluster.episode:
        episode(memory, loaded, shown, cluster)
    else:
        no_episode(loaded, cluster)
    members_of(memory, loaded, cluster)


def _naming(loaded: Loaded, cluster: Cluster) -> None:
    """A name of its own, kept with the first unit."""
    first = loaded.by_id.get(cluster.units[0])
    if first is None:
        return
    with st.popover("Name this cluster", icon=":material/label:"):
        key = f"recurrence:name:{first.id}:{first.revision}"
        with st.form(f"{key}:form", border=False):
            st.text_input("Name of the cluster", value=first.label, key=key, max_chars=80)
            st.form_submit_button("Save the name", on_click=_name, args=(first.id, first.revision, key))


def _name(unit: str, revision: int, key: str) -> None:
    from memcore.editing import Set

    typed = str(st.session_state.get(key) or "")
    saving.save_now((Set("unit", (unit,), "label", typed),), {unit: revision})
