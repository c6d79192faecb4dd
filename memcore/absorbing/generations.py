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

from memcore.absorbing.absorption import Absorption, Told, removed, stated, tiers_of
from memcore.absorbing.absorption import Shelf as AbsorptionShelf
from memcore.absorbing.consolidation import written
from memcore.absorbing.units import taken_apart
from memcore.construction import Built
from memcore.editing.corrections import Overlay
from memcore.errors import Cancelled, Stale
from memcore.events import Reconsolidated
from memcore.records import Calibration, Content, Record, Thresholds, Unit, Version, new_id, now
from memcore.recurrence import Recurrence
from memcore.shelf import Committing
from memcore.stopping import Stop, never
from memcore.tiers import Absorbed, Tiers
from memcore.writing import Roles, Writer

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
        seq = self.shelf.seq()
        units, derived = self.shelf.units(), self.shelf.derived()
        kept = self._touched(derived)
        rests = {u for c in kept for u in c.units} | taken_apart(units)
        again = [_afresh(u, self.thresholds) for u in units if u.id not in rests]
        tiers = tiers_of([], kept, self.absorption.embedder.dimension)
        tiers.units = {u.id: u for u in units if u.id in rests}
        done: list[Absorbed] = []
        try:
            for absorbed in self._recurrence(tiers, derived, again).absorb(again):
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
            self._store(units, derived, kept, tiers, done, group)
        yield Step(len(again), len(again), group, tuple(self.notes()))

    def _recurrence(self, tiers: Tiers, derived: Sequence[Content], again: Sequence[Unit]) -> Recurrence:
        told = Told(self.shelf, {**tiers.units, **{u.id: u for u in again}}, {})
        facts = {place: _lowered(c) for place, c in stated(derived).items()}
        roles = Roles(
            self.writer or self.absorption.writer,
            told.read,
            self.absorption.place,
            lambda draft: facts.get((draft.turn_id, draft.span)) if draft.span else None,
            removed(Overlay(self.shelf.corrections())),
        )
        return Recurrence(tiers, roles, self.thresholds, self.absorption.settings.near_facts)

    def _touched(self, derived: Iterable[Content]) -> list[Content]:
        """What a person had a hand in, with the episode of a fact and the facts of an episode."""
        overlay = Overlay(self.shelf.corrections())
        made = [c for c in derived if c.units]
        relations = self.shelf.relations_of(*(c.id for c in made), end="content_id") if made else []
        by_hand = {r.content_id for r in relations if r.made_by == "person" or overlay.of(r.id)}
        by_hand |= {c.id for c in made if c.pinned or overlay.of(c.id) or overlay.replaced(c)}
        episodes = by_hand | {c.episode_id for c in made if c.id in by_hand and c.episode_id}
        return [c for c in made if c.id in episodes or c.episode_id in episodes]

    def _store(
        self,
        units: Sequence[Unit],
        derived: Sequence[Content],
        kept: Sequence[Content],
        tiers: Tiers,
        done: Sequence[Absorbed],
        group: str,
    ) -> None:
        before = {c.id: c for c in kept if c.layer == "episode"}
        taken = written(self.shelf, tiers, Built([], [], [], []), done, before)
        now_there = [r for r in taken.inserts if not isinstance(r, Unit)]
        changed = [replace(u, revision=u.revision + 1) for r in taken.inserts if isinstance(u := r, Unit)]
        raised = {c.id for c in taken.upserts}
        stay = {c.id for c in kept} | raised
        old = [c for c in derived if c.units and c.id not in stay]
        gone = [c.id for c in old if not c.span]
        lowered = [_lowered(c) for c in old if c.span]
        relations = self.shelf.relations_of(*gone, end="content_id") if gone else []
        versions = [v.id for v in self.shelf.all_versions() if v.content_id in {*gone}]
        calibration = Calibration(
            new_id(), self.absorption.embedder.name, self.thresholds, share(tiers, units), len(units), now()
        )
        self.shelf.commit(
            self._event(taken.inserts, gone, calibration),
            inserts=[*now_there, calibration],
            upserts=[*changed, *taken.upserts, *lowered],
            deletes=[*taken.deletes, *gone, *(r.id for r in relations), *versions],
            group=group,
        )

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


def _afresh(unit: Unit, thresholds: Thresholds) -> Unit:
    """As it arrived: live and undecided, unless it could not be compared."""
    apart = unit.decision is not None and unit.decision.why
    decision = unit.decision._replace(thresholds=thresholds) if unit.decision and apart else None
    return replace(unit, state="live", episodes=(), decision=decision)


def _lowered(content: Content) -> Content:
    """A fact as extraction read it, before recurrence raised it to the semantic tier."""
    return replace(content, units=(), episode_id="", revision=content.revision + 1)
