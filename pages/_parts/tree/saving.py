"""Saving an edit of a run at once: as one change, undoable, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from memcore.editing import Edit
from memcore.errors import MemcoreError
from memcore.view.tree_editing import seen_of
from pages._parts.editing import desk
from pages._parts.memory import current
from pages._parts.tree.address import RUN
from pages._parts.tree.loaded import Loaded


def save(loaded: Loaded, edits: Sequence[Edit], says: str, seen: Mapping[str, int] | None = None) -> None:
    """Carry the edits out as one change, decided on the revisions `seen`, or on those drawn. What cannot be
    saved is refused (see desk) with why, and nothing of it is written."""
    desk.withdraw()
    if not edits:
        desk.tell("Nothing was changed: it is already that way.")
        return
    try:
        group = current().edit(list(edits), desk.who(), seen or seen_of(loaded.source, edits))
    except MemcoreError as error:
        desk.refuse(error)
        return
    st.session_state[desk.REASON] = ""
    desk.tell(desk.Notice(f"Saved: {says}.", group))
    if _at_end(loaded):
        RUN.to_end()


def _at_end(loaded: Loaded) -> bool:
    """Whoever looks at the end of a run looks at its end after the edit, too."""
    return RUN.step_asked(len(loaded.events))[0] == len(loaded.events)
