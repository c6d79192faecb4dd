"""A run in the background, watched by the page: it reads the event list, and what a model is saying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.llm.listening import Listening
from memcore.llm.patience import Wait
from memcore.stopping import Stop
from pages._parts.pausing import Pausing, UnderWay
from pages._parts.reconstruction.who_answers import take_part

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.forking import Override
    from memcore.llm.asking import Called
    from memcore.memory import Memory
    from memcore.reconstruction import Ask
    from memcore.recorded_run import Run

AT_ONCE = 0.4  # seconds that a run without a pace is waited for, so that it is shown whole
Begin = Callable[[Stop, Listening], "Run"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model says in a role: its reply so far, or the wait before it is asked again."""

    role: str = ""
    text: str = ""
    wait: Wait | None = None


class LiveRun(Pausing):
    """One run; `speaks`: models take part in it. Stopping it cuts a model off that is speaking."""

    def __init__(self, begin: Begin, pace: float, speaks: bool = False) -> None:
        super().__init__(pace)
        self.speaks, self.heard = speaks, Heard()
        listening = Listening(waiting=self._waiting, on_text=self._said, called=self._called)
        self._run = begin(lambda: self.stopping, listening)
        self.header = self._run.header
        self.trace_id = self.header.id
        self.events: list[TraceEvent] = []

    def work(self) -> None:
        for event in self._run:
            self.events.append(event)
            if event.kind == "judged":
                self.between_steps()

    def _said(self, role: str, text: str) -> None:
        self.heard = Heard(role, text)

    def _waiting(self, wait: Wait) -> None:
        self.heard = Heard(self.heard.role, wait=wait)

    def _called(self, called: Called) -> None:
        self.heard = Heard(called.task)


class Runs(UnderWay[LiveRun]):
    """The run of one browser session."""

    def ask(self, memory: Memory, ask: Ask, pace: float) -> LiveRun:
        """Begin a run; one that was under way is stopped."""
        speaks = take_part(memory.models, ask.model)
        return self._shown(
            LiveRun(lambda stop, by: memory.ask(ask, cancelled=stop, listening=by), pace, speaks)
        )

    def fork(self, memory: Memory, trace_id: str, step: int, override: Override) -> LiveRun:
        """Go on from a step of a run as a person decided; one that was under way is stopped."""
        asked = memory.trace(trace_id)[1][0]
        speaks = take_part(memory.models, asked.model if asked.kind == "asked" else "")
        return self._shown(
            LiveRun(
                lambda stop, by: memory.fork(trace_id, step, override, cancelled=stop, listening=by),
                0.0,
                speaks,
            )
        )

    def _shown(self, run: LiveRun) -> LiveRun:
        self.begin(run)
        if not run.pace:
            run.wait(AT_ONCE)
        return run


@st.cache_resource(scope="session", on_release=Runs.release, show_spinner=False)
def runs() -> Runs:
    """The runs of this browser session."""
    return Runs()
