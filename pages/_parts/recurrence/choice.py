"""Which cluster is selected, by graph, table, timeline or address (?cluster=), and what of it is edited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.clusters import Cluster, cluster_of

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded

KEY = "recurrence"
KEPT = f"{KEY}:kept"
FOCUS = f"{KEY}:focus"
EDITED = f"{KEY}:edited"
ADDRESS = "cluster"


def linked() -> None:
    """A link to a cluster (?cluster=, one of its units or its episode) selects it, once."""
    wanted = st.query_params.get(ADDRESS, "")
    if wanted and st.session_state.get(f"{KEY}:linked") != wanted:
        st.session_state[f"{KEY}:linked"] = wanted
        choose(wanted)


def choose(id_: str) -> None:
    """Select what this id names, in graph and tables."""
    if id_ != chosen():
        kept = st.session_state.get(KEPT) or {"hidden_kinds": []}
        nodes = [id_] if id_ else []
        st.session_state[KEPT] = {**kept, "selection": {"nodes": nodes, "edges": []}}
        times = st.session_state.get(FOCUS, ("", 0))[1]
        st.session_state[FOCUS] = (id_, times + 1)


def chosen() -> str:
    """The id that was selected last: a cluster's, or that of one of its units."""
    kept = st.session_state.get(KEPT) or {}
    nodes = (kept.get("selection") or {}).get("nodes") or [""]
    return nodes[0]


def selected(loaded: Loaded, found: Sequence[Cluster]) -> Cluster | None:
    """The selected one among these; of an episode that was not there yet, the group it came from."""
    id_ = chosen()
    if not id_:
        return None
    first = next(iter(loaded.rests.get(id_, ())), "")
    return cluster_of(found, id_) or (cluster_of(found, first) if first else None)


def remember(cluster: Cluster | None) -> None:
    """Put the selected cluster into the address, by its first unit: that stays when episodes change."""
    if cluster is not None and cluster.units:
        st.session_state[f"{KEY}:linked"] = cluster.units[0]
        st.query_params[ADDRESS] = cluster.units[0]
    elif ADDRESS in st.query_params:
        del st.query_params[ADDRESS]


def focus(cluster: Cluster | None) -> tuple[str, str]:
    """The node that the graph is to select, and how often it was told so."""
    times = st.session_state.get(FOCUS, ("", 0))[1]
    return (cluster.id if cluster else ""), str(times) if times else ""


def edit(cluster: str, content: str) -> None:
    """Open the form of an episode or a fact of this cluster; "" closes it."""
    st.session_state[EDITED] = (cluster, content)


def edited(cluster: str) -> str:
    """What is being edited; nothing once another cluster is selected."""
    of, content = st.session_state.get(EDITED, ("", ""))
    return content if of == cluster else ""
