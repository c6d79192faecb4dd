"""Saving what was chosen, and saying so: a refused value is one sentence, and then nothing was changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from memcore.configuration import Configuration
from memcore.errors import MemcoreError
from pages._parts.memory import memories
from pages._parts.say import plain

SAVED, REFUSED = "settings:saved", "settings:refused"


def now() -> Configuration:
    """What is chosen at the moment."""
    return memories().models.configuration


def save(says: str, **fields: Any) -> bool:
    """Keeps these fields of the configuration; whether they were accepted."""
    try:
        memories().configure(replace(now(), **fields))
    except MemcoreError as error:
        st.session_state[REFUSED] = str(error)
        return False
    st.session_state[SAVED] = says
    return True


def told() -> None:
    """What the last Save came to, said once."""
    if says := st.session_state.pop(SAVED, ""):
        st.success(plain(says), icon=":material/check:")
    if why := st.session_state.pop(REFUSED, ""):
        st.warning(f"{plain(why)} Nothing was saved.", icon=":material/info:")


def forget(start: str) -> None:
    """Widgets whose key begins so show what is saved again."""
    for key in [k for k in st.session_state if str(k).startswith(start)]:
        del st.session_state[key]
