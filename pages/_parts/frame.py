"""The list of pages, and the guard that makes a deep link open the right one on a fresh server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage


def configure() -> None:
    """The page config. The emoji matters: a Material icon in the browser's tab would be fetched."""
    st.set_page_config(page_icon="🧠", layout="wide")


def pages() -> list[StreamlitPage]:
    """The pages in the order of the sidebar; the first is what an empty address opens."""
    return [
        st.Page("pages/overview.py", title="Overview", icon=":material/home:", default=True),
        st.Page("pages/conversations.py", title="Conversations", icon=":material/forum:"),
        st.Page("pages/recurrence.py", title="Recurrence", icon=":material/repeat:"),
        st.Page("pages/graph.py", title="Graph", icon=":material/hub:"),
        st.Page("pages/reconstruction.py", title="Reconstruction", icon=":material/timeline:"),
        st.Page("pages/state_tree.py", title="State tree", icon=":material/account_tree:"),
        st.Page("pages/privacy.py", title="Privacy", icon=":material/shield_person:"),
        st.Page("pages/history.py", title="History", icon=":material/history:"),
        st.Page("pages/settings.py", title="Settings", icon=":material/settings:"),
    ]


def leave_v1_mode() -> None:
    """First line of every page: a deep link as the first request must run app.py first.

    Until `st.navigation` was called once, Streamlit serves the files in `pages/` by name, without
    page config, sidebar and titles. Calling it here switches this process over; then app.py runs.
    """
    from streamlit.runtime.pages_manager import PagesManager

    if PagesManager.uses_pages_directory:
        configure()
        st.navigation(pages(), position="hidden")
        st.rerun()
