"""Thresholds proposed for a wanted share of the units; a large memory is looked through in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.absorbing.foresight import calibrated
from pages._parts.job import Job
from pages._parts.recurrence.sliders import put, tried

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded

SHARE, _LOOKING = "whatif:share", "whatif:proposing"
FEW, WAIT = 2_000, 20.0  # units that are waited for, and at most so many seconds


def propose(loaded: Loaded, share: float) -> None:
    """The wanted share, at first this one, and the button that looks for thresholds."""
    with st.container(border=True):
        st.slider(
            "Share of the units that should move", 0.05, 0.95, min(max(share, 0.05), 0.95), step=0.05,
            format="percent", key=SHARE, persist_state="session",
        )  # fmt: skip
        busy = _LOOKING in st.session_state
        label = "Looking for thresholds …" if busy else "Propose thresholds"
        st.button(label, on_click=_proposed, args=(loaded,), disabled=busy, key="whatif:propose")
        st.caption("Looks for the similarities at which about that share would be consolidated or merged.")
        if busy:
            _looking()


def _proposed(loaded: Loaded) -> None:
    """At once where there are few units; else in the background, so that the page goes on."""
    share = st.session_state[SHARE]
    like = tried()
    job = Job(lambda _: (calibrated(loaded.units, share, like) for _ in range(1)))
    st.session_state[_LOOKING] = job
    if len(loaded.units) <= FEW:
        job.wait(WAIT)
        proposal_ended()


def proposal_ended() -> None:
    """Put the sliders on what was found, once it was. Before they are drawn."""
    job: Job | None = st.session_state.get(_LOOKING)
    if job is not None and job.ended:
        del st.session_state[_LOOKING]
        if job.error:
            raise job.error
        put(job.items[0].thresholds)


@st.fragment(run_every=0.5)
def _looking() -> None:
    job: Job | None = st.session_state.get(_LOOKING)
    if job is None or job.ended:
        st.rerun()
