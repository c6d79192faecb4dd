"""Browsing: conversations on the left, on the right the turns of the open one, filtered and in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import PAGE, Wanted, filtered, page_holding, pages_of
from memcore.view.naming import counted
from memcore.view.times import shown
from pages._parts.clock import zone
from pages._parts.conversations.filters import clear_filters, turn_filters
from pages._parts.conversations.turns import draw_turn
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain
from pages._parts.states import filtered_away

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Conversation

LISTED = 15
OPEN = "turns:open"  # the open conversation
MARKED = "turns:marked"  # the turn that was jumped to
SEARCH = "turns:search"


def open_turn(conversation_id: str, turn_id: str) -> None:
    """Show this turn in its conversation, with no search and no filter in the way."""
    st.session_state[OPEN], st.session_state[MARKED] = conversation_id, turn_id
    st.session_state[SEARCH], st.session_state["view"] = "", "Browse"
    clear_filters(conversation_id)
    for key in ("turns:list", f"turns:page:{conversation_id}"):
        st.session_state.pop(key, None)


def opened(talks: list[Conversation]) -> Conversation:
    """The open conversation, the first where none is."""
    found = {talk.id: talk for talk in talks}.get(st.session_state.get(OPEN, ""), talks[0])
    st.session_state[OPEN] = found.id
    return found


def browse(memory: Memory) -> None:
    """The list and the open conversation."""
    talks = memory.conversations()
    talk = opened(talks)
    left, right = st.columns([2, 5], gap="large")
    with left:
        _list(memory, talks)
    with right:
        _conversation(memory, talk, turn_filters(memory, talks, talk, searching=False))


def _list(memory: Memory, talks: list[Conversation]) -> None:
    st.caption(counted(len(talks), "conversation"))
    at = next(i for i, talk in enumerate(talks) if talk.id == st.session_state[OPEN])
    page, pages = at // LISTED + 1, pages_of(len(talks), LISTED)
    if pages > 1:
        page = st.pagination(pages, default=page, key="turns:list", max_visible_pages=5)
    listed = talks[(page - 1) * LISTED : page * LISTED]
    names = {talk.id: plain(talk.title or talk.source, 60) or "Untitled" for talk in listed}
    turns = memory.turn_counts(names)
    key = f"turns:talks:{page}"
    st.session_state[key] = st.session_state[OPEN] if st.session_state[OPEN] in names else None
    st.radio(
        "Conversation",
        list(names),
        index=None,
        format_func=names.__getitem__,
        captions=[f"{counted(turns[t.id], 'turn')} · {plain(shown(t.started, zone()))}" for t in listed],
        key=key,
        on_change=_opened,
        args=(key,),
        label_visibility="collapsed",
    )


def _opened(key: str) -> None:
    st.session_state[OPEN] = st.session_state[key]
    st.session_state.pop(MARKED, None)


def _conversation(memory: Memory, talk: Conversation, wanted: Wanted) -> None:
    turns = memory.turns(talk.id)
    found = filtered(turns, wanted)
    if turns and not found:
        filtered_away(len(turns), lambda: clear_filters(talk.id))
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
        erase_link(talk.id, memory.name, "Erase the whole conversation for good…")
    for turn in found[first - 1 : last]:
        draw_turn(memory, turn, marked=turn.id == marked)
