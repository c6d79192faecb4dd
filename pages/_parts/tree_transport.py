"""The bar over a tree: play, previous, slider and next over its events; pause and stop while it goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import streamlit as st

from pages._parts.say import plain
from pages._parts.transport import step_keys
from pages._parts.tree_address import keep_step, step_asked

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages._parts.tree_live import LiveDemo

SLIDER, PLAYING, LEFT = "tree:step", "tree:playing", "tree:left"
PLAY = 0.8  # seconds that each event is shown
ECHO = 1.5  # seconds within which a slider may still report an event that a button has left


def live_bar(run: LiveDemo, said: str) -> None:
    """Pause, resume and stop of a run under way, and how far it is."""
    with _bar():
        if run.paused:
            st.button("Resume", icon=":material/play_arrow:", on_click=run.go_on, key="resume", width=100)
        else:
            st.button("Pause", icon=":material/pause:", on_click=run.pause, key="pause", width=100)
        st.button("Stop", icon=":material/stop:", on_click=run.stop, key="stop", width=100)
        state = "Paused" if run.paused else "The demo agent is at work …"
        st.markdown(f"**{state}**  {plain(said, 120)}", width="content")


def event_bar(last: int) -> int:
    """After how many events to show the tree: from slider, buttons, keys, a play or the address."""
    step, note = step_asked(last)
    if step == last:
        hold()
    with _bar():
        _buttons(step, last)
        st.markdown(f"**Event {step:,}** of {last:,}", width="content")
        step_keys("tree:keys", step, PLAY, playing=bool(st.session_state.get(PLAYING)))
    if note:
        st.caption(note)
    keep_step(step)
    return step


def hold() -> None:
    """Let the tree stand."""
    st.session_state[PLAYING] = False


def _buttons(step: int, last: int) -> None:
    label, icon = ("Hold", "pause") if st.session_state.get(PLAYING) else ("Play", "play_arrow")
    st.button(
        label, icon=f":material/{icon}:", on_click=_play, args=(last,), key="play",
        disabled=last < 2, width=100, help="Space",
    )  # fmt: skip
    st.button(
        "Previous", on_click=_move, args=(-1, last), key="prev",
        disabled=step == 1, width=100, help="Left arrow",
    )  # fmt: skip
    if last > 1:
        st.session_state[SLIDER] = step
        st.slider("Event", 1, last, key=SLIDER, on_change=_slid, label_visibility="collapsed")
    st.button(
        "Next", on_click=_move, args=(1, last), key="next",
        disabled=step == last, width=100, help="Right arrow",
    )  # fmt: skip


def _bar() -> DeltaGenerator:
    return st.container(horizontal=True, wrap=False, vertical_alignment="center", key="tree-bar")


def _move(by: int, last: int) -> None:
    go(min(max(step_asked(last)[0] + by, 1), last), last)


def go(step: int, last: int) -> None:
    """Show the tree after this event; the slider, which has not yet heard of it, is not believed."""
    now, left = time.monotonic(), st.session_state.get(LEFT, {})
    fresh = {s: at for s, at in left.items() if now - at < ECHO and s != step}
    st.session_state[LEFT] = {**fresh, step_asked(last)[0]: now}
    keep_step(step)


def _slid() -> None:
    step = st.session_state[SLIDER]
    if time.monotonic() - st.session_state.get(LEFT, {}).get(step, -ECHO) >= ECHO:
        keep_step(step)


def _play(last: int) -> None:
    """Walk through the events from here, from the first one when at the end; pressed again, hold."""
    st.session_state[PLAYING] = not st.session_state.get(PLAYING)
    if st.session_state[PLAYING] and step_asked(last)[0] == last:
        go(1, last)
