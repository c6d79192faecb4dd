"""Graph: search first, then the neighbourhood of what was found; a table that can do the same."""

import streamlit as st

from memcore.view.layout import lane_areas, neighbourhood
from memcore.view.neighbourhood import SEED, badged, known, with_texts
from memcore.view.network import network, payload
from pages._parts.canvas import Show, canvas
from pages._parts.editing.badge import edited
from pages._parts.editing.bar import toolbar
from pages._parts.editing.cells import IN_PLACE, edited_table
from pages._parts.editing.side import side
from pages._parts.editing.tasks import connect
from pages._parts.frame import leave_v1_mode
from pages._parts.graph import growth
from pages._parts.graph.bar import clear_filters, filters, search
from pages._parts.graph.reading import read
from pages._parts.graph.seeds import local_graph
from pages._parts.graph.table import table
from pages._parts.memory import current
from pages._parts.states import filtered_away, nothing_found, nothing_left, nothing_stored, shown_errors
from pages._parts.viewing import may

leave_v1_mode()


def bar(memory, local, grown) -> str:
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
        if view == "Table" and may(memory):
            st.toggle("Edit in place", key=IN_PLACE, persist_state="session")
        grey = f"{local.grey:,} greyed out by the filters" if local.grey else ""
        if view == "Table":
            part = f"{len(local.nodes):,} of " if len(local.nodes) < local.total else "all "
            grey = f"Showing {part}{local.total:,} nodes" + (f"; {grey}" if grey else "")
        st.caption(grey, width="content")
    return view


def drawing(local, texts, token, grown, edited, join) -> list[str]:
    """The graph; what stands is not moved by what joins, nor by an edit."""
    found = neighbourhood(local.nodes, local.edges, growth.places())
    growth.keep_places(found)
    net = network(badged(with_texts(local.nodes, texts), edited), local.edges, found)
    matches = tuple(node.id for node in local.nodes if node.rank >= SEED)
    nodes, times = growth.focus()
    show = Show(
        on_open=growth.expand, on_connect=join, fit=f"{token}\n{grown}", layout=token, focus=nodes,
        focus_token=times, matches=matches,
    )  # fmt: skip
    sent = payload(net, lane_areas(local.nodes, found), local.total)
    return list(canvas(sent, key="graph", show=show).nodes)


def nothing(graph, local, text) -> None:
    """Why nothing is drawn."""
    if local.nodes:
        filtered_away(len(graph), clear_filters)
    elif text:
        nothing_found(text, growth.start_over)
    else:
        nothing_left()


st.title("Graph", anchor=False)
with shown_errors():
    memory = current()
    graph = memory.snapshot().graph
    if not len(graph) and not memory.count().get("conversation"):
        nothing_stored()
        st.stop()
    growth.linked()
    with st.container(gap="xxsmall"):
        text, wanted = search(graph), filters(graph)
    token = f"{memory.key}\n{text}\n{st.session_state.get(growth.ASKED, ()) if not text else ''}"
    grown = growth.begun(token)
    local = local_graph(memory, graph, text, wanted, grown)
    drawn = local.grey < len(local.nodes)
    texts = memory.texts([n.id for n in local.nodes if n.kind not in ("cue", "tag")])
    view = bar(memory, local, grown) if drawn else ""
    tools = st.container()
    middle, right = st.columns([5, 2], gap="medium")
    with middle:
        picked = []
        if not drawn:
            nothing(graph, local, text)
        elif view == "Table" and st.session_state.get(IN_PLACE) and may(memory):
            edited_table(memory, [node.id for node in local.nodes])
            picked = [id_ for id_ in growth.selected() if known(graph, id_)]
        elif view == "Table":
            picked = table(graph, local, texts, growth.selected())
        else:
            join = connect if may(memory) else None
            picked = drawing(local, texts, token, len(grown), edited(memory, graph, local), join)
    with tools:
        toolbar(memory, graph, local, tuple(picked))
    with right:
        side(memory, graph, tuple(picked), wanted, lambda: read(memory, graph, picked) if drawn else None)
