"""One run on the page State tree, under way or over: bar, tree, and beside it the selected node.

It is a fragment: an event, a fold or a look at a run under way draws nothing else again. Nothing is computed
anew for it: the tree at an event is the fold of the events up to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.execution_tree import fold as fold_events
from memcore.view.text import shorten
from memcore.view.tree_search import search
from memcore.view.tree_words import run_line, told
from pages._parts.at_work import models_at_work
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain, verbatim
from pages._parts.states import Action, shown_errors
from pages._parts.tree import address
from pages._parts.tree import canvas as drawing
from pages._parts.tree.address import EVENTS, RUN
from pages._parts.tree.bar import bar
from pages._parts.tree.live import LiveDemo
from pages._parts.tree.loaded import Loaded, load
from pages._parts.tree.side import side
from pages._parts.tree.tabs import tabs

if TYPE_CHECKING:
    from memcore.memory import Memory

POLL = 0.4  # seconds between two looks at a run under way
SEARCH = "tree:search"
REVEALED = "tree:revealed"
SIDE = 330  # pixels
# On a narrow page the inspector goes below the tree instead of squeezing it.
ROOM = "<style>div:has(> .st-key-tree-drawing) { min-width: min(540px, 100%) }</style>"


def show_run(memory: Memory, run_id: str, demo: LiveDemo | None) -> None:
    """Draw the run, and go on drawing it while it is under way."""
    if st.session_state.get("tree:shown") != run_id:
        st.session_state["tree:shown"] = run_id
        EVENTS.hold()
    pulse = _pulse(demo)
    st.fragment(run_every=pulse)(_draw)(memory, run_id, demo, pulse)


def _pulse(demo: LiveDemo | None) -> float | None:
    return POLL if demo is not None and not demo.done else None


def _draw(memory: Memory, run_id: str, demo: LiveDemo | None, pulse: float | None) -> None:
    with shown_errors(Action("All runs", act=lambda: RUN.open(""))):
        if _pulse(demo) != pulse or RUN.now != run_id:
            st.rerun()
        live = demo if pulse else None
        if demo is not None and demo.error is not None:
            with shown_errors():
                raise demo.error
        loaded = live.seen() if live else load(memory, run_id)
        _title(memory, loaded, live)
        step = _live_step(loaded, live) if live else EVENTS.bar(len(loaded.events))
        st.markdown(plain(told(loaded.events[step - 1], loaded.steps, loaded.marks), 300))
        with st.container():  # there at all times, so that the tree keeps its place when a run ends
            if live:
                models_at_work(live.at_work)
        _tree(memory, loaded, step, live)


def _revealed(loaded: Loaded, shown: drawing.Picture) -> drawing.Picture:
    """With what an address names unfolded, once."""
    node, times = address.focus()
    if not node or node in shown.where or st.session_state.get(REVEALED) == times:
        return shown
    st.session_state[REVEALED] = times
    outline, keys = loaded.outline, None
    if node[:1] == "s" and node[1:].isdecimal() and int(node[1:]) in outline.tree.node_of:
        keys = shown.folding.revealing(outline.tree.node_of[int(node[1:])])
    elif node in outline.blocks:
        keys = shown.folding.revealing_block(node)
    if keys is None:
        return shown
    address.keep_toggled(loaded.run.id, keys)
    return drawing.picture(loaded, keys, shown.direction)


def _title(memory: Memory, loaded: Loaded, live: LiveDemo | None) -> None:
    """Who ran, and the whole task behind a button. Of a stored run, its name above it says how it ended."""
    run = loaded.run
    words = [f"{run.agent} {run.model}".strip(), run_line(run) if live else "", shorten(run.source, 40)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="tree-title"):
        if live:
            st.markdown(f"**{plain(run.title, 90)}**", width="content")
        st.caption(plain(" · ".join(word for word in words if word), 200), width="content")
        if run.task:
            with st.popover("Task", type="tertiary"):
                st.text(verbatim(run.task[:20_000]))
        if not live:
            erase_link(run.id, memory.name, "Erase this run for good…")


def _live_step(loaded: Loaded, live: LiveDemo) -> int:
    EVENTS.live_bar(live, f"step {loaded.outline.tree.step}")
    return len(loaded.events)


def _tree(memory: Memory, loaded: Loaded, step: int, live: LiveDemo | None) -> None:
    run_id = loaded.run.id
    tree = fold_events(loaded.events[:step])
    hits = search(loaded.steps, st.session_state.get(SEARCH, ""))
    direction = bar(loaded, hits, SEARCH)
    shown = _revealed(loaded, drawing.picture(loaded, address.toggled(run_id), direction))
    st.html(ROOM)
    row = st.container(horizontal=True, gap="medium")
    with row.container(width="stretch", key="tree-drawing"):
        grown = f":{shown.extent}" if live else ""
        fit = f"{run_id}:{direction}{grown}"
        node = drawing.draw(shown, tree, hits, run_id=run_id, fit=fit)
    address.keep_node(node)
    with row.container(width=SIDE):
        side(memory, loaded, shown, tree, node, live=live is not None)
    tabs(memory, loaded, tree, step, live=live is not None)
