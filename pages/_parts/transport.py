"""The bar over a run: while it goes on, pause and stop; afterwards, play, previous, slider and next."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages._parts.opened_trace import keep_step, step_asked
from pages._parts.say import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages._parts.live_run import LiveRun

SLIDER, PLAYING, LEFT = "trace:step", "trace:playing", "trace:left"
PLAY = 1.0  # seconds that each step is shown
ECHO = 1.5  # seconds within which a slider may still report a step that a button has left

_keys = st.components.v2.component(
    "memcore_step_keys", html="<i></i>", js=Path(__file__).with_name("step_keys.js").read_text("utf-8")
)


def live_bar(run: LiveRun, progress: str) -> None:
    """Pause, resume and stop of a run under way, and how far it is."""
    with _bar():
        if run.paused:
            st.button("Resume", icon=":material/play_arrow:", on_click=run.go_on, key="resume", width=100)
        else:
            st.button("Pause", icon=":material/pause:", on_click=run.pause, key="pause", width=100)
        st.button("Stop", icon=":material/stop:", on_click=run.stop, key="stop", width=100)
        state = "Paused" if run.paused else "Reconstructing …"
        st.markdown(f"**{state}**  {plain(progress)}", width="content")


def step_bar(last: int) -> int:
    """The step to show, from slider, buttons, keys, a play under way or the address."""
    step, note = step_asked(last)
    if step == last:
        hold()
    with _bar():
        _buttons(step, last)
        st.markdown(f"**Step {step}** of {last}", width="content")
        playing = bool(st.session_state.get(PLAYING))
        _keys(
            key="trace:keys", data={"playing": playing, "step": step, "every": PLAY * 1000}, width="content"
        )
    if note:
        st.caption(note)
    keep_step(step)
    return step


def step_keys(key: str, step: int, every: float, *, playing: bool) -> None:
    """Arrow keys and Space press the buttons `prev`, `next` and `play`; while playing, so many seconds a
    step."""
    _keys(key=key, data={"playing": playing, "step": step, "every": every * 1000}, width="content")


def hold() -> None:
    """Let the steps stand."""
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
        st.slider("Step", 1, last, key=SLIDER, on_change=_slid, label_visibility="collapsed")
    st.button(
        "Next", on_click=_move, args=(1, last), key="next",
        disabled=step == last, width=100, help="Right arrow",
    )  # fmt: skip


def _bar() -> DeltaGenerator:
    return st.container(horizontal=True, wrap=False, vertical_alignment="center", key="trace-bar")


def _move(by: int, last: int) -> None:
    _go(min(max(step_asked(last)[0] + by, 1), last), last)


def _go(step: int, last: int) -> None:
    now, left = time.monotonic(), st.session_state.get(LEFT, {})
    fresh = {s: at for s, at in left.items() if now - at < ECHO and s != step}
    st.session_state[LEFT] = {**fresh, step_asked(last)[0]: now}
    keep_step(step)


def _slid() -> None:
    """Follow the slider, but not a browser that had not yet heard of the step a button took."""
    step = st.session_state[SLIDER]
    if time.monotonic() - st.session_state.get(LEFT, {}).get(step, -ECHO) >= ECHO:
        keep_step(step)


def _play(last: int) -> None:
    """Walk through the steps from here, from the first one when at the end; pressed again, hold."""
    st.session_state[PLAYING] = not st.session_state.get(PLAYING)
    if st.session_state[PLAYING] and step_asked(last)[0] == last:
        _go(1, last)
