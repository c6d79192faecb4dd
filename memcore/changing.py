"""What a person changes in a memory by hand, and what of it is taken back, brought back or handed out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from memcore.asking import Snapshot
from memcore.audit import Export, Exported
from memcore.editing import Edit, Editor, Plan, Who
from memcore.editing.exporting import exported
from memcore.editing.impact import Impact, impact
from memcore.editing.outcomes import Outcome
from memcore.editing.portable import dumped
from memcore.editing.replay import replay
from memcore.llm.protocols import Embedder
from memcore.records import Record, new_id
from memcore.store import ChangeRow, Scope, TakenBack, Underway
from memcore.store.past import Stood


class Changeable(ABC):
    """The changing side of a Memory."""

    _scope: Scope
    _embedder: Embedder
    _snapshot: Snapshot | None

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """See Memory."""

    def changes(self, limit: int | None = 50) -> list[ChangeRow]:
        """The journal, newest first; all of it where `limit` is None."""
        return self._scope.changes(limit)

    def undo(self, group: str | None = None, *, also_later: bool = False, author: str = "") -> TakenBack:
        """Take back the last change, or the one named; `also_later` those first that rest on it.

        Raises NotFound when there is none, InTheWay.
        """
        return self._scope.undo(group, also_later=also_later, author=author)

    def undoing(
        self, group: str | None = None, *, also_later: bool = False, author: str = ""
    ) -> Iterator[Underway]:
        """The same as it goes on: it is carried out by iterating over it."""
        return self._scope.undoing(group, also_later=also_later, author=author)

    def redo(self, group: str | None = None, *, author: str = "") -> TakenBack:
        """Bring back what was undone last, or the change named. Raises NotFound, InTheWay, InputError."""
        return self._scope.redo(group, author=author)

    def redoing(self, group: str | None = None, *, author: str = "") -> Iterator[Underway]:
        """The same as it goes on."""
        return self._scope.redoing(group, author=author)

    def blockers(self, group: str) -> list[ChangeRow]:
        """The later changes that rest on this one, newest first."""
        return self._scope.blockers(group)

    def difference(self, group: str) -> tuple[list[Record], list[Record]]:
        """What a change concerned, as it was before and as it left it. Raises NotFound."""
        return self._scope.difference(group)

    def redoable(self, group: str) -> bool:
        """Whether what an undone change was made on is there, so that it can be redone. Raises NotFound."""
        return self._scope.redoable(group)

    def stood(self, wanted: Mapping[str, Collection[str]]) -> dict[str, Stood]:
        """By change, the records of these ids as they stood before it and as it left them, with the ends of
        the relations among them; whatever became of them since."""
        return self._scope.stood(wanted)

    def tidy(self) -> None:
        """Compact the store and take what is new into its indexes; imports do so at their end."""
        self._scope.tidy()

    @property
    def editor(self) -> Editor:
        """Plans and applies edits by hand (see editing)."""
        known = self._snapshot.graph.columns if self._snapshot else None
        return Editor(self._scope, self._embedder, known)

    def edit(self, edit: Edit | Sequence[Edit], who: Who, seen: Mapping[str, int] | None = None) -> str:
        """Carry an edit, or several as one change, out at once; the change's id (see `undo`).

        `editor.apply` yields its progress. Raises what that raises.
        """
        group = new_id()
        for _ in self.editor.apply(edit, who, seen, group):
            pass
        return group

    def impact(self, plan: Plan) -> Impact:
        """What a plan would change in how memories are reached."""
        return impact(self.snapshot().graph, plan)

    def exported(self) -> Iterator[str]:
        """All corrections as lines of JSON that mean the same in another store (see editing.portable)."""
        lines = [*map(dumped, exported(self._scope.whole("export")))]
        self.handed_out("corrections", len(lines))
        return iter(lines)

    def exportable(self) -> int:
        """How many lines `exported` would give."""
        return sum(1 for _ in exported(self._scope.whole("export")))

    def handed_out(self, export: Export, lines: int, of: str = "") -> None:
        """Enter in the audit that something leaves this memory; `of` is the id of a receipt or trace."""
        self._scope.whole("export").scribe.enter(Exported(export, lines, of))

    def replay(self, lines: Iterable[str], *, dry: bool = False) -> Iterator[Outcome]:
        """Carry out exported corrections here as one change; `dry` only says what would fit."""
        return replay(self._scope, self._embedder, lines, dry=dry)
