"""What absorbing a unit costs beside embedding and storing it, with 1,000 and with 100,000 live units.

The units that arrive are real; those they are compared with are made from their vectors with noise, so that
each has hundreds that are nearly near enough. Deciding alone is timed, not writing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from memcore.absorbing.foresight import foresee, silent_roles
from memcore.absorbing.units import spoken
from memcore.events import Imported
from memcore.llm.offline.embedder import MultilingualEmbedder
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.nearest import Floats
from memcore.passages import passage
from memcore.records import Turn, Unit, new_id
from memcore.recurrence import Recurrence
from memcore.settings import DEFAULT
from memcore.tiers import Tiers, thresholds_of

Row = dict[str, Any]
ARRIVING = 500
LIVE = (1_000, 100_000)
FORESEEN = 10_000
ALIKE = 0.86  # of units to be foreseen: two made from one real unit are neighbours
COSINE = 0.65  # of a made unit to the real one it was made from: just below theta_sim


def absorbing(memory: Memory) -> Iterator[Row]:
    """A row for each number of live units: milliseconds a unit, and how many times embedding and storing."""
    units = memory.recurrence.units()[:ARRIVING]
    embedding, storing = _embedding(memory, units), _storing(units)
    for live in LIVE:
        deciding = _deciding(units, live)
        yield {
            "live units": live,
            "absorb": f"{deciding:.2f} ms a unit",
            "embedding": f"{embedding:.2f} ms",
            "storing": f"{storing:.2f} ms",
            "all over embedding and storing": round(
                (embedding + storing + deciding) / (embedding + storing), 2
            ),
        }
    yield _foreseeing(units, FORESEEN)


def _embedding(memory: Memory, units: Sequence[Unit]) -> float:
    texts = spoken_units(memory, units)
    model = MultilingualEmbedder()
    model.embed(["warm"])
    start = time.perf_counter()
    model.embed(texts)
    return _each(start, len(units))


def spoken_units(memory: Memory, units: Sequence[Unit]) -> list[str]:
    """What was embedded of each unit."""
    turns = memory.get(i for u in units for i in u.origin)
    said = [[t for i in u.origin if isinstance(t := turns[i], Turn)] for u in units]
    return [spoken(passage(u.id, its)) for u, its in zip(units, said, strict=True)]


def _storing(units: Sequence[Unit]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        scope = Memories.open(Path(folder) / "store").store.create_scope("units")
        start = time.perf_counter()
        scope.commit(Imported("", len(units)), inserts=[replace(u, id=new_id()) for u in units])
        return _each(start, len(units))


def _deciding(units: Sequence[Unit], live: int) -> float:
    arriving = [replace(u, state="live", decision=None, episodes=()) for u in units if u.vector is not None]
    made = _like(arriving, live, COSINE)
    tiers = Tiers(made.shape[1])
    ids = [new_id() for _ in range(live)]
    tiers.units = {i: replace(arriving[0], id=i) for i in ids}
    tiers.live.fill(ids, made)
    roles = silent_roles({**tiers.units, **{u.id: u for u in arriving}})
    start = time.perf_counter()
    for _ in Recurrence(tiers, roles, thresholds_of(DEFAULT)).absorb(arriving):
        pass
    return _each(start, len(arriving))


def _foreseeing(units: Sequence[Unit], count: int) -> Row:
    """What `count` units would do under other thresholds."""
    made = _like(units, count, ALIKE)
    many = [replace(units[0], id=new_id(), order=i + 1, vector=vector) for i, vector in enumerate(made)]
    start = time.perf_counter()
    share = foresee(many, thresholds_of(DEFAULT)).share
    return {
        "foreseen units": count,
        "seconds": round(time.perf_counter() - start, 2),
        "share": round(share, 2),
    }


def _like(units: Sequence[Unit], count: int, cosine: float) -> Floats:
    """(count, dimension) vectors at this cosine to those of the units, one after the other."""
    real = np.stack([u.vector for u in units if u.vector is not None])
    rng = np.random.default_rng(3)
    noise = rng.standard_normal((count, real.shape[1])).astype(np.float32)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    made = cosine * real[np.arange(count) % len(real)] + np.float32(np.sqrt(1 - cosine**2)) * noise
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def _each(start: float, count: int) -> float:
    return (time.perf_counter() - start) * 1000 / count
