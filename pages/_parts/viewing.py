"""As whom a person looks at the memories: the switch in the sidebar, its address, and what it means.

The view is held by the session and stands in the address, so that a link shows the same. It can only take
away from what the person may see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.access.permissions import MOST_SENSITIVE, OWNER, READ_ONLY, Viewer
from memcore.access.roles import NOT_ALLOWED, Act
from pages._parts.signed_in import SESSION, granted

if TYPE_CHECKING:
    from memcore.memory import Memory

SEEN, HELD, CHOICE = "seen", "viewing:held", "viewing:choice"
EVERYTHING = "everything"


class View(NamedTuple):
    """A choice of the switch: what stands in the address, what it is called, and how much it shows."""

    name: str
    label: str
    clearance: int


VIEWS = (
    View(EVERYTHING, "Everything", MOST_SENSITIVE),
    View("sensitive", "Up to sensitive", 2),
    View("somewhat", "Up to somewhat sensitive", 1),
    View("open", "Open only", 0),
)
_KEPT = ("scope", HELD, CHOICE, SESSION)


def viewer() -> Viewer:
    """Who looks at the memories now: as was chosen, and no more than the person may see."""
    return allowed().within(Viewer(_held(), _views()[_held()].clearance))


def allowed() -> Viewer:
    """What the person may see at most."""
    return granted() or OWNER


def switch() -> None:
    """The choice of view, and a badge while something is left out."""
    names = [v.name for v in VIEWS if v.clearance <= allowed().clearance]
    held = _held()
    st.session_state[HELD] = held
    st.selectbox(
        "Seen as", names, names.index(held) if held in names else 0, format_func=lambda n: _views()[n].label,
        key=CHOICE, on_change=_chosen, help="How the memory looks to somebody who may see less of it.",
    )  # fmt: skip
    if viewer().sees_all:
        st.query_params.pop(SEEN, None)
        return
    st.query_params[SEEN] = _held()
    st.badge("Part of the memory is left out", icon=":material/visibility_off:", color="gray")


def may(memory: Memory, act: Act = "correct") -> bool:
    """Whether something can be changed with this act, in this view and by this role."""
    return memory.viewer.sees_all and memory.viewer.may_do(act)


def read_only(memory: Memory | None, act: Act = "correct") -> bool:
    """Whether nothing can be changed in this view, or by this role with this act; then it says so, in place
    of what would change it."""
    if memory is None or may(memory, act):
        return False
    st.caption(f":material/lock: {READ_ONLY if memory.viewer.may_do(act) else NOT_ALLOWED[act]}")
    return True


def _views() -> dict[str, View]:
    return {view.name: view for view in VIEWS}


def _held() -> str:
    """The choice of this session; in a new one that of its address. What is no view shows least."""
    held = st.session_state.get(HELD)
    asked = str(held or st.query_params.get(SEEN) or EVERYTHING)
    return asked if asked in _views() else VIEWS[-1].name


def _chosen() -> None:
    """The session begins anew: what was opened as somebody else is not shown on."""
    from pages._parts.import_desk import desk, run_desk
    from pages._parts.reconstruction.live_run import runs
    from pages._parts.tree.live import demos

    st.session_state[HELD] = st.session_state[CHOICE]
    for key in [k for k in st.session_state if k not in _KEPT]:
        del st.session_state[key]
    runs().release()
    demos().release()
    desk().clear()
    run_desk().clear()
