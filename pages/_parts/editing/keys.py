"""The keys of editing: each presses the button on the page that a person would press."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# Registered once per process, when the first page imports this module.
_keys = st.components.v2.component(
    "memcore_edit_keys", html="<i></i>", js=Path(__file__).with_name("keys.js").read_text("utf-8")
)


def keys() -> None:
    """Listen on this page."""
    _keys(key="edit:keys")
