"""Extraction once more over what is stored, with a better extractor or after a fault, under the corrections.

    turns  ->  extract  ->  lay the corrections over it  ->  compare with what is stored  ->  one commit

What is still said keeps its id. What a person corrected, added or pinned stays; where extraction no longer
says what was corrected, the correction is marked as disputed and both values can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from memcore.construction import Built, embed, read
from memcore.editing.comparison import Comparison
from memcore.editing.corrections import Overlay
from memcore.errors import Cancelled
from memcore.events import Reextracted
from memcore.extraction import Extractor
from memcore.intake.sessions import batches
from memcore.llm.protocols import Embedder
from memcore.records import Content, Conversation, Turn, new_id
from memcore.settings import Settings
from memcore.shelf import Committing, Named, Records, names_of
from memcore.stopping import Stop, never
from memcore.triples import Names


class Shelf(Committing, Records, Named, Protocol):
    """What this needs of a store (see store.Scope)."""

    def conversations(self) -> list[Conversation]: ...

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def contents(self, conversation_id: str) -> list[Content]: ...


class Step(NamedTuple):
    """Progress: conversations done of all, what changed so far, and what did not go as it should."""

    done: int
    total: int
    made: int
    removed: int
    conflicts: int
    notes: tuple[str, ...] = ()


@dataclass
class Reextraction:
    """One run over a whole scope, undone as one change. `batch` turns are one commit (0 for the setting)."""

    shelf: Shelf
    extractor: Extractor
    embedder: Embedder
    settings: Settings
    cancelled: Stop = never
    batch: int = 0
    notes: Callable[[], Sequence[str]] = tuple[str, ...]

    def run(self) -> Iterator[Step]:
        """A step after each conversation; one that changes nothing writes nothing."""
        group, talks = new_id(), self.shelf.conversations()
        step = Step(0, len(talks), 0, 0, 0)
        try:
            for done, talk in enumerate(talks, 1):
                for batch in batches(self.shelf.turns(talk.id), self.batch or self.settings.import_batch):
                    if self.cancelled():
                        return
                    step = _after(step, done, self._batch(talk, batch, group))
                yield step._replace(notes=tuple(self.notes()))
        except Cancelled:
            return

    def _batch(self, talk: Conversation, turns: Sequence[Turn], group: str) -> Reextracted:
        with self.shelf.writing():
            inside = {t.id for t in turns}
            stored = [c for c in self.shelf.contents(talk.id) if _read_from(c, inside)]
            relations = self.shelf.relations_of(*(c.id for c in stored), end="content_id")
            overlay = Overlay(self.shelf.corrections())
            names = overlay.names(names_of(self.shelf))
            built = read(turns, Names({**names.cues}, {**names.tags}), self.extractor, self.settings)
            change = Comparison(overlay, names, stored, relations).of(built)
            new = embed(change.new, self.embedder)
            changed = embed(Built(change.changed, [], [], []), self.embedder).contents
            inserts = [*new.contents, *new.cues, *new.tags, *new.relations]
            upserts = [*self._revised(changed), *change.disputed]
            event = Reextracted(talk.id, len(inserts), len(change.gone), len(change.disputed))
            if inserts or upserts or change.gone:
                self.shelf.commit(event, inserts=inserts, upserts=upserts, deletes=change.gone, group=group)
        return event

    def _revised(self, changed: Sequence[Content]) -> list[Content]:
        return [replace(c, revision=c.revision + 1) for c in changed]


def _read_from(content: Content, turns: Collection[str]) -> bool:
    """Whether extraction reads it from one of these turns. What rests on units is recurrence's, unless it
    stands in the turn."""
    written = bool(content.units) and content.span is None
    return bool(content.origin) and content.origin[0] in turns and not written


def _after(step: Step, done: int, event: Reextracted) -> Step:
    made, removed = step.made + event.made, step.removed + event.removed
    return Step(done, step.total, made, removed, step.conflicts + event.conflicts)
