"""The words of a subgoal, typed over: its summary, and the diagnosis of its check."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.editing import Edit
from memcore.records import RunMark
from memcore.view import tree_editing as editing
from pages._parts.editing import desk
from pages._parts.editing.meanwhile import Ways, meanwhile
from pages._parts.tree.loaded import Loaded
from pages._parts.tree.saving import save

if TYPE_CHECKING:
    from memcore.memory import Memory

_OPENED = "tree:edit:of"

Marks = Mapping[str, RunMark]  # by the key of a box, the mark whose words stand in it


class Box(NamedTuple):
    """A box for words: its label, its height in pixels, and the field of the mark."""

    label: str
    height: int
    field: str

    def said(self, mark: RunMark) -> str:
        return getattr(mark, self.field)

    def reworded(self, mark: RunMark, text: str) -> list[Edit]:
        return editing.reword(mark, self.field, text)


_BOXES = {
    "tree:edit:summary": Box("Summary", 110, "summary"),
    "tree:edit:note": Box("Diagnosis", 90, "note"),
}


def words(memory: Memory, loaded: Loaded, node: str, subgoal: RunMark, check: RunMark | None) -> None:
    """The boxes, Save, and the end of the subgoal; or, where somebody changed what is being typed over,
    whose words shall stand."""
    now = {key: mark for key, mark in zip(_BOXES, (subgoal, check), strict=True) if mark is not None}
    opened = _opened(node, now)
    for key in opened:
        st.text_area(_BOXES[key].label, key=key, height=_BOXES[key].height, persist_state="session")
    if opened == now:
        with st.container(horizontal=True):
            st.button("Save", type="primary", key="tree:edit:save", on_click=_save, args=(loaded, opened))
            _removal(loaded, subgoal)
        return
    if not desk.refused():
        st.warning("Somebody changed this while you were typing.", icon=":material/sync_problem:")
    changed = [mark.id for key, mark in opened.items() if now.get(key) != mark]
    meanwhile(memory, memory.snapshot().graph, changed, Ways(_take_theirs, partial(_save, loaded, now)))


def _removal(loaded: Loaded, mark: RunMark) -> None:
    st.button(
        "Remove this boundary", key="tree:edit:remove", on_click=save,
        args=(loaded, editing.remove_boundary(loaded.source, mark), "The boundary is removed"),
    )  # fmt: skip


def _opened(node: str, now: Marks) -> Marks:
    """The marks on which the person decides: as they were when something was typed over them, else as they
    are now, and then that stands in the box."""
    of, kept = st.session_state.get(_OPENED, ("", {}))
    held = {key: mark for key, mark in kept.items() if of == node and _typed_over(key, mark)}
    for key, mark in now.items():
        if key not in held and st.session_state.get(key) != _BOXES[key].said(mark):
            st.session_state[key] = _BOXES[key].said(mark)
    opened = {**now, **held}
    st.session_state[_OPENED] = (node, opened)
    return opened


def _typed_over(key: str, mark: RunMark) -> bool:
    said = _BOXES[key].said(mark)
    return st.session_state.get(key, said) != said


def _save(loaded: Loaded, marks: Marks) -> None:
    """Save what was typed over these marks as they are known."""
    typed = {key: mark for key, mark in marks.items() if _typed_over(key, mark)}
    edits = [e for key, mark in typed.items() for e in _BOXES[key].reworded(mark, st.session_state[key])]
    seen = {mark.id: mark.revision for mark in typed.values()}
    save(loaded, edits, "The words of the subgoal are changed", seen)
    if not desk.refused():
        st.session_state.pop(_OPENED, None)


def _take_theirs() -> None:
    desk.withdraw()
    st.session_state.pop(_OPENED, None)
