"""How similar the units of a memory are to each other: what thresholds mean for this embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from memcore.records import Unit

ASKED = 2_000  # units that are compared with all before them; of more, as many at even distances
BINS = 40
_BLOCK = 250


class Bin(NamedTuple):
    """How many units have their nearest earlier one at this similarity."""

    similarity: float
    units: int


def nearest_earlier(units: Sequence[Unit]) -> list[float]:
    """The similarity of each unit to the nearest one that arrived before it, whatever became of that."""
    rows = [u.vector for u in units if u.vector is not None]
    if len(rows) < 2:
        return []
    vectors = np.stack(rows).astype(np.float32)
    asked = np.unique(np.linspace(1, len(rows) - 1, min(ASKED, len(rows) - 1)).astype(int))
    found: list[float] = []
    for start in range(0, len(asked), _BLOCK):
        block = asked[start : start + _BLOCK]
        scores = vectors[block] @ vectors[: block[-1]].T
        scores[np.arange(scores.shape[1])[None, :] >= block[:, None]] = -1.0
        found += scores.max(axis=1).tolist()
    return found


def spread(scores: Sequence[float]) -> list[Bin]:
    """The scores between 0 and 1 in equal steps, a score below 0 counted with the lowest."""
    if not scores:
        return []
    counts, edges = np.histogram(np.clip(scores, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    return [Bin(round(float(edge), 3), int(n)) for edge, n in zip(edges, counts, strict=False)]
