"""From where the graph was begun and how it was grown: what undoing an expansion takes back.

It lives in the session, so that leaving the page and coming back shows the same graph. Another search,
another linked node or another memory begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from memcore.view.network import Point

SEARCH = "graph:search"
ASKED = "graph:asked"  # the node the graph is drawn around when nothing is searched
GROWN = "graph:grown"  # expanded nodes, one entry per time
PLACES = "graph:places"
BEGUN = "graph:begun"
FOCUS = "graph:focus"  # a node and how often one was chosen
KEPT = "graph:kept"  # what the canvas reported last


def linked() -> None:
    """A link to a node (?node=) draws the graph around it and selects it, once."""
    node = st.query_params.get("node", "")
    if node and st.session_state.get("graph:linked") != node:
        st.session_state["graph:linked"] = node
        begin_at(node)


def begin_at(node: str) -> None:
    """Draw the graph around this node, with it selected."""
    st.session_state[ASKED], st.session_state[SEARCH] = node, ""
    choose([node])


def start_over() -> None:
    """The graph as the page opens without a search or a link."""
    for key in (ASKED, BEGUN, "graph:linked"):
        st.session_state.pop(key, None)
    st.query_params.pop("node", None)
    st.session_state[SEARCH] = ""
    choose([])


def choose(nodes: Iterable[str]) -> None:
    """Select these nodes in the graph and in the table."""
    picked = list(nodes)
    if picked != selected():
        kept = st.session_state.get(KEPT) or {"hidden_kinds": []}
        st.session_state[KEPT] = {**kept, "selection": {"nodes": picked, "edges": []}}
        times = st.session_state.get(FOCUS, ("", 0))[1]
        st.session_state[FOCUS] = (picked[0] if picked else "", times + 1)


def selected() -> list[str]:
    """What graph or table had selected last."""
    kept = st.session_state.get(KEPT) or {}
    return list((kept.get("selection") or {}).get("nodes") or [])


def focus() -> tuple[str, str]:
    """The node that the graph is to select, and how often it was told so."""
    node, times = st.session_state.get(FOCUS, ("", 0))
    return node, str(times) if times else ""


def begun(token: str) -> list[str]:
    """The expansions since the graph was begun as `token` says; none when that changed."""
    if st.session_state.get(BEGUN) != token:
        st.session_state[BEGUN] = token
        st.session_state[GROWN], st.session_state[PLACES] = [], {}
    return st.session_state[GROWN]


def places() -> dict[str, Point]:
    """Where nodes stand already: they are not moved by those that join."""
    return st.session_state.get(PLACES, {})


def keep_places(found: dict[str, Point]) -> None:
    """They stay known when a node is taken away, so that it comes back to where it stood."""
    st.session_state[PLACES] = {**places(), **found}


def expand(*nodes: str) -> None:
    """Draw more relations of these nodes; remembered, so that it can be undone."""
    st.session_state[GROWN] = [*st.session_state.get(GROWN, []), *nodes]


def undo_expand() -> None:
    """Take the last expansion back."""
    st.session_state[GROWN] = st.session_state.get(GROWN, [])[:-1]
