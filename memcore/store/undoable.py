# pyright: basic
"""What is asked of a scope about its changes: the journal, and taking them back or bringing them back."""

from __future__ import annotations

from collections.abc import Iterator

from memcore.records import Record
from memcore.store import journal, past, undo
from memcore.store.commit import WriteDoor
from memcore.store.journal import ChangeRow
from memcore.store.rows import from_rows
from memcore.store.undo import TakenBack, Underway, finished


class Undoable:
    """The part of a `Scope` that changes are undone with."""

    _door: WriteDoor

    def undo(self, group: str | None = None, *, also_later: bool = False, author: str = "") -> TakenBack:
        """Takes back the last change that is not undone, or the one named, as a new commit.

        What the change made is deleted; what it overwrote or deleted comes back with its vectors, under
        a new revision where another stood. With `also_later` the changes that rest on it go first.
        Raises NotFound when there is none, InTheWay when later changes rest on it.
        """
        return finished(self.undoing(group, also_later=also_later, author=author))

    def undoing(
        self, group: str | None = None, *, also_later: bool = False, author: str = ""
    ) -> Iterator[Underway]:
        """The same, saying how far it is."""
        return undo.undo(self._door, group, also_later, author)

    def redo(self, group: str | None = None, *, author: str = "") -> TakenBack:
        """Brings back the change undone last, or the one named, as a new commit.

        Raises NotFound when there is none, InTheWay, InputError for an import.
        """
        return finished(self.redoing(group, author=author))

    def redoing(self, group: str | None = None, *, author: str = "") -> Iterator[Underway]:
        """The same, saying how far it is."""
        return undo.redo(self._door, group, author)

    def blockers(self, group: str) -> list[ChangeRow]:
        """The later changes that rest on this one, newest first. Raises NotFound."""
        return undo.blockers(self._door, group)

    def difference(self, group: str) -> tuple[list[Record], list[Record]]:
        """The records that a change concerned, as they were before and as it left them. Raises NotFound."""
        before, after = undo.difference(self._door, group)
        return from_rows(before), from_rows(after)

    def redoable(self, group: str) -> bool:
        """Whether an undone change can be brought back: what it was made on is there, or would be once later
        changes are undone. Raises NotFound."""
        return undo.redoable(self._door, group)

    def stood(self, wanted: past.Wanted) -> dict[str, past.Stood]:
        """Records as they stood before a change and as it left them, by the change's group; with the ends
        of the relations among them."""
        return past.stood(self._door, wanted)

    def changes(self, limit: int | None = 50) -> list[ChangeRow]:
        """The journal, newest first, the commits of a group as one change."""
        return journal.changes(journal.entries(self._door))[:limit]
