"""Which run a page shows, at which step, and the address that opens the same again.

The address is the truth when a person follows a link; the session is the truth when a run was just
opened or a step was just taken, because the browser may still send the address it had before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.naming import counted

if TYPE_CHECKING:
    from memcore.memory import Memory


@dataclass(frozen=True)
class Opened:
    """What is open on one page.

    `param` names it in the address, where a step of it, called `noun`, and whatever stands `beside` follow;
    `anew` is called whenever another one is opened, and finds in the address what a link says of it.
    """

    param: str
    noun: str
    beside: tuple[str, ...] = ()
    anew: Callable[[], None] = lambda: None

    @property
    def now(self) -> str:
        """The id of what was open last, or ""; the address may ask for another."""
        return st.session_state.get(self._key("open")) or ""

    def open(self, id_: str, of: str = "") -> None:
        """Show this one from now on, at its end; "" shows none. `of` names its memory where that is new."""
        state = st.session_state
        state[self._key("before")] = st.query_params.get(self.param, "")
        if of:
            state[self._key("of")] = of
        self._begin(id_)

    def shown(self, memory: Memory) -> str:
        """The id of the one to show, or "". It is in the address when this returns."""
        state, asked = st.session_state, str(st.query_params.get(self.param, ""))
        if state.get(self._key("of"), memory.id) != memory.id and asked in ("", self.now):
            self._begin("")  # another memory was chosen: it has others
        elif asked and asked not in (self.now, state.get(self._key("before"))):
            st.query_params[self.param] = asked  # a link to the page it is on leaves the browser's as it was
            self._begin(asked)
        elif asked == self.now:
            state[self._key("before")] = None  # the browser has caught up
        state[self._key("of")] = memory.id
        if self.now:
            self._address(self.now)
        return self.now

    def step_asked(self, last: int) -> tuple[int, str]:
        """The step to show of one with `last` steps, and a sentence where the address asks for none of them.

        The step that was shown before wins over the address, which wins over the last step.
        """
        kept = st.session_state.get(self._key("at"))
        if kept is not None:
            return min(max(kept, 1), last), ""
        asked = str(st.query_params.get("step", ""))
        short = len(asked) <= len(str(last))  # an address can be of any length, a number cannot
        if not asked or (short and asked.isascii() and asked.isdigit() and 1 <= int(asked) <= last):
            return int(asked or last), ""
        steps, one = counted(last, self.noun), self.noun
        return last, f"This run has {steps}; the {one} in the address is none of them, so the last is shown."

    def keep_step(self, step: int) -> None:
        """Remember the step shown, and put it into the address."""
        st.session_state[self._key("at")] = step
        if st.query_params.get("step") != str(step):
            st.query_params["step"] = str(step)

    def to_end(self) -> None:
        """Show the last step, however many there will be."""
        st.session_state[self._key("at")] = None

    def _key(self, name: str) -> str:
        return f"opened:{self.param}:{name}"

    def _begin(self, id_: str) -> None:
        st.session_state[self._key("open")] = id_
        self.to_end()
        self._address(id_)
        self.anew()

    def _address(self, id_: str) -> None:
        if id_ and st.query_params.get(self.param) == id_:
            return
        for name in (self.param, "step", *self.beside):
            st.query_params.pop(name, None)
        if id_:
            st.query_params[self.param] = id_
