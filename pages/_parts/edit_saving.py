"""Saving what was proposed, and taking it back: the only place where the page Graph writes.

A large edit is saved in the background. Undo and redo are those of the memory, whoever made the edit; an
import is never undone by a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing import Edit, Plan
from memcore.errors import InTheWay, MemcoreError
from memcore.view.consequences import joined, record_words, sentence
from memcore.view.naming import counted
from pages._parts import edit_desk as desk
from pages._parts.graph_growth import join
from pages._parts.job import Job
from pages._parts.memory import current

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

LARGE = 1000  # rows beyond which saving is done in the background, with its progress shown
_JOURNAL_READ = 200
_NOUNS = {"merge": "merge", "split": "split", "delete": "deletion", "resolve": "decision"}


@dataclass(frozen=True, slots=True)
class Saving:
    """A save in the background: what is told of it, and its plans."""

    job: Job
    told: str
    plans: list[Plan]


def save() -> None:
    """Carry the proposal out. What cannot be saved is kept, with the reason."""
    asked = desk.proposal()
    if asked is None or desk.SAVING in st.session_state:
        return
    memory = current()
    try:
        plans = [memory.editor.plan(edit, desk.who()) for edit in asked.edits]
        told = _told(memory, asked.edits, plans)
        if len(plans) == 1 and plans[0].rows > LARGE:
            edit, seen, person = asked.edits[0], asked.seen, desk.who()
            run = Job(lambda _: memory.editor.apply(edit, person, seen), total=plans[0].rows)
            st.session_state[desk.SAVING] = Saving(run, told, plans)
            return
        _saved(memory, told, _carried_out(memory, asked))
    except MemcoreError as error:
        desk.refuse(error)


def save_now(edits: tuple[Edit, ...], seen: Mapping[str, int]) -> None:
    """Save edits that change nothing in how memories are reached, without a preview."""
    desk.propose(edits, seen)
    save()


def under_way() -> Saving | None:
    """The save that is carried out in the background."""
    return st.session_state.get(desk.SAVING)


def saving_ended(memory: Memory) -> None:
    """Take the result of a save in the background over."""
    saving = under_way()
    if saving is None:
        return
    del st.session_state[desk.SAVING]
    if saving.job.error:
        desk.refuse(saving.job.error)
    else:
        _saved(memory, saving.told, saving.plans)


def undo_last() -> None:
    """Take the last edit of this memory back, whoever made it."""
    if row := to_undo(current()):
        turn(_said_of(row, redo=False))


def redo_last() -> None:
    """Bring the edit back that was undone last."""
    if row := to_redo(current()):
        turn(_said_of(row, redo=True))


def _said_of(row: ChangeRow, *, redo: bool) -> desk.Notice:
    """What was saved or undone together a moment ago is turned together."""
    last = desk.notice()
    together = last is not None and last.redo == redo and row.group in last.groups
    return last if together and last else desk.Notice("", (row.group,), redo)


def turn(last: desk.Notice) -> None:
    """Take back, or bring back, the changes that a notice names; the next one offers the opposite."""
    memory = current()
    desk.end_task()
    desk.reopen()
    try:
        for group in reversed(last.groups):
            if last.redo:
                memory.redo(group)
            else:
                memory.undo(group, also_later=bool(last.resting))
    except InTheWay as error:
        desk.tell(desk.Notice(str(error), last.groups, last.redo, len(error.groups)))
        return
    except MemcoreError as error:
        desk.tell(desk.Notice(str(error)))
        return
    word = "Brought back" if last.redo else "Undone"
    told = [_said(row) for row in changes(memory) if row.group in last.groups]
    text = f"{word}: {'; '.join(told)}."
    desk.tell(desk.Notice(text, tuple(reversed(last.groups)), not last.redo))


def to_undo(memory: Memory) -> ChangeRow | None:
    """The last edit that stands. Imports are undone where they were made, never by a key."""
    return next((row for row in changes(memory) if row.undoable and row.events[-1].kind == "edited"), None)


def to_redo(memory: Memory) -> ChangeRow | None:
    """The edit whose undo was the last thing that happened."""
    rows = {row.group: row for row in changes(memory)}
    for row in rows.values():
        event = row.events[-1]
        if event.kind == "undone" and (target := rows.get(event.group)) and target.undone:
            return target if target.redoable and target.events[-1].kind == "edited" else None
        if event.kind not in ("undone", "redone"):
            return None
    return None


def changes(memory: Memory) -> list[ChangeRow]:
    """The latest changes, newest first; read again only when something was written."""
    seq, kept = memory.snapshot().graph.seq, st.session_state.get("edit:changes")
    if kept is None or kept[:2] != (memory.name, seq):
        kept = (memory.name, seq, memory.changes(_JOURNAL_READ))
        st.session_state["edit:changes"] = kept
    return kept[2]


def _carried_out(memory: Memory, asked: desk.Proposal) -> list[Plan]:
    """Save edit by edit; each reckons with the revisions that those before it left."""
    seen = dict(asked.seen)
    done: list[Plan] = []
    for edit in asked.edits:
        plan = memory.editor.plan(edit, desk.who())
        if plan.rows:
            memory.edit(edit, desk.who(), seen)
            done.append(plan)
        seen = {i: r for i, r in seen.items() if i not in plan.deletes}
        seen |= {r.id: r.revision for r in plan.upserts if r.id in seen}  # type: ignore[union-attr]
    return done


def _told(memory: Memory, edits: tuple[Edit, ...], plans: list[Plan]) -> str:
    """What is saved, in the names that hold before it is."""
    graph = memory.snapshot().graph
    return "; ".join(sentence(e, p, graph).rstrip(".") for e, p in zip(edits, plans, strict=True) if p.rows)


def _saved(memory: Memory, told: str, plans: list[Plan]) -> None:
    join(i for plan in plans for i in joined(plan))
    events: list[Any] = [plan.event for plan in plans]
    groups = [row.group for row in changes(memory)[: len(plans)] if row.events[-1] in events]
    desk.end_task()
    desk.reopen()
    st.session_state.pop(desk.REASON, None)
    text = f"Saved: {told}." if told else "Nothing was changed: all of it is so already."
    desk.tell(desk.Notice(text, tuple(reversed(groups))))


def _said(row: ChangeRow) -> str:
    event: Any = row.events[-1]
    if event.action == "relate":
        return "the new relation"
    what = event.field.replace("_", " ") if event.action == "set" else _NOUNS[event.action]
    return f"the {what} of {counted(event.count, *record_words(event.record_kind))}"
