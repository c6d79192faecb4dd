"""Two runs of one task side by side, with the first step at which they part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import AgentRun
from memcore.state_text import one_line
from memcore.view.tree_search import parting
from memcore.view.tree_words import action_words, distinct, run_line, run_name
from pages._parts.say import plain, verbatim
from pages._parts.tree.bar import reveal
from pages._parts.tree.canvas import beside, picture
from pages._parts.tree.loaded import Loaded, load

if TYPE_CHECKING:
    from memcore.memory import Memory

OTHER = "tree:other"
AROUND = 4  # steps shown before the one at which they part
AFTER = 12


def pair(memory: Memory, loaded: Loaded, *, live: bool) -> None:
    """Choose another run of the task, and see both."""
    if live:
        st.caption("Another run can be put beside this one when it has ended.")
        return
    runs = memory.runs.all()
    others = {run.id: run for run in trials(runs, loaded.run)}
    if not others:
        st.caption("There is no other run of this task in this memory.")
        return
    labels = distinct({r.id: verbatim(run_name(r), 100) for r in runs})
    key = f"{OTHER}:{loaded.run.id}"
    chosen = st.selectbox(
        "Another run of this task",
        list(others),
        format_func=labels.__getitem__,
        key=key,
    )
    if chosen:
        _both(loaded, load(memory, chosen))


def trials(runs: list[AgentRun], run: AgentRun) -> list[AgentRun]:
    """The other runs of the same task, by trial: by its id where it has one, else by its words."""
    same = [
        other
        for other in runs
        if other.id != run.id
        and (other.task_id == run.task_id if run.task_id else bool(run.task) and other.task == run.task)
    ]
    return sorted(same, key=lambda other: (other.trial is None, other.trial or 0))


def _both(one: Loaded, other: Loaded) -> None:
    part = parting(one.steps, other.steps)
    if part.position is None:
        st.markdown("**The same from the first step to the last.**")
    else:
        alike = part.position - 1
        st.markdown(
            f"**They part at step {part.position}**: {part.why}. "
            + (f"The {alike} before it are the same." if alike > 1 else "The one before is the same." * alike)
        )
    columns = st.columns(2, vertical_alignment="bottom")  # legends of unequal height stand above the trees
    for column, run, key in zip(columns, (one, other), ("tree:one", "tree:two"), strict=True):
        with column:
            _side(run, part.position, key)
    if part.position is not None:
        _around(one, other, part.position)
        st.button(f"Show step {part.position} in the tree", on_click=reveal, args=(one, part.position))


def _side(run: Loaded, position: int | None, key: str) -> None:
    st.markdown(f"**{plain(run.run.title, 80)}**")
    st.caption(plain(run_line(run.run)))
    tree = run.outline.tree
    node = tree.node_of.get(position) if position is not None else None
    folding = run.folding(frozenset())
    toggled = folding.revealing(node) if node is not None else frozenset[str]()
    hits = [node] if node is not None else []
    beside(picture(run, toggled, "down"), tree, hits, f"{key}:{run.run.id}")


def _around(one: Loaded, other: Loaded, position: int) -> None:
    """Both step by step, from a little before they part."""
    last = min(max(len(one.steps), len(other.steps)), position + AFTER)
    rows = [
        {
            "": "●" if at == position else "",
            "step": at,
            "this run": _action(one, at),
            "it saw": _saw(one, at),
            "the other": _action(other, at),
            "the other saw": _saw(other, at),
        }
        for at in range(max(1, position - AROUND), last + 1)
    ]
    layout = {
        "": st.column_config.TextColumn(width=24, help="here they part"),
        "step": st.column_config.NumberColumn("Step", width=55),
        "this run": st.column_config.TextColumn("This run", width=200),
        "it saw": st.column_config.TextColumn("It saw", width=260),
        "the other": st.column_config.TextColumn("The other", width=200),
        "the other saw": st.column_config.TextColumn("The other saw", width=260),
    }
    st.dataframe(rows, hide_index=True, column_config=layout)


def _action(run: Loaded, at: int) -> str:
    return verbatim(action_words(run.steps[at])) if at in run.steps else "(ended)"


def _saw(run: Loaded, at: int) -> str:
    return verbatim(one_line(run.steps[at].observation, 160)) if at in run.steps else ""
