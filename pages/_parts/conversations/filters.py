"""The filters of turns: one bar for browsing a conversation and for searching all of them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import Wanted
from pages._parts.clock import TWO_DAYS, zone
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Conversation

WHO, WHERE, WHEN, WITHIN = "turns:who", "turns:where", "turns:when", "turns:within"
WIDE = 200  # of one filter; those that have no room go to the next line
ALL, ONE = "All conversations", "The open one"


def turn_filters(memory: Memory, talks: list[Conversation], talk: Conversation, *, searching: bool) -> Wanted:
    """Speaker, session, days and, for a search, where; a filter with nothing to choose from is not shown.

    Sessions belong to the open conversation, so a search over all of them does not ask for one.
    """
    sessions = list(dict.fromkeys(t.session for t in memory.turns(talk.id) if t.session))
    with st.container(horizontal=True):
        within = _within() if searching and len(talks) > 1 else ONE
        who = _several("Speakers", list(dict.fromkeys(s for t in talks for s in t.speakers)), WHO)
        where = _several("Sessions", sessions, f"{WHERE}:{talk.id}") if within == ONE else ()
        first, last = _days(memory)
    only = talk.id if searching and within == ONE and len(talks) > 1 else ""
    return Wanted(who, where, first, last, only, zone())


def clear_filters(talk_id: str) -> None:
    """No turn is hidden any more."""
    for key in (WHO, f"{WHERE}:{talk_id}"):
        st.session_state[key] = []
    st.session_state[WHEN] = ()
    st.session_state[WITHIN] = ALL


def _within() -> str:
    return st.selectbox("Search in", (ALL, ONE), key=WITHIN, persist_state="session", width=WIDE)


def _several(label: str, options: list[str], key: str) -> tuple[str, ...]:
    if len(options) < 2:
        return ()
    names = {option: verbatim(option, 40) for option in options}
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in names]
    return tuple(
        st.multiselect(
            label, options, format_func=names.__getitem__, key=key, placeholder="All",
            persist_state="session", width=WIDE,
        )
    )  # fmt: skip


def _days(memory: Memory) -> tuple[date | None, date | None]:
    days = memory.snapshot().graph.columns.said_days
    known = days[days > 0]
    if not len(known) or known.min() == known.max():
        return None, None
    least, most = date.fromordinal(int(known.min())), date.fromordinal(int(known.max()))
    if any(not least <= chosen <= most for chosen in st.session_state.get(WHEN, ())):
        st.session_state[WHEN] = ()
    when = st.date_input(
        "Said between", value=(), min_value=least, max_value=most, key=WHEN, persist_state="session",
        width=TWO_DAYS,
    )  # fmt: skip
    return (when[0] if when else None), (when[1] if len(when) > 1 else None)
