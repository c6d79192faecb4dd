"""Changes of a memory as a list that can be filtered: of what sort, by whom, when and why.

Nothing here reads a store: rows of the journal go in. `change_titles` says what was done in one line,
`before_after` what it came to for each record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from memcore.events import ChangeEvent

Sort = Literal["edit", "import", "undo", "redo", "extraction", "recurrence", "run", "repair", "erasure"]
SORTS: Mapping[str, Sort] = {
    "edited": "edit",
    "imported": "import",
    "runs_imported": "import",
    "ran": "run",
    "undone": "undo",
    "redone": "redo",
    "reextracted": "extraction",
    "reconsolidated": "recurrence",
    "repaired": "repair",
    "erased": "erasure",
    "lifted": "erasure",
}
SORT_NAMES: Mapping[Sort, str] = {
    "edit": "Edits",
    "import": "Imports",
    "undo": "Undos",
    "redo": "Redos",
    "extraction": "Extractions",
    "recurrence": "Consolidations",
    "run": "Agent runs",
    "repair": "Repairs",
    "erasure": "Erasures",
}


class Row(Protocol):
    """A row of the journal (see store.journal.ChangeRow)."""

    @property
    def group(self) -> str: ...

    @property
    def events(self) -> tuple[ChangeEvent, ...]: ...

    @property
    def when(self) -> datetime: ...

    @property
    def undone(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Sieve:
    """Which changes are wanted; what is empty does not filter. Days are those of UTC-aware `when`."""

    sorts: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    def __bool__(self) -> bool:
        return bool(self.sorts or self.authors or self.first or self.last)

    def passes(self, row: Row, day: date) -> bool:
        if self.sorts and sort_of(row) not in self.sorts:
            return False
        if self.authors and not set(self.authors).intersection(authors(row)):
            return False
        return (self.first or day) <= day <= (self.last or day)


def sort_of(row: Row) -> Sort:
    """What kind of change it is."""
    return SORTS[row.events[-1].kind]


def authors(row: Row) -> list[str]:
    """Who edited, undid or redid; of a replay, everybody whose corrections it holds."""
    people = [e.author for e in row.events if e.kind == "edited" or e.kind == "undone" or e.kind == "redone"]
    return list(dict.fromkeys(filter(None, people)))


def reasons(row: Row) -> list[str]:
    """Why, in their own words."""
    return list(dict.fromkeys(e.reason for e in row.events if e.kind == "edited" and e.reason))


def concerns(row: Row, ids: frozenset[str]) -> bool:
    """Whether a change was of one of these records, files or conversations."""
    return any(ids.intersection(_of(event)) for event in row.events)


def _of(event: ChangeEvent) -> tuple[str, ...]:
    if event.kind == "edited":
        return event.ids
    if event.kind == "imported" or event.kind == "runs_imported":
        return (event.file_id,)
    if event.kind == "ran":
        return (event.run_id,)
    return (event.conversation_id,) if event.kind == "reextracted" else ()
