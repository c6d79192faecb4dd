"""New turns through RecMem's tiers, and what comes of them as records of one commit.

    turns  ->  units  ->  recurrence  ->  episodes and facts  ->  their handles in the graph

The live units and what was consolidated before are read once, and again only when somebody else wrote.
The words of older units are read when a writer asks for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, Protocol

from memcore.absorbing.consolidation import Taken, written
from memcore.absorbing.known_facts import KnownFacts
from memcore.absorbing.units import MEMORIES_SHOWN, billed, embedded, units_of
from memcore.construction import Built
from memcore.llm.protocols import Embedder, vector_of
from memcore.nearest import rows_of
from memcore.passages import passage
from memcore.records import Calibration, Content, Thresholds, Turn, Unit, Vector
from memcore.recurrence import Recurrence
from memcore.settings import Settings
from memcore.shelf import Records
from memcore.tiers import Absorbed, Tiers, thresholds_of
from memcore.writing import Passage, Roles, Writer

Mode = Literal["lazy", "eager"]


class Shelf(Records, Protocol):
    """What absorbing reads of a store (see store.Scope)."""

    def seq(self) -> int: ...

    def compared_units(self) -> list[Unit]: ...

    def last_unit(self) -> int: ...

    def derived(self) -> list[Content]: ...

    def calibration(self) -> Calibration | None: ...


@dataclass
class Absorption:
    """One scope's units, absorbed as they arrive."""

    shelf: Shelf
    writer: Writer
    embedder: Embedder
    settings: Settings
    _seq: int = field(default=-1, init=False)
    _known: KnownFacts = field(default_factory=KnownFacts, init=False)
    _placed: tuple[str, Vector | None] = field(default=("", None), init=False)
    _asked: tuple[int, Tiers] | None = field(default=None, init=False)
    _memories: deque[str] = field(default_factory=lambda: deque(maxlen=MEMORIES_SHOWN), init=False)

    def take(
        self, turns: Sequence[Turn], built: Built, mode: Mode = "lazy", writer: Writer | None = None
    ) -> Taken:
        """Units of new turns of one conversation and all that comes of them, to be stored in one commit
        with them. Call `kept` once it is: a commit that fails leaves nothing behind here. `writer` writes
        in place of the one that always does."""
        if self.shelf.seq() != self._seq:
            self._read_again()
        self._seq = -1
        self._known.take_in(built.contents)
        new = units_of(turns, self._next)
        self._next += len(new)
        units = embedded(new, self.embedder, self.thresholds)
        facts = [c for c in built.contents if c.layer == "fact"]
        units = billed(units, [p for _, p in new], facts, self._memories)
        words = WordsOfUnits(self.shelf, self._tiers.units, {u.id: p for u, p in new})
        roles = self.roles(words, self._known, writer)
        recurrence = Recurrence(self._tiers, roles, self.thresholds, self.settings.near_facts)
        steps = recurrence.absorb(units) if mode == "lazy" else _eagerly(recurrence, units, turns)
        return written(self.shelf, self._tiers, built, steps)

    def kept(self, seq: int) -> None:
        """What was taken is stored as commit `seq`: the tiers are as of then."""
        self._seq = seq

    def roles(self, words: WordsOfUnits, known: KnownFacts, writer: Writer | None) -> Roles:
        """What recurrence asks others, over these units and facts; of `writer`, where one is given."""
        return Roles(writer or self.writer, words.read, self.place, known.stated, known.removed)

    def place(self, content: Content) -> Vector | None:
        """The vector of a text that came of units. One that a merge left as it was is not embedded again."""
        placed = self._placed
        if content.text != placed[0]:
            placed = self._placed = content.text, vector_of(self.embedder, content.text)
        return placed[1]

    def now(self) -> Tiers:
        """The tiers as of the last commit, for those who ask while others may write: nobody changes them."""
        seq, asked = self.shelf.seq(), self._asked
        if asked is None or asked[0] != seq:
            units, derived = self.shelf.compared_units(), self.shelf.derived()
            asked = self._asked = seq, tiers_of(units, derived, self.embedder.dimension)
        return asked[1]

    def _read_again(self) -> None:
        derived = self.shelf.derived()
        self._known = KnownFacts(derived, self.shelf.corrections())
        self._memories.clear()
        self._memories.extend(c.text for c in derived if c.layer == "fact" and c.span)
        self._tiers = tiers_of(self.shelf.compared_units(), derived, self.embedder.dimension)
        self._next = self.shelf.last_unit() + 1

    @property
    def thresholds(self) -> Thresholds:
        """See thresholds_under."""
        return thresholds_under(self.shelf.calibration(), self.embedder, self.settings)


def thresholds_under(found: Calibration | None, embedder: Embedder, settings: Settings) -> Thresholds:
    """Those that a scope was calibrated to with this embedder, or else the settings'."""
    fits = found is not None and found.embedder == embedder.name
    return found.thresholds if found is not None and fits else thresholds_of(settings)


def tiers_of(units: Iterable[Unit], derived: Iterable[Content], dimension: int) -> Tiers:
    """The tiers of what is stored: live and waiting units, and what came of others."""
    tiers = Tiers(dimension)
    compared = sorted(units, key=lambda u: u.order)
    tiers.units = {u.id: u for u in compared}
    live = [u for u in compared if u.state == "live" and u.vector is not None]
    rows = rows_of((u.vector for u in live if u.vector is not None), dimension)
    tiers.live.fill([u.id for u in live], rows, [u.order for u in live])
    for unit in compared:
        if unit.state == "pending":
            tiers.waiting.setdefault(unit.episodes[0], []).append(unit.id)
    for content in derived:
        if content.units:
            tiers.take_in(content)
    return tiers


@dataclass
class WordsOfUnits:
    """The words of units: those of this batch are at hand, older ones are read from the store."""

    shelf: Records
    units: Mapping[str, Unit]
    passages: dict[str, Passage]

    def read(self, unit_ids: Sequence[str]) -> list[Passage]:
        """Their passages; empty ones of units whose turns are gone."""
        missing = [self.units[i] for i in unit_ids if i not in self.passages]
        turns = self.shelf.get(t for u in missing for t in u.origin) if missing else {}
        for unit in missing:
            said = [t for i in unit.origin if isinstance(t := turns.get(i), Turn)]
            self.passages[unit.id] = passage(unit.id, said) if said else Passage(unit.id, (), unit.said)
        return [self.passages[i] for i in unit_ids]


def _eagerly(recurrence: Recurrence, units: Sequence[Unit], turns: Sequence[Turn]) -> Iterator[Absorbed]:
    """Session by session, without waiting for anything to recur."""
    session = {t.id: t.session for t in turns}
    for _, of_session in groupby(units, key=lambda u: session[u.origin[0]]):
        yield from recurrence.consolidate(list(of_session))
