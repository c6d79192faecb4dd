"""A patched matrix reads like the array that it stands for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memcore import vectors
from memcore.vectors import MOST_ADDED, Patched

DIMENSION = 3


@st.composite
def moves(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """A number of rows, and where the rows come from in each of some steps."""
    size = draw(st.integers(0, 6))
    steps: list[list[int]] = []
    rows = size
    for _ in range(draw(st.integers(1, 4))):
        steps.append(draw(st.lists(st.integers(-3, rows - 1), max_size=7)))
        rows = len(steps[-1])
    return size, steps


def fresh(step: int) -> np.ndarray:
    return np.arange(9, dtype=np.float32).reshape(3, DIMENSION) + 100 * (step + 1)


@given(moves())
def test_moved_rows_are_those_of_the_array(made: tuple[int, list[list[int]]]):
    size, steps = made
    plain = np.arange(size * DIMENSION, dtype=np.float32).reshape(size, DIMENSION)
    shared: vectors.Vectors = plain.copy()
    query = np.array([1.0, -2.0, 0.5], np.float32)
    for number, step in enumerate(steps):
        source, given_ = np.array(step, np.int32), fresh(number)
        plain = np.array([plain[s] if s >= 0 else given_[-1 - s] for s in step], np.float32).reshape(-1, 3)
        shared = vectors.moved(shared, source, given_)
        assert tuple(shared.shape) == plain.shape
        np.testing.assert_array_equal(np.asarray(shared), plain)
        np.testing.assert_allclose(shared @ query, plain @ query)
        every = np.arange(len(plain), dtype=np.int32)[::-1]
        np.testing.assert_array_equal(shared[every], plain[every])
        np.testing.assert_array_equal(shared[every % 2 == 0], plain[every % 2 == 0])
        for row in range(len(plain)):
            np.testing.assert_array_equal(shared[row], plain[row])


def test_rows_are_shared_until_many_were_added():
    matrix = np.zeros((4, DIMENSION), np.float32)
    found: vectors.Vectors = matrix
    given_ = np.ones((MOST_ADDED // 2, DIMENSION), np.float32)
    for _ in range(2):
        found = vectors.moved(found, np.array([0, -1, 2, -5], np.int32), given_)
        assert isinstance(found, Patched)
    found = vectors.moved(found, np.array([0, -1, 2, -5], np.int32), given_)
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found[:, 0], [0, 1, 0, 1])


def test_what_was_read_before_stays_as_it_was():
    matrix = np.zeros((2, DIMENSION), np.float32)
    first = vectors.moved(matrix, np.array([0, -1], np.int32), np.ones((1, DIMENSION), np.float32))
    second = vectors.moved(first, np.array([-1, 1], np.int32), np.full((1, DIMENSION), 2, np.float32))
    np.testing.assert_array_equal(first[:][:, 0], [0, 1])
    np.testing.assert_array_equal(second[:][:, 0], [2, 1])
