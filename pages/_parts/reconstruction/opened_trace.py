"""Which run the page shows, at which step, and the address that opens the same again.

The address is the truth when a person follows a link; the session is the truth when a run was just
asked for or a step was just taken, because the browser may still send the address it had before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from memcore.memory import Memory

OPEN, BEFORE, STEP, OF = "trace:open", "trace:before", "trace:at", "trace:of"


def open_trace(memory: Memory, trace_id: str) -> None:
    """Show this run from now on, at its end."""
    state = st.session_state
    state[BEFORE] = st.query_params.get("trace", "")
    state[OPEN], state[OF] = trace_id, memory.name
    _at(None)
    _address(trace_id)


def opened_trace(memory: Memory) -> str:
    """The id of the run to show, or "". It is in the address when this returns."""
    state, asked = st.session_state, st.query_params.get("trace", "")
    if state.get(OF, memory.name) != memory.name and asked in ("", state.get(OPEN)):
        state[OPEN] = asked = ""  # another memory was chosen: its runs are others
        _at(None)
        _address("")
    elif asked and asked != state.get(OPEN) and asked != state.get(BEFORE):
        state[OPEN] = asked
        _at(None)
        st.query_params["trace"] = asked  # a link to the page it is on leaves the browser's address as it was
    elif asked == state.get(OPEN):
        state[BEFORE] = None  # the browser has caught up
    state[OF] = memory.name
    if state.get(OPEN):
        _address(state[OPEN])
    return state.get(OPEN, "")


def step_asked(last: int) -> tuple[int, str]:
    """The step to show of a run with `last` steps, and a sentence where the address asks for none of them.

    The step that was shown before wins over the address, which wins over the last step.
    """
    kept = st.session_state.get(STEP)
    if kept is not None:
        return min(max(kept, 1), last), ""
    asked = str(st.query_params.get("step", ""))
    short = len(asked) <= len(str(last))  # an address can be of any length, a number cannot
    if not asked or (short and asked.isascii() and asked.isdigit() and 1 <= int(asked) <= last):
        return int(asked or last), ""
    steps = f"{last} steps" if last > 1 else "one step"
    return last, f"This run has {steps}; the step in the address is none of them, so the last one is shown."


def keep_step(step: int) -> None:
    """Remember the step shown, and put it into the address."""
    _at(step)
    if st.query_params.get("step") != str(step):
        st.query_params["step"] = str(step)


def _at(step: int | None) -> None:
    st.session_state[STEP] = step


def _address(trace_id: str) -> None:
    if not trace_id:
        st.query_params.pop("trace", None)
        st.query_params.pop("step", None)
    elif st.query_params.get("trace", "") != trace_id:
        st.query_params.pop("step", None)
        st.query_params["trace"] = trace_id
