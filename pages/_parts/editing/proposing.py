"""The button under what is typed that shows what it would do, before anything is saved.

The edit is made when the button is pressed, of what is typed by then: what the last run saw is that of
before the last key. Enter in a field, or Ctrl+Enter in a text, presses the button (keys.js).
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memcore.errors import InputError
from pages._parts.editing import desk


def entered(name: str) -> DeltaGenerator:
    """A place for fields and the one primary button that Enter in them presses."""
    return st.container(key=f"edit-enter-{name}")


def proposing(label: str, made: Callable[[], desk.Proposal], key: str, *, ready: bool = True) -> None:
    """Draw the button; `made` makes the proposal and raises InputError for what cannot be one."""
    st.button(label, on_click=_propose, args=(made,), disabled=not ready, key=key, type="primary")


def _propose(made: Callable[[], desk.Proposal]) -> None:
    try:
        asked = made()
    except InputError as error:
        desk.tell(str(error))
        return
    if asked.edits:
        desk.propose(asked.edits, asked.seen, asked.typed)
    else:
        desk.tell("Nothing was changed.")
