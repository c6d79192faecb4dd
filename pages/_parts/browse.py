"""Browsing: conversations on the left, on the right the turns of the open one, filtered and in pages."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import PAGE, Wanted, filtered, page_holding, pages_of
from memcore.view.naming import counted, human_time
from pages._parts.say import plain, verbatim
from pages._parts.states import filtered_away
from pages._parts.turns import draw_turn

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Conversation, Turn

LISTED = 15
OPEN = "turns:open"  # the open conversation
MARKED = "turns:marked"  # the turn that was jumped to


def open_turn(conversation_id: str, turn_id: str) -> None:
    """Show this turn in its conversation, with no filter in the way."""
    st.session_state[OPEN], st.session_state[MARKED] = conversation_id, turn_id
    st.session_state["turns:search"] = ""
    _clear(conversation_id)
    for key in ("turns:list", f"turns:page:{conversation_id}"):
        st.session_state.pop(key, None)


def browse(memory: Memory) -> None:
    """The list and the open conversation."""
    talks = memory.conversations()
    known = {talk.id: talk for talk in talks}
    if st.session_state.get(OPEN) not in known:
        st.session_state[OPEN] = talks[0].id
    left, right = st.columns([2, 5], gap="large")
    with left:
        _list(talks)
    with right:
        _conversation(memory, known[st.session_state[OPEN]])


def _list(talks: list[Conversation]) -> None:
    st.caption(counted(len(talks), "conversation"))
    at = next(i for i, talk in enumerate(talks) if talk.id == st.session_state[OPEN])
    page, pages = at // LISTED + 1, pages_of(len(talks), LISTED)
    if pages > 1:
        page = st.pagination(pages, default=page, key="turns:list", max_visible_pages=5)
    shown = talks[(page - 1) * LISTED : page * LISTED]
    names = {talk.id: plain(talk.title or talk.source, 60) or "Untitled" for talk in shown}
    key = f"turns:talks:{page}"
    st.session_state[key] = st.session_state[OPEN] if st.session_state[OPEN] in names else None
    st.radio(
        "Conversation",
        list(names),
        index=None,
        format_func=names.__getitem__,
        captions=[f"{talk.turns:,} turns · {plain(human_time(talk.started))}" for talk in shown],
        key=key,
        on_change=_opened,
        args=(key,),
        label_visibility="collapsed",
    )


def _opened(key: str) -> None:
    st.session_state[OPEN] = st.session_state[key]
    st.session_state.pop(MARKED, None)


def _conversation(memory: Memory, talk: Conversation) -> None:
    turns = memory.turns(talk.id)
    wanted = _filters(talk, turns)
    found = filtered(turns, wanted)
    if turns and not found:
        filtered_away(len(turns), lambda: _clear(talk.id))
        return
    marked = st.session_state.get(MARKED, "")
    pages = pages_of(len(found))
    page = 1
    hidden = f"; {len(turns) - len(found):,} hidden by the filters" if len(found) < len(turns) else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        if pages > 1:
            page = st.pagination(pages, default=page_holding(found, marked), key=f"turns:page:{talk.id}")
            page = min(page, pages)
        first, last = (page - 1) * PAGE + 1, min(page * PAGE, len(found))
        st.caption(f"Turns {first:,} to {last:,} of {len(found):,}{hidden}", width="content")
    for turn in found[first - 1 : last]:
        draw_turn(memory, turn, marked=turn.id == marked)


def _filters(talk: Conversation, turns: list[Turn]) -> Wanted:
    """Speaker, session and days; a filter with nothing to choose from is not shown."""
    speakers = list(dict.fromkeys(t.speaker for t in turns if t.speaker))
    sessions = list(dict.fromkeys(t.session for t in turns if t.session))
    days = sorted({t.said.start.date() for t in turns if t.said.start})
    columns = iter(st.columns(3))
    who = _several("Speakers", speakers, next(columns), f"turns:who:{talk.id}")
    where = _several("Sessions", sessions, next(columns), f"turns:where:{talk.id}")
    when: tuple[date, ...] = ()
    if len(days) > 1:
        when = next(columns).date_input(
            "Said between", value=(), min_value=days[0], max_value=days[-1], key=f"turns:when:{talk.id}"
        )
    first = when[0] if when else None
    return Wanted(who, where, first, when[1] if len(when) > 1 else None)


def _several(label: str, options: list[str], column, key: str) -> tuple[str, ...]:
    if len(options) < 2:
        return ()
    names = {option: verbatim(option, 40) for option in options}
    return tuple(
        column.multiselect(label, options, format_func=names.__getitem__, key=key, placeholder="All")
    )


def _clear(talk_id: str) -> None:
    for name in ("who", "where", "when"):
        st.session_state.pop(f"turns:{name}:{talk_id}", None)
