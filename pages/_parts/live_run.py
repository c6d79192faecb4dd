"""A run in a thread of its own, watched by the page: pause, resume, stop, and an end when the tab closes.

The thread calls nothing of Streamlit; the page reads the event list.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.reconstruction import Ask


class LiveRun:
    """One run. `pace` seconds pass between two steps, so that a person can follow."""

    def __init__(self, memory: Memory, ask: Ask, pace: float) -> None:
        self._stopping, self._going = threading.Event(), threading.Event()
        self._going.set()
        self._pace = pace
        self._run = memory.ask(ask, cancelled=self._stopping.is_set)
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
        """End after the step under way; what happened so far stays in the trace."""
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
        self._stopping.wait(self._pace)
        while self.paused and not self._stopping.is_set():
            time.sleep(0.05)


class Runs:
    """The run of one browser session; released, and so stopped, when its tab closes."""

    def __init__(self) -> None:
        self.current: LiveRun | None = None

    def start(self, memory: Memory, ask: Ask, pace: float) -> LiveRun:
        """Begin a run; one that was under way is stopped."""
        self.release()
        self.current = LiveRun(memory, ask, pace)
        return self.current

    def release(self) -> None:
        """Stop whatever runs."""
        if self.current is not None:
            self.current.stop()


@st.cache_resource(scope="session", on_release=Runs.release, show_spinner=False)
def runs() -> Runs:
    """The runs of this browser session."""
    return Runs()
