"""A new generation: every unit absorbed once more under other thresholds, as one change that can be undone.

    units, as they arrived  ->  recurrence  ->  compared with what stands  ->  one commit

The raw units stay. Episodes and facts of the generation before go, but for those that a person corrected,
pinned or related by hand: these keep their units, and the others are absorbed beside them. An episode that
a person deleted is not made again out of the same units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from memcore.absorbing.absorption import Absorption, WordsOfUnits, tiers_of
from memcore.absorbing.absorption import Shelf as AbsorptionShelf
from memcore.absorbing.consolidation import written
from memcore.absorbing.known_facts import KnownFacts
from memcore.absorbing.units import afresh, taken_apart
from memcore.construction import Built
from memcore.editing.corrections import Overlay
from memcore.errors import Cancelled, Stale
from memcore.events import Reconsolidated
from memcore.records import Calibration, Content, Record, Thresholds, Unit, Version, new_id, now
from memcore.recurrence import Recurrence
from memcore.shelf import Committing
from memcore.stopping import Stop, never
from memcore.tiers import Absorbed, Tiers
from memcore.writing import Writer

EACH = 500  # units between two steps of progress


class Shelf(AbsorptionShelf, Committing, Protocol):
    """What this needs of a store (see store.Scope)."""

    def units(self) -> list[Unit]: ...

    def all_versions(self) -> list[Version]: ...


class Step(NamedTuple):
    """Progress: units absorbed of all. The last one names the change, and what did not go as it should."""

    done: int
    total: int
    group: str = ""
    notes: tuple[str, ...] = ()


class Stood(NamedTuple):
    """What a generation finds: all units, all that came of turns and units, and what of that stays."""

    units: list[Unit]
    derived: list[Content]
    kept: list[Content]


@dataclass
class Generation:
    """One run over a whole scope, progress `every` so many units. `writer` writes in place of the one that
    always does."""

    shelf: Shelf
    absorption: Absorption
    thresholds: Thresholds
    cancelled: Stop = never
    writer: Writer | None = None
    notes: Callable[[], Sequence[str]] = tuple[str, ...]
    every: int = EACH

    def run(self) -> Iterator[Step]:
        """Progress, and at the end one commit. Stopped before that, nothing was changed.

        Raises Stale when something else was written meanwhile, and what a commit raises.
        """
        seq, stood = self.shelf.seq(), self._stood()
        rests = {u for c in stood.kept for u in c.units} | taken_apart(stood.units)
        again = [afresh(u, self.thresholds) for u in stood.units if u.id not in rests]
        tiers = tiers_of([], stood.kept, self.absorption.embedder.dimension)
        tiers.units = {u.id: u for u in stood.units if u.id in rests}
        done: list[Absorbed] = []
        try:
            for absorbed in self._recurrence(tiers, stood, again).absorb(again):
                done.append(_lean(absorbed))
                if len(done) % self.every == 0:
                    yield Step(len(done), len(again))
                if self.cancelled():
                    return
        except Cancelled:
            return
        group = new_id()
        with self.shelf.writing():
            if self.shelf.seq() != seq:
                raise Stale(
                    "The memory was changed meanwhile: look at what is there now, and apply again.", ()
                )
            self._store(stood, tiers, done, group)
        yield Step(len(again), len(again), group, tuple(self.notes()))

    def _stood(self) -> Stood:
        derived = self.shelf.derived()
        return Stood(self.shelf.units(), derived, self._touched(derived))

    def _recurrence(self, tiers: Tiers, stood: Stood, again: Sequence[Unit]) -> Recurrence:
        words = WordsOfUnits(self.shelf, {**tiers.units, **{u.id: u for u in again}}, {})
        known = KnownFacts((_lowered(c) for c in stood.derived if c.span), self.shelf.corrections())
        roles = self.absorption.roles(words, known, self.writer)
        return Recurrence(tiers, roles, self.thresholds, self.absorption.settings.near_facts)

    def _touched(self, derived: Iterable[Content]) -> list[Content]:
        """What a person had a hand in, with the episode of a fact and the facts of an episode."""
        overlay = Overlay(self.shelf.corrections())
        made = [c for c in derived if c.units]
        relations = self.shelf.relations_of(*(c.id for c in made), end="content_id") if made else []
        by_hand = {r.content_id for r in relations if overlay.by_person(r)}
        by_hand |= {c.id for c in made if c.pinned or overlay.of(c.id) or overlay.replaced(c)}
        episodes = by_hand | {c.episode_id for c in made if c.id in by_hand and c.episode_id}
        return [c for c in made if c.id in episodes or c.episode_id in episodes]

    def _store(self, stood: Stood, tiers: Tiers, done: Sequence[Absorbed], group: str) -> None:
        before = {c.id: c for c in stood.kept if c.layer == "episode"}
        taken = written(self.shelf, tiers, Built([], [], [], []), done, before)
        now_there = [r for r in taken.inserts if not isinstance(r, Unit)]
        changed = [replace(u, revision=u.revision + 1) for r in taken.inserts if isinstance(u := r, Unit)]
        stay = {c.id for c in (*stood.kept, *taken.upserts)}
        old = [c for c in stood.derived if c.units and c.id not in stay]
        gone = [c.id for c in old if not c.span]
        lowered = [_lowered(c) for c in old if c.span]
        calibration = self._calibration(share(tiers, stood.units), len(stood.units))
        self.shelf.commit(
            self._event(taken.inserts, gone, calibration),
            inserts=[*now_there, calibration],
            upserts=[*changed, *taken.upserts, *lowered],
            deletes=[*taken.deletes, *gone, *self._resting_on(gone)],
            group=group,
        )

    def _calibration(self, share: float, units: int) -> Calibration:
        embedder = self.absorption.embedder.name
        return Calibration(new_id(), embedder, self.thresholds, share, units, now())

    def _resting_on(self, gone: Sequence[str]) -> list[str]:
        """The relations and the earlier versions of contents that go."""
        relations = self.shelf.relations_of(*gone, end="content_id") if gone else []
        versions = [v.id for v in self.shelf.all_versions() if v.content_id in {*gone}]
        return [*(r.id for r in relations), *versions]

    def _event(self, made: Sequence[Record], gone: Sequence[str], found: Calibration) -> Reconsolidated:
        contents = [r for r in made if isinstance(r, Content)]
        episodes = sum(c.layer == "episode" for c in contents)
        facts = len(contents) - episodes
        return Reconsolidated(*self.thresholds, found.units, episodes, facts, len(gone), found.share)


def share(tiers: Tiers, units: Sequence[Unit]) -> float:
    """The share of all units that were merged or consolidated."""
    moved = sum(u.state in ("merged", "consolidated") for u in tiers.units.values())
    return round(moved / len(units), 4) if units else 0.0


def _lean(absorbed: Absorbed) -> Absorbed:
    """Without what its episodes rest on: an episode of very many units would be held once per merge."""
    return absorbed._replace(episodes=tuple(replace(e, units=(), origin=()) for e in absorbed.episodes))


def _lowered(content: Content) -> Content:
    """A fact as extraction read it, before recurrence raised it to the semantic tier."""
    return replace(content, units=(), episode_id="", revision=content.revision + 1)
