"""The demo agent at work in a thread of its own, watched by the page: pause, resume, stop.

It ends when its tab closes. The thread calls nothing of Streamlit; whatever happens is stored at once, and
the page reads the same records.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import streamlit as st

from memcore.agent_runs import WholeRun
from memcore.demo.playing import Roles, visit
from memcore.errors import Cancelled, MemcoreError
from pages._parts.at_work import AtWork
from pages._parts.tree.loaded import Loaded, loaded

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.settings import Settings

STOPPED = "stopped"


class LiveDemo:
    """One visit to the shop. `pace` seconds pass between two moves, so that a person can follow."""

    def __init__(self, memory: Memory, seed: int, settings: Settings, pace: float) -> None:
        self._stopping, self._going = threading.Event(), threading.Event()
        self._going.set()
        self._pace, self._settings = pace, settings
        self.at_work = AtWork()
        work = memory.followed_by(self.at_work.listening).work(self._stopping.is_set)
        self._visit = visit(seed, [], settings, Roles(work.verifier(), work.summariser()))
        self._log = memory.runs.live(self._visit.run())
        self._visit.memory.log = self._log
        self.of, self.run_id = memory.name, self._visit.memory.run_id
        self.error: MemcoreError | None = None
        self.done = False
        self._thread = threading.Thread(target=self._work, daemon=True, name="memcore-demo")
        self._thread.start()

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    def pause(self) -> None:
        """Hold before the next move."""
        self._going.clear()

    def go_on(self) -> None:
        """Make the next move after a pause."""
        self._going.set()

    def stop(self) -> None:
        """End after the move under way; what was done so far is a run like any other."""
        self._stopping.set()
        self._going.set()

    def wait(self, seconds: float) -> None:
        """Return when the run has ended, or after so many seconds."""
        self._thread.join(seconds)

    def seen(self) -> Loaded:
        """The run as far as it is now."""
        memory = self._visit.memory
        whole = WholeRun(self._visit.run(), list(memory.steps.values()), list(memory.marks.values()))
        known = len(whole.steps) + len(whole.marks)
        events = [event for event in list(memory.events) if getattr(event, "step", 0) <= len(whole.steps)]
        return loaded((self.run_id, known), whole, events, self._settings)

    def _work(self) -> None:
        try:
            for _ in self._visit.events():
                self._wait()
                if self._stopping.is_set():
                    break
            self._finish()
        except Cancelled:  # a model was being asked
            self._finish()
        except MemcoreError as error:
            self.error = error
        finally:
            self.done = True

    def _wait(self) -> None:
        self._stopping.wait(self._pace)
        while self.paused and not self._stopping.is_set():
            time.sleep(0.05)

    def _finish(self) -> None:
        ended = self._visit.run()
        if self._visit.memory.steps:
            self._log.finish(ended.outcome or STOPPED, ended.reward)


class Demos:
    """The demo of one browser session; released, and so stopped, when its tab closes."""

    def __init__(self) -> None:
        self.current: LiveDemo | None = None

    def start(self, memory: Memory, seed: int, settings: Settings, pace: float) -> LiveDemo:
        """Begin a run; one that was under way is stopped."""
        self.release()
        self.current = LiveDemo(memory, seed, settings, pace)
        return self.current

    def of(self, run_id: str) -> LiveDemo | None:
        """The run of this id while it goes on, or where it failed."""
        run = self.current
        return run if run is not None and run.run_id == run_id else None

    def release(self) -> None:
        """Stop whatever runs."""
        if self.current is not None:
            self.current.stop()


@st.cache_resource(scope="session", on_release=Demos.release, show_spinner=False)
def demos() -> Demos:
    """The demo of this browser session."""
    return Demos()
