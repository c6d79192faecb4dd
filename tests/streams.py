"""Streams of units without words, and a writer that answers by rule, declines and fails where it is told."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from memcore.errors import ModelUnavailable
from memcore.records import UNKNOWN, Content, MadeBy, Moment, Thresholds, Unit, UnitState
from memcore.recurrence import Recurrence
from memcore.tiers import Absorbed, Tiers, state_after
from memcore.writing import EpisodeDraft, FactDraft, Line, Passage, Reply, Roles

Floats = npt.NDArray[np.float32]
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def units(vectors: Sequence[Any], days: Sequence[int | None] | None = None) -> list[Unit]:
    """Units u1, u2 ... of two turns each; without a day one has no time, without a vector it is uncovered."""
    return [
        Unit(
            f"u{i}",
            "talk",
            2 * i,
            (f"t{i}a", f"t{i}b"),
            i,
            moment(days[i - 1] if days else i),
            vector=vector,
        )
        for i, vector in enumerate(vectors, 1)
    ]


def moment(day: int | None) -> Moment:
    if day is None:
        return UNKNOWN
    at = NOON + timedelta(days=day)
    return Moment(at, at, "instant", True)


def clustered(rng: np.random.Generator, count: int, dimension: int = 4) -> list[Any]:
    """Vectors around a few middles, with duplicates, zeros, and some of a coarse grid, so that scores tie."""
    middles = rng.normal(size=(int(rng.integers(1, 5)), dimension))
    spread = rng.choice([0.05, 0.3, 0.6])
    rows: list[Floats] = []
    for _ in range(count):
        kind = rng.random()
        if rows and kind < 0.15:
            rows.append(rows[int(rng.integers(len(rows)))].copy())
        elif kind < 0.2:
            rows.append(np.zeros(dimension, np.float32))
        elif kind < 0.4:
            rows.append(unit_length(rng.integers(-1, 2, dimension).astype(float)))
        else:
            rows.append(
                unit_length(middles[int(rng.integers(len(middles)))] + spread * rng.normal(size=dimension))
            )
    return rows


def unit_length(vector: npt.NDArray[np.float64]) -> Floats:
    return (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)


def read(ids: Sequence[str]) -> list[Passage]:
    """A unit as its writer reads it."""
    return [
        Passage(i, (Line(f"t{i[1:]}a", "Ann", f"words of {i}"), Line(f"t{i[1:]}b", "Bo", "more")), UNKNOWN)
        for i in ids
    ]


@dataclass
class Middles:
    """An episode or a fact lies in the middle of its units."""

    units: dict[str, Unit]

    def of(self, units: Sequence[str]) -> Floats | None:
        rows = [v for i in sorted(units) if (v := self.units[i].vector) is not None]
        return unit_length(np.sum(np.array(rows, np.float64), axis=0)) if rows else None

    def place(self, content: Content) -> Floats | None:
        return self.of(content.units)


@dataclass
class Scripted:
    """Answers follow from the passages alone. `declines` and `fails` are the shares of calls that do;
    `fails_at` is the one call, counted from 1, that does. What it was asked is in `calls`."""

    seed: int = 0
    declines: float = 0.25
    fails: float = 0.0
    fails_at: int = 0
    facts: int = 2
    made_by: MadeBy = "rule"
    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def merge(self, episode: str, passages: Sequence[Passage]) -> Reply[str | None]:
        said = self._asked("merge", episode, passages)
        text = None if self._drawn("declines", *said) < self.declines else f"{episode} + {said[-1]}"
        return Reply(text, 100, 10)

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        said = self._asked("consolidate", "", passages)
        many = min(1 + int(3 * self._drawn("many", *said)), len(passages))
        shares = [tuple(range(i, len(passages), many)) for i in range(many)]
        if (
            self._drawn("forgets", *said) < 0.3
        ):  # names only the first passage of each: the rest is the first's
            shares = [s[:1] for s in shares]
        return Reply([EpisodeDraft(f"{said[-1]} {i}", s) for i, s in enumerate(shares)], 200, 20)

    def refine(
        self, episode: str, passages: Sequence[Passage], known: Sequence[str]
    ) -> Reply[list[FactDraft]]:
        self._asked("refine", episode, passages, *known)
        facts = [FactDraft(f"{p.unit_id} of {episode}", (i,)) for i, p in enumerate(passages)]
        return Reply(facts[: self.facts], 300, 30)

    def _asked(
        self, operation: str, episode: str, passages: Sequence[Passage], *more: str
    ) -> tuple[str, str, str]:
        said = (operation, episode, " ".join(p.unit_id for p in passages))
        self.calls.append((*said, *more))
        if len(self.calls) == self.fails_at or self._drawn("fails", *said) < self.fails:
            raise ModelUnavailable("The writer is away.")
        return said

    def _drawn(self, *said: str) -> float:
        return zlib.crc32(repr((self.seed, *said)).encode()) / 2**32


@dataclass
class Ran:
    """A stream that was absorbed."""

    tiers: Tiers
    done: list[Absorbed]


def run(
    stream: Sequence[Unit],
    thresholds: Thresholds,
    writer: Any,
    cuts: Sequence[int] = (),
    fresh: bool = False,
    reads: Callable[[Sequence[str]], list[Passage]] = read,
) -> Ran:
    """The stream in batches that begin at `cuts`; with `fresh`, each batch finds the tiers as a store would
    give them again."""
    middles = Middles({u.id: u for u in stream})
    dimension = next((len(u.vector) for u in stream if u.vector is not None), 0)
    tiers, done = Tiers(dimension), list[Absorbed]()
    bounds = sorted({0, len(stream), *(c for c in cuts if 0 < c < len(stream))})
    for start, end in pairwise(bounds):
        if fresh:
            tiers = again(tiers, done, dimension)
        roles = Roles(writer, reads, middles.place)
        done += Recurrence(tiers, roles, thresholds).absorb(stream[start:end])
    return Ran(tiers, done)


def again(tiers: Tiers, done: Sequence[Absorbed], dimension: int) -> Tiers:
    """Tiers put together from what was stored of them."""
    from memcore.absorbing.absorption import tiers_of

    derived = {c.id: c for a in done for c in (*a.episodes, *a.facts)}
    made = tiers_of(tiers.units.values(), derived.values(), dimension)
    made.units = dict(tiers.units)
    return made


def told(ran: Ran) -> list[tuple[Any, ...]]:
    """What was decided of each unit, with episodes and facts named in the order in which they were made."""
    names: dict[str, str] = {}
    for absorbed in ran.done:
        for made in (*absorbed.episodes, *absorbed.facts):
            names.setdefault(made.id, f"{made.layer}{len(names)}")
    rows: list[tuple[Any, ...]] = []
    for unit, d, episodes, facts in ran.done:
        rows.append(
            (
                unit.id,
                d.outcome,
                d.merge,
                d.recurring,
                (names[d.nearest.id], d.nearest.score) if d.nearest else None,
                d.neighbours,
                d.below,
                d.consumed,
                tuple(names[e] for e in d.episodes),
                tuple(names[f] for f in d.facts),
                d.spent,
                d.error,
                tuple((e.text, e.units, e.revision) for e in episodes),
                tuple((f.text, f.units, names[f.episode_id]) for f in facts),
            )
        )
    return rows


def states(ran: Ran) -> dict[str, UnitState]:
    """The state of every unit as the decisions alone tell it."""
    found: dict[str, UnitState] = {}
    for unit, decision, _, _ in ran.done:
        if decision.merge == "declined" and decision.nearest:
            waited = [u for u, s in found.items() if s == "pending" and _waits(ran, u, decision.nearest.id)]
            found |= dict.fromkeys(waited, "live")
        found |= dict.fromkeys((*decision.consumed, unit.id), state_after(decision))
    return found


def _waits(ran: Ran, unit_id: str, episode_id: str) -> bool:
    return any(a.unit.id == unit_id and a.decision.episodes == (episode_id,) for a in ran.done)
