"""How near a content is to the question: the dense and the lexical channel, their fusion, and who speaks.

Shared by the offline router, which scores only what it has reached, and by the passive baselines,
which score everything. Lexical is BM25 (k1 1.2, b 0.75) over a turn joined with the turn before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from memcore.graph import Floats, Graph, Ints
from memcore.grouped import ordered
from memcore.words import fold

K1, B = 1.2, 0.75


class Lexical:
    """BM25 over the hashed words of a graph's contents. Built once per snapshot."""

    def __init__(self, graph: Graph) -> None:
        c = graph.columns
        counts = np.diff(c.term_offsets)
        order = ordered(c.terms)
        self._terms = c.terms[order]
        self._rows = np.repeat(np.arange(len(graph), dtype=np.int32), counts)[order]
        self._following = graph.following
        self._size = len(graph)
        before = np.where(graph.previous >= 0, counts[graph.previous], 0)
        self._alone = counts.astype(np.float32)
        self._joined = (counts + before).astype(np.float32)

    def scores(self, query: Sequence[int], *, joined: bool = True) -> Floats:
        """(contents,) BM25 of every content for the hashed words of a question; 0 where none occurs."""
        total = np.zeros(self._size, dtype=np.float32)
        length = self._joined if joined else self._alone
        norm = K1 * (1 - B + B * length / max(float(length.mean()) if self._size else 1.0, 1.0))
        for term in dict.fromkeys(query):
            rows = self._postings(term)
            found = len(np.unique(rows))
            if not found:
                continue
            if joined:
                after = self._following[rows]
                rows = np.concatenate((rows, after[after >= 0]))
            where, times = np.unique(rows, return_counts=True)
            idf = np.log(1 + (self._size - found + 0.5) / (found + 0.5))
            total[where] += idf * times * (K1 + 1) / (times + norm[where])
        return total

    def rarity(self, term: int) -> float:
        """How much a word says in this memory, between 0 (everywhere or nowhere) and 1 (once)."""
        found = len(np.unique(self._postings(term)))
        return float(np.log(self._size / found) / np.log(self._size)) if found and self._size > 1 else 0.0

    def _postings(self, term: int) -> Ints:
        lo, hi = np.searchsorted(self._terms, [term, term + 1])
        return self._rows[lo:hi]


def blended(lexical: Lexical, query: Sequence[int], share: float) -> Floats:
    """(contents,) BM25 of the turn by itself, which has this share, and of the turn joined with the one
    before it, each scaled to 1."""
    alone, joined = lexical.scores(query, joined=False), lexical.scores(query)
    return (share * _to_one(alone) + (1 - share) * _to_one(joined)).astype(np.float32)


def dense(graph: Graph, query: Floats, contents: Ints | None = None) -> Floats:
    """Cosine of the question with `contents` (all, if None); zeros in zero-model mode."""
    vectors = graph.columns.content_vectors
    if not graph.dimension:
        return np.zeros(len(graph) if contents is None else len(contents), dtype=np.float32)
    return (vectors if contents is None else vectors[contents]) @ query


def dense_blended(graph: Graph, query: Floats, share: float, contents: Ints | None = None) -> Floats:
    """The same, with this share, and the cosine of the turn joined with the one before it."""
    rows = np.arange(len(graph), dtype=np.int32) if contents is None else contents
    own = dense(graph, query, contents)
    before = graph.previous[rows]
    has = before >= 0
    joined = own.copy()
    joined[has] = (own[has] + dense(graph, query, before[has])) / graph.joined_length[rows[has]]
    return (share * own + (1 - share) * joined).astype(np.float32)


def spoken_by(graph: Graph, names: Iterable[str], contents: Iterable[int]) -> Floats:
    """(contents,) 1 where the one who is named speaks; zeros where nobody is named, or several are."""
    named = {fold(name) for name in names}
    who = named.pop() if len(named) == 1 else None
    return np.array([graph.speaker_keys[i] == who for i in contents], dtype=np.float32)


def _to_one(values: Floats) -> Floats:
    peak = float(values.max()) if len(values) else 0.0
    return values / peak if peak else values


def spread(values: npt.NDArray[np.float32]) -> Floats:
    """Min-max scaled to [0, 1]; zeros where all values are equal."""
    if not len(values):
        return values
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.zeros_like(values)
