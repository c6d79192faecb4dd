"""One field, one widget: how each kind of value is typed, and read back.

A widget is keyed by the record and the revision it was opened at, so that what is typed once is kept
once, and a value that somebody else saved never slips under it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from memcore.editing.fields import MOST_SENSITIVE, Field
from memcore.records import Moment
from memcore.view.naming import human_time
from memcore.view.typed_times import as_typed, typed_moment
from pages._parts.say import verbatim

SENSITIVE = ("open", "somewhat sensitive", "sensitive", "most sensitive")
WHEN = (
    "A day, month, year or span: 2023-05-03, May 2023, 2023, 2023년 5월 3일, 2023-05-01 to 2023-05-07. "
    "Empty: unknown."
)


def widget(field: Field, value: Any, key: str) -> None:
    """Draw the widget of a field; what it holds is read with `typed`."""
    keep = {"key": key, "persist_state": "session"}
    if field.choices:
        at = field.choices.index(value) if value in field.choices else 0
        st.selectbox(field.label, field.choices, index=at, format_func=verbatim, **keep)
    elif field.name == "pinned":
        st.checkbox(field.label, value=bool(value), **keep)
    elif field.name == "sensitivity":
        degrees = range(MOST_SENSITIVE + 1)
        st.selectbox(field.label, degrees, index=value or 0, format_func=SENSITIVE.__getitem__, **keep)
    elif field.name == "event":
        st.text_input(field.label, value=as_typed(value) if value else "", help=WHEN, **keep)
    elif field.name == "text":
        st.text_area(field.label, value=value or "", height=160, **keep)
    else:
        st.text_input(field.label, value=value or "", **keep)


def typed(field: str, key: str) -> Any:
    """The value that was typed. Raises InputError for a time that is none."""
    value = st.session_state.get(key)
    return typed_moment(value or "") if field == "event" else value


def as_text(field: str, value: Any) -> str:
    """A value to be read."""
    if isinstance(value, Moment):
        return human_time(value)
    if field == "pinned":
        return "yes" if value else "no"
    if field == "sensitivity":
        return SENSITIVE[value]
    return verbatim(str(value))
