"""Saving what was proposed, and taking it back, for every page on which people edit.

A large edit is saved, and turned, in the background. Undo and redo are those of the memory, whoever made
the edit; an import is never undone by a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Edit, Plan
from memcore.errors import InTheWay, MemcoreError
from memcore.records import new_id
from memcore.view.change_titles import named_in, title
from memcore.view.consequences import joined, sentence
from memcore.view.naming import counted
from pages._parts.editing import desk, turning
from pages._parts.graph.growth import join
from pages._parts.job import Job
from pages._parts.memory import current

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

SPELT_OUT = 8  # edits saved together; more are only counted
_JOURNAL_READ = 200


@dataclass(frozen=True, slots=True)
class Saving:
    """A save in the background: what is told of it, its plan, and the id of the change."""

    job: Job
    told: str
    plan: Plan
    group: str


def save() -> None:
    """Carry the proposal out. What cannot be saved is kept, with the reason."""
    asked = desk.proposal()
    if asked is None or busy():
        return
    memory = current()
    try:
        person, group = desk.who(), new_id()
        plan = desk.planned(memory, asked)
        told = _told(memory, asked.edits, plan)
        run = partial(memory.editor.apply, asked.edits, person, asked.seen, group, plan)
        if plan.rows > turning.LARGE:
            job = Job(lambda _: run(), total=plan.rows)
            st.session_state[desk.SAVING] = Saving(job, told, plan, group)
            return
        for _ in run() if plan.rows else ():
            pass
        _saved(memory, told, plan, group)
    except MemcoreError as error:
        desk.refuse(error)


def save_now(edits: tuple[Edit, ...], seen: Mapping[str, int]) -> None:
    """Save edits that change nothing in how memories are reached, without a preview."""
    desk.propose(edits, seen)
    save()


def under_way() -> Saving | None:
    """The save that is carried out in the background."""
    return st.session_state.get(desk.SAVING)


def busy() -> bool:
    """Whether anything is saved or turned in the background: the next change waits for it."""
    return under_way() is not None or turning.under_way() is not None


def saving_ended(memory: Memory) -> None:
    """Take the result of a save in the background over."""
    saving = under_way()
    if saving is None:
        return
    del st.session_state[desk.SAVING]
    if saving.job.error:
        desk.refuse(saving.job.error)
    else:
        _saved(memory, saving.told, saving.plan, saving.group)


def undo_last() -> None:
    """Take the last edit of this memory back, whoever made it."""
    if row := to_undo(_latest()):
        turn(desk.Notice("", row.group))
    else:
        desk.tell("There is no edit left to undo.")


def redo_last() -> None:
    """Bring the edit back that was undone last."""
    if row := to_redo(_latest()):
        turn(desk.Notice("", row.group, redo=True))
    else:
        desk.tell("There is nothing to bring back: something else was changed since the last undo.")


def turn(last: desk.Notice) -> None:
    """Take back, or bring back, the change that a notice names; the next one offers the opposite."""
    memory = current()
    desk.end_task()
    row = next((row for row in memory.changes(None) if row.group == last.group), None)
    if row is None:
        desk.tell("There is no such change any more.")
        return
    try:
        later = memory.blockers(row.group) if last.resting else ()
    except MemcoreError as error:
        desk.tell(str(error))
        return
    turning.turn(memory, row, partial(_turned, row, last), redo=last.redo, later=later)


def _turned(row: ChangeRow, last: desk.Notice, error: MemcoreError | None) -> None:
    """Tell what was turned, or why it was not."""
    if isinstance(error, InTheWay):
        desk.tell(replace(last, text=str(error), resting=len(error.groups)))
    elif error:
        desk.tell(str(error))
    else:
        word = "Brought back" if last.redo else "Undone"
        desk.tell(desk.Notice(f"{word}: {_titled(row)}.", row.group, redo=not last.redo))


def to_undo(latest: list[ChangeRow]) -> ChangeRow | None:
    """The last edit that stands. Imports are undone where they were made, never by a key."""
    return next((row for row in latest if row.undoable and row.events[-1].kind == "edited"), None)


def to_redo(latest: list[ChangeRow]) -> ChangeRow | None:
    """The edit that the notice offers to bring back, or whose undo was the last thing that happened."""
    rows, told = {row.group: row for row in latest}, desk.notice()
    if told and told.redo and (offered := rows.get(told.group)) and offered.redoable:
        return offered
    for row in rows.values():
        event = row.events[-1]
        if event.kind == "undone" and (target := rows.get(event.group)) and target.undone:
            return target if target.redoable and target.events[-1].kind == "edited" else None
        if event.kind not in ("undone", "redone"):
            return None
    return None


def changes(memory: Memory, seq: int) -> list[ChangeRow]:
    """The latest changes up to a commit, newest first; read again only when something was written."""
    kept = st.session_state.get("edit:changes")
    if kept is None or kept[:2] != (memory.key, seq):
        kept = (memory.key, seq, memory.changes(_JOURNAL_READ))
        st.session_state["edit:changes"] = kept
    return kept[2]


def _latest() -> list[ChangeRow]:
    memory = current()
    return changes(memory, memory.snapshot().graph.seq)


def _told(memory: Memory, edits: tuple[Edit, ...], plan: Plan) -> str:
    """What is saved, in the names that hold before it is."""
    if len(edits) > SPELT_OUT:
        return counted(len(edits), "edit")
    graph = memory.snapshot().graph
    return "; ".join(sentence(edit, plan, graph).rstrip(".") for edit in edits)


def _saved(memory: Memory, told: str, plan: Plan, group: str) -> None:
    join(joined(plan))
    desk.saved()
    text = f"Saved: {told}." if plan.rows else "Nothing was changed: everything is already that way."
    desk.tell(desk.Notice(text, group if plan.rows else ""))


def _titled(row: ChangeRow) -> str:
    """What was turned, as the history calls it."""
    return title(row, current().stood(named_in([row])))
