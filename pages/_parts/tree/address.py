"""Which run the page State tree shows, after how many of its events, with which node selected."""

from __future__ import annotations

import streamlit as st

from pages._parts.opened import Opened
from pages._parts.transport import Walk

CANVAS = "tree"
KEPT = f"{CANVAS}:kept"  # what the canvas reported last
TOGGLED, FOCUS = "tree:toggled", "tree:focus"
LONGEST = 40  # characters of a node in an address


def toggled(run_id: str) -> frozenset[str]:
    """What the person opened or folded in this run (see view.tree_folding)."""
    kept: tuple[str, frozenset[str]] = st.session_state.get(TOGGLED, ("", frozenset()))
    return kept[1] if kept[0] == run_id else frozenset()


def keep_toggled(run_id: str, keys: frozenset[str]) -> None:
    st.session_state[TOGGLED] = (run_id, keys)


def choose(node: str) -> None:
    """Select a node, and bring it into view."""
    kept = st.session_state.get(KEPT) or {"hidden_kinds": []}
    st.session_state[KEPT] = {**kept, "selection": {"nodes": [node] if node else [], "edges": []}}
    times = st.session_state.get(FOCUS, ("", 0))[1]
    st.session_state[FOCUS] = (node, times + 1)


def focus() -> tuple[str, str]:
    """The node that the canvas is to select, and how often it was told so."""
    node, times = st.session_state.get(FOCUS, ("", 0))
    return node, str(times) if times else ""


def keep_node(node: str) -> None:
    """The selected node goes into the address."""
    if node and st.query_params.get("node") != node:
        st.query_params["node"] = node
    elif not node:
        st.query_params.pop("node", None)


def _anew() -> None:
    """Nothing is folded yet, and selected is the node that the address names."""
    for key in (TOGGLED, KEPT):
        st.session_state.pop(key, None)
    node = str(st.query_params.get("node", ""))[:LONGEST]
    if node or st.session_state.get(FOCUS):
        choose(node)


RUN = Opened("run", "event", ("node",), _anew)
EVENTS = Walk("tree", "Event", 0.8, "The demo agent is at work …", RUN.step_asked, RUN.keep_step)
