"""What extraction says once more of turns against what is stored of them, under a person's corrections.

    contents, matched by their place  ->  relations, by their ends  ->  new, changed, disputed, gone

What is still said keeps its id. What a person corrected, added or pinned stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from memcore.construction import Built
from memcore.editing.corrections import Overlay, as_value
from memcore.records import Content, Correction, Relation, Triple, Value
from memcore.triples import Names

NOTHING = ""  # what a disputed correction holds where extraction says nothing any more


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
        # where both were kept, the one that extraction said comes last, and has the place
        by_hand_first = sorted(stored, key=lambda c: not overlay.by_hand(c.id))
        self._by_place = {(c.origin[0], overlay.place(c)): c for c in by_hand_first}
        self._disputes: dict[str, Correction] = {}

    def of(self, built: Built) -> Difference:
        """The difference. Ids of what is stored already take the place of the new ones."""
        ids, contents = self._matched(built.contents)
        there = (r for r in built.relations if r.content_id in ids)
        said = {r.triple: r for r in (replace(r, content_id=ids[r.content_id]) for r in there)}
        corrected = self._corrected(said, ids)
        kept = {r.triple for r in self._relations}
        relations = [r for triple, r in said.items() if triple not in kept | corrected]
        shown = set(ids.values())
        gone = self._unsaid(shown)
        gone += self._unsaid_relations(set(said), shown | set(gone))
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
            if self._overlay.removed(content.origin[0], place):
                continue
            found = self._by_place.get((content.origin[0], place))
            ids[content.id] = found.id if found else content.id
            if found is None:
                new.append(content)
        return ids, new

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
        touched = {r.content_id for r in self._relations if self._overlay.by_person(r)}
        for content in self._stored:
            if content.id in said:
                continue
            corrections = self._overlay.of(content.id)
            if corrections or content.pinned or content.id in touched:
                by_hand = self._overlay.by_hand(content.id)
                for c in corrections:
                    self._dispute(c, None if by_hand else NOTHING)
            else:
                gone.append(content.id)
        return gone

    def _unsaid_relations(self, said: set[Triple], of: Collection[str]) -> list[str]:
        """Of these contents. Those of one that only a person keeps stay with it: it must be found."""
        ours = (r for r in self._relations if r.content_id in of)
        return [r.id for r in ours if r.triple not in said and not self._overlay.by_person(r)]

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
