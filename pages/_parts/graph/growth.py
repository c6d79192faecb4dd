"""From where the graph was begun and how it was grown: what undoing an expansion takes back.

It lives in the session, so that leaving the page and coming back shows the same graph. Another search,
another linked node or another memory begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from memcore.view.network import Point

SEARCH = "graph:search"
ASKED = "graph:asked"  # the nodes the graph is drawn around when nothing is searched
GROWN = "graph:grown"  # expanded nodes, one entry per time
PLACES = "graph:places"
BEGUN = "graph:begun"
MOST_JOINED = 60
FOCUS = "graph:focus"  # the nodes chosen last, and how often some were
SEEDS = "graph:seeds"  # where it was begun: an edit does not move that
DRAWN = "graph:drawn"  # what was drawn last, and for which search, filters and expansions
JOINED = "graph:joined"  # nodes that an edit brought in
KEPT = "graph:kept"  # what the canvas reported last


def linked() -> None:
    """A link to nodes (?node=, once for each) draws the graph around them and selects them, once."""
    nodes = st.query_params.get_all("node")
    if nodes and st.session_state.get("graph:linked") != nodes:
        st.session_state["graph:linked"] = nodes
        begin_at(*nodes)


def begin_at(*nodes: str) -> None:
    """Draw the graph around these nodes, with them selected."""
    st.session_state[ASKED], st.session_state[SEARCH] = nodes, ""
    choose(nodes)


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
        times = st.session_state.get(FOCUS, ((), 0))[1]
        st.session_state[FOCUS] = (tuple(picked), times + 1)


def selected() -> list[str]:
    """What graph or table had selected last."""
    kept = st.session_state.get(KEPT) or {}
    return list((kept.get("selection") or {}).get("nodes") or [])


def focus() -> tuple[tuple[str, ...], str]:
    """The nodes that the graph is to select, and how often it was told so."""
    nodes, times = st.session_state.get(FOCUS, ((), 0))
    return nodes, str(times) if times else ""


def begun(token: str) -> list[str]:
    """The expansions since the graph was begun as `token` says; none when that changed."""
    if st.session_state.get(BEGUN) != token:
        st.session_state[BEGUN] = token
        st.session_state[GROWN], st.session_state[PLACES] = [], {}
        for key in (SEEDS, DRAWN, JOINED):
            st.session_state.pop(key, None)
    return st.session_state[GROWN]


def places() -> dict[str, Point]:
    """Where nodes stand already: they are not moved by those that join."""
    return st.session_state.get(PLACES, {})


def keep_places(found: dict[str, Point]) -> None:
    """They stay known when a node is taken away, so that it comes back to where it stood."""
    st.session_state[PLACES] = {**places(), **found}


def seeds(found: Callable[[], list[str]], asked: object) -> list[str]:
    """Where the graph begins; looked for again only when something else is `asked`."""
    kept = st.session_state.get(SEEDS)
    if kept is None or kept[0] != asked:
        kept = (asked, found())
        st.session_state[SEEDS] = kept
    return kept[1]


def drawn_before(asked: object) -> list[str]:
    """What was drawn for the same question: it stays."""
    kept = st.session_state.get(DRAWN)
    return kept[1] if kept and kept[0] == asked else []


def joined() -> list[str]:
    """What edits brought in since the graph was begun."""
    return st.session_state.get(JOINED, [])


def keep_drawn(asked: object, nodes: Iterable[str]) -> None:
    """Remember what is drawn now."""
    st.session_state[DRAWN] = (asked, list(nodes))


def join(nodes: Iterable[str]) -> None:
    """Draw these nodes besides, without beginning anew."""
    known = dict.fromkeys([*joined(), *islice(nodes, MOST_JOINED)])
    st.session_state[JOINED] = list(known)[-MOST_JOINED:]


def expand(*nodes: str) -> None:
    """Draw more relations of these nodes; remembered, so that it can be undone."""
    st.session_state[GROWN] = [*st.session_state.get(GROWN, []), *nodes]


def follow(node: str) -> None:
    """Draw a node next to the one selected, and select it."""
    expand(node)
    choose([node])


def undo_expand() -> None:
    """Take the last expansion back."""
    st.session_state[GROWN] = st.session_state.get(GROWN, [])[:-1]
