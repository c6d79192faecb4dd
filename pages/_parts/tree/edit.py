"""Editing the marks of a run: summary, note, boundary, step back; saved at once as one change, undoable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import RunMark
from memcore.view import tree_editing as editing
from memcore.view.tree_editing import Offer
from memcore.view.tree_words import distinct, summary_words
from pages._parts.editing import desk, saving, turning
from pages._parts.editing.keys import keys
from pages._parts.editing.notice import notice
from pages._parts.say import plain, verbatim
from pages._parts.tree.loaded import Loaded
from pages._parts.tree.saving import save
from pages._parts.tree.words import words

if TYPE_CHECKING:
    from memcore.memory import Memory

END, MOVE, BACK, ROLLED = "tree:edit:end", "tree:edit:move", "tree:edit:back", "tree:edit:rolled"


def undo_bar(memory: Memory) -> None:
    """Undo and redo of the last edit of this memory."""
    rows = saving.changes(memory, memory.snapshot().graph.seq)
    free = not saving.busy()
    with st.container(horizontal=True, gap="small", key="tree-undo", vertical_alignment="center"):
        st.button(
            "Undo", on_click=saving.undo_last, key="tool-undo", icon=":material/undo:", type="tertiary",
            disabled=not free or saving.to_undo(rows) is None, help="Undo the last edit (Ctrl+Z)",
        )  # fmt: skip
        st.button(
            "Redo", on_click=saving.redo_last, key="tool-redo", icon=":material/redo:", type="tertiary",
            disabled=not free or saving.to_redo(rows) is None, help="Redo it (Ctrl+Shift+Z)",
        )  # fmt: skip
        keys()


def outcome() -> None:
    """What became of the last edit: an undo under way, why it was refused, or that it was saved."""
    if turning.under_way():
        turning.progress()
        return
    if error := desk.refused():
        st.warning(plain(str(error)), icon=":material/info:")
    notice()


def edit(memory: Memory, loaded: Loaded, node: str) -> None:
    """Everything that can be changed at this node."""
    offered = editing.offer(loaded.source, node)
    if not any(part is not None for part in offered):
        st.caption("Nothing can be changed here: unfold it and choose a step or a subgoal.")
        return
    if node[:1] != "s" and offered.subgoal is not None:
        words(memory, loaded, node, offered.subgoal, offered.check)
    if offered.end_here is not None:
        _boundary(loaded, offered, offered.end_here)
    if offered.leave is not None:
        _roll_back(loaded, offered, offered.leave)
    if offered.back is not None:
        back = offered.back
        st.markdown("**It was abandoned here**")
        st.button(
            "The agent did not go back", key="tree:edit:unback", on_click=save,
            args=(loaded, editing.take_back(back), "The step back is removed"),
        )  # fmt: skip
    st.text_input("Why (goes into the history)", key=desk.REASON, max_chars=600)
    st.page_link("pages/history.py", label="All changes", icon=":material/history:")


def _boundary(loaded: Loaded, offered: Offer, step: int) -> None:
    """End a subgoal after this step, or let one that ends elsewhere end here."""
    st.markdown(f"**A subgoal ends after step {step}**")
    st.text_input("Its summary", key=END, max_chars=2_000)
    st.button("Add a boundary here", key="tree:edit:add", on_click=_add, args=(loaded, step))
    moves = _movable(loaded, offered, step)
    if moves:
        names = {id_: verbatim(summary_words(mark, mark.after), 60) for id_, mark in moves.items()}
        st.selectbox("Or move one here", list(moves), key=MOVE, format_func=distinct(names).__getitem__)
        st.button("Move it here", key="tree:edit:moved", on_click=_move, args=(loaded, moves, step))


def _movable(loaded: Loaded, offered: Offer, step: int) -> dict[str, RunMark]:
    """The subgoal that this step is in, and the one that ends before it."""
    tree, outline = loaded.outline.tree, loaded.outline
    block = outline.blocks[outline.block_of[step]]
    near = [block.id, block.parent]
    found = [loaded.marks[id_] for id_ in near if id_ in loaded.marks]
    return {mark.id: mark for mark in found if mark.action == "compress" and tree.raw.get(step)}


def _roll_back(loaded: Loaded, offered: Offer, step: int) -> None:
    places = editing.targets(loaded.outline.tree, step)
    if not places:
        return
    st.markdown("**The agent went back**")
    st.selectbox("Back to step", places, key=BACK, format_func=lambda at: f"{at}" if at else "0, the start")
    st.text_area("Diagnosis: what was wrong", key=ROLLED, height=80, max_chars=4_000)
    st.button("Mark as rolled back", key="tree:edit:roll", on_click=_rolled, args=(loaded, offered, places))


def _add(loaded: Loaded, step: int) -> None:
    summary = str(st.session_state.get(END) or "")
    edits = editing.add_boundary(loaded.source, loaded.run.id, step, summary)
    save(loaded, edits, f"A subgoal ends after step {step}")
    if not desk.refused():
        st.session_state[END] = ""


def _move(loaded: Loaded, moves: dict[str, RunMark], step: int) -> None:
    mark = moves.get(st.session_state.get(MOVE) or "") or next(iter(moves.values()))
    save(loaded, editing.move_boundary(loaded.source, mark, step), f"The boundary is moved to step {step}")


def _rolled(loaded: Loaded, offered: Offer, places: list[int]) -> None:
    target = st.session_state.get(BACK)
    target = target if target in places else places[0]
    edits = editing.roll_back(loaded.source, offered, target, str(st.session_state.get(ROLLED) or ""))
    save(loaded, edits, f"Rolled back to step {target}")
    if not desk.refused():
        st.session_state[ROLLED] = ""
