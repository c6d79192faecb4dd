"""Redaction, the lighter choice: words are replaced by a mark, all else stays where it is.

The words of the chosen hits are replaced in the records chosen, in the turns these were read from, and in
all that rests on those turns. It is the one thing that may rewrite a raw turn, which then says so. Vectors,
hashes of words and spans into a turn are made again; earlier versions of what is rewritten go, and so do
traces that quote it, as their spans point into a text that is no longer there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from memcore.absorbing.units import spoken
from memcore.erasure.find import Hit
from memcore.erasure.masking import Mask
from memcore.erasure.plan import Plan, PlanShelf, Touched, What, beside, present, said_in_receipts
from memcore.erasure.rebuilding import Rebuilder
from memcore.erasure.wording import masked
from memcore.llm.prompts import told
from memcore.llm.protocols import Embedder
from memcore.passages import passage
from memcore.records import Content, Cue, File, Record, Tag, Turn, Unit, Version
from memcore.shelf import Named
from memcore.store.removal import Removal
from memcore.tokens import count
from memcore.words import normalise

MARK = "[redacted]"


class RedactShelf(PlanShelf, Named, Protocol):
    """What a redaction needs of a store (see store.Scope)."""

    def all_versions(self) -> list[Version]: ...

    def quoting(self, content_ids: Collection[str]) -> list[str]: ...


def redaction(shelf: RedactShelf, embedder: Embedder, hits: Iterable[Hit], put: str = MARK) -> Plan:
    """What replacing the words of these hits by `put` comes to; hits that name nothing any more are left out.

    Raises InputError when no hit says which words, or the mark does.
    """
    given = tuple(hits)
    words = tuple(dict.fromkeys(w for h in given for w in h.said if w.strip()))
    redacting = Redacting(shelf, Mask.of(words, put))
    chosen = present(shelf, given)
    redacting.take(chosen)
    after = _embedded(redacting, Rebuilder(shelf, embedder))
    images = {(h.id, h.of) for h in chosen if h.part == "image"}
    images |= {(c, i) for c, i in shelf.concerned_images(after) if i in after} if after else set()
    traces = {h.id: h.why for h in chosen if h.kind == "trace" and h.said}
    quoting = shelf.quoting(redacting.reworded) if redacting.reworded else []
    traces |= {t: "quotes_redacted" for t in quoting if t not in traces}
    removal = Removal(
        gone=(),
        rewritten=list(after.values()),
        images=frozenset(images),
        unworded=frozenset(h.id for h in chosen if h.part == "reason"),
        traces=list(traces),
        receipts=said_in_receipts(chosen),
    )
    touched = [Touched(i, r.kind, *redacting.whats[i]) for i, r in after.items()]
    touched += beside(removal, {**{h.id: h.why for h in chosen}, **traces})
    at, exports = (shelf.table, shelf.seq()), shelf.exports()
    return Plan(*at, chosen, tuple(touched), removal, redacting.before, after, exports, put, words)


def _embedded(redacting: Redacting, rebuilder: Rebuilder) -> dict[str, Record]:
    """The records as they stay, with the vectors of what they say now."""
    vectors = rebuilder.vectors(redacting.embedded)
    found: dict[str, Record] = {}
    for id_, record in redacting.after.items():
        of: Any = record
        found[id_] = replace(of, vector=vectors[id_]) if id_ in vectors else record
    return found


@dataclass
class Redacting:
    """Filled by `take`: `before` and `after` are records as they are and as they will stay, `embedded` the
    texts of those that need a new vector, `reworded` contents of which the text changed."""

    shelf: RedactShelf
    mask: Mask
    before: dict[str, Record] = field(default_factory=dict[str, Record])
    after: dict[str, Record] = field(default_factory=dict[str, Record])
    whats: dict[str, tuple[What, str]] = field(default_factory=dict[str, tuple[What, str]])
    embedded: dict[str, str] = field(default_factory=dict[str, str])
    reworded: set[str] = field(default_factory=set[str])

    def take(self, hits: Sequence[Hit]) -> None:
        """Everything that these hits reach."""
        self._whys = {h.id: h.why for h in reversed(hits)}
        self._taken: dict[str, set[str]] = {}
        chosen = self.shelf.get(h.id for h in hits if h.kind not in ("trace", "change", "receipt"))
        spoken = {i for r in chosen.values() for i in _said_in(r)}
        turns = _only(self.shelf.get(spoken), Turn)
        for turn in turns.values():
            self._turn(turn)
        self._turns = turns
        derived = self.shelf.get(self.shelf.resting_on(turns))
        others = {i for r in derived.values() if isinstance(r, Unit) for i in r.origin} - {*turns}
        self._turns = turns | _only(self.shelf.get(others), Turn)
        for record in {**chosen, **derived, **self._around(chosen, derived)}.values():
            self._record(record)

    def _around(self, chosen: Mapping[str, Record], derived: Mapping[str, Record]) -> dict[str, Record]:
        """The conversations of the turns, and what people and merges said of the records."""
        talks = self.shelf.get({t.conversation_id for t in self._turns.values()})
        ids = {*chosen, *derived}
        versions = {v.id: v for v in self.shelf.all_versions() if v.content_id in ids}
        said = self.shelf.corrections()
        corrections = {c.id: c for c in said if c.record_id in ids or c.origin in self._turns}
        return {**talks, **versions, **corrections}

    def _record(self, record: Record) -> None:
        if isinstance(record, Cue | Tag):
            self._node(record)
        elif isinstance(record, Content):
            self._content(record)
        elif isinstance(record, Unit):
            self._unit(record)
        elif not isinstance(record, Turn):
            self._keep(record, masked(record, self.mask))

    def _turn(self, turn: Turn) -> None:
        after: Any = masked(turn, self.mask)
        self._keep(turn, turn if after is turn else replace(after, redacted=True))

    def _node(self, node: Cue | Tag) -> None:
        """A cue or tag of another name. Of several that come to the same each stays its own."""
        after: Any = masked(node, self.mask)
        if after is node:
            return
        taken = self._taken.setdefault(node.kind, {key for _, key in self.shelf.names(node.kind)})
        name, number = after.name, 1
        while (key := normalise(name) or name) in taken:
            number += 1
            name = f"{after.name} {number}"
        taken.add(key)
        self._keep(node, replace(after, name=name, key=key))
        if node.vector is not None:
            self.embedded[node.id] = name

    def _content(self, content: Content) -> None:
        after: Any = masked(content, self.mask)
        turn = self._turns.get(content.origin[0]) if content.origin else None
        if content.span and turn is not None and turn.id in self.after:
            said, (start, end) = self.mask.on(turn.text), content.span
            span = said.moved(content.span)
            word_for_word = content.text == turn.text[start:end]
            after = replace(after, span=span, text=said.text[slice(*span)] if word_for_word else after.text)
        self._keep(content, content if after == content else after)
        if after.text != content.text:
            self.reworded.add(content.id)
        if content.vector is not None and after.spoken != content.spoken:
            self.embedded[content.id] = after.spoken

    def _unit(self, unit: Unit) -> None:
        after: Any = masked(unit, self.mask)
        if not {*unit.origin}.isdisjoint(self.after):
            now: dict[str, Any] = {**self._turns, **self.after}
            read = passage(unit.id, [now[i] for i in unit.origin if i in now])
            after = replace(after, tokens=count(told([read])))
            if unit.vector is not None:
                self.embedded[unit.id] = spoken(read)
        self._keep(unit, after)

    def _keep(self, record: Record, after: Any) -> None:
        """What changed, one revision on. Where no word did, a span or a vector had to be made again."""
        if after is record or record.id in self.after:
            return
        what: What = "redact" if masked(record, self.mask) is not record else "rebuild"
        self.whats[record.id] = (what, self._whys.get(record.id, "rests_on_redacted"))
        revised = {} if isinstance(record, File | Version) else {"revision": record.revision + 1}
        self.before[record.id] = record
        self.after[record.id] = replace(after, **revised)


def _said_in(record: Record) -> tuple[str, ...]:
    """The turns that say what a record shows."""
    if isinstance(record, Turn):
        return (record.id,)
    if isinstance(record, Content):
        return record.origin if record.layer == "turn" or record.span is not None else ()
    return record.origin if isinstance(record, Unit) else ()


def _only(records: Mapping[str, Record], of: type[Turn]) -> dict[str, Turn]:
    return {i: r for i, r in records.items() if isinstance(r, of)}
