"""One change: what it did to each record, who made it and why, and how it is taken back or brought back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.view.before_after import Changed, in_words
from memcore.view.conversations import pages_of
from memcore.view.history import authors, ends_of, reasons, title
from memcore.view.naming import counted
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.editing import turning
from pages._parts.history.names import named
from pages._parts.privacy.link import receipt_link
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

Open = Callable[[str], None]
SELECTED = "change"  # in the address
PAGE = 12
MOST = 600  # lines of a difference that are made
READ = 20_000  # records of a change that is still read whole


def change(memory: Memory, row: ChangeRow, by_group: Mapping[str, ChangeRow], on_open: Open) -> None:
    """The selected change."""
    with st.container(border=True, key="history:change"):
        of = [e.group for e in row.events if e.kind == "undone" or e.kind == "redone"]
        records = named(memory, [row, *(by_group[g] for g in of if g in by_group)])
        st.markdown(f"**{plain(title(row, records, by_group), 120)}**")
        _said(row)
        if of and of[0] in by_group:
            st.button("Open that change", on_click=on_open, args=(of[0],), key="history:of")
        elif row.undoable or row.redoable:
            _turn(memory, row, by_group, on_open)
        elif row.events[-1].kind == "erased":
            receipt_link(row.group, memory.name)
        elif row.undone:
            st.caption("An import that was undone is brought back by importing the file again.")
        if not of:
            _difference(memory, row)


def _said(row: ChangeRow) -> None:
    who = ", ".join(plain(name, 60) for name in authors(row)) or "Made by the program"
    state = " · undone" if row.undone else ""
    st.caption(f"{who} · {plain(instant(row.when, zone()))}{state}")
    for reason in reasons(row)[:5]:
        st.markdown(f"Why: {plain(reason, 600)}")


def _turn(memory: Memory, row: ChangeRow, by_group: Mapping[str, ChangeRow], on_open: Open) -> None:
    """Undo or redo. What rests on a change is listed, with the offer to undo it too."""
    if turning.under_way():
        return
    if row.redoable:
        st.button("Redo", on_click=_redo, args=(memory, row), key="history:redo", icon=":material/redo:")
        return
    later = memory.blockers(row.group)
    if later:
        _resting(memory, later, by_group, on_open)
    st.button(
        f"Undo all {len(later) + 1:,}" if later else "Undo",
        on_click=_undo,
        args=(memory, row, later),
        key="history:undo",
        icon=":material/undo:",
    )


def _resting(
    memory: Memory, later: Sequence[ChangeRow], by_group: Mapping[str, ChangeRow], on_open: Open
) -> None:
    rests = "later change rests" if len(later) == 1 else "later changes rest"
    st.markdown(f":material/block: {len(later):,} {rests} on this one and must be undone first:")
    records = named(memory, [*later])
    with st.container(gap=None):
        for at, other in enumerate(later[:5]):
            name = plain(title(other, records, by_group), 70)
            st.button(
                name, key=f"history:later:{at}", on_click=on_open, args=(other.group,), type="tertiary",
                icon=":material/subdirectory_arrow_right:",
            )  # fmt: skip
        if len(later) > 5:
            st.caption(f"and {len(later) - 5:,} more")


def _undo(memory: Memory, row: ChangeRow, later: Sequence[ChangeRow]) -> None:
    st.query_params[SELECTED] = row.group  # what was undone stays selected, to be brought back
    says = f"Taken back: {counted(len(later) + 1, 'change')}."
    turning.turn(memory, row, partial(_told, says), later=later)


def _redo(memory: Memory, row: ChangeRow) -> None:
    st.query_params[SELECTED] = row.group
    turning.turn(memory, row, partial(_told, "Brought back."), redo=True)


def _told(says: str, error: MemcoreError | None) -> None:
    st.toast(plain(str(error)) if error else says, icon=":material/info:" if error else None)


def _difference(memory: Memory, row: ChangeRow) -> None:
    """Before and after in words; of an import, or of very much, the numbers alone."""
    numbers = f"{counted(row.made, 'record')} made, {row.updated:,} changed, {row.deleted:,} deleted"
    if row.events[-1].kind == "imported" or row.made + row.updated + row.deleted > READ:
        st.caption(numbers)
        return
    before, after = memory.difference(row.group)
    around = memory.get(ends_of((*before, *after)))
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
