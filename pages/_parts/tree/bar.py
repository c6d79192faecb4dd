"""Over a tree: direction, fold and unfold, and the search in the steps' text."""

from __future__ import annotations

import streamlit as st

from memcore.view.naming import counted
from memcore.view.tree_folding import Folding
from memcore.view.tree_layout import Direction
from pages._parts.tree import address
from pages._parts.tree.canvas import DOWN, RIGHT, WAYS
from pages._parts.tree.loaded import Loaded

OPENED = 500  # nodes up to which everything is opened at once
_AT = "tree:hit"


def bar(loaded: Loaded, hits: list[int], search: str) -> Direction:
    """Draw it; which way the tree grows."""
    run_id, outline = loaded.run.id, loaded.outline
    folding = loaded.folding(address.toggled(run_id))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="tree-tools"):
        way = st.segmented_control(
            "Direction", [DOWN, RIGHT], default=DOWN, key="tree:way", required=True,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        st.button(
            "Unfold all", on_click=unfold_all, args=(run_id, folding), key="tree:unfold",
            icon=":material/unfold_more:",
        )  # fmt: skip
        st.button(
            "Fold all", on_click=fold_all, args=(run_id, folding), key="tree:fold",
            icon=":material/unfold_less:", disabled=len(outline.blocks) < 2,
        )  # fmt: skip
        st.text_input(
            "Search in the steps", key=search, placeholder="Search in the steps", max_chars=200,
            label_visibility="collapsed", width=230, on_change=_searched,
        )  # fmt: skip
        if st.session_state.get(search, "").strip():
            _walk(loaded, hits)
    return WAYS[way or DOWN]


def unfold_all(run_id: str, folding: Folding) -> None:
    """Open as much, in the order of the run, as can be drawn at once."""
    keys: set[str] = set()
    outline, room = folding.outline, OPENED
    for block in outline.blocks.values():
        room -= 1 + len(block.steps)
        if room < 0:
            st.toast(f"Unfolded as far as {OPENED:,} nodes go; search leads to the rest.")
            break
        keys |= folding.revealing_block(block.id) ^ frozenset(folding.toggled)
        if block.kind != "start" and block.steps and not folding.is_open(block.id):
            keys.add(block.id)
    address.keep_toggled(run_id, folding.toggle(*keys))


def fold_all(run_id: str, folding: Folding) -> None:
    """Everything as a run opens; what begins open is folded too."""
    fresh = Folding(folding.outline)
    open_ = {id_ for id_, b in fresh.outline.blocks.items() if len(b.steps) > 1 and fresh.is_open(id_)}
    address.keep_toggled(run_id, frozenset(open_))


def reveal(loaded: Loaded, position: int) -> None:
    """Open what hides a step, and select it."""
    run_id, node = loaded.run.id, loaded.outline.tree.node_of.get(position)
    if node is not None:
        folding = loaded.folding(address.toggled(run_id))
        address.keep_toggled(run_id, folding.revealing(node))
        address.choose(f"s{node}")


def _walk(loaded: Loaded, hits: list[int]) -> None:
    at = st.session_state.get(_AT, -1)
    found = counted(len(hits), "step") if hits else "no step"
    where = f"{at + 1} of {found}" if 0 <= at < len(hits) else found
    st.button("Previous match", on_click=_go, args=(loaded, hits, -1), disabled=not hits, key="tree:hit:prev")
    st.button("Next match", on_click=_go, args=(loaded, hits, 1), disabled=not hits, key="tree:hit:next")
    st.caption(where, width="content")


def _go(loaded: Loaded, hits: list[int], by: int) -> None:
    at = st.session_state.get(_AT, -1)
    at = (at + by) % len(hits) if at >= 0 else 0 if by > 0 else len(hits) - 1
    st.session_state[_AT] = at
    reveal(loaded, hits[at])


def _searched() -> None:
    st.session_state[_AT] = -1
