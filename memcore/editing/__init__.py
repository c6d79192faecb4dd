"""Hand-correction: what a person may change of a memory, how it is checked, and what one edit comes to.

    edit  ->  plan (records made, changed and removed; corrections)  ->  one commit with its journal entry

Seven edits are enough: set a field, merge, split, delete, relate, resolve, add a mark. `fields` says of each
kind of record what can be set and how a value is checked. Every edit of something extracted leaves a
correction (see `corrections`), so that no import or extraction takes it back. A plan changes nothing: it is
also the preview.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from memcore.editing.draft import Draft, Shelf
from memcore.editing.edits import Add, Delete, Edit, Merge, Plan, Relate, Resolve, Set, Split, Who
from memcore.editing.fields import some_words
from memcore.editing.plans import PLANS
from memcore.errors import InputError, Stale
from memcore.events import Edited
from memcore.graph import Columns
from memcore.llm.protocols import Embedder
from memcore.records import Record, new_id

__all__ = [
    "Add", "Delete", "Edit", "Editor", "Merge", "Plan", "Relate", "Resolve", "Set", "Shelf", "Split", "Who"
]  # fmt: skip

IDS_KEPT = 50  # ids of the records meant that the journal's event names; the rest are counted
ROWS_A_COMMIT = 4_000


class Editor:
    """Plans and applies edits of one scope. `known` are its columns as they were last read, if they were: a
    name is looked up in them while nothing was written since."""

    def __init__(self, shelf: Shelf, embedder: Embedder, known: Columns | None = None) -> None:
        self._shelf, self._embedder, self._known = shelf, embedder, known

    def plan(self, edit: Edit | Sequence[Edit], who: Who) -> Plan:
        """What an edit, or several one after the other, would do; nothing is changed.

        Raises NotFound, Collision (a record of that name exists), InputError (a value that cannot be, or no
        edit at all).
        """
        edits = edit if isinstance(edit, Sequence) else (edit,)
        if not edits:
            raise InputError("Nothing was chosen to be changed.")
        some_words(who.author, "author")
        some_words(who.reason, "reason")
        draft = Draft(self._shelf, self._embedder, who, self._known)
        ids: dict[str, None] = {}
        for number, one in enumerate(edits):
            if number:
                draft.take_in()
            ids |= dict.fromkeys(PLANS[one.action](draft, one))
        return draft.plan(_event(edits, list(ids), who))

    def apply(
        self,
        edit: Edit | Sequence[Edit],
        who: Who,
        seen: Mapping[str, int] | None = None,
        group: str | None = None,
        planned: Plan | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Carry an edit, or several, out as one change: all of it or nothing of it.

        Yields (rows written, rows in all) after each commit. `seen` are the revisions on which the person
        decided, `group` the id that the change will have, `planned` the plan of this edit that was shown: it
        is carried out as it is where nothing was written since. Raises what `plan` raises, and Stale when
        somebody has changed one of those records since.
        """
        with self._shelf.writing():
            self._refuse_stale(seen or {})
            plan = planned if self._holds(planned, who) else self.plan(edit, who)
            group, done = group or new_id(), 0
            for inserts, upserts, deletes in _portions(plan):
                self._shelf.commit(plan.event, inserts=inserts, upserts=upserts, deletes=deletes, group=group)
                done += len(inserts) + len(upserts) + len(deletes)
                yield done, plan.rows

    def _holds(self, planned: Plan | None, who: Who) -> TypeGuard[Plan]:
        """Whether a plan says what the edit comes to now, and by whom."""
        return (
            planned is not None
            and planned.seq == self._shelf.seq()
            and (planned.event.author, planned.event.reason) == (who.author, who.reason)
        )

    def _refuse_stale(self, seen: Mapping[str, int]) -> None:
        found = self._shelf.get(seen)
        changed = [i for i, revision in seen.items() if getattr(found.get(i), "revision", 0) != revision]
        if changed:
            raise Stale(
                "Somebody changed this since you opened it; look at it again before you save.", changed
            )


def _event(edits: Sequence[Edit], ids: Sequence[str], who: Who) -> Edited:
    """What the journal says; of several edits, the kind of record that the first is about."""
    first = edits[0]
    action = first.action if len(edits) == 1 else "several"
    field = "" if len(edits) > 1 else _field(first)
    return Edited(action, first.record_kind, field, tuple(ids[:IDS_KEPT]), len(ids), who.author, who.reason)


def _field(edit: Edit) -> str:
    """What of a record was set, or how a dispute was decided."""
    return edit.field if edit.action == "set" else edit.choice if edit.action == "resolve" else ""


def _portions(plan: Plan) -> Iterator[tuple[list[Record], list[Record], list[str]]]:
    """One commit, or several for a very large plan: what is made first, what is removed last."""
    if plan.rows <= ROWS_A_COMMIT:
        yield list(plan.inserts), list(plan.upserts), list(plan.deletes)
        return
    for at in range(0, len(plan.inserts), ROWS_A_COMMIT):
        yield list(plan.inserts[at : at + ROWS_A_COMMIT]), [], []
    for at in range(0, len(plan.upserts), ROWS_A_COMMIT):
        yield [], list(plan.upserts[at : at + ROWS_A_COMMIT]), []
    for at in range(0, len(plan.deletes), ROWS_A_COMMIT):
        yield [], [], list(plan.deletes[at : at + ROWS_A_COMMIT])
