"""All corrections of a memory as portable lines: each says by names and places what its ids mean here.

What was corrected may have been renamed, merged or removed since, and any of that undone; the line says what
it came to, so that the lines of a memory together give its present state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from memcore.editing.corrections import WHOLE, Overlay
from memcore.editing.portable import Ends, Line, Place
from memcore.editing.read_names import OF_NAMES, read_names
from memcore.records import Content, Conversation, Correction, Cue, Record, Relation, Tag, Turn, Value
from memcore.shelf import Named, Records, names_of
from memcore.words import normalise

Parts = tuple[str | int | None, ...]


class Shelf(Records, Named, Protocol):
    """What this needs of a store."""


def exported(shelf: Shelf) -> Iterator[Line]:
    """A line per correction that means something elsewhere, in the order in which they were made."""
    export = _Export(shelf)
    for correction in export.overlay.all:
        line = export.line(correction)
        if line is not None:
            yield line


class _Export:
    def __init__(self, shelf: Shelf) -> None:
        self.overlay = Overlay(shelf.corrections())
        live = names_of(shelf)
        self._live = {"cue": live.cues, "tag": live.tags}
        followed = self.overlay.names(live)
        self._followed = {"cue": followed.cues, "tag": followed.tags}
        self._led = read_names(self.overlay)
        self._stands_for = {
            (c.target, normalise(str(c.extracted))): c.record_id
            for c in self.overlay.all
            if c.slot in ("name", "merged")
        }
        merged = (c for c in self.overlay.all if c.slot == "merged")
        self._merged = {(c.target, normalise(str(c.extracted))) for c in merged}
        self._records = self._gathered(shelf)

    def line(self, c: Correction) -> Line | None:
        """None for what is gone with a later correction, which then says so itself."""
        if c.target == "relation":
            return self._relation(c)
        if c.target == "content":
            return self._content(c)
        node = self._records.get(c.record_id)
        if c.slot in OF_NAMES:
            called = c.corrected if c.corrected is None or not isinstance(node, Cue | Tag) else node.name
            return _made(c, c.extracted, called)
        return _made(c, c.extracted, c.corrected, name=node.name) if isinstance(node, Cue) else None

    def _gathered(self, shelf: Shelf) -> dict[str, Record]:
        """Every record that a line may name."""
        found = shelf.get(dict.fromkeys(i for c in self.overlay.all for i in (c.record_id, c.origin) if i))
        ends = [i for r in found.values() if isinstance(r, Relation) for i in (r.cue_id, r.tag_id)]
        talks = [r.conversation_id for r in found.values() if isinstance(r, Turn)]
        keys = [(k, str(key)) for c in self.overlay.all for k, key in _keys(c)]
        nodes = [i for kind, key in keys if (i := self._followed[kind].get(key))]
        shown = [r.content_id for r in found.values() if isinstance(r, Relation)]
        return found | shelf.get(dict.fromkeys([*ends, *talks, *nodes, *shown]))

    def _content(self, c: Correction) -> Line | None:
        if c.slot == "removed":
            place = self._place(c.origin, c.extracted if isinstance(c.extracted, tuple) else ())
            return _made(c, c.extracted, None, place) if place else None
        content = self._records.get(c.record_id)
        if not isinstance(content, Content):
            return None
        place = self._place(c.origin, self.overlay.place(content))
        return _made(c, c.extracted, c.corrected, place) if place else None

    def _relation(self, c: Correction) -> Line | None:
        triple = c.extracted if isinstance(c.extracted, tuple) else c.corrected
        place = self._place(c.origin, triple[2:] if isinstance(triple, tuple) else ())
        before = self._before(c, c.extracted) if isinstance(c.extracted, tuple) else None
        after = self._after(c, c.corrected) if isinstance(c.corrected, tuple) else None
        if place is None or (before is None and after is None):
            return None
        return Line("relation", c.slot, before, after, c.author, c.reason, c.recorded.isoformat(), place)

    def _before(self, c: Correction, triple: Parts) -> Ends:
        cue, tag = (
            self._names_then(kind, str(key), c) for kind, key in zip(("cue", "tag"), triple, strict=False)
        )
        return Ends(cue, tag)

    def _names_then(self, kind: str, key: str, c: Correction) -> tuple[str, ...]:
        """What the node of this key is called where no correction but renames was made yet."""
        names: list[str] = []
        node = self._records.get(self._live[kind].get(key) or self._stands_for.get((kind, key), ""))
        if isinstance(node, Cue | Tag):
            into = (m for m in self.overlay.of(node.id, "merged") if m.recorded < c.recorded)
            own = [] if (kind, key) in self._merged else [node.name]
            names += [*own, *(str(m.extracted) for m in into)]
        names += self._led.get((kind, key), [])
        return tuple(dict.fromkeys(names or [key]))

    def _after(self, c: Correction, triple: Parts) -> Ends | None:
        """The ends a relation has now; None where it went with one of them."""
        relation = self._records.get(c.record_id)
        if isinstance(relation, Relation):
            ids = (relation.cue_id, relation.tag_id)
        else:
            ids = tuple(
                self._followed[k].get(str(key), "") for k, key in zip(("cue", "tag"), triple, strict=False)
            )
        cue, tag = (self._records.get(i) for i in ids)
        if not isinstance(cue, Cue) or not isinstance(tag, Tag):
            return None
        return Ends((cue.name,), (tag.name,), cue.cue_kind)

    def _place(self, turn_id: str, place: Parts) -> Place | None:
        turn = self._records.get(turn_id)
        talk = self._records.get(turn.conversation_id) if isinstance(turn, Turn) else None
        if not isinstance(turn, Turn) or not isinstance(talk, Conversation) or len(place) != 4:
            return None
        layer, start, end, topic = place
        span = None if (start, end) == WHOLE else (int(start or 0), int(end or 0))
        return Place(talk.source, talk.title, turn.source, turn.position, str(layer), span, str(topic or ""))


def _keys(c: Correction) -> list[tuple[str, str | int | None]]:
    """The keys of cues and tags that a correction of a relation names."""
    if c.target != "relation":
        return []
    triples = [v for v in (c.extracted, c.corrected) if isinstance(v, tuple)]
    return [pair for triple in triples for pair in zip(("cue", "tag"), triple, strict=False)]


def _made(c: Correction, before: Value, after: Value, place: Place | None = None, name: str = "") -> Line:
    time = c.recorded.isoformat()
    return Line(c.target, c.slot, before, after, c.author, c.reason, time, place, name)
