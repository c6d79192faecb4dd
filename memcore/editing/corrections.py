"""Extraction says one thing and a person another: which of both is shown, now and after the next run.

A correction is keyed by where the extracted value stood and what it was, so extraction may run again
at any time: what it says anew is laid under the corrections, never over them. Where it no longer says
what was corrected, the correction is disputed, and a person decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from memcore.records import Content, Correction, Cue, Moment, Precision, Relation, Tag, Value
from memcore.triples import Names
from memcore.words import normalise

WHOLE = (-1, -1)


class Overlay:
    """All corrections of a scope, found by what they are about."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self.all = list(corrections)
        self._of_record: dict[str, list[Correction]] = {}
        self._of_turn: dict[str, list[Correction]] = {}
        for c in self.all:
            self._of_record.setdefault(c.record_id, []).append(c)
            self._of_turn.setdefault(c.origin, []).append(c)
        self._led = {
            target: {
                normalise(str(c.extracted)): c
                for c in self.all
                if c.target == target and c.slot in ("name", "merged", "removed") and c.extracted is not None
            }
            for target in ("cue", "tag")
        }

    def of(self, record_id: str, slot: str = "") -> list[Correction]:
        """The corrections that a record shows; of one slot, or all."""
        return [c for c in self._of_record.get(record_id, ()) if slot in ("", c.slot)]

    def of_turn(self, turn_id: str, target: str) -> list[Correction]:
        """The corrections of what was extracted from one turn."""
        return [c for c in self._of_turn.get(turn_id, ()) if c.target == target]

    def names(self, live: Names) -> Names:
        """The names of a scope, and beside them every name that a correction leads elsewhere, or nowhere.

        What a correction says of a name goes before a node that was given this name since: what
        extraction reads under it means the same as when it was corrected.
        """
        return Names(self._resolved("cue", live.cues), self._resolved("tag", live.tags))

    def leads(self, target: str, key: str) -> bool:
        """Whether a correction says where this name leads."""
        return key in self._led[target]

    def read_as(self, node: Cue | Tag) -> list[str]:
        """The names under which extraction means this cue or tag, its own before those merged into it."""
        led = [c for c in self.of(node.id) if c.slot in ("name", "merged") and c.extracted is not None]
        keys = [normalise(str(c.extracted)) for c in sorted(led, key=lambda c: c.slot == "merged")]
        own = [] if self.leads(node.kind, node.key) or "name" in {c.slot for c in led} else [node.key]
        return [*keys, *own] if self.by_hand(node.id) else [*own, *keys]

    def called(self, node: Cue | Tag) -> list[str]:
        """The names by which a text may call this cue or tag: its own, and those that extraction read."""
        led = [c for c in self.of(node.id) if c.slot in ("name", "merged") and c.extracted is not None]
        return [node.name, *(str(c.extracted) for c in led)]

    def replaced(self, content: Content) -> list[tuple[str | int | None, ...]]:
        """The relations of a content, as keys of cue and tag, that a person took away or put another in the
        place of."""
        place = self.place(content)
        made = self.of_turn(content.origin[0], "relation") if content.origin else []
        triples = [c.extracted for c in made if isinstance(c.extracted, tuple)]
        return [triple[:2] for triple in triples if triple[2:] == place]

    def by_hand(self, record_id: str) -> bool:
        """Whether a person made this record, and extraction never said it."""
        return any(c.extracted is None for c in self.of(record_id))

    def by_person(self, relation: Relation) -> bool:
        """Whether a person had a hand in a relation: it stays although nothing says it any more."""
        return relation.made_by == "person" or bool(self.of(relation.id))

    def removed(self, turn_id: str, place: object) -> bool:
        """Whether a person removed the content that was extracted from this place (see `place`) of a turn."""
        found = self.of_turn(turn_id, "content")
        return any(c.slot == "removed" and c.extracted == place for c in found)

    def extracted(self, content: Content) -> Content:
        """A content with the text, layer and time that extraction gave it."""
        for c in self.of(content.id):
            if c.slot in ("text", "layer") and isinstance(c.extracted, str):
                content = replace(content, **{c.slot: c.extracted})  # pyright: ignore[reportArgumentType]
            elif c.slot == "event":
                content = replace(content, event=as_moment(c.extracted))
        return content

    def place(self, content: Content) -> tuple[str | int, ...]:
        """Where in its origin turn a content was found: layer, span, and the words of a topic or of a fact
        that stands nowhere."""
        original = self.extracted(content)
        stands = original.layer != "topic" and (original.layer != "fact" or original.span is not None)
        name = "" if stands else normalise(original.text)
        return (original.layer, *(original.span or WHOLE), name)

    def _resolved(self, target: str, live: Mapping[str, str]) -> dict[str, str]:
        there = set(live.values())
        led = {
            key: "" if c.slot == "removed" else c.record_id
            for key, c in self._led[target].items()
            if c.slot == "removed" or c.record_id in there
        }
        return {**live, **led}


def as_value(value: Any) -> Value:
    """A value as a correction keeps it: a moment by its parts, yes and no as a number."""
    if isinstance(value, Moment):
        start, end = (m.isoformat() if m else None for m in (value.start, value.end))
        return (start, end, value.precision, int(value.zoned))
    return int(value) if isinstance(value, bool) else value


def as_moment(value: Value) -> Moment:
    """The moment that `as_value` kept."""
    if not isinstance(value, tuple):
        return Moment()
    start, end = (datetime.fromisoformat(str(m)) if m else None for m in value[:2])
    precision: Precision = value[2]  # type: ignore[assignment]
    return Moment(start, end, precision, bool(value[3]))
