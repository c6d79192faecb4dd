"""A run in a thread of its own, watched by the page: pause, resume, stop, and an end when the tab closes.

The thread calls nothing of Streamlit; the page reads the event list, and what a model is saying meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.llm.listening import Listening
from memcore.llm.patience import Wait
from pages._parts.reconstruction.who_answers import take_part

if TYPE_CHECKING:
    from memcore.asking import Run
    from memcore.events import TraceEvent
    from memcore.forking import Override
    from memcore.llm.asking import Called
    from memcore.memory import Memory
    from memcore.reconstruction import Ask

AT_ONCE = 0.4  # seconds that a run without a pace is waited for, so that it is shown whole
Begin = Callable[[Callable[[], bool], Listening], "Run"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model says in a role: its reply so far, or the wait before it is asked again."""

    role: str = ""
    text: str = ""
    wait: Wait | None = None


class LiveRun:
    """One run. `pace` seconds pass between two steps, so that a person can follow; `speaks`: models take
    part in it."""

    def __init__(self, begin: Begin, pace: float, speaks: bool = False) -> None:
        self._stopping, self._going, self._held = threading.Event(), threading.Event(), threading.Event()
        self._going.set()
        self.pace, self.speaks = pace, speaks
        self.heard = Heard()
        listening = Listening(waiting=self._waiting, on_text=self._said, called=self._called)
        self._run = begin(self._stopping.is_set, listening)
        self.header = self._run.header
        self.trace_id = self.header.id
        self.events: list[TraceEvent] = []
        self.error: MemcoreError | None = None
        self.done = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    @property
    def held(self) -> bool:
        """Whether it stands still between two steps, which is soon after a pause."""
        return self.paused and self._held.is_set()

    def pause(self) -> None:
        """Hold before the next step."""
        self._going.clear()

    def go_on(self) -> None:
        """Take the next step after a pause."""
        self._going.set()

    def wait(self, seconds: float) -> None:
        """Return when the run has ended, or after so many seconds."""
        self._thread.join(seconds)

    def stop(self) -> None:
        """End after the step under way, a model that is speaking is cut off; what happened stays."""
        self._stopping.set()
        self._going.set()

    def _work(self) -> None:
        try:
            for event in self._run:
                self.events.append(event)
                if event.kind == "judged":
                    self._wait()
        except MemcoreError as error:
            self.error = error
        finally:
            self.done = True

    def _wait(self) -> None:
        self._stopping.wait(self.pace)
        while self.paused and not self._stopping.is_set():
            self._held.set()
            time.sleep(0.05)
        self._held.clear()

    def _said(self, role: str, text: str) -> None:
        self.heard = Heard(role, text)

    def _waiting(self, wait: Wait) -> None:
        self.heard = Heard(self.heard.role, wait=wait)

    def _called(self, called: Called) -> None:
        self.heard = Heard(called.task)


class Runs:
    """The run of one browser session; released, and so stopped, when its tab closes."""

    def __init__(self) -> None:
        self.current: LiveRun | None = None

    def start(self, memory: Memory, ask: Ask, pace: float) -> LiveRun:
        """Begin a run; one that was under way is stopped."""
        speaks = take_part(memory.models, ask.model)
        return self._begin(
            LiveRun(lambda stop, by: memory.ask(ask, cancelled=stop, listening=by), pace, speaks)
        )

    def fork(self, memory: Memory, trace_id: str, step: int, override: Override) -> LiveRun:
        """Go on from a step of a run as a person decided; one that was under way is stopped."""
        asked = memory.trace(trace_id)[1][0]
        speaks = take_part(memory.models, asked.model if asked.kind == "asked" else "")
        return self._begin(
            LiveRun(
                lambda stop, by: memory.fork(trace_id, step, override, cancelled=stop, listening=by),
                0.0,
                speaks,
            )
        )

    def release(self) -> None:
        """Stop whatever runs."""
        if self.current is not None:
            self.current.stop()

    def _begin(self, run: LiveRun) -> LiveRun:
        self.release()
        self.current = run
        if not run.pace:
            run.wait(AT_ONCE)
        return run


@st.cache_resource(scope="session", on_release=Runs.release, show_spinner=False)
def runs() -> Runs:
    """The runs of this browser session."""
    return Runs()
