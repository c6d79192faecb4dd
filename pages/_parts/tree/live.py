"""The demo agent at work in the background: whatever happens is stored at once, the page reads the same."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st

from memcore.agent_runs import WholeRun
from memcore.demo.playing import Roles, visit
from memcore.errors import Cancelled
from pages._parts.at_work import AtWork
from pages._parts.pausing import Pausing, UnderWay
from pages._parts.tree.loaded import Loaded, loaded

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.settings import Settings

STOPPED = "stopped"


class LiveDemo(Pausing):
    """One visit to the shop."""

    def __init__(self, memory: Memory, seed: int, settings: Settings, pace: float) -> None:
        super().__init__(pace)
        self._settings = settings
        self.at_work = AtWork()
        work = memory.followed_by(self.at_work.listening).work(lambda: self.stopping)
        self._visit = visit(seed, [], settings, Roles(work.verifier(), work.summariser()))
        self._log = memory.runs.live(self._visit.run())
        self._visit.memory.log = self._log
        self.run_id = self._visit.memory.run_id

    def seen(self) -> Loaded:
        """The run as far as it is now."""
        memory = self._visit.memory
        whole = WholeRun(self._visit.run(), list(memory.steps.values()), list(memory.marks.values()))
        known = len(whole.steps) + len(whole.marks)
        events = [event for event in list(memory.events) if getattr(event, "step", 0) <= len(whole.steps)]
        return loaded((self.run_id, known), whole, events, self._settings)

    def work(self) -> None:
        """What was done until it is stopped is a run like any other."""
        with suppress(Cancelled):  # a model was being asked
            for _ in self._visit.events():
                self.between_steps()
                if self.stopping:
                    break
        ended = self._visit.run()
        if self._visit.memory.steps:
            self._log.finish(ended.outcome or STOPPED, ended.reward)


class Demos(UnderWay[LiveDemo]):
    """The demo of one browser session."""

    def of(self, run_id: str) -> LiveDemo | None:
        """The run of this id while it goes on, or where it failed."""
        run = self.current
        return run if run is not None and run.run_id == run_id else None


@st.cache_resource(scope="session", on_release=Demos.release, show_spinner=False)
def demos() -> Demos:
    """The demo of this browser session."""
    return Demos()
