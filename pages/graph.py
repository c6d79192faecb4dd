"""Graph: search first, then the neighbourhood of what was found; a table that can do the same."""

import streamlit as st

from memcore.view.inspect import needed, panel
from memcore.view.layout import lane_areas, neighbourhood
from memcore.view.naming import counted
from memcore.view.neighbourhood import SEED, unseen, with_texts
from memcore.view.network import network, payload
from pages._parts import graph_growth as growth
from pages._parts.canvas import Show, canvas
from pages._parts.clock import zone
from pages._parts.frame import leave_v1_mode
from pages._parts.graph_bar import clear_filters, filters, search
from pages._parts.graph_seeds import local_graph
from pages._parts.graph_table import table
from pages._parts.inspector import inspector
from pages._parts.memory import current
from pages._parts.states import filtered_away, nothing_found, nothing_stored, shown_errors

leave_v1_mode()


def follow(node: str) -> None:
    """Draw a node next to the one selected, and select it."""
    growth.expand(node)
    growth.choose([node])


def bar(local, grown) -> str:
    """Graph or table, undo, and how much of the whole is shown."""
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "View", ["Graph", "Table"], default="Graph", key="graph:view", required=True,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        st.button(
            "Undo expand",
            on_click=growth.undo_expand,
            disabled=not grown,
            icon=":material/undo:",
            key="graph:undo",
        )
        st.button("Start over", on_click=growth.start_over, icon=":material/restart_alt:")
        grey = f"{local.grey:,} greyed out by the filters" if local.grey else ""
        if view == "Table":
            part = f"{len(local.nodes):,} of " if len(local.nodes) < local.total else "all "
            grey = f"Showing {part}{local.total:,} nodes" + (f"; {grey}" if grey else "")
        st.caption(grey, width="content")
    return view


def drawing(local, texts, token, grown) -> list[str]:
    """The graph; what stands is not moved by what joins."""
    found = neighbourhood(local.nodes, local.edges, growth.places())
    growth.keep_places(found)
    net = network(with_texts(local.nodes, texts), local.edges, found)
    matches = tuple(node.id for node in local.nodes if node.rank >= SEED)
    node, times = growth.focus()
    fit = f"{token}\n{grown}"
    show = Show(on_open=growth.expand, fit=fit, layout=token, focus=node, focus_token=times, matches=matches)
    sent = payload(net, lane_areas(local.nodes, found), local.total)
    return list(canvas(sent, key="graph", show=show).nodes)


def inspected(memory, graph, local, picked) -> None:
    """The first selected node with its sources; the actions are for all of them."""
    node = picked[0] if picked else ""
    records = memory.get(needed(graph, node)) if node else {}
    records |= memory.get({r.conversation_id for r in records.values() if r.kind == "content"})
    records |= memory.get({r.file_id for r in records.values() if r.kind == "conversation"})
    if node:
        more = sum(unseen(graph, local, id_) for id_ in picked)
        chosen = f" {counted(len(picked), 'node')}" if len(picked) > 1 else ""
        label = f"Expand{chosen}: {more:,} more" if more else "All relations are shown"
        grow, ids = growth.expand, tuple(picked)
        with st.container(horizontal=True):
            st.button(label, on_click=grow, args=ids, disabled=not more, key="graph:expand")
            st.button("Begin here", on_click=growth.begin_at, args=ids[:1], key="graph:begin")
    found = panel(graph, node, records, zone()) if node else None
    inspector(found, key="graph:panel", on_follow=follow)


st.title("Graph")
with shown_errors():
    memory = current()
    graph = memory.snapshot().graph
    if not len(graph):
        nothing_stored()
        st.stop()
    growth.linked()
    with st.container(gap="xxsmall"):
        text, wanted = search(graph), filters(graph)
    token = f"{memory.name}\n{text}\n{st.session_state.get(growth.ASKED, '') if not text else ''}"
    grown = growth.begun(token)
    local = local_graph(memory, graph, text, wanted, grown)
    if not local.nodes:
        nothing_found(text, growth.start_over)
        st.stop()
    if local.grey == len(local.nodes):
        filtered_away(len(graph), clear_filters)
        st.stop()
    texts = memory.texts([n.id for n in local.nodes if n.kind not in ("cue", "tag")])
    view = bar(local, grown)
    middle, right = st.columns([5, 2], gap="medium")
    with middle:
        if view == "Table":
            picked = table(graph, local, texts, growth.selected())
        else:
            picked = drawing(local, texts, token, len(grown))
    with right:
        inspected(memory, graph, local, picked)
