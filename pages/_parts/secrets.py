"""Keys out of Streamlit's secrets, by the name of their variable; handed on each time and kept nowhere."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def secrets() -> Mapping[str, str]:
    """The keys that were put into .streamlit/secrets.toml, if there is one."""
    if not st.secrets.load_if_toml_exists():
        return {}
    return {
        name: value for name, value in st.secrets.items() if name.endswith("_KEY") and isinstance(value, str)
    }
