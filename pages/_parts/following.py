"""A memory that was renamed, here or elsewhere, stays the one that a tab shows.

A tab keeps what each name stood for when it looked last: the random part of the tables' names, which no
renaming changes.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_KNOWN = "scope:known"


def renamed(chosen: str | None, tables: Mapping[str, str]) -> str | None:
    """What the chosen memory is called now, where it is called otherwise; `tables` are all there are."""
    known: Mapping[str, str] = st.session_state.get(_KNOWN, {})
    was = known.get(chosen or "")
    if was is None or tables.get(chosen or "") == was:
        return None
    return next((name for name, table in tables.items() if table == was), None)


def seen(tables: Mapping[str, str]) -> None:
    """Keep what each name stands for now."""
    st.session_state[_KNOWN] = dict(tables)
