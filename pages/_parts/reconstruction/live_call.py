"""What the model of a run is saying now, in a box that keeps its height, so that nothing jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.model_calls import ROLE_NAMES, asked_again
from memcore.view.naming import counted
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from pages._parts.reconstruction.live_run import Heard, LiveRun

HEIGHT, TEXT = 164, 96  # pixels
TAIL = 1_500  # characters of the reply that are shown, its end


def live_call(run: LiveRun, key: str = "live-call") -> None:
    """The role, its text as it comes, or the countdown before it is asked again."""
    heard = run.heard
    with st.container(border=True, height=HEIGHT, key=key, gap="small"):
        st.markdown(f":small[{_doing(run, heard)}]")
        if heard.text:
            cut = "…" if len(heard.text) > TAIL else ""
            with st.container(height=TEXT, border=False, autoscroll=True):
                st.code(cut + verbatim(heard.text[-TAIL:]), language=None, wrap_lines=True)


def _doing(run: LiveRun, heard: Heard) -> str:
    role = f"**{ROLE_NAMES.get(heard.role, 'A model')}**"
    if run.held:
        return "Paused between two steps: no model is asked."
    if heard.wait:
        wait = heard.wait
        return f":material/hourglass_top: {role} · {asked_again(wait)} · {plain(wait.why, 120)}"
    if heard.text:
        return f":material/edit_note: {role} · the model has replied {counted(len(heard.text), 'character')}"
    return ":material/more_horiz: Waiting for the model …"
