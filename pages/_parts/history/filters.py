"""The filters of the history: kind, author, days, and one cue, tag or memory (see `node`)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.history import SORT_NAMES, Sieve, authors, sort_of
from pages._parts.clock import TWO_DAYS
from pages._parts.history import node
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

KINDS, WHO, WHEN = "history:kinds", "history:who", "history:when"
WIDE = 190  # of one filter; those that have no room go to the next line


def sieve(memory: Memory, rows: list[ChangeRow]) -> Sieve:
    """The filter bar; a filter with nothing to choose from is not shown."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first, last = _days(rows)
        there = {sort_of(row) for row in rows}
        sorts = _several("Kinds", {s: n for s, n in SORT_NAMES.items() if s in there}, KINDS)
        people = dict.fromkeys(name for row in rows for name in authors(row))
        who = _several("Authors", {name: verbatim(name, 40) for name in people}, WHO)
        with st.container(width=WIDE):
            node.chosen(memory)
    node.offered(memory)
    return Sieve(sorts, who, first, last)


def clear() -> None:
    """No change is hidden any more."""
    for key in (KINDS, WHO):
        st.session_state[key] = []
    st.session_state[WHEN] = ()
    node.forget()


def _several(label: str, names: dict[str, str], key: str) -> tuple[str, ...]:
    if len(names) < 2:
        return ()
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in names]
    return tuple(
        st.multiselect(
            label, list(names), format_func=names.__getitem__, key=key, placeholder="All",
            persist_state="session", width=WIDE,
        )
    )  # fmt: skip


def _days(rows: list[ChangeRow]) -> tuple[date | None, date | None]:
    least, most = min(r.when for r in rows).date(), max(r.when for r in rows).date()
    when = st.date_input(
        "Changed between", value=(), key=WHEN, persist_state="session", min_value=None, max_value=None,
        help=f"The changes are from {least:%Y-%m-%d} to {most:%Y-%m-%d}.",
        width=TWO_DAYS,
    )  # fmt: skip
    return (when[0] if when else None), (when[1] if len(when) > 1 else None)
