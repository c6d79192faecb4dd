"""Which memory the pages show: one handle per folder, and the scope that the person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.settings import store_folder
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory


def current() -> Memory:
    """The memory of the chosen scope.

    Raises MemcoreError: the folder cannot be opened, or the scope does not exist.
    """
    return _opened(store_folder()).scope(_scope())


def choose() -> None:
    """The sidebar's choice of scope: whose memory is shown. One scope needs no choice."""
    with shown_errors():
        scopes = _opened(store_folder()).scopes()
        if len(scopes) > 1:
            st.selectbox("Whose memory", scopes, key="scope", bind="query-params")


@st.cache_resource(show_spinner="Opening the memory …")
def _opened(folder: str) -> Memory:
    from memcore.memory import Memory

    return Memory.open(folder)


def _scope() -> str:
    """The scope chosen here, else the one in the address, else the first there is."""
    asked = st.session_state.get("scope") or st.query_params.get("scope")
    return asked or _opened(store_folder()).scopes()[0]
