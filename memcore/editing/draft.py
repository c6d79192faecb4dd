"""A plan of edits in the making: what they make, change and remove, and the corrections they leave.

Records are read and changed only through the draft, so that it knows how each of them was, and the next
edit of the same draft finds them as the one before leaves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from memcore.editing.corrections import Overlay
from memcore.editing.edits import NodeKind, Plan, Who
from memcore.errors import NotFound
from memcore.events import Edited
from memcore.graph import Columns
from memcore.llm.protocols import Embedder, vector_of
from memcore.records import (
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
from memcore.shelf import Committing, Records
from memcore.words import normalise

_R = TypeVar("_R", bound=Record)


class Shelf(Committing, Records, Protocol):
    """What editing needs of a store (see store.Scope)."""

    def seq(self) -> int: ...

    def named(self, kind: str, keys: Collection[str]) -> dict[str, str]: ...

    def extracted_since(self, when: datetime) -> bool: ...


@dataclass
class Draft:
    """A plan in the making. Records are changed only through it, so that it knows how they were."""

    shelf: Shelf
    embedder: Embedder
    who: Who
    known: Columns | None = None
    inserts: dict[str, Record] = field(default_factory=dict[str, Record])
    upserts: dict[str, Record] = field(default_factory=dict[str, Record])
    deletes: dict[str, None] = field(default_factory=dict[str, None])
    before: dict[str, Record] = field(default_factory=dict[str, Record])

    def __post_init__(self) -> None:
        self.seq = self.shelf.seq()
        self.overlay = Overlay(self.shelf.corrections())

    def take_in(self) -> None:
        """Let the next edit reckon with the corrections drafted so far."""
        drafted = {i: c for i, c in self._drafted().items() if isinstance(c, Correction)}
        stored = {c.id: c for c in self.shelf.corrections() if c.id not in self.deletes}
        self.overlay = Overlay([*{**stored, **drafted}.values()])

    def named(self, kind: NodeKind, name: str) -> str | None:
        """The id of the cue or tag that has this name after what is drafted so far."""
        key = normalise(name)
        drafted = {i: n for i, n in self._drafted().items() if isinstance(n, Cue | Tag)}
        given = next((i for i, n in drafted.items() if (n.kind, n.key) == (kind, key)), None)
        stored = self._stored(kind, key)
        return given or (None if stored in self.deletes or stored in drafted else stored)

    def _stored(self, kind: NodeKind, key: str) -> str | None:
        if self.known is not None and self.known.seq == self.seq:
            return self.known.named(kind, key)
        return self.shelf.named(kind, [key]).get(key)

    def get(self, ids: Iterable[str], *classes: type[Record]) -> dict[str, Record]:
        """Records as they are after what is drafted so far, of any kind or only of these."""
        wanted = list(dict.fromkeys(ids))
        drafted = {i: r for i, r in self._drafted().items() if not classes or isinstance(r, classes)}
        found = {**self.shelf.get([i for i in wanted if i not in drafted], *classes), **drafted}
        return {i: found[i] for i in wanted if i in found and i not in self.deletes}

    def relations_of(self, *ids: str, end: str) -> list[Relation]:
        """The relations with one of these ends, after what is drafted so far."""
        drafted = {i: r for i, r in self._drafted().items() if isinstance(r, Relation)}
        found = {**{r.id: r for r in self.shelf.relations_of(*ids, end=end)}, **drafted}
        return [r for i, r in found.items() if i not in self.deletes and getattr(r, end) in ids]

    def _drafted(self) -> dict[str, Record]:
        return {**self.inserts, **self.upserts}

    def plan(self, event: Edited) -> Plan:
        return Plan(
            self.seq,
            event,
            tuple(self.inserts.values()),
            tuple(self.upserts.values()),
            tuple(self.deletes),
            self.before,
        )

    def all_of(self, ids: Sequence[str], record_class: type[_R]) -> list[_R]:
        """The records of these ids, each of the class. Raises NotFound."""
        found = self.get(ids, record_class)
        records = [r for i in dict.fromkeys(ids) if isinstance(r := found.get(i), record_class)]
        if not ids or len(records) != len(dict.fromkeys(ids)):
            raise NotFound("What you want to edit is no longer there; somebody may have removed it.")
        return records

    def nodes(self, kind: NodeKind, ids: Sequence[str]) -> list[Cue | Tag]:
        """The cues or tags of these ids. Raises NotFound."""
        return [*(self.all_of(ids, Cue) if kind == "cue" else self.all_of(ids, Tag))]

    def change(self, record: Record, **fields: Any) -> None:
        """Write a record over with some fields new; several changes of one record are one revision."""
        if record.id in self.inserts:
            made: Any = self.inserts[record.id]
            self.inserts[record.id] = replace(made, **fields)
            return
        self.before.setdefault(record.id, record)
        latest: Any = self.upserts.get(record.id, record)
        revision = getattr(self.before[record.id], "revision", 0) + 1
        self.upserts[record.id] = replace(latest, **fields, revision=revision)

    def remove(self, record: Record) -> None:
        """Delete a record; one made in this draft was never there."""
        if self.inserts.pop(record.id, None) is not None:
            return
        self.before.setdefault(record.id, record)
        self.upserts.pop(record.id, None)
        self.deletes[record.id] = None

    def correct(self, correction: Correction) -> None:
        """Keep a correction. One of the same value is continued, or ended when the value is again what
        extraction said."""
        known = next((c for c in self.overlay.of(correction.record_id) if _same(c, correction)), None)
        if known is None:
            # a name may have passed to another cue: the same names need not be the same relation
            if correction.slot == "triple" or correction.extracted != correction.corrected:
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

    def vector(self, text: str) -> Vector | None:
        """The embedding of a text, None where it has none."""
        return vector_of(self.embedder, text)

    def cue_vector(self, name: str, cue_kind: str) -> Vector | None:
        """The embedding of a cue; times are matched, not embedded."""
        return None if cue_kind == "time" else self.vector(name)

    def node(self, kind: NodeKind, name: str, cue_kind: CueKind = "topic") -> str:
        """The id of the cue or tag of this name; made by hand where there is none."""
        found = self.named(kind, name)
        if found is not None:
            return found
        key, id_ = normalise(name), new_id()
        self.inserts[id_] = (
            Cue(id_, name, key, cue_kind, self.cue_vector(name, cue_kind), "person")
            if kind == "cue"
            else Tag(id_, name, key, self.vector(name), "person")
        )
        self.correction(kind, "exists", id_, None, name)
        return id_


def _same(known: Correction, new: Correction) -> bool:
    """Whether both are about the same value. Several names, or relations, can come to be one record."""
    if (known.slot, known.origin) != (new.slot, new.origin):
        return False
    return known.slot not in ("merged", "removed", "triple") or known.extracted == new.extracted
