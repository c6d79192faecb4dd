"""Who may do what: three roles, each with its acts and how much of a memory it sees.

    viewer   reads, asks; sees what is open           editor   also imports, corrects, exports
    officer  the privacy officer: also erases, reads the audit, changes settings

A role becomes the viewer that a memory is opened for; the store then refuses what that one may not do
(see store.scribe.Scribe and the write door), so that no page has to think of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from memcore.access.permissions import MOST_SENSITIVE, Viewer
from memcore.settings import Settings

Role = Literal["viewer", "editor", "officer"]
Act = Literal["read", "import", "correct", "export", "erase", "audit", "settings"]
ROLES: tuple[Role, ...] = get_args(Role)
ACTS: tuple[Act, ...] = get_args(Act)

MAY: Mapping[Role, frozenset[Act]] = {
    "viewer": frozenset({"read"}),
    "editor": frozenset({"read", "import", "correct", "export"}),
    "officer": frozenset(ACTS),
}
CALLED: Mapping[Role, str] = {"viewer": "Viewer", "editor": "Editor", "officer": "Privacy officer"}
NOT_ALLOWED: Mapping[Act, str] = {
    "read": "You may not read this memory.",
    "import": "Only an editor or a privacy officer may import: sign in as one.",
    "correct": "Only an editor or a privacy officer may correct a memory: sign in as one.",
    "export": "Only an editor or a privacy officer may export: sign in as one.",
    "erase": "Only a privacy officer may erase, or look for what to erase: sign in as one.",
    "audit": "Only a privacy officer may see who did what: sign in as one.",
    "settings": "Only a privacy officer may change the settings: sign in as one.",
}
_ACT_OF: Mapping[str, Act] = {
    "imported": "import",
    "runs_imported": "import",
    "ran": "import",
    "edited": "correct",
    "undone": "correct",
    "redone": "correct",
    "reextracted": "correct",
    "reconsolidated": "correct",
    "repaired": "correct",
}


def viewer_of(role: Role, settings: Settings) -> Viewer:
    """The viewer that somebody of this role is. A privacy officer sees everything: what they may not see,
    they could not erase."""
    clearance = {"viewer": settings.clearance_viewer, "editor": settings.clearance_editor}
    return Viewer(role, clearance.get(role, MOST_SENSITIVE), may=MAY[role])


def act_of(change: str) -> Act:
    """What somebody must be allowed to do for a change of this kind. One that is not listed here needs the
    most: a kind that is forgotten is refused rather than let through."""
    return _ACT_OF.get(change, "erase")
