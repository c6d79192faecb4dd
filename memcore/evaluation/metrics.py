"""The measures: evidence recall at n origin turns read, paired bootstrap. Pure functions.

Strategies are compared at equal n, so that reading more is never counted as finding better.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
RESAMPLES = 2_000


class Interval(NamedTuple):
    """A mean difference with its 95 % bootstrap interval, in points."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


def recall(expected: Collection[str], read: Sequence[str], n: int) -> float:
    """Share of the expected turns among the first `n` turns read; 0 when none is expected."""
    first = set(read[:n])
    return sum(turn in first for turn in expected) / len(expected) if expected else 0.0


def paired(a: Values, b: Values, seed: int = 1) -> Interval:
    """Mean of a - b over questions, resampled 2,000 times, in points of 100.

    Questions of one conversation are not independent, so the true interval is wider.
    """
    if a.shape != b.shape:
        raise ValueError("a paired comparison needs the same questions on both sides")
    difference = (a - b) * 100
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, len(difference), (RESAMPLES, len(difference)))
    low, high = np.percentile(difference[picks].mean(axis=1), [2.5, 97.5])
    return Interval(float(difference.mean()), float(low), float(high))
