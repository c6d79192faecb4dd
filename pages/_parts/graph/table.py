"""The table twin of the graph: the same nodes, the same selection, the same actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.neighbourhood import Local, rows
from pages._parts.graph.growth import choose
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.graph import Graph

LENGTH = 200


def table(graph: Graph, local: Local, texts: Mapping[str, str], selected: Sequence[str]) -> list[str]:
    """Draw it; the ids of the selected rows. `selected` is what the graph had selected before."""
    listed = rows(graph, local)
    for row, node in zip(listed, local.nodes, strict=True):
        row["name"] = verbatim(texts.get(node.id, node.label), LENGTH)
        row["what"] = verbatim(str(row["what"]))
        if not local.grey:
            del row["passes the filters"]
    ids = [node.id for node in local.nodes]
    before = [ids.index(node) for node in selected if node in ids]
    picked = st.dataframe(
        listed,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": before}},
        key=f"graph:table:{hash(tuple(ids))}",
        height=560,
        column_config={
            "kind": st.column_config.TextColumn("Kind", width=70),
            "name": st.column_config.TextColumn("Name or text", width=340),
            "what": st.column_config.TextColumn("Kind of cue, or who and when", width=190),
            "connections": st.column_config.NumberColumn("Edges", width=60),
            "passes the filters": st.column_config.CheckboxColumn("Passes the filters", width=120),
        },
    )
    chosen = [ids[i] for i in picked.selection.rows if i < len(ids)]
    choose(chosen)
    return chosen
