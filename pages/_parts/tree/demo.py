"""Playing the demo agent: which task, what it may do, how fast."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.settings import DEFAULT
from pages._parts.memory import chosen, memories, memory_of
from pages._parts.say import plain
from pages._parts.tree.address import RUN
from pages._parts.tree.live import LiveDemo, demos
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from memcore.memory import Memory

SEED, PACE = "tree:demo:seed", "tree:demo:pace"
SWITCHES = {
    "tree_compress": "Compress: a summary stands for finished steps",
    "tree_maintain": "Maintain: every summary is checked",
    "tree_revise": "Revise: the agent can go back",
}
PACES = {0.0: "At once", 0.4: "Half a second a move", 1.5: "Slowly"}
NAME = "Agent runs"
SAYS = (
    "A scripted shopper buys parts that must fit each other, under a budget, in a shop with traps. It reads "
    "nothing but its state tree, needs no key, and the same task goes the same way every time."
)


def play_demo() -> None:
    """Start it with the choices made, in the chosen memory; where there is none, in a new one."""
    state = st.session_state
    try:
        memory = _memory()
        switched = {name: bool(state.get(f"tree:demo:{name}", True)) for name in SWITCHES}
        settings = replace(DEFAULT if memory is None else memory.settings, **switched)
        seed, pace = int(state.get(SEED) or 4), float(state.get(PACE, 0.4))
        run = demos().begin(LiveDemo(memory, seed, settings, pace))
        RUN.open(run.run_id, memory.id)
    except MemcoreError as error:
        st.toast(plain(str(error)))


def demo_form() -> None:
    """The button, and the choices behind it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Play the demo agent", type="primary", on_click=play_demo, key="tree:demo",
            icon=":material/play_circle:",
        )  # fmt: skip
        with st.popover("Choices"):
            st.caption(SAYS)
            st.number_input("Task number", 0, 9_999, 4, key=SEED, persist_state="session")
            st.selectbox(
                "Pace", list(PACES), index=1, format_func=PACES.get, key=PACE, persist_state="session"
            )
            for name, says in SWITCHES.items():
                st.toggle(says, True, key=f"tree:demo:{name}", persist_state="session")


def _memory() -> Memory:
    store = memories()
    name = chosen()
    if name in store.scopes(viewer()):
        return memory_of(name)
    if not store.scopes():
        store.scope(NAME, create=True)
        return memory_of(NAME)
    return store.scope(name, viewer=viewer())
