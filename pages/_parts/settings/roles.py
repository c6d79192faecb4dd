"""Which model does which task: a row for each of the eight roles."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from memcore.llm.recording import kept
from memcore.llm.tasks import OFFLINE, ROLES
from memcore.view.settings_models import choices, named, newly_live
from pages._parts.memory import memories
from pages._parts.say import verbatim
from pages._parts.settings.checking import result, tested
from pages._parts.settings.saving import forget, now, save

ROLE, ALL = "settings:role:", "settings:roles:all"
CHOSEN = "settings:roles:chosen"  # the models that were just given a role, and are to be asked once


def roles() -> None:
    """The table, all of it at once, and Save."""
    st.subheader("Who does what", anchor=False)
    st.caption(
        "Without a model everything is done by rules on this machine. What a model fails at is done by "
        "rules, or waits, and the run says so."
    )
    options = choices(kept_replies(), now().roles.values())
    _all_at_once(options)
    with st.container(border=True):
        for about in ROLES:
            st.session_state.setdefault(ROLE + about.role, now().roles.get(about.role, OFFLINE))
            says, choice = st.columns([6, 4], gap="medium", vertical_alignment="center")
            says.markdown(f"**{about.name}** {about.says}")
            choice.selectbox(
                about.name, _with(options, st.session_state[ROLE + about.role]), key=ROLE + about.role,
                accept_new_options=True, format_func=_named, label_visibility="collapsed",
                persist_state="session",
            )  # fmt: skip
    changed = _typed() != {a.role: now().roles.get(a.role, OFFLINE) for a in ROLES}
    with st.container(horizontal=True):
        st.button(
            "Save roles", type="primary", key="settings:roles:save", disabled=not changed, on_click=_save
        )
        st.button(
            "Discard", key="settings:roles:discard", disabled=not changed, on_click=forget, args=(ROLE,)
        )
    _asked_once(st.session_state.pop(CHOSEN, ()))


def kept_replies():
    """What is recorded, in this store and with the samples."""
    return [k for path in memories().models.recorded_in for k in kept(path)]


def _all_at_once(options: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "One model for all roles", options, key=ALL, accept_new_options=True, format_func=_named, index=0
        )
        st.button("Use it for all", key="settings:roles:use", on_click=_use_for_all)


def _use_for_all() -> None:
    for about in ROLES:
        st.session_state[ROLE + about.role] = st.session_state.get(ALL) or OFFLINE


def _with(options: list[str], chosen: str | None) -> list[str]:
    return options if not chosen or chosen in options else [*options, chosen]


def _named(choice: str) -> str:
    return verbatim(named(choice), 80)


def _typed() -> dict[str, str]:
    return {a.role: (st.session_state.get(ROLE + a.role) or OFFLINE).strip() for a in ROLES}


def _asked_once(names: Iterable[str]) -> None:
    """Whether the models that were just chosen answer: a missing key is said now, and not in mid-run."""
    for name in names:
        with st.spinner(f"Asking {verbatim(name, 80)} …"):
            came = tested(name)
        result(came)


def _save() -> None:
    before = now().roles.values()
    if save("The roles are saved.", roles=_typed()):
        forget(ROLE)
        st.session_state[CHOSEN] = newly_live(before, now().roles.values())
