"""Edits of what nothing extracts: marks of agent runs, names of clusters, titles. No correction is needed.

A mark that a rule made is not deleted but dropped, so that detecting again finds its place taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memcore.editing.draft import Draft
from memcore.editing.edits import Add, Set
from memcore.editing.fields import checked
from memcore.errors import InputError
from memcore.records import AgentRun, Record, RunMark, RunStep, Unit

BY_HAND = "person"  # the rule of a mark that a person made
MARKS = ("compress", "maintain", "revise")
_CLASSES: dict[str, type[Record]] = {"unit": Unit, "run": AgentRun, "step": RunStep}


def set_plain(draft: Draft, edit: Set, value: Any) -> None:
    """One field of units, runs or steps."""
    for record in draft.all_of(edit.ids, _CLASSES[edit.record_kind]):
        if getattr(record, edit.field) != value:
            draft.change(record, **{edit.field: value})


def set_mark(draft: Draft, edit: Set, value: Any) -> None:
    """A summary or a note; the rule that made the mark is kept beside the person's words."""
    for mark in draft.all_of(edit.ids, RunMark):
        if getattr(mark, edit.field) != value:
            draft.change(mark, **{edit.field: value}, made_by="person")


def add(draft: Draft, edit: Add) -> list[str]:
    """A boundary, a check or a step back that a person saw. Raises InputError for no step of the run."""
    run = draft.all_of([edit.mark.run_id], AgentRun)[0]
    if not 0 <= edit.mark.after <= run.steps or not 0 <= (edit.mark.target or 0) <= edit.mark.after:
        raise InputError(f"This run has the steps 1 to {run.steps}: choose one of them.")
    if draft.get([edit.mark.id]) or edit.mark.action not in MARKS:
        raise InputError("A mark that is added has an id of its own, and is a compress, maintain or revise.")
    texts = {name: checked("mark", name, getattr(edit.mark, name)) for name in ("summary", "note")}
    made = replace(edit.mark, **texts, rule=BY_HAND, made_by="person", revision=1)
    draft.inserts[made.id] = made
    return [made.id]


def delete_marks(draft: Draft, ids: Sequence[str]) -> None:
    """A person's own mark goes; one that was read or detected is dropped."""
    for mark in draft.all_of(ids, RunMark):
        if mark.rule == BY_HAND:
            draft.remove(mark)
        else:
            draft.change(mark, dropped=True)
