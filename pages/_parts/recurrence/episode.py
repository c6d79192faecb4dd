"""What came of a cluster: its episode, as it is and as it was, and its facts; each can be edited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Content, Version
from memcore.view.clusters import Cluster
from memcore.view.naming import counted
from memcore.view.recurrence_then import facts_then, text_then
from memcore.view.times import instant
from memcore.view.times import shown as said
from pages._parts.clock import zone
from pages._parts.editing import desk
from pages._parts.privacy.link import erase_link
from pages._parts.recurrence import choice
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from pages._parts.recurrence.read import Loaded, Shown

MADE_BY = {
    "rule": "extractive: sentences chosen, not phrased",
    "model": "written by a model",
    "person": "written by hand",
    "raw": "verbatim",
}
FACTS = 12
LONG = 4_000


def episode(memory: Memory, loaded: Loaded, shown: Shown, cluster: Cluster) -> None:
    """The episode of a cluster with its facts, as they are or as they were then."""
    content = loaded.episodes.get(cluster.episode)
    if content is None:
        st.caption("Its episode was deleted; its units are still here.")
        return
    versions = memory.recurrence.versions(content.id) if content.revision > 1 else []
    facts = loaded.facts.get(content.id, ())
    if shown.number < len(loaded.units):
        arrived = loaded.units[: shown.number]
        st.markdown(f"**Episode** :blue-badge[{MADE_BY[content.made_by]}] as it read then")
        st.text(verbatim(text_then(cluster, content, versions, arrived)[:LONG]))
        for fact in facts_then(cluster, facts, arrived):
            st.text(verbatim(fact.text[:LONG]))
        st.caption("It is edited as it is now: move the slider to the end.")
        return
    recorded = f" · consolidated {plain(instant(content.recorded, zone()))}" if content.recorded else ""
    st.markdown(
        f"**Episode** :blue-badge[{MADE_BY[content.made_by]}] "
        f":small[:gray[last said {plain(said(content.said, zone()))}{recorded}]]"
    )
    st.text(verbatim(content.text[:LONG]) + ("…" if len(content.text) > LONG else ""))
    _actions(memory, cluster, content, "Edit the episode")
    if desk.overlay(memory, memory.snapshot().graph).of(content.id):
        st.markdown(":violet-badge[Edited]")
    _earlier(versions)
    _facts(memory, cluster, facts)


def no_episode(loaded: Loaded, cluster: Cluster) -> None:
    """What is missing until there is one."""
    missing = cluster.needed - cluster.recurring
    if cluster.state == "growing" and missing > 0:
        st.caption(f"An episode is written once {missing:,} more of its kind arrive close to one of them.")
    elif cluster.state == "triggered":
        failed = [d.error for i in cluster.units if (d := loaded.by_id[i].decision) and d.outcome == "failed"]
        st.caption(plain(f"The writer failed ({failed[-1]}); the next unit of its kind tries again."))


def _actions(memory: Memory, cluster: Cluster, content: Content, label: str) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if memory.viewer.sees_all:
            st.button(
                label, on_click=choice.edit, args=(cluster.id, content.id),
                key=f"recurrence:edit:{content.id}", icon=":material/edit:", type="tertiary",
            )  # fmt: skip
        address = {"node": content.id, "scope": memory.name}
        st.page_link("pages/graph.py", label="In the graph", query_params=address, icon=":material/hub:")
        erase_link(content.id, memory.name)


def _earlier(versions: Sequence[Version]) -> None:
    """The texts that merges replaced, the latest first."""
    if not versions:
        return
    with st.expander(counted(len(versions), "earlier version")):
        for version in reversed(versions):
            when = plain(instant(version.recorded, zone()))
            st.markdown(f":small[:gray[Revision {version.content_revision:,}, until {when}]]")
            st.text(verbatim(version.text[:LONG]))


def _facts(memory: Memory, cluster: Cluster, facts: Sequence[Content]) -> None:
    if not facts:
        return
    with st.expander(
        f"**{counted(len(facts), 'fact')}** :blue-badge[{MADE_BY[facts[0].made_by]}]", expanded=True
    ):
        for fact in facts[:FACTS]:
            with st.container(gap=None):
                st.text(verbatim(fact.text[:LONG]))
                _actions(memory, cluster, fact, "Edit")
        if len(facts) > FACTS:
            st.caption(f"and {len(facts) - FACTS:,} more, in the graph")
