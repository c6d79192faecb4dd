"""Which memory the pages show: one handle per folder, and the scope that the person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.settings import store_folder
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memories, Memory


def current() -> Memory:
    """The memory of the chosen scope: the sidebar's choice, else the address's, else the only one.

    Raises MemcoreError: the folder cannot be opened, no scope is chosen, or there is none of that name.
    """
    chosen = st.session_state.get("scope") or st.query_params.get("scope")
    return memories().scope(chosen or memories().only_scope())


def choose() -> None:
    """The sidebar's choice of scope: whose memory is shown. One scope needs no choice."""
    with shown_errors():
        scopes = memories().scopes()
        if len(scopes) > 1:
            st.selectbox("Whose memory", scopes, key="scope", bind="query-params")


def memories() -> Memories:
    """All memories of the store that this server was started on. Raises MemcoreError."""
    return _opened(store_folder())


@st.cache_resource(show_spinner="Opening the memory …")
def _opened(folder: str) -> Memories:
    from memcore.memory import Memories

    return Memories.open(folder)
