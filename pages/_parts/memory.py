"""Which memory the pages show: one handle per folder, the scope that the person chose, and the first start.

A store that holds nothing is filled with the sample memories in a thread of its own, so that a first
start has something to show without being asked for it.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.settings import store_folder
from pages._parts.states import nothing_stored, shown_errors, still_processing

if TYPE_CHECKING:
    from memcore.memory import Memories, Memory

POLL = 0.5


def current() -> Memory:
    """The memory of the chosen scope: the sidebar's choice, else the address's, else the first.

    While the samples are on their way, or when there is nothing, draws that and ends the page.
    Raises MemcoreError: the folder cannot be opened, or there is no memory of that name.
    """
    names = memories().scopes()
    if not names:
        _wait_for_samples()
    chosen = st.session_state.get("scope") or st.query_params.get("scope") or names[0]
    return _memory(store_folder(), chosen)


def choose() -> None:
    """The sidebar's choice of scope: whose memory is shown."""
    with shown_errors():
        scopes = memories().scopes()
        if scopes:
            st.selectbox("Whose memory", scopes, key="scope", bind="query-params")


def memories() -> Memories:
    """All memories of the store that this server was started on. Raises MemcoreError."""
    return _opened(store_folder())


@st.cache_resource(show_spinner="Opening the memory …")
def _opened(folder: str) -> Memories:
    from memcore.memory import Memories

    return Memories.open(folder)


@st.cache_resource(show_spinner="Reading the graph …", max_entries=8)
def _memory(folder: str, scope: str) -> Memory:
    return _opened(folder).scope(scope)


class Samples:
    """The sample memories on their way into a store."""

    def __init__(self, into: Memories) -> None:
        self._into = into
        self.files = 0
        self.done = False
        self.error: MemcoreError | None = None
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        from memcore import samples

        try:
            for step in samples.load(self._into):
                self.files += hasattr(step, "format")
        except MemcoreError as error:
            self.error = error
        finally:
            self.done = True


@st.cache_resource(show_spinner=False)
def _samples(folder: str) -> Samples:
    return Samples(_opened(folder))


def _wait_for_samples() -> None:
    """Draw what a store without any memory shows, and end the page."""
    if os.environ.get("MEMCORE_STORE") and not os.environ.get("MEMCORE_SAMPLES"):
        nothing_stored()
        st.stop()
    loading = _samples(store_folder())

    @st.fragment(run_every=POLL)
    def watch() -> None:
        if loading.error is not None:
            raise loading.error
        still_processing(loading.files, 4)
        if loading.done or memories().scopes():
            st.rerun()

    watch()
    st.stop()
