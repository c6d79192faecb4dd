"""The reader's time zone, as the browser gives it, and the room that days take."""

from __future__ import annotations

import streamlit as st

TWO_DAYS = 255  # pixels in which a range of days can be read


def zone() -> str:
    """A name like Asia/Seoul; "" where the browser does not say, which is then shown as UTC."""
    found = st.context.timezone
    return found if isinstance(found, str) else ""
