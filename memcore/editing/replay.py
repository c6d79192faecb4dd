"""Corrections of one store carried out in another: each by an ordinary edit, all undone as one.

    lines  ->  fields of memories, names  ->  relations  ->  merges and kinds  ->  removals  ->  a report

In this order every line still finds what it is about under the name that extraction gave it, whatever the
order in which a person worked. A line that does not fit says why, and never stops the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from memcore.editing import Edit, Editor, Who, draft, replayed
from memcore.editing.meant import Meant
from memcore.editing.outcomes import Outcome, Settled
from memcore.editing.portable import Line, parsed
from memcore.editing.replayed import Replayed
from memcore.errors import Collision, InputError, NotFound
from memcore.llm.protocols import Embedder
from memcore.records import new_id

NOBODY = "unknown"


class Shelf(draft.Shelf, replayed.Shelf, Protocol):
    """What a replay needs of a store: what its edits need, and what finding them does."""


def replay(shelf: Shelf, embedder: Embedder, lines: Iterable[str], *, dry: bool = False) -> Iterator[Outcome]:
    """Carry out the lines, yielding what became of each, in the order in which they are tried.

    `dry` changes nothing: each line is tried against the memory as it stands. Raises StoreBusy and
    StoreFull, with all before in place; doing it again goes on from there.
    """
    good: list[tuple[int, Line]] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            good.append((number, parsed(text)))
        except InputError as error:
            yield Outcome(number, "refused", str(error), None)
    yield from _Replay(shelf, embedder, good, dry).run()


class _Replay:
    def __init__(self, shelf: Shelf, embedder: Embedder, lines: list[tuple[int, Line]], dry: bool) -> None:
        self._shelf, self._dry, self._lines = shelf, dry, lines
        self._editor, self._group = Editor(shelf, embedder), new_id()
        self._meant = Meant(shelf, [line for _, line in lines])
        self._replayed = Replayed(shelf, self._meant, dry)

    def run(self) -> Iterator[Outcome]:
        late: list[tuple[int, Line]] = []
        for phase in _PHASES:
            for number, line in self._lines:
                if (line.target, line.slot) in phase:
                    outcome = self._tried(number, line)
                    if outcome.state == "collides" and line.slot == "name":
                        late.append((number, line))
                    else:
                        yield outcome
        for number, line in late:
            yield self._tried(number, line)

    def _tried(self, number: int, line: Line) -> Outcome:
        try:
            with self._shelf.writing():
                for edit in self._replayed.edits(line):
                    self._do(edit, line)
        except Settled as settled:
            return Outcome(number, settled.state, str(settled), line)
        except Collision as error:
            if self._dry and self._meant.gets_free(line.target, str(line.corrected)):
                return Outcome(number, "applied", "Fits once another line is carried out.", line)
            return Outcome(number, "collides", str(error), line)
        except NotFound as error:
            return Outcome(number, "not_found", str(error), line)
        except InputError as error:
            return Outcome(number, "refused", str(error), line)
        return Outcome(number, "applied", "It fits." if self._dry else "Carried out.", line)

    def _do(self, edit: Edit, line: Line) -> None:
        who = Who(line.author.strip() or NOBODY, line.reason)
        if self._dry:
            self._editor.plan(edit, who)
            return
        for _ in self._editor.apply(self._left(edit), who, group=self._group):
            pass
        self._meant.refresh()

    def _left(self, edit: Edit) -> Edit:
        """Moving one end can let two relations fall together: what is left of them moves on."""
        if edit.action != "set" or edit.record_kind != "relation":
            return edit
        there = self._shelf.get(edit.ids)
        return replace(edit, ids=tuple(i for i in edit.ids if i in there))


_NODES = ("cue", "tag")
_PHASES: tuple[frozenset[tuple[str, str]], ...] = (
    frozenset(("content", slot) for slot in ("text", "event", "layer", "pinned", "sensitivity")),
    frozenset((node, "name") for node in _NODES),
    frozenset({("relation", "triple")}),
    frozenset((node, "merged") for node in _NODES),
    frozenset({("cue", "cue_kind"), ("cue", "pinned")}),
    frozenset((node, "removed") for node in _NODES),
    frozenset({("content", "removed")}),
    frozenset((node, "exists") for node in _NODES),
)
