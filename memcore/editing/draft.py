"""A plan of an edit in the making: what it makes, changes and removes, and the corrections it leaves.

Records are changed only through the draft, so that it knows how each of them was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from memcore.construction import Names
from memcore.editing.corrections import Overlay
from memcore.editing.edits import NodeKind, Plan, Who
from memcore.errors import NotFound
from memcore.events import ChangeEvent, Edited
from memcore.llm.protocols import Embedder
from memcore.records import (
    Content,
    Correction,
    Cue,
    CueKind,
    Record,
    Relation,
    Tag,
    Value,
    Vector,
    new_id,
    now,
)
from memcore.words import normalise

_R = TypeVar("_R", Cue, Tag, Content, Relation, Correction)


class Shelf(Protocol):
    """What editing needs of a store (see store.Scope)."""

    def writing(self) -> AbstractContextManager[None]: ...

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def names(self, kind: str) -> list[tuple[str, str]]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def corrections(self) -> list[Correction]: ...

    def commit(
        self,
        event: ChangeEvent,
        *,
        inserts: Sequence[Record] = (),
        upserts: Sequence[Record] = (),
        deletes: Sequence[str] = (),
        group: str | None = None,
    ) -> int: ...


@dataclass
class Draft:
    """A plan in the making. Records are changed only through it, so that it knows how they were."""

    shelf: Shelf
    embedder: Embedder
    who: Who
    inserts: dict[str, Record] = field(default_factory=dict[str, Record])
    upserts: dict[str, Record] = field(default_factory=dict[str, Record])
    deletes: dict[str, None] = field(default_factory=dict[str, None])
    before: dict[str, Record] = field(default_factory=dict[str, Record])

    def __post_init__(self) -> None:
        self.overlay = Overlay(self.shelf.corrections())
        self._names: Names | None = None

    @property
    def names(self) -> Names:
        """The names that cues and tags have, new ones of this draft included."""
        if self._names is None:
            cues, tags = ({key: i for i, key in self.shelf.names(kind)} for kind in ("cue", "tag"))
            self._names = Names(cues, tags)
        return self._names

    def plan(self, event: Edited) -> Plan:
        return Plan(
            event,
            tuple(self.inserts.values()),
            tuple(self.upserts.values()),
            tuple(self.deletes),
            self.before,
        )

    def all_of(self, ids: Sequence[str], record_class: type[_R]) -> list[_R]:
        """The records of these ids, each of the class. Raises NotFound."""
        found = self.shelf.get(ids)
        records = [r for i in dict.fromkeys(ids) if isinstance(r := found.get(i), record_class)]
        if not ids or len(records) != len(dict.fromkeys(ids)):
            raise NotFound("What you want to edit is no longer there; somebody may have removed it.")
        return records

    def nodes(self, kind: NodeKind, ids: Sequence[str]) -> list[Cue | Tag]:
        """The cues or tags of these ids. Raises NotFound."""
        return [*(self.all_of(ids, Cue) if kind == "cue" else self.all_of(ids, Tag))]

    def change(self, record: Record, **fields: Any) -> None:
        """Write a record over with some fields new; several changes of one record are one revision."""
        self.before.setdefault(record.id, record)
        latest: Any = self.upserts.get(record.id, record)
        revision = getattr(self.before[record.id], "revision", 0) + 1
        self.upserts[record.id] = replace(latest, **fields, revision=revision)

    def remove(self, record: Record) -> None:
        """Delete a record."""
        self.before.setdefault(record.id, record)
        self.upserts.pop(record.id, None)
        self.deletes[record.id] = None

    def correct(self, correction: Correction) -> None:
        """Keep a correction. One of the same value is continued, or ended when the value is again what
        extraction said."""
        known = next((c for c in self.overlay.of(correction.record_id) if _same(c, correction)), None)
        if known is None:
            if correction.extracted != correction.corrected:
                self.inserts[correction.id] = correction
        elif known.extracted == correction.corrected:
            self.remove(known)
        else:
            who, why = self.who
            self.change(known, corrected=correction.corrected, disputed=None, author=who, reason=why)

    def correction(
        self, target: Any, slot: str, record_id: str, extracted: Value, corrected: Value, origin: str = ""
    ) -> None:
        """See `correct`."""
        who, why = self.who
        made = Correction(new_id(), target, slot, origin, extracted, corrected, record_id, who, why, now())
        self.correct(made)

    def by_hand(self, record_id: str) -> bool:
        """Whether a person made this record, and extraction never said it."""
        return any(c.extracted is None for c in self.overlay.of(record_id))

    def vector(self, text: str) -> Vector | None:
        """The embedding of a text, None where it has none."""
        if not self.embedder.dimension or not self.embedder.covers(text):
            return None
        return self.embedder.embed([text])[0]

    def cue_vector(self, name: str, cue_kind: str) -> Vector | None:
        """The embedding of a cue; times are matched, not embedded."""
        return None if cue_kind == "time" else self.vector(name)

    def node(self, kind: NodeKind, name: str, cue_kind: CueKind = "topic") -> str:
        """The id of the cue or tag of this name; made by hand where there is none."""
        named = self.names.cues if kind == "cue" else self.names.tags
        key = normalise(name)
        if key not in named:
            named[key] = new_id()
            self.inserts[named[key]] = (
                Cue(named[key], name, key, cue_kind, self.cue_vector(name, cue_kind), "person")
                if kind == "cue"
                else Tag(named[key], name, key, self.vector(name), "person")
            )
            self.correction(kind, "exists", named[key], None, name)
        return named[key]


def _same(known: Correction, new: Correction) -> bool:
    """Whether both are about the same value. Several names can be merged into one record."""
    if (known.slot, known.origin) != (new.slot, new.origin):
        return False
    return known.slot != "merged" or known.extracted == new.extracted
