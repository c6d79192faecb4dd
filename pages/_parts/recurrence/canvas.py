"""The clusters as a graph, on the one canvas; an earlier state is drawn in the places of the last one."""

from __future__ import annotations

import streamlit as st

from memcore.view.network import network, payload
from memcore.view.recurrence_graph import DRAWN, Sieve, edges, nodes
from memcore.view.recurrence_layout import anchored
from pages._parts.canvas import Show, canvas
from pages._parts.recurrence import choice
from pages._parts.recurrence.read import Loaded, Shown

HEIGHT = 520


def drawing(loaded: Loaded, shown: Shown, wanted: Sieve) -> None:
    """Draw them; what is clicked is selected."""
    drawn = shown.found[:DRAWN]
    if not drawn:
        st.caption("Nothing had recurred by then.")
    listed = nodes(drawn, shown.names, loaded.by_id, wanted)
    where = anchored(drawn, loaded.final.found[:DRAWN], loaded.places)
    net = network(listed, edges(drawn, loaded.by_id), where)
    node, times = choice.focus(choice.selected(loaded, drawn))
    token = "\n".join(map(str, loaded.token[:2]))
    layout, focus = f"{token}\n{loaded.token[2]}", (node,) if node else ()
    show = Show(height=HEIGHT, fit=token, layout=layout, focus=focus, focus_token=times)
    sent = payload(net, total=len(shown.found))
    found = canvas(sent, key=choice.KEY, show=show)
    _shown(loaded, shown, wanted, len(listed))
    if found.nodes:
        choice.choose(found.nodes[0])


def _shown(loaded: Loaded, shown: Shown, wanted: Sieve, drawn: int) -> None:
    """What is not in the picture, in one line."""
    parts = [f"{shown.alone:,} units are not near any other and are not drawn"] if shown.alone else []
    if wanted:
        dim = sum(not wanted.passes(c, loaded.by_id) for c in shown.found[:drawn])
        parts.append(f"{dim:,} greyed out by the filters")
    if parts:
        st.caption("; ".join(parts) + ".")
