"""One field, one widget: how each kind of value is typed, and read back.

What is typed is held by the session and sent with whatever is pressed next (`on_change="ignore"`): nothing
that is pressed beside it can lose it, and no run in between takes the focus away.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from memcore.editing.fields import MOST_SENSITIVE, Field
from memcore.records import Moment
from memcore.view.naming import human_time
from memcore.view.typed_times import as_typed, typed_moment
from pages._parts.say import verbatim

HELD: dict[str, Any] = {"persist_state": "session", "on_change": "ignore"}
TALL: dict[str, Any] = {"height": 160}
SENSITIVE = ("open", "somewhat sensitive", "sensitive", "most sensitive")
WHEN = (
    "A day, month, year or span: 2023-05-03, May 2023, 2023, 2023년 5월 3일, 2023-05-01 to 2023-05-07. "
    "Empty: unknown."
)


def widget(field: Field, value: Any, key: str, **look: Any) -> None:
    """Draw the widget of a field, first with this value; what it holds then is read with `read`."""
    st.session_state.setdefault(key, held(field, value))
    look = {"label": field.label, "key": key} | HELD | look
    if field.choices:
        st.selectbox(options=field.choices, format_func=verbatim, **look)
    elif field.name == "pinned":
        st.checkbox(**look)
    elif field.name == "sensitivity":
        st.selectbox(options=range(MOST_SENSITIVE + 1), format_func=SENSITIVE.__getitem__, **look)
    elif field.name == "event":
        st.text_input(help=WHEN, **look)
    elif field.name == "text":
        st.text_area(**(TALL | look))
    else:
        st.text_input(**look)


def held(field: Field, value: Any) -> Any:
    """What the widget of a field holds for a value."""
    if field.choices:
        return value if value in field.choices else field.choices[0]
    if field.name == "event":
        return as_typed(value) if value else ""
    empty = {"pinned": False, "sensitivity": 0}
    return value or empty.get(field.name, "")


def read(field: Field, typed: Any) -> Any:
    """The value of what a widget holds. Raises InputError for a time that is none."""
    return typed_moment(typed or "") if field.name == "event" else typed


def as_text(field: str, value: Any) -> str:
    """A value to be read."""
    if isinstance(value, Moment):
        return human_time(value)
    if field == "pinned":
        return "yes" if value else "no"
    if field == "sensitivity":
        return SENSITIVE[value]
    return verbatim(str(value))
