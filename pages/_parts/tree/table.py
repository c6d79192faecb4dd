"""The steps of a run as a table: the same as the graph, for those who read rather than look."""

from __future__ import annotations

import streamlit as st

from memcore.execution_tree import Tree
from memcore.state_text import one_line
from memcore.view.conversations import pages_of
from memcore.view.naming import counted
from memcore.view.tree_words import action_words, signal_words, summary_words
from pages._parts.say import verbatim
from pages._parts.tree.bar import reveal
from pages._parts.tree.loaded import Loaded

PAGE = 100
_Column = st.column_config


def step_table(loaded: Loaded, tree: Tree) -> None:
    """Every step up to this event, a page at a time; a row that is selected is shown in the tree."""
    positions = [p for p in sorted(loaded.steps) if p in tree.node_of]
    if not positions:
        st.caption("No step was executed by then.")
        return
    pages, page = pages_of(len(positions), PAGE), 1
    if pages > 1:
        page = min(st.pagination(pages, key="tree:page", max_visible_pages=7), pages)
    rows = [_row(loaded, tree, p, set(tree.chain())) for p in positions[(page - 1) * PAGE : page * PAGE]]
    layout = {
        "step": _Column.NumberColumn("Step", width=55),
        "action": _Column.TextColumn("Action", width=220),
        "observation": _Column.TextColumn("Observation", width=220),
        "where": _Column.TextColumn("Where", width=90),
        "may have failed": _Column.TextColumn("May have failed", width=150),
        "subgoal": _Column.TextColumn("Subgoal", width=200),
    }
    found = st.dataframe(
        rows, hide_index=True, column_config=layout, on_select="rerun", selection_mode="single-row",
        key=f"tree:steps:{page}:{len(positions)}",
    )  # fmt: skip
    st.caption(counted(len(positions), "step"))
    chosen = found.selection.rows
    marker = (loaded.run.id, page, len(positions), tuple(chosen))
    if chosen and st.session_state.get("tree:row") != marker:
        st.session_state["tree:row"] = marker
        reveal(loaded, rows[chosen[0]]["step"])
        st.rerun(scope="fragment")


def _row(loaded: Loaded, tree: Tree, position: int, chain: set[int]) -> dict[str, object]:
    step, node = loaded.steps[position], tree.node_of[position]
    where = "active path" if node in chain else "abandoned"
    block = loaded.outline.blocks[loaded.outline.block_of[node]]
    subgoal = tree.subgoals.get(block.subgoal) if block.kind == "subgoal" else None
    done = summary_words(loaded.marks.get(subgoal.record), subgoal.boundary) if subgoal else ""
    return {
        "step": position,
        "action": verbatim(action_words(step)),
        "observation": verbatim(one_line(step.observation, 200)),
        "where": where if node == position else f"{where}, as step {node}",
        "may have failed": "; ".join(signal_words(step.signals)),
        "subgoal": verbatim(done, 120),
    }
