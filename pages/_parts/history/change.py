"""One change: what it did to each record, who made it and why (see `offer` for taking it back)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.before_after import Changed, in_words
from memcore.view.change_titles import title, turned
from memcore.view.conversations import pages_of
from memcore.view.history import authors, reasons
from memcore.view.naming import counted
from memcore.view.record_words import ends_of
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.history.erased import erased
from pages._parts.history.imported import imported
from pages._parts.history.names import named
from pages._parts.history.offer import Open, redo_offered, undo_offered
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

PAGE = 12
MOST = 600  # lines of a difference that are made
READ = 20_000  # records of a change that is still read whole


def change(memory: Memory, row: ChangeRow, by_group: Mapping[str, ChangeRow], on_open: Open) -> None:
    """The selected change."""
    with st.container(border=True, key="history:change"):
        of = turned(row)
        says = title(row, named(memory, [row], by_group), by_group)
        st.markdown(f"**{plain(says, 160)}**")
        if row.events[-1].kind == "erased":
            erased(memory, row)
            return
        _said(row)
        if of and of[0] in by_group:
            st.button("Open that change", on_click=on_open, args=(of[0],), key="history:of")
        elif row.undoable:
            undo_offered(memory, row, by_group, on_open)
        elif row.redoable:
            redo_offered(memory, row, by_group)
        elif row.undone:
            st.caption("An import that was undone is brought back by importing the file again.")
        if row.events[-1].kind in ("imported", "runs_imported"):
            imported(memory, row)
        elif not of:
            _difference(memory, row)


def _said(row: ChangeRow) -> None:
    who = ", ".join(plain(name, 60) for name in authors(row)) or _nobody(row)
    state = " · undone" if row.undone else ""
    st.caption(f"{who} · {plain(instant(row.when, zone()))}{state}")
    for reason in reasons(row)[:5]:
        st.markdown(f"Why: {plain(reason, 600)}")


def _nobody(row: ChangeRow) -> str:
    """Whom a change without a name is by: older undos did not keep one."""
    return "By somebody" if turned(row) or row.events[-1].kind == "edited" else "Made by the program"


def _difference(memory: Memory, row: ChangeRow) -> None:
    """Before and after in words; of very much, the numbers alone."""
    numbers = f"{counted(row.made, 'record')} made, {row.updated:,} changed, {row.deleted:,} deleted"
    if row.made + row.updated + row.deleted > READ:
        st.caption(numbers)
        return
    before, after = memory.difference(row.group)
    around = memory.stood({row.group: ends_of((*before, *after))})[row.group]
    found = in_words(before, after, around, MOST)
    pages, page = pages_of(len(found), PAGE), 1
    if pages > 1:
        page = min(st.pagination(pages, key=f"history:diff:{row.group}", max_visible_pages=5), pages)
    if found:
        for column, label in zip(st.columns(2), ("Before", "After"), strict=True):
            column.markdown(f"**{label}**")
    for line in found[(page - 1) * PAGE : page * PAGE]:
        _line(line)
    more = " (the first lines of them are shown)" if len(found) == MOST else ""
    st.caption(f"{numbers}{more}")


def _line(line: Changed) -> None:
    """Two texts beside each other, literally."""
    with st.container(gap=None):
        st.markdown(f":small[:gray[{plain(line.what, 120)}]]")
        left, right = st.columns(2)
        for column, text, sign in ((left, line.before, "before"), (right, line.after, "after")):
            with column, st.container(gap=None):
                if text:
                    st.text(verbatim(text[:2000]))
                else:
                    st.markdown(":gray[was not there]" if sign == "before" else ":gray[removed]")
