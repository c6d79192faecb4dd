"""Budgets of models: what a run and a day may take, beside what was used today."""

from __future__ import annotations

import streamlit as st

from memcore.llm.budget import Bill
from memcore.settings import DEFAULT
from memcore.view.settings_rows import BUDGETS
from pages._parts.memory import memories
from pages._parts.settings.saving import forget, now, save

BUDGET = "settings:budget:"
UNITS = {"calls": "Calls", "tokens": "Tokens", "money": "US dollars", "seconds": "Seconds of calls"}
STEPS = {
    "steps": "Steps of one reconstruction",
    "calls": "Traversals of one reconstruction",
    "budget": "Turns that one reconstruction may read, unless the question says otherwise",
}


def budgets() -> None:
    """What was used, the limits, and Save."""
    _used(memories().models.budget().of_day())
    st.caption(
        "The budgets are checked before each call; a call that would exceed one is not made, and the run "
        "goes on by rules. 0 is no limit. A day is a day in UTC."
    )
    with st.container(border=True):
        run, day, steps = st.columns(3, gap="large")
        for column, of, title in ((run, "run", "One run"), (day, "day", "One day")):
            column.markdown(f"**{title}**")
            for unit in BUDGETS:
                _number(column, f"{of}_{unit}", UNITS[unit])
        steps.markdown("**One question**")
        for name, says in STEPS.items():
            _number(steps, name, says)
    names = _names()
    changed = any(st.session_state.get(BUDGET + n) != getattr(memories().settings, n) for n in names)
    with st.container(horizontal=True):
        st.button(
            "Save budgets", type="primary", key="settings:budgets:save", disabled=not changed, on_click=_save
        )
        st.button("Discard", key="settings:budgets:no", disabled=not changed, on_click=forget, args=(BUDGET,))
        standard = all(getattr(memories().settings, n) == getattr(DEFAULT, n) for n in names)
        st.button("Reset all budgets", key="settings:budgets:reset", disabled=standard, on_click=_reset)


def _used(bill: Bill) -> None:
    settings = memories().settings
    shown = {
        "Calls today": (f"{bill.calls:,}", f"{settings.day_calls:,}", settings.day_calls),
        "Tokens today": (f"{bill.tokens:,}", f"{settings.day_tokens:,}", settings.day_tokens),
        "Dollars today": (f"{bill.dollars:,.4f}", f"{settings.day_money:,.2f}", settings.day_money),
        "Seconds today": (f"{bill.seconds:,.1f}", f"{settings.day_seconds:,.0f}", settings.day_seconds),
    }
    with st.container(border=True):
        for column, (name, (used, most, limit)) in zip(st.columns(4), shown.items(), strict=True):
            column.metric(name, used)
            column.caption(f"of {most} allowed" if limit else "no limit")
        if bill.unpriced:
            st.caption(f"{bill.unpriced:,} of these calls have no price and are not counted in the dollars.")


def _number(column, name: str, label: str) -> None:
    value = getattr(memories().settings, name)
    st.session_state.setdefault(BUDGET + name, value)
    whole = isinstance(value, int)
    column.number_input(
        label, min_value=0 if whole else 0.0, step=1 if whole else 0.1, format=None if whole else "%.2f",
        key=BUDGET + name, persist_state="session",
    )  # fmt: skip


def _names() -> list[str]:
    return [*(f"{of}_{unit}" for of in ("run", "day") for unit in BUDGETS), *STEPS]


def _save() -> None:
    typed = {name: st.session_state[BUDGET + name] for name in _names()}
    if save("The budgets are saved.", changed={**now().changed, **typed}):
        forget(BUDGET)


def _reset() -> None:
    left = {name: value for name, value in now().changed.items() if name not in _names()}
    if save("All budgets are as they were at first.", changed=left):
        forget(BUDGET)
