"""Which run the page State tree shows, after how many of its events, with which node selected.

As on the page Reconstruction, the address is the truth when a person follows a link, and the session is when
something was just done, because the browser may still send the address it had before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages._parts.transport import Walk

if TYPE_CHECKING:
    from memcore.memory import Memory

CANVAS = "tree"
KEPT = f"{CANVAS}:kept"  # what the canvas reported last
OPEN, BEFORE, OF, STEP = "tree:open", "tree:before", "tree:of", "tree:at"
TOGGLED, FOCUS = "tree:toggled", "tree:focus"
LONGEST = 40  # characters of a node in an address
_NAMES = ("run", "step", "node")


def open_run(run_id: str, of: str) -> None:
    """Show this run of the memory `of` from now on, at its end; "" shows the list."""
    state = st.session_state
    state[BEFORE] = st.query_params.get("run", "")
    state[OPEN], state[OF] = run_id, of
    _begin()
    _address(run_id)


def opened(memory: Memory) -> str:
    """The id of the run to show, or "". It is in the address when this returns."""
    state, asked = st.session_state, str(st.query_params.get("run", ""))
    if state.get(OF, memory.name) != memory.name and asked in ("", state.get(OPEN)):
        state[OPEN] = ""  # another memory was chosen: its runs are others
        _begin()
        _address("")
    elif asked and asked not in (state.get(OPEN), state.get(BEFORE)):
        state[OPEN] = asked
        _begin()
        choose(str(st.query_params.get("node", ""))[:LONGEST])
    elif asked == state.get(OPEN):
        state[BEFORE] = None  # the browser has caught up
    state[OF] = memory.name
    if state.get(OPEN):
        _address(state[OPEN])
    return state.get(OPEN, "")


def step_asked(last: int) -> tuple[int, str]:
    """After how many of its `last` events to show the run, and a sentence where the address asks for none."""
    kept = st.session_state.get(STEP)
    if kept is not None:
        return min(max(kept, 1), last), ""
    asked = str(st.query_params.get("step", ""))
    short = len(asked) <= len(str(last))  # an address can be of any length, a number cannot
    if not asked or (short and asked.isascii() and asked.isdigit() and 1 <= int(asked) <= last):
        return int(asked or last), ""
    return last, f"This run has {last:,} events; the one in the address is none of them: the end is shown."


def keep_step(step: int) -> None:
    """Remember after how many events it is shown, and put it into the address."""
    st.session_state[STEP] = step
    _put("step", str(step))


def toggled(run_id: str) -> frozenset[str]:
    """What the person opened or folded in this run (see view.tree_folding)."""
    kept: tuple[str, frozenset[str]] = st.session_state.get(TOGGLED, ("", frozenset()))
    return kept[1] if kept[0] == run_id else frozenset()


def keep_toggled(run_id: str, keys: frozenset[str]) -> None:
    st.session_state[TOGGLED] = (run_id, keys)


def choose(node: str) -> None:
    """Select a node, and bring it into view."""
    kept = st.session_state.get(KEPT) or {"hidden_kinds": []}
    st.session_state[KEPT] = {**kept, "selection": {"nodes": [node] if node else [], "edges": []}}
    times = st.session_state.get(FOCUS, ("", 0))[1]
    st.session_state[FOCUS] = (node, times + 1)


def focus() -> tuple[str, str]:
    """The node that the canvas is to select, and how often it was told so."""
    node, times = st.session_state.get(FOCUS, ("", 0))
    return node, str(times) if times else ""


def keep_node(node: str) -> None:
    """The selected node goes into the address."""
    _put("node", node)


def _begin() -> None:
    st.session_state[STEP] = None
    for key in (TOGGLED, KEPT):
        st.session_state.pop(key, None)
    if st.session_state.get(FOCUS):
        choose("")


def _address(run_id: str) -> None:
    if not run_id:
        for name in _NAMES:
            st.query_params.pop(name, None)
    elif st.query_params.get("run", "") != run_id:
        for name in _NAMES[1:]:
            st.query_params.pop(name, None)
        st.query_params["run"] = run_id


def _put(name: str, value: str) -> None:
    if value and st.query_params.get(name) != value:
        st.query_params[name] = value
    elif not value:
        st.query_params.pop(name, None)


EVENTS = Walk("tree", "Event", 0.8, "The demo agent is at work …", step_asked, keep_step)
