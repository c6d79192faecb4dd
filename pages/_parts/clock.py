"""The reader's time zone, as the browser gives it."""

from __future__ import annotations

import streamlit as st


def zone() -> str:
    """A name like Asia/Seoul; "" where the browser does not say, which is then shown as UTC."""
    found = st.context.timezone
    return found if isinstance(found, str) else ""
