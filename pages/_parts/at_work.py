"""The models of work in the background: how often they were asked, and what they are waiting for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.llm.listening import Listening
from memcore.llm.patience import Wait
from memcore.view.model_calls import asked_again
from memcore.view.naming import counted
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.llm.asking import Called


@dataclass
class AtWork:
    """Filled by the thread that works, read by the page. `wait` is there while a countdown runs."""

    calls: int = 0
    tokens: int = 0
    wait: Wait | None = None

    @property
    def listening(self) -> Listening:
        """Who follows, for `Memory.followed_by`."""
        return Listening(waiting=self._waiting, called=self._called)

    def _waiting(self, wait: Wait) -> None:
        self.wait = wait

    def _called(self, called: Called) -> None:
        self.calls, self.wait = self.calls + 1, None
        self.tokens += called.usage.sent + called.usage.received


def models_at_work(at: AtWork) -> None:
    """One line, there from the beginning, so that it moves nothing when the first model is asked."""
    if at.wait:
        icon, says = "hourglass_top", f"The model is {asked_again(at.wait)} · {plain(at.wait.why, 160)}"
    elif at.calls:
        so_far = f"{counted(at.calls, 'call')} to the model so far"
        icon, says = "smart_toy", f"{so_far}, {counted(at.tokens, 'token')}"
    else:
        icon, says = "smart_toy", "No model was asked so far."
    st.caption(f":material/{icon}: {says}")
