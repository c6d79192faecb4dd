"""The filters of turns: one bar for browsing a conversation and for searching all of them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import Wanted
from pages._parts.clock import zone
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Conversation

WHO, WHERE, WHEN, WITHIN = "turns:who", "turns:where", "turns:when", "turns:within"
ALL, ONE = "All conversations", "The open one"


def turn_filters(memory: Memory, talks: list[Conversation], talk: Conversation, *, searching: bool) -> Wanted:
    """Speaker, session, days and, for a search, where; a filter with nothing to choose from is not shown.

    Sessions belong to the open conversation, so a search over all of them does not ask for one.
    """
    columns = iter(st.columns([2, 2, 2, 3] if searching else [2, 2, 3]))
    within = _within(next(columns)) if searching and len(talks) > 1 else ONE
    who = _several("Speakers", list(dict.fromkeys(s for t in talks for s in t.speakers)), next(columns), WHO)
    sessions = list(dict.fromkeys(t.session for t in memory.turns(talk.id) if t.session))
    where = _several("Sessions", sessions, next(columns), f"{WHERE}:{talk.id}") if within == ONE else ()
    first, last = _days(memory, next(columns))
    only = talk.id if searching and within == ONE and len(talks) > 1 else ""
    return Wanted(who, where, first, last, only, zone())


def clear_filters(talk_id: str) -> None:
    """No turn is hidden any more."""
    for key in (WHO, f"{WHERE}:{talk_id}"):
        st.session_state[key] = []
    st.session_state[WHEN] = ()
    st.session_state[WITHIN] = ALL


def _within(column) -> str:
    return column.selectbox("Search in", (ALL, ONE), key=WITHIN, persist_state="session")


def _several(label: str, options: list[str], column, key: str) -> tuple[str, ...]:
    if len(options) < 2:
        return ()
    names = {option: verbatim(option, 40) for option in options}
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in names]
    return tuple(
        column.multiselect(
            label, options, format_func=names.__getitem__, key=key, placeholder="All", persist_state="session"
        )
    )


def _days(memory: Memory, column) -> tuple[date | None, date | None]:
    days = memory.snapshot().graph.columns.said_days
    known = days[days > 0]
    if not len(known) or known.min() == known.max():
        return None, None
    least, most = date.fromordinal(int(known.min())), date.fromordinal(int(known.max()))
    if any(not least <= chosen <= most for chosen in st.session_state.get(WHEN, ())):
        st.session_state[WHEN] = ()
    when = column.date_input(
        "Said between", value=(), min_value=least, max_value=most, key=WHEN, persist_state="session"
    )
    return (when[0] if when else None), (when[1] if len(when) > 1 else None)
