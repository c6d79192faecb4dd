"""The list of changes, filtered and in pages; the selected one stands beside it and in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Moment
from memcore.view.change_titles import title
from memcore.view.conversations import pages_of
from memcore.view.history import authors
from memcore.view.naming import counted
from memcore.view.times import day, instant
from pages._parts.clock import zone
from pages._parts.history.change import change
from pages._parts.history.filters import clear, sieve
from pages._parts.history.names import named
from pages._parts.history.node import through_node
from pages._parts.history.offer import SELECTED
from pages._parts.say import plain
from pages._parts.states import filtered_away

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

PAGE = 15
NAME = 100


def changes(memory: Memory, rows: list[ChangeRow]) -> None:
    """Filters above, the list on the left, the selected change on the right."""
    wanted = sieve(memory, rows)
    found = [r for r in through_node(memory, rows) if wanted.passes(r, _day(r))]
    if not found:
        filtered_away(len(rows), clear)
        return
    by_group = {row.group: row for row in rows}
    left, right = st.columns([2, 3], gap="medium")
    with left:
        selected = _list(memory, found, by_group, len(rows))
    with right:
        change(memory, by_group[selected], by_group, open_change)


def open_change(group: str) -> None:
    """Select this change, whatever the filters hide."""
    clear()
    st.query_params[SELECTED] = group
    _forget()


def _day(row: ChangeRow):
    return day(Moment(row.when, row.when, "instant", True), zone()) or row.when.date()


def _list(memory: Memory, found: list[ChangeRow], by_group: Mapping[str, ChangeRow], total: int) -> str:
    """The page on which the selected change stands; the newest is selected where none is, or it is hidden."""
    groups = [row.group for row in found]
    asked = st.query_params.get(SELECTED, "")
    selected = asked if asked in by_group else ""
    at = groups.index(selected) if selected in groups else 0
    pages, page = pages_of(len(found), PAGE), 1
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        if pages > 1:
            page = st.pagination(pages, default=at // PAGE + 1, key="history:page", max_visible_pages=5)
            page = min(page, pages)
        hidden = f"; {total - len(found):,} hidden by the filters" if len(found) < total else ""
        st.caption(f"{counted(len(found), 'change')}, newest first{hidden}", width="content")
    listed = found[(page - 1) * PAGE : page * PAGE]
    stood = named(memory, listed, by_group)
    names = {row.group: _label(row, title(row, stood, by_group)) for row in listed}
    key = f"history:list:{page}"
    if asked and not selected:
        st.caption("The change of this link is not in this memory; the newest is shown.")
    shown = selected or listed[0].group
    st.session_state[key] = shown if shown in names else None
    st.radio(
        "Change",
        list(names),
        index=None,
        format_func=names.__getitem__,
        captions=[_caption(row) for row in listed],
        key=key,
        on_change=_select,
        args=(key,),
        label_visibility="collapsed",
    )
    return shown


def _label(row: ChangeRow, says: str) -> str:
    shown = plain(says, NAME)
    return f":gray[~~{shown}~~] :gray-badge[undone]" if row.undone else shown


def _caption(row: ChangeRow) -> str:
    who = ", ".join(plain(name, 30) for name in authors(row))
    when = plain(instant(row.when, zone()))
    return f"{who} · {when}" if who else when


def _select(key: str) -> None:
    if st.session_state[key]:
        st.query_params[SELECTED] = st.session_state[key]


def _forget() -> None:
    for key in [k for k in st.session_state if str(k).startswith(("history:list:", "history:page"))]:
        del st.session_state[key]
