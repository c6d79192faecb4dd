"""The entrance of a store: what is asked of it before anybody is let in. No memory is opened for that.

Who a role is depends on the store's settings (how much it sees) and on the environment (which memories).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memcore.access.permissions import Viewer
from memcore.access.roles import Role, viewer_of
from memcore.configuration import read
from memcore.errors import InputError, StoreError
from memcore.settings import DEFAULT, Settings, scopes_set
from memcore.store import Store
from memcore.store.audit import Audit
from memcore.store.folder import Folder


def settings(folder: str | Path) -> Settings:
    """Those of the store; where they cannot be read, as they are at first: the pages tell of that."""
    try:
        return read(Folder(Path(folder).expanduser(), DEFAULT.lock_seconds)).settings()
    except StoreError:
        return DEFAULT


def audit(folder: str | Path) -> Audit | None:
    """Where sign-ins are entered; None while there is no store. Raises StoreError."""
    try:
        return Store.open(folder, embedder=None, create=False).audit
    except InputError:
        return None


def admitted(role: Role, folder: str | Path) -> Viewer:
    """What somebody who signed in as this role may see and do, and which memories they may enter."""
    return replace(viewer_of(role, settings(folder)), scopes=scopes_set().get(role))
