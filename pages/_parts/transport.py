"""The bar over what can be walked through: play, previous, slider and next; pause and stop while it goes on.

One bar for the steps of a reconstruction and for the events of a tree. What differs is said by `Walk`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from pages._parts.say import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

# Which step of how many is said beside the slider; its ends, below the track, would be cut in half.
NO_TICKS = "<style>[class*='-bar'] [data-testid='stSliderTickBar'] { display: none }</style>"
ECHO = 1.5  # seconds within which a slider may still report a step that a button has left

_keys = st.components.v2.component(
    "memcore_step_keys", html="<i></i>", js=Path(__file__).with_name("step_keys.js").read_text("utf-8")
)


class Live(Protocol):
    """A run under way."""

    paused: bool

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def stop(self) -> None: ...


@dataclass(frozen=True)
class Walk:
    """What is walked through: the name its keys begin with, what one of it is called, how long each is
    shown by Play, what it does while it goes on, and where the address keeps it."""

    name: str
    noun: str
    every: float
    doing: str
    asked: Callable[[int], tuple[int, str]]
    keep: Callable[[int], None]

    def live_bar(self, run: Live, progress: str) -> None:
        """Pause, resume and stop of a run under way, and how far it is."""
        with self._bar():
            if run.paused:
                st.button("Resume", icon=":material/play_arrow:", on_click=run.go_on, key="resume", width=100)
            else:
                st.button("Pause", icon=":material/pause:", on_click=run.pause, key="pause", width=100)
            st.button("Stop", icon=":material/stop:", on_click=run.stop, key="stop", width=100)
            state = "Paused" if run.paused else self.doing
            st.markdown(f"**{state}**  {plain(progress, 120)}", width="content")

    def bar(self, last: int) -> int:
        """The step to show, from slider, buttons, keys, a play under way or the address."""
        step, note = self.asked(last)
        if step == last:
            self.hold()
        with self._bar():
            self._buttons(step, last)
            st.markdown(f"**{self.noun} {step:,}** of {last:,}", width="content")
            data = {"playing": self._playing, "step": step, "every": self.every * 1000}
            _keys(key=f"{self.name}:keys", data=data, width="content")
        if note:
            st.caption(note)
        self.keep(step)
        return step

    def hold(self) -> None:
        """Let the steps stand."""
        st.session_state[f"{self.name}:playing"] = False

    def go(self, step: int, last: int) -> None:
        """Show this step; the slider, which has not yet heard of it, is not believed."""
        now, left = time.monotonic(), self._left
        fresh = {s: at for s, at in left.items() if now - at < ECHO and s != step}
        st.session_state[f"{self.name}:left"] = {**fresh, self.asked(last)[0]: now}
        self.keep(step)

    @property
    def _playing(self) -> bool:
        return bool(st.session_state.get(f"{self.name}:playing"))

    @property
    def _left(self) -> dict[int, float]:
        return st.session_state.get(f"{self.name}:left", {})

    def _bar(self) -> DeltaGenerator:
        return st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"{self.name}-bar")

    def _buttons(self, step: int, last: int) -> None:
        label, icon = ("Hold", "pause") if self._playing else ("Play", "play_arrow")
        st.button(
            label, icon=f":material/{icon}:", on_click=self._play, args=(last,), key="play",
            disabled=last < 2, width=100, help="Space",
        )  # fmt: skip
        st.button(
            "Previous", on_click=self._move, args=(-1, last), key="prev",
            disabled=step == 1, width=100, help="Left arrow",
        )  # fmt: skip
        if last > 1:
            slider = f"{self.name}:step"
            st.session_state[slider] = step
            st.html(NO_TICKS)
            st.slider(self.noun, 1, last, key=slider, on_change=self._slid, label_visibility="collapsed")
        st.button(
            "Next", on_click=self._move, args=(1, last), key="next",
            disabled=step == last, width=100, help="Right arrow",
        )  # fmt: skip

    def _move(self, by: int, last: int) -> None:
        self.go(min(max(self.asked(last)[0] + by, 1), last), last)

    def _slid(self) -> None:
        """Follow the slider, but not a browser that had not yet heard of the step a button took."""
        step = st.session_state[f"{self.name}:step"]
        if time.monotonic() - self._left.get(step, -ECHO) >= ECHO:
            self.keep(step)

    def _play(self, last: int) -> None:
        """Walk on from here, from the first one when at the end; pressed again, hold."""
        st.session_state[f"{self.name}:playing"] = not self._playing
        if self._playing and self.asked(last)[0] == last:
            self.go(1, last)
