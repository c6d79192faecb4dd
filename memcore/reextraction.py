"""Extraction once more over what is stored, with a better extractor or after a fault, under the corrections.

    turns  ->  extract  ->  lay the corrections over it  ->  compare with what is stored  ->  one commit

What is still said keeps its id. What a person corrected, added or pinned stays; where extraction no longer
says what was corrected, the correction is marked as disputed and both values can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from memcore.construction import Built, Names, embed, read
from memcore.editing.corrections import Overlay, as_value
from memcore.errors import Cancelled
from memcore.events import Reextracted
from memcore.extraction import Extractor
from memcore.intake.sessions import batches
from memcore.llm.protocols import Embedder
from memcore.records import Content, Conversation, Correction, Relation, Turn, Value, new_id
from memcore.settings import Settings
from memcore.shelf import Committing
from memcore.stopping import Stop, never

Triple = tuple[str, str, str]
NOTHING = ""  # what a disputed correction holds where extraction says nothing any more


class Shelf(Committing, Protocol):
    """What this needs of a store (see store.Scope)."""

    def conversations(self) -> list[Conversation]: ...

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def contents(self, conversation_id: str) -> list[Content]: ...

    def names(self, kind: str) -> list[tuple[str, str]]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def corrections(self) -> list[Correction]: ...


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
            names = overlay.names(self._names())
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

    def _names(self) -> Names:
        cues, tags = ({key: i for i, key in self.shelf.names(kind)} for kind in ("cue", "tag"))
        return Names(cues, tags)

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


class Difference(NamedTuple):
    """What a comparison found: new records, stored contents with another time or in other words, corrections
    that are now disputed (or no longer are), and the ids that nothing says any more."""

    new: Built
    changed: list[Content]
    disputed: list[Correction]
    gone: list[str]


class Comparison:
    """What extraction says now, under the corrections, against what is stored of the same turns."""

    def __init__(
        self, overlay: Overlay, names: Names, stored: Sequence[Content], relations: Sequence[Relation]
    ) -> None:
        self._overlay, self._names, self._stored, self._relations = overlay, names, stored, relations
        self._by_place = {(c.origin[0], overlay.place(c)): c for c in stored}
        self._disputes: dict[str, Correction] = {}

    def of(self, built: Built) -> Difference:
        """The difference. Ids of what is stored already take the place of the new ones."""
        ids, contents = self._matched(built.contents)
        said = {
            (r.cue_id, r.tag_id, ids[r.content_id]): replace(r, content_id=ids[r.content_id])
            for r in built.relations
            if r.content_id in ids
        }
        corrected = self._corrected(said, ids)
        kept = {(r.cue_id, r.tag_id, r.content_id) for r in self._relations}
        relations = [r for triple, r in said.items() if triple not in kept | corrected]
        gone_contents = self._unsaid(set(ids.values()))
        gone = [*gone_contents, *self._unsaid_relations(set(said), set(gone_contents))]
        used = {i for r in relations for i in (r.cue_id, r.tag_id)}
        cues, tags = ([n for n in nodes if n.id in used] for nodes in (built.cues, built.tags))
        changed = self._reworded(built.contents, ids)
        new = Built(contents, cues, tags, relations)  # pyright: ignore[reportArgumentType]
        return Difference(new, changed, self._changed_disputes(), gone)

    def _matched(self, contents: Iterable[Content]) -> tuple[dict[str, str], list[Content]]:
        """New id -> the id it will have; contents that are not stored yet. Removed ones have none."""
        ids: dict[str, str] = {}
        new: list[Content] = []
        for content in contents:
            place = self._overlay.place(content)
            if self._removed(content.origin[0], place):
                continue
            found = self._by_place.get((content.origin[0], place))
            ids[content.id] = found.id if found else content.id
            if found is None:
                new.append(content)
        return ids, new

    def _removed(self, turn: str, place: Value) -> bool:
        return any(
            c.slot == "removed" and c.extracted == place for c in self._overlay.of_turn(turn, "content")
        )

    def _corrected(self, said: Collection[Triple], ids: dict[str, str]) -> set[Triple]:
        """What of this a person put something else in the place of. It is not said again; what stands
        in its place is stored. A correction of what is no longer said is disputed."""
        found: set[Triple] = set()
        shown = set(ids.values())
        for c in self._overlay.all:
            if c.target != "relation" or not isinstance(c.extracted, tuple):
                continue
            content = self._content_at(c.origin, c.extracted[2:])
            cue, tag = self._ends(c.extracted)
            if content is None or content not in shown or not (cue and tag):
                continue  # what it was about was removed by hand since, or belongs to other turns
            triple = (cue, tag, content)
            found.add(triple)
            self._dispute(c, None if triple in said or c.corrected is None else NOTHING)
        return found

    def _content_at(self, turn: str, place: Value) -> str | None:
        found = self._by_place.get((turn, place))  # type: ignore[arg-type]
        return found.id if found else None

    def _ends(self, triple: tuple[Any, ...]) -> tuple[str, str]:
        return self._names.cues.get(str(triple[0]), ""), self._names.tags.get(str(triple[1]), "")

    def _unsaid(self, said: set[str]) -> list[str]:
        """Stored contents that extraction no longer gives; what a person touched stays and is disputed."""
        gone: list[str] = []
        touched = {r.content_id for r in self._relations if self._by_person(r)}
        for content in self._stored:
            if content.id in said:
                continue
            corrections = self._overlay.of(content.id)
            if corrections or content.pinned or content.id in touched:
                for c in corrections:
                    self._dispute(c, None if c.extracted is None else NOTHING)
            else:
                gone.append(content.id)
        return gone

    def _unsaid_relations(self, said: set[tuple[str, str, str]], gone: set[str]) -> list[str]:
        kept = {c.id for c in self._stored} - gone
        return [
            r.id
            for r in self._relations
            if r.content_id in gone
            or (
                r.content_id in kept
                and not self._by_person(r)
                and (r.cue_id, r.tag_id, r.content_id) not in said
            )
        ]

    def _by_person(self, r: Relation) -> bool:
        return r.made_by == "person" or bool(self._overlay.of(r.id))

    def _reworded(self, contents: Iterable[Content], ids: dict[str, str]) -> list[Content]:
        """Stored contents that happened at another time, or that a model tells in other words now, unless a
        person set the time or the words."""
        stored = {c.id: c for c in self._stored}
        changed: list[Content] = []
        for content in contents:
            found = stored.get(ids.get(content.id, ""))
            if found is None:
                continue
            for c in self._overlay.of(found.id):
                new = {"text": content.text, "event": as_value(content.event)}.get(c.slot, c.extracted)
                self._dispute(c, None if new == c.extracted or c.extracted is None else new)
            event = found.event if self._overlay.of(found.id, "event") else content.event
            text = found.text if self._overlay.of(found.id, "text") else content.text
            if (event, text) != (found.event, found.text):
                changed.append(replace(found, event=event, text=text))
        return changed

    def _dispute(self, correction: Correction, value: Value) -> None:
        self._disputes[correction.id] = replace(correction, disputed=value)

    def _changed_disputes(self) -> list[Correction]:
        before = {c.id: c for c in self._overlay.all}
        return [
            replace(c, revision=c.revision + 1)
            for c in self._disputes.values()
            if c.disputed != before[c.id].disputed
        ]
