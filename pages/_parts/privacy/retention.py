"""Retention: rules by kind, age and sensitivity, added, edited, switched on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.retention import Rule
from memcore.view.privacy_rules import KINDS, SENSITIVITY, changed, sentence, without
from pages._parts.editing import desk
from pages._parts.memory import current
from pages._parts.privacy.due import due, forget
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

_TOLD = "privacy:show:rules-told"


def retention(memory: Memory) -> None:
    """Draw the part."""
    st.markdown(
        "Rules for what is erased once it is old enough. A rule is off until you switch it on; then it is "
        "applied whenever an import ends, and when you say so here, each time with a receipt. What has no "
        "time is never due."
    )
    rules = memory.retention.rules()
    if told_last := st.session_state.pop(_TOLD, ""):
        st.caption(f":material/info: {plain(told_last)}")
    if not rules:
        st.caption("There is no rule yet: nothing is ever erased by itself.")
    for at, rule in enumerate(rules):
        _rule(rules, at, rule)
    with st.popover("Add a rule", icon=":material/add:"):
        _form(rules, len(rules), Rule("conversation", 365))
    if rules:
        due(memory, rules)


def _rule(rules: tuple[Rule, ...], at: int, rule: Rule) -> None:
    """One rule, its switch, and what can be done with it."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"privacy-rule-{at}"):
        st.markdown(plain(sentence(rule)), width="stretch")
        key = f"privacy:show:rule:{at}:{hash(rule)}"
        st.toggle("On", value=rule.on, key=key, on_change=_switch, args=(rules, at, rule, key))
        with st.popover("Edit", icon=":material/edit:"):
            _form(rules, at, rule)
        st.button(
            "Remove", key=f"privacy:rule:remove:{at}", on_click=_set, args=(without(rules, at), "Removed."),
            icon=":material/delete:",
        )  # fmt: skip


def _form(rules: tuple[Rule, ...], at: int, rule: Rule) -> None:
    key = f"privacy:show:rule-form:{at}:{hash(rule)}:"
    with st.form(key, border=False):
        st.selectbox(
            "What", list(KINDS), index=list(KINDS).index(rule.kind), key=f"{key}kind",
            format_func=lambda kind: KINDS[kind][0],
        )  # fmt: skip
        st.number_input(
            "Erase after (days)", min_value=1, max_value=36_500, value=rule.older_than_days,
            key=f"{key}days",
        )  # fmt: skip
        st.select_slider(
            "Of this sensitivity", SENSITIVITY, (SENSITIVITY[rule.least], SENSITIVITY[rule.most]),
            key=f"{key}of",
        )  # fmt: skip
        label = "Save the rule" if at < len(rules) else "Add the rule, switched off"
        st.form_submit_button(label, on_click=_save, args=(rules, at, rule, key), type="primary")


def _save(rules: tuple[Rule, ...], at: int, rule: Rule, key: str) -> None:
    state = st.session_state
    least, most = (SENSITIVITY.index(s) for s in state[f"{key}of"])
    made = rule._replace(
        kind=state[f"{key}kind"], older_than_days=int(state[f"{key}days"]), least=least, most=most
    )
    _set(changed(rules, at, made), "Saved." if at < len(rules) else "Added; it is off.")


def _switch(rules: tuple[Rule, ...], at: int, rule: Rule, key: str) -> None:
    on = bool(st.session_state[key])
    _set(changed(rules, at, rule._replace(on=on)), "Switched on." if on else "Switched off.")


def _set(rules: tuple[Rule, ...], says: str) -> None:
    """Keep these rules; a preview of others is let go."""
    forget()
    try:
        current().retention.set(rules, desk.who())
        st.session_state[_TOLD] = says
    except MemcoreError as error:
        st.session_state[_TOLD] = str(error)
