"""The page that asks for a token before anything of a memory is opened, and the way out in the sidebar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from memcore.access.roles import CALLED
from memcore.access.signing import Attempts, Outcome, attempt, usable
from memcore.audit import SignedIn, SignedOut, SignInRefused
from memcore.errors import InputError, MemcoreError
from memcore.settings import scopes_set, tokens_set
from memcore.view.naming import counted
from pages._parts import signed_in
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.audit import SignedOutWhy

TOKEN, TRIED, TOLD = "signing:token", "signing:tried", "signing:told"
LOOK_EVERY = 20  # seconds
_NO_TOKENS = (
    "Others can reach this address, but no token was set to sign in with. Start the app with "
    "MEMCORE_OFFICER_TOKEN set, or on this computer only."
)


def sign_in() -> None:
    """Ask for a token. Nothing of a memory is drawn or opened here."""
    if signed_in.idle():
        leave("idle")
        st.session_state[TOLD] = "You were signed out because nothing was done for a while."
    _, middle, _ = st.columns([1, 2, 1])
    with middle:
        st.title("Sign in", anchor=False)
        try:
            usable(tokens_set(), scopes_set())
        except InputError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        if not tokens_set():
            st.error(_NO_TOKENS, icon=":material/lock:")
            return
        with st.form("signing:form", border=True):
            st.text_input("Token", type="password", key=TOKEN, autocomplete="current-password")
            st.form_submit_button("Sign in", type="primary", on_click=_tried)
        if told := st.session_state.pop(TOLD, ""):
            st.warning(told, icon=":material/lock:")
        st.caption("Whoever runs this app has the tokens. Each opens it for one role.")


def way_out() -> None:
    """In the sidebar: as what one is signed in, and how to leave. Nothing where nobody has to sign in."""
    role = signed_in.role() if signed_in.required() else None
    if role is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/badge: {CALLED[role]}")
        st.button("Sign out", key="signing:out", type="tertiary", on_click=leave, args=("asked",))
    _watch()


def leave(why: SignedOutWhy) -> None:
    """End the session of this tab, and enter that."""
    session = signed_in.ended()
    if session is not None and (audit := signed_in.audit()) is not None:
        audit.enter(SignedOut(session.role, session.id, why), who=session.role)


@st.fragment(run_every=LOOK_EVERY)
def _watch() -> None:
    """What was opened does not stay on a screen that nobody looks at."""
    if signed_in.idle():
        st.rerun()


def _tried() -> None:
    """A token was given: it is looked at and forgotten."""
    given = str(st.session_state.get(TOKEN) or "").strip()
    st.session_state[TOKEN] = ""
    if not given:
        st.session_state[TOLD] = "Type a token."
        return
    settings = signed_in.settings()
    session = st.session_state.setdefault(TRIED, Attempts.of_session(settings))
    outcome = attempt(given, tokens_set(), session, _everybody())
    try:
        _enter(outcome)
    except MemcoreError as error:
        st.session_state[TOLD] = plain(str(error))


def _enter(outcome: Outcome) -> None:
    """Let somebody in, or say why not. What cannot be entered in the audit is not done."""
    audit = signed_in.audit()
    if outcome.role is not None:
        signed_in.begin(outcome.role)
        try:
            if audit is not None:
                audit.enter(SignedIn(outcome.role, st.session_state[signed_in.SESSION].id), who=outcome.role)
        except MemcoreError:
            signed_in.ended()
            raise
        return
    st.session_state[TOLD] = _refusal(outcome)
    if audit is not None and (outcome.looked_at or outcome.first):
        why = "wrong_token" if outcome.looked_at else "too_many"
        audit.enter(SignInRefused(why, _everybody().wrong))


def _refusal(outcome: Outcome) -> str:
    if not outcome.looked_at:
        return f"There were too many wrong tokens: wait {_seconds(outcome.wait)}, then try again."
    then = f" Wait {_seconds(outcome.wait)} before you try again." if outcome.wait > 0 else ""
    return f"This is not a token of this app.{then}"


def _seconds(wait: float) -> str:
    return counted(math.ceil(wait), "second") if wait < 120 else counted(math.ceil(wait / 60), "minute")


@st.cache_resource(show_spinner=False)
def _everybody() -> Attempts:
    """The wrong tokens of all sessions of this server."""
    return Attempts.of_all(signed_in.settings())
