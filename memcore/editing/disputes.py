"""What deciding a dispute comes to: extraction no longer says what a person corrected, and one is right.

Other words of the same place come of a model alone: rules tell a place as it is written.
"""

from __future__ import annotations

from dataclasses import replace

from memcore.editing.contents import let_go
from memcore.editing.corrections import as_moment
from memcore.editing.draft import Draft
from memcore.editing.edits import Resolve
from memcore.errors import InputError
from memcore.records import Content, Correction, Record, new_id


def resolve(draft: Draft, edit: Resolve) -> list[str]:
    """Mine: it holds against what extraction says now. New: the correction ends. Both: a second memory."""
    correction = draft.all_of([edit.correction_id], Correction)[0]
    if correction.disputed is None:
        raise InputError("Extraction does not disagree with this correction.")
    record = draft.get([correction.record_id]).get(correction.record_id)
    if edit.choice == "both":
        _keep_both(draft, correction, record)
    elif edit.choice == "new":
        _take_new(draft, correction, record)
    else:  # where extraction says nothing any more, what the person wrote stands as written by hand
        draft.change(correction, extracted=correction.disputed or None, disputed=None)
    return [edit.correction_id]


def _keep_both(draft: Draft, correction: Correction, record: Record | None) -> None:
    """What extraction says stands in its place, with its relations; the person's words as written by hand."""
    if correction.slot != "text" or not isinstance(record, Content) or not correction.disputed:
        raise InputError("Both cannot stand here: keep yours, or take what extraction says now.")
    read, text = draft.overlay.extracted(record), str(correction.disputed)
    said = replace(read, id=new_id(), text=text, made_by="model", pinned=False, revision=1)
    draft.inserts[said.id] = replace(said, vector=draft.vector(said.spoken))
    for r in draft.relations_of(record.id, end="content_id"):
        if not draft.overlay.by_person(r):
            copy = replace(r, id=new_id(), content_id=said.id, revision=1)
            draft.inserts[copy.id] = copy
    draft.change(correction, extracted=None, disputed=None)


def _take_new(draft: Draft, correction: Correction, record: Record | None) -> None:
    draft.remove(correction)
    if record is None:
        return
    if not correction.disputed:
        if isinstance(record, Content):
            let_go(draft, [record.id])
            _forget(draft, record)
        else:
            draft.remove(record)
    elif correction.slot == "text" and isinstance(record, Content):
        shown = replace(record, text=str(correction.disputed))
        draft.change(record, text=shown.text, vector=draft.vector(shown.spoken), made_by="model")
    elif correction.slot == "event":
        draft.change(record, event=as_moment(correction.disputed))


def _forget(draft: Draft, gone: Content) -> None:
    """What was corrected of its relations: extraction may say all of it again."""
    place = draft.overlay.place(gone)
    for c in draft.overlay.of_turn(gone.first_turn, "relation"):
        if isinstance(c.extracted, tuple) and c.extracted[2:] == place:
            draft.remove(c)
