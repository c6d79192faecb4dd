"""The filters of the page Recurrence, which only grey out, and the slider back through the units."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.clusters import STATES
from memcore.view.kinds import KINDS
from memcore.view.recurrence_graph import Sieve, day_of, speakers
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded

WHO, STATE, WHEN, AFTER = "recurrence:who", "recurrence:state", "recurrence:when", "recurrence:after"


def sieve(loaded: Loaded) -> Sieve:
    """The filter bar; it stays where it is when nothing matches."""
    left, middle, right = st.columns([3, 3, 4])
    people = speakers(loaded.units)
    who = _several("Speaker", {name: verbatim(name, 40) for name in sorted(people)}, left, WHO)
    states = _several("State", {state: KINDS[state].name for state in STATES}, middle, STATE)
    first, last = _days(loaded, right)
    return Sieve(who, states, first, last)


def clear() -> None:
    """Nothing is greyed out any more."""
    st.session_state[WHO] = st.session_state[STATE] = []
    st.session_state[WHEN] = ()


def standing_after(loaded: Loaded) -> int:
    """How many units are taken as having arrived: all, unless somebody goes back."""
    whole = len(loaded.units)
    if whole < 2:
        return whole
    key = f"{AFTER}:{loaded.token}"
    return st.slider("As it stood after this many units", 1, whole, whole, key=key, persist_state="session")


def _several(label: str, names: dict[str, str], column, key: str) -> list[str]:
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in names]
    return column.multiselect(
        label, list(names), format_func=names.__getitem__, key=key, placeholder="All", persist_state="session"
    )


def _days(loaded: Loaded, column) -> tuple[int, int]:
    """The chosen days as ordinals, 0 for an open end."""
    days = [d for u in loaded.units if (d := day_of(u))]
    if not days or min(days) == max(days):
        return 0, 0
    span = date.fromordinal(min(days)), date.fromordinal(max(days))
    if any(not span[0] <= day <= span[1] for day in st.session_state.get(WHEN, ())):
        st.session_state[WHEN] = ()
    given = column.date_input(
        "Said between", value=(), min_value=span[0], max_value=span[1], key=WHEN, persist_state="session"
    )
    first = given[0].toordinal() if given else 0
    return first, given[1].toordinal() if len(given) > 1 else 0
