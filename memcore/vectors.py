"""Matrices of unit vectors, one row per record, of which a newer one shares the rows of the one before.

A correction changes a row or two, and copying a few hundred megabytes for it would take longer than all the
rest of showing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

MOST_ADDED = 2_000  # rows, after which all are put into one matrix again


class Vectors(Protocol):
    """(rows, dimension) of float32: an array, or one `Patched`."""

    @property
    def shape(self) -> Sequence[int]: ...

    def __matmul__(self, vector: Floats, /) -> Floats: ...

    def __getitem__(self, rows: Any, /) -> Any: ...


class Patched:
    """Rows of a matrix in another order, and added ones; reads like an array."""

    def __init__(self, matrix: Floats, added: Floats, at: Ints) -> None:
        """Row i is row at[i] of `matrix` with `added` below it."""
        self._matrix, self._added, self._at = matrix, added, at

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._at), int(self._matrix.shape[1])

    def __len__(self) -> int:
        return len(self._at)

    def __matmul__(self, vector: Floats, /) -> Floats:
        return np.concatenate([self._matrix @ vector, self._added @ vector])[self._at]

    def __getitem__(self, rows: Any, /) -> Floats:
        at, old = self._at[rows], len(self._matrix)
        if at.ndim == 0:
            return self._matrix[at] if at < old else self._added[at - old]
        new = at >= old
        out = np.empty((*at.shape, self.shape[1]), np.float32)
        out[~new], out[new] = self._matrix[at[~new]], self._added[at[new] - old]
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self[:], dtype)

    def moved(self, source: Ints, given: Floats) -> Vectors:
        """See `moved`."""
        end = len(self._matrix) + len(self._added)
        at = np.where(source >= 0, self._at[np.maximum(source, 0)] if len(self) else 0, end - 1 - source)
        found = Patched(self._matrix, np.concatenate([self._added, given]), at.astype(np.int32))
        return found if len(found._added) <= MOST_ADDED else np.asarray(found, np.float32)


def moved(vectors: Vectors, source: Ints, given: Floats) -> Vectors:
    """The rows that stood at `source`; where that is negative, row -1 - source of `given`."""
    if not isinstance(vectors, Patched):
        matrix = np.asarray(vectors, np.float32)
        vectors = Patched(matrix, matrix[:0], np.arange(len(matrix), dtype=np.int32))
    return vectors.moved(source, given)
