"""The measures: evidence recall at n origin turns read, paired bootstrap, F1. Pure functions.

Strategies are compared at equal n, so that reading more is never counted as finding better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

Values = npt.NDArray[np.float64]
RESAMPLES = 2_000
_porter: Any = cast(Any, snowballstemmer).stemmer("porter")
_DROPPED = re.compile(r"\b(a|an|the|and)\b")
_PUNCTUATION = re.compile(r"[^\w\s]")


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


def f1(answer: str, gold: str) -> float:
    """Token F1 after SQuAD: folded, without commas, punctuation, articles and "and"; Porter stems."""
    ours, theirs = Counter(_tokens(answer)), Counter(_tokens(gold))
    common = sum((ours & theirs).values())
    if not common:
        return float(not ours and not theirs)
    precision, share = common / ours.total(), common / theirs.total()
    return 2 * precision * share / (precision + share)


def _tokens(text: str) -> list[str]:
    plain = _DROPPED.sub(" ", _PUNCTUATION.sub("", text.lower().replace(",", "")))
    return _porter.stemWords(plain.split())
