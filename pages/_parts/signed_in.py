"""Who is signed in: asked by everything that opens a memory, answered from this session alone.

Without tokens in the environment nobody has to sign in, and whoever sits at this computer has all rights.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import streamlit as st

from memcore.access.roles import Role
from memcore.access.signing import Session
from memcore.errors import NotAllowed
from memcore.records import new_id
from memcore.settings import public_unsafe, store_folder, tokens_set

if TYPE_CHECKING:
    from memcore.access.permissions import Viewer
    from memcore.settings import Settings
    from memcore.store.audit import Audit

SESSION = "signed:in"
SIGN_IN_AGAIN = "You are signed out: sign in again."


def required() -> bool:
    """Whether one has to sign in. An address that others reach needs it, whoever started the server."""
    return bool(tokens_set()) or (_reached_by_others() and not public_unsafe())


def granted() -> Viewer | None:
    """What who is signed in may see and do; None where nobody has to sign in: everything.

    Raises NotAllowed where one would have to.
    """
    if not required():
        return None
    session = _session()
    if session is None:
        raise NotAllowed(SIGN_IN_AGAIN)
    from memcore.entrance import admitted

    return admitted(session.role, store_folder())


def role() -> Role | None:
    """The role of who is signed in, None where nobody is."""
    session = _session()
    return session.role if session else None


def let_in() -> bool:
    """Whether the app may be drawn. Being asked this is what keeps a session from being idle."""
    if not required():
        return True
    session = _session()
    if session is None:
        return False
    session.used = time.monotonic()
    return True


def begin(as_role: Role) -> None:
    """A new session: nothing that was opened before is left in it."""
    st.session_state.clear()
    st.session_state[SESSION] = Session(as_role, new_id(), time.monotonic())


def ended() -> Session | None:
    """End the session; what it was, None where there was none. Nothing that was opened is left in it."""
    session = st.session_state.get(SESSION)
    st.session_state.clear()
    return session


def idle() -> bool:
    """Whether there is a session in which nothing was done for too long."""
    session = st.session_state.get(SESSION)
    return session is not None and session.idle(settings(), time.monotonic())


def audit() -> Audit | None:
    """Where sign-ins are entered; None while there is no store. Raises StoreError."""
    from memcore import entrance

    return entrance.audit(store_folder())


def _session() -> Session | None:
    return None if idle() else st.session_state.get(SESSION)


def settings() -> Settings:
    """Those of the store."""
    from memcore import entrance

    return entrance.settings(store_folder())


def _reached_by_others() -> bool:
    from memcore.serving import is_loopback

    return not is_loopback(str(st.get_option("server.address") or "0.0.0.0"))
