"""The nearest of a changing set are those that comparing with every member one by one would find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import unit_length

from memcore import nearest
from memcore.nearest import Nearest, Scored, rows_of


class Slow:
    """Members in the order in which they joined; every question looks at all of them."""

    def __init__(self) -> None:
        self.members: dict[str, Any] = {}

    def near(self, vector: Any, count: int, above: float) -> list[Scored]:
        scored = [
            Scored(id_, round(float(np.dot(v.astype(float), vector.astype(float))), 6))
            for id_, v in self.members.items()
        ]
        scored.sort(key=lambda s: -s.score)
        return [s for s in scored if s.score > above][:count]


def drawn(rng: np.random.Generator, many: int, dimension: int, kind: str) -> list[Any]:
    if kind == "grid":
        return [unit_length(rng.integers(-1, 2, dimension).astype(float)) for _ in range(many)]
    if kind == "same":
        return [unit_length(np.arange(1, dimension + 1) * 1.0)] * many
    if kind == "close":
        middle = rng.normal(size=dimension)
        return [unit_length(middle + 3e-6 * rng.normal(size=dimension)) for _ in range(many)]
    return [unit_length(rng.normal(size=dimension)) for _ in range(many)]


kinds = st.sampled_from(["grid", "same", "close", "random"])


@given(seed=st.integers(0, 10**6), kind=kinds, block=st.sampled_from([1, 3, 512]))
@settings(max_examples=150, deadline=None)
def test_joining_leaving_and_moving_between_questions(seed: int, kind: str, block: int) -> None:
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_BATCH", block)
        fast, slow = Nearest(6), Slow()
        first = drawn(rng, int(rng.integers(0, 80)), 6, kind)
        fast.fill([f"m{i}" for i in range(len(first))], rows_of(first, 6))
        slow.members = {f"m{i}": v for i, v in enumerate(first)}
        for _ in range(2):
            asked = np.stack(drawn(rng, 25, 6, kind))
            fast.expect(asked)
            for at in range(len(asked)):
                for _ in range(int(rng.integers(0, 4))):
                    change(rng, fast, slow, drawn(rng, 1, 6, kind)[0])
                count, above = int(rng.integers(1, 9)), float(rng.choice([-2.0, 0.0, 0.5, 0.99, 1.0]))
                assert fast.of(at, count, above) == slow.near(asked[at], count, above)
                assert fast.to(asked[at], count) == slow.near(asked[at], count, -2.0)
        assert len(fast) == len(slow.members)
        assert all(id_ in fast and (fast.vector(id_) == v).all() for id_, v in slow.members.items())


def change(rng: np.random.Generator, fast: Nearest, slow: Slow, vector: Any) -> None:
    members = list(slow.members)
    kind = rng.random()
    if kind < 0.5 or not members:
        id_ = f"n{rng.integers(10**9)}"
        slow.members[id_] = vector
        fast.put(id_, vector)
    elif kind < 0.75:
        id_ = members[int(rng.integers(len(members)))]
        slow.members[id_] = vector
        fast.put(id_, vector)
    else:
        id_ = members[int(rng.integers(len(members)))]
        del slow.members[id_]
        fast.drop(id_)


@pytest.mark.parametrize("kind", ["same", "close", "random"])
def test_many_more_ties_than_were_asked_for_come_in_the_order_of_joining(kind: str) -> None:
    rng = np.random.default_rng(5)
    vectors = drawn(rng, 700, 512, kind)
    fast, slow = Nearest(512), Slow()
    fast.fill([f"m{i}" for i in range(600)], rows_of(vectors[:600], 512))
    slow.members = {f"m{i}": v for i, v in enumerate(vectors[:600])}
    asked = np.stack([unit_length(vectors[0] + 0.05 * rng.normal(size=512)) for _ in range(100)])
    fast.expect(asked)
    for i in range(100):
        assert fast.of(i, 10) == slow.near(asked[i], 10, -2.0)
        for id_, vector in ((f"m{600 + i}", vectors[600 + i]), (f"m{i}", vectors[i])):
            slow.members[id_] = vector
            fast.put(id_, vector)


def test_nobody_is_near_in_an_empty_set() -> None:
    fast = Nearest(3)
    fast.expect(np.eye(3, dtype=np.float32))
    assert fast.of(0, 5) == [] == fast.to(np.ones(3, np.float32), 5)
    fast.drop("nobody")
    fast.put("one", np.eye(3, dtype=np.float32)[0])
    fast.drop("one")
    assert len(fast) == 0 and "one" not in fast and fast.of(1, 5) == []


def test_the_opposite_is_a_member_too() -> None:
    fast = Nearest(2)
    fast.put("opposite", np.array([-1, 0], np.float32))
    fast.expect(np.array([[1, 0]], np.float32))
    assert fast.of(0, 1) == [("opposite", -1.0)] == fast.to(np.array([1, 0], np.float32), 1)


def test_among_equals_the_lower_rank_comes_first() -> None:
    fast, east = Nearest(2), np.array([1, 0], np.float32)
    fast.fill(["five", "nine"], np.stack([east, east]), [5, 9])
    fast.put("seven", east, 7)
    fast.drop("five")
    fast.put("six", east, 6)
    fast.put("five", east, 5)
    fast.put("nine", east, 1)
    assert [id_ for id_, _ in fast.to(east, 4)] == ["five", "six", "seven", "nine"]
