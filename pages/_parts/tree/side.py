"""The column beside a tree: what was saved last, and the selected node, to be read or edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.execution_tree import Tree
from memcore.view.tree_inspect import Reason, Seen, Told, seen
from memcore.view.tree_outline import START
from pages._parts.memory import chosen
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain, verbatim
from pages._parts.tree.bar import reveal
from pages._parts.tree.canvas import Picture, fold
from pages._parts.tree.edit import edit, outcome, undo_bar
from pages._parts.tree.loaded import Loaded
from pages._parts.viewing import read_only

if TYPE_CHECKING:
    from memcore.memory import Memory

MOST = 1_500  # characters of a text that are shown at first
HEIGHT = 260  # pixels; a longer text is scrolled
ALL = "tree:all"
READ, EDIT, MODE = "Read", "Edit", "tree:mode"


def side(memory: Memory, loaded: Loaded, shown: Picture, tree: Tree, node: str, *, live: bool) -> None:
    """Draw the column."""
    editable = not live and not read_only(memory)
    if editable:
        undo_bar(memory)
        outcome()
    if not node:
        with st.container(border=True):
            st.markdown("**Nothing selected**")
            st.caption("Click a node, or walk with the arrow keys. Double click opens and folds it.")
        return
    mode = READ
    if editable and node != START and node[:1] not in ("r", "x"):
        mode = st.segmented_control(
            "Read or edit", [READ, EDIT], key=MODE, required=True, default=READ,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
    with st.container(border=True, key="tree-panel"):
        if mode == EDIT:
            edit(memory, loaded, node)
        else:
            _read(loaded, shown, tree, node)
            if not live:
                _erase(memory, loaded, node)


def _read(loaded: Loaded, shown: Picture, tree: Tree, node: str) -> None:
    found = seen(loaded.source, node, tree)
    if found is None:
        st.caption("This node is not in the run any more.")
        return
    st.markdown(plain(found.sentence))
    _folding(loaded, shown, node)
    for told in found.texts:
        _text(told, node)
    if found.rows:
        st.markdown(
            "  \n".join(f":small[:gray[{plain(name)}]] {plain(value, 300)}" for name, value in found.rows)
        )
    _links(loaded, found)
    for reason in found.reasons:
        _reason(loaded, reason)


def _erase(memory: Memory, loaded: Loaded, node: str) -> None:
    """The words of a step, for good; its place in the run stays."""
    step = loaded.steps.get(int(node[1:])) if node[:1] == "s" and node[1:].isdecimal() else None
    if step is not None:
        erase_link(step.id, memory.name, told=True)


def _folding(loaded: Loaded, shown: Picture, node: str) -> None:
    """The same as a double click, for who cannot."""
    run_id, folding = loaded.run.id, shown.folding
    if node[:1] == "r":
        query = {"run": node[1:], "scope": chosen() or ""}
        st.page_link("pages/state_tree.py", label="Open this run", query_params=query)
    elif key := folding.folding_of(node):
        opens = folding.is_shut(key[6:]) if key.startswith("below ") else not folding.is_open(key)
        label = "Unfold" if opens else "Fold"
        st.button(label, on_click=fold, args=(run_id, folding, node), key="tree:toggle")


def _text(told: Told, node: str) -> None:
    """The beginning of a text, literally; all of it on request."""
    everything = st.session_state.get(ALL) == (node, told.label)
    text, left_out = told.shown(len(told.text) if everything else MOST)
    st.markdown(f":small[:gray[{plain(told.label)}]]")
    if not told.text.strip():
        st.caption("(nothing)")
        return
    if len(text) > 600:
        with st.container(height=HEIGHT, border=False):
            st.text(verbatim(text))
    else:
        st.text(verbatim(text))
    if left_out:
        st.button(
            f"Show all {len(told.text):,} characters",
            key=f"tree:all:{told.label}",
            on_click=_show_all,
            args=(node, told.label),
        )


def _show_all(node: str, label: str) -> None:
    st.session_state[ALL] = (node, label)


def _links(loaded: Loaded, found: Seen) -> None:
    for position, what in found.links:
        _step_button(loaded, position, f"{plain(what)} step {position}", f"link:{position}")


def _reason(loaded: Loaded, reason: Reason) -> None:
    """Why a mark is there, and the steps it was read from."""
    by = " · edited by hand" if reason.mark.made_by == "person" and reason.mark.rule != "person" else ""
    st.markdown(f":small[:gray[{reason.what}:]] {plain(reason.why)}{by}")
    if reason.mark.action == "revise" and reason.mark.note:
        st.text(verbatim(reason.mark.note[:MOST]))
    known = [position for position in reason.evidence if position in loaded.steps]
    if known:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.caption("Read from", width="content")
            for position in known[:8]:
                _step_button(loaded, position, f"step {position}", f"{reason.mark.id}:{position}")
            if len(known) > 8:
                st.caption(f"and {len(known) - 8} more", width="content")


def _step_button(loaded: Loaded, position: int, label: str, key: str) -> None:
    st.button(label, on_click=reveal, args=(loaded, position), key=f"tree:go:{key}", type="tertiary")
