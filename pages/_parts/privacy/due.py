"""What the retention rules would erase at this moment, and doing it, confirmed by typing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import now
from memcore.retention import Due, Rule
from memcore.view.privacy_plan import told
from memcore.view.privacy_rules import due_lines, due_now
from memcore.words import fold
from pages._parts.editing import desk
from pages._parts.memory import current
from pages._parts.privacy import erasing
from pages._parts.privacy.flow import PART
from pages._parts.say import plain
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory

_DUE, _TOLD, _TYPED = "privacy:show:due", "privacy:show:due-told", "privacy:show:due-typed"
WORDS = ("erase", "지우기")


def due(memory: Memory, rules: tuple[Rule, ...]) -> None:
    """What all rules would erase, and, of those that are on, the way to do it."""
    st.subheader("What is due", anchor=False)
    if told_last := st.session_state.pop(_TOLD, ""):
        st.warning(plain(told_last), icon=":material/info:")
    if not st.session_state.get(_DUE):
        if number := memory.retention.waiting(now()):
            st.markdown(f":material/auto_delete: {plain(due_now(number))}")
        st.button("Show what is due now", on_click=_look, key="privacy:due", icon=":material/visibility:")
        return
    with shown_errors():
        with st.spinner("Checking what is due; nothing is changed …"):
            every, live = memory.retention.due(now()), memory.retention.due(now(), switched_on=True)
        st.markdown("\n".join(f"- {plain(line)}" for line in due_lines(every)))
        if live.plan.empty:
            on = any(rule.on for rule in rules)
            st.caption("Nothing is due under the rules that are on." if on else "No rule is on.")
        else:
            _apply(memory, live)


def forget() -> None:
    """A preview of other rules is let go."""
    st.session_state.pop(_DUE, None)


def _look() -> None:
    st.session_state[_DUE] = True


def _apply(memory: Memory, due: Due) -> None:
    with st.form("privacy-apply", border=True):
        st.markdown("**Apply the rules that are on.** This cannot be undone, by you or by anybody.")
        st.markdown("\n".join(f"- {plain(line)}" for line in told(due.plan).lines))
        ask = f"Type **{WORDS[0]}** (or **{WORDS[1]}**) to confirm"
        st.text_input(ask, key=_TYPED, autocomplete="off", width=320)
        st.form_submit_button(
            "Erase what is due, for good", type="primary", on_click=_confirmed, args=(memory.id,),
            icon=":material/delete_forever:",
        )  # fmt: skip


def _confirmed(shown: str) -> None:
    """Begin in the memory of which it was shown, or say what is missing."""
    typed = fold(str(st.session_state.get(_TYPED) or "")).strip()
    if typed not in {fold(word) for word in WORDS}:
        st.session_state[_TOLD] = f"Nothing was changed: type {WORDS[0]} to confirm."
        return
    memory, who = current(), desk.who()
    if memory.id != shown:
        st.session_state[_TOLD] = "Nothing was changed: another memory has this name now. Look again."
        forget()
        return
    steps = partial(memory.retention.apply, now(), who)
    if erasing.begin(memory.id, steps, "erase", who.author):
        forget()
        st.session_state[PART] = "Erase"
    else:
        st.session_state[_TOLD] = "Another erasure of this memory is under way: wait for its end."
