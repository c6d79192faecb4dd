"""Graph: search first, then the neighbourhood of what was found; a table that can do the same."""

from datetime import date

import streamlit as st

from memcore.view.inspect import needed, panel
from memcore.view.layout import lane_areas, neighbourhood
from memcore.view.neighbourhood import Filters, around, hubs, matching, rows, with_texts
from memcore.view.network import network, payload
from pages._parts.canvas import Show, canvas
from pages._parts.frame import leave_v1_mode
from pages._parts.inspector import inspector
from pages._parts.memory import current
from pages._parts.say import verbatim
from pages._parts.states import filtered_away, nothing_stored, shown_errors

leave_v1_mode()
LIMIT = 160
CONTENT_HITS = 8


def expand(node: str) -> None:
    """Draw the relations of a node too; remembered, so that it can be undone."""
    grown = st.session_state.setdefault("graph:grown", [])
    if node not in grown:
        grown.append(node)


def start_over() -> None:
    st.session_state["graph:grown"] = []
    st.session_state["graph:places"] = {}


def undo_expand() -> None:
    st.session_state["graph:grown"] = st.session_state.get("graph:grown", [])[:-1]


def clear_filters() -> None:
    for key in ("graph:layers", "graph:speakers"):
        st.session_state[key] = []
    st.session_state["graph:days"] = ()


def filters(graph) -> Filters:
    """The filter bar. It stays where it is when nothing matches."""
    days = [d for d in graph.columns.said_days.tolist() if d > 0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layers = st.multiselect("Layer", ["turn", "episode", "fact", "topic"], key="graph:layers")
        speakers = st.multiselect(
            "Speaker", sorted(graph.speakers), key="graph:speakers", format_func=verbatim
        )
        chosen = ()
        if days and min(days) < max(days):
            span = (date.fromordinal(min(days)), date.fromordinal(max(days)))
            chosen = st.date_input(
                "Said between", value=(), min_value=span[0], max_value=span[1], key="graph:days"
            )
    first, last = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else (None, None)
    return Filters(layers, speakers, first.toordinal() if first else 0, last.toordinal() if last else 0)


def seeds_for(memory, graph, text: str) -> list[str]:
    """What the search found, what the address names, or well connected cues to begin with."""
    asked = st.query_params.get("node")
    if text:
        hits = [id_ for id_, _ in memory.search(text, ("content",), CONTENT_HITS)]
        return matching(graph, text) + hits
    return [asked] if asked else hubs(graph)


st.title("Graph")
with shown_errors():
    memory = current()
    graph = memory.snapshot().graph
    if not len(graph):
        nothing_stored()
        st.stop()
    text = st.text_input(
        "Search cues, tags and memories",
        key="graph:search",
        on_change=start_over,
        placeholder="a name, a place, a word",
    )
    chosen = filters(graph)
    grown = st.session_state.get("graph:grown", [])
    seeds = seeds_for(memory, graph, text)
    local = around(graph, [*seeds, *grown], chosen, LIMIT)
    if not local.nodes and text:
        st.info("No cue, tag or memory holds these words. Try another word, or clear the search.")
        st.stop()
    if not local.edges:
        filtered_away(len(graph), clear_filters)
        st.stop()
    texts = memory.texts([n.id for n in local.nodes if n.kind not in ("cue", "tag")])
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "View", ["Graph", "Table"], default="Graph", key="graph:view", label_visibility="collapsed"
        )
        st.button("Undo expand", on_click=undo_expand, disabled=not grown)
        st.caption(
            f"Showing {len(local.nodes):,} of {local.total:,} nodes "
            f"around {len(seeds) + len(grown):,} starting points"
        )
    middle, right = st.columns([3, 1], gap="medium")
    with middle:
        if view == "Table":
            table = rows(graph, local)
            for row, node in zip(table, local.nodes, strict=True):
                row["name"] = verbatim(texts.get(node.id, node.label), 160)
            picked = st.dataframe(
                table,
                hide_index=True,
                on_select="rerun",
                selection_mode="single-row",
                key="graph:table",
                height=560,
            )
            selected = [local.nodes[i].id for i in picked.selection.rows if i < len(local.nodes)]
        else:
            places = neighbourhood(local.nodes, local.edges, st.session_state.get("graph:places"))
            st.session_state["graph:places"] = places
            net = network(with_texts(local.nodes, texts), local.edges, places)
            sent = payload(net, lane_areas(local.nodes, places), local.total)
            show = Show(on_open=expand, fit=f"{text}:{len(grown)}:{chosen}")
            selected = list(canvas(sent, key="graph", show=show).nodes)
    with right:
        node = selected[0] if selected else (st.query_params.get("node") or "")
        records = memory.get(needed(graph, node)) if node else {}
        talks = {r.conversation_id for r in records.values() if r.kind == "content"}
        records |= memory.get(talks)
        records |= memory.get({r.file_id for r in records.values() if r.kind == "conversation"})
        inspector(panel(graph, node, records) if node else None, key="graph:panel", on_follow=expand)
        if node:
            st.button("Expand", on_click=expand, args=(node,), disabled=node in grown, key="graph:expand")
