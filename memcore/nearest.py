"""The exact nearest of a set of vectors that changes while it is asked.

Units arrive one by one, and each changes what the next is compared with; a product of one vector with
all others is bound by memory. So a whole batch is multiplied at once (`expect`), and only rows written
since are multiplied again. Scores are computed once more in double precision and rounded to six decimals,
so that a decision does not depend on how the batch was cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_CELLS = 16_000_000  # scores held at once: 64 MB
_BATCH = 256  # asked with one product: so many rows that joined since are multiplied one by one at most
_CLOSE = 2e-5  # scores in single precision that may be equal, or the other way round
_MANY = 64  # candidates from which it pays to look for equal ones
_ANY = -2.0  # less than every cosine
_MARGIN = 1e-3  # by how much a product in single precision can be wrong, many times over


class Scored(NamedTuple):
    """A member and its cosine, to six decimals."""

    id: str
    score: float


class Nearest:
    """Members by id. Equal scores come in the order of `rank`, of joining where none is given."""

    def __init__(self, dimension: int) -> None:
        self._vectors: Floats = np.zeros((64, dimension), np.float32)
        self._alive = np.zeros(64, bool)
        self._prints = np.zeros(64, np.int64)  # equal for equal vectors
        self._ranks = np.zeros(64, np.int64)
        self._ids: list[str] = []
        self._row: dict[str, int] = {}
        self._asked: Floats = np.zeros((0, dimension), np.float32)
        self._scores: Floats = np.zeros((0, 0), np.float32)
        self._first = 0  # of the expected vectors, the first that has scores
        self._rewritten: list[int] = []  # rows that have scores, and other vectors since

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._row

    def fill(self, ids: Sequence[str], vectors: Floats, ranks: Sequence[int] | None = None) -> None:
        """Many members at once, in their order; only for an empty set."""
        self._ids, self._row = list(ids), {id_: i for i, id_ in enumerate(ids)}
        self._vectors, self._alive = vectors, np.ones(len(ids), bool)
        self._prints = np.array([_print(v) for v in vectors], np.int64)
        self._ranks = np.array(range(len(ids)) if ranks is None else ranks, np.int64)

    def put(self, id_: str, vector: Floats, rank: int | None = None) -> None:
        """A new member, or a member's new vector; it keeps its rank."""
        row = self._row.get(id_)
        if row is None:
            row = self._row[id_] = len(self._ids)
            self._ids.append(id_)
            self._grow()
            self._ranks[row] = row if rank is None else rank
        self._vectors[row], self._alive[row], self._prints[row] = vector, True, _print(vector)
        if row < self._scores.shape[1]:
            self._rewritten.append(row)

    def drop(self, id_: str) -> None:
        """Its place stays empty: what is asked next must not find it."""
        row = self._row.pop(id_, None)
        if row is not None:
            self._alive[row] = False

    def vector(self, id_: str) -> Floats:
        """The vector of a member."""
        return self._vectors[self._row[id_]]

    def expect(self, vectors: Floats) -> None:
        """(n, dimension) vectors that will be asked for by `of`, in this order."""
        self._asked, self._scores, self._first = vectors, np.zeros((0, 0), np.float32), 0

    def of(self, asked: int, count: int, above: float = _ANY) -> list[Scored]:
        """The `count` nearest to the expected vector `asked` whose cosine is over `above`, best first."""
        if not self._row:
            return []
        at = asked - self._first
        if not 0 <= at < len(self._scores):
            self._multiply(asked)
            at = 0
        known, vector, end = self._scores[at], self._asked[asked], len(self._ids)
        scores = np.concatenate((known, self._vectors[len(known) : end] @ vector))
        if self._rewritten:
            scores[self._rewritten] = self._vectors[self._rewritten] @ vector
        scores[~self._alive[:end]] = _ANY
        least = above - _MARGIN if above > _ANY else _ANY
        if count == 1:  # one is found without sorting: most units ask for no more
            least = max(least, float(scores.max()) - _CLOSE)
        rows = np.flatnonzero(scores > least)
        return self._best(rows, scores[rows], vector, count, above)

    def to(self, vector: Floats, count: int) -> list[Scored]:
        """The `count` nearest to any vector."""
        end = len(self._ids)
        rows = np.flatnonzero(self._alive[:end])
        return self._best(rows, (self._vectors[:end] @ vector)[rows], vector, count, _ANY)

    def _best(self, rows: Rows, scores: Floats, vector: Floats, count: int, above: float) -> list[Scored]:
        if len(rows) > count:
            rows = rows[scores >= np.partition(scores, -count)[-count] - _CLOSE]
        exact = self._exact(rows, vector)
        best = np.lexsort((self._ranks[rows], -exact))[:count]
        return [Scored(self._ids[rows[i]], float(exact[i])) for i in best if exact[i] > above]

    def _exact(self, rows: Rows, vector: Floats) -> npt.NDArray[np.float64]:
        """Cosines to six decimals; what is the same many times over is multiplied once."""
        if len(rows) <= _MANY:
            return self._multiplied(rows, vector)
        _, one_of, which = np.unique(self._prints[rows], return_index=True, return_inverse=True)
        return self._multiplied(rows[one_of], vector)[which]

    def _multiplied(self, rows: Rows, vector: Floats) -> npt.NDArray[np.float64]:
        wide: npt.NDArray[np.float64] = self._vectors[rows].astype(np.float64)
        exact: npt.NDArray[np.float64] = (wide * vector.astype(np.float64)).sum(axis=1)
        return exact.round(6)

    def _multiply(self, asked: int) -> None:
        many = max(1, min(_BATCH, _CELLS // max(1, len(self._ids))))
        block = self._asked[asked : asked + many]
        self._scores = block @ self._vectors[: len(self._ids)].T
        self._first, self._rewritten = asked, []

    def _grow(self) -> None:
        more = max(64, len(self._vectors) // 4) if len(self._ids) > len(self._vectors) else 0
        if more:
            self._vectors = np.concatenate(
                (self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32))
            )
            self._alive = np.concatenate((self._alive, np.zeros(more, bool)))
            self._prints = np.concatenate((self._prints, np.zeros(more, np.int64)))
            self._ranks = np.concatenate((self._ranks, np.zeros(more, np.int64)))


def _print(vector: Floats) -> int:
    return hash(np.asarray(vector, np.float32).tobytes())


def rows_of(vectors: Iterable[Floats], dimension: int) -> Floats:
    """Vectors as the rows of a matrix."""
    given = list(vectors)
    return np.stack(given).astype(np.float32) if given else np.zeros((0, dimension), np.float32)
