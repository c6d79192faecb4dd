"""What was corrected: before and after, who, when and why; and corrections that extraction disagrees with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Resolve
from memcore.view.corrected import (
    Difference,
    Named,
    about,
    changed_words,
    differences,
    disputed,
    edited_nodes,
)
from memcore.view.disputes import decisions
from memcore.view.editing import kind_of, name_of
from memcore.view.neighbourhood import Local
from pages._parts.clock import zone
from pages._parts.editing import desk
from pages._parts.graph.growth import follow
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory
    from memcore.records import Relation

LONG = 1500
LISTED = 20
MOST = 2000  # corrected relations looked up for the badges of memories: the latest


def edited(memory: Memory, graph: Graph, local: Local) -> set[str]:
    """The nodes shown that carry the badge."""
    overlay = desk.overlay(memory, graph)
    ids = [c.record_id for c in overlay.all if c.target == "relation" and c.corrected is not None]
    relations = [r for r in memory.get(ids[-MOST:]).values() if r.kind == "relation"] if ids else []
    return edited_nodes(overlay, (node.id for node in local.nodes), relations)


def corrections(memory: Memory, graph: Graph, node: str, relations: Sequence[Relation]) -> None:
    """Every correction of a node and of its relations."""
    overlay = desk.overlay(memory, graph)
    found = about(overlay, [node, *(r.id for r in relations)])
    if not found:
        return
    st.markdown(f":violet-badge[Edited] :small[:gray[{len(found):,} corrected by hand]]")
    for item in differences(found, Named(overlay, graph, relations), zone(), LISTED):
        with st.container(gap=None):
            _difference(item)


def disputes(memory: Memory, graph: Graph, *, open_: bool) -> None:
    """What the latest extraction says otherwise: a person decides. `open_` unfolds the list."""
    overlay = desk.overlay(memory, graph)
    found = disputed(overlay)
    if not found:
        return
    title = f"**Extraction disagrees with {len(found):,} of your corrections**"
    named = Named(overlay, graph, memory.get([c.record_id for c in found if c.target == "relation"]).values())
    with st.expander(title, expanded=open_, key="edit-disputed"):
        for item in differences(found, named, zone(), LISTED):
            with st.container(gap=None):
                _difference(item)
                _where(graph, item)
                st.markdown(f":small[:gray[Read now:]] {plain(item.disputed or '', LONG)}")
            _choices(item)
        if len(found) > LISTED:
            st.caption(f"and {len(found) - LISTED:,} more")


def _where(graph: Graph, item: Difference) -> None:
    if kind_of(graph, item.node):
        name = plain(name_of(graph, item.node), 60)
        st.button(f"Of {name}", on_click=follow, args=(item.node,), type="tertiary", key=f"edit:at:{item.id}")


def _difference(item: Difference) -> None:
    st.markdown(f":small[:gray[{plain(item.what)}, by {plain(item.by, 40)}, {plain(item.when)}]]")
    st.markdown(_words(item))
    if item.why:
        st.markdown(f":small[:gray[Why:]] {plain(item.why, 300)}")


def _words(item: Difference) -> str:
    if not item.before:
        return f"added: :green-background[{plain(item.after, LONG)}]"
    if not item.after:
        return f"removed: :red-background[{plain(item.before, LONG)}]"
    marks = {"gone": ":red-background[~~{}~~]", "new": ":green-background[{}]", "same": "{}"}
    words = changed_words(item.before, item.after)
    return " ".join(marks[op].format(plain(text, LONG)) for op, text in words)


def _choices(item: Difference) -> None:
    with st.container(horizontal=True):
        for choice, label in decisions(gone=item.gone, both=item.both).items():
            edit = Resolve(item.id, choice)
            st.button(
                label,
                on_click=desk.propose,
                args=((edit,), {item.id: item.revision}),
                key=f"edit:{choice}:{item.id}",
            )
