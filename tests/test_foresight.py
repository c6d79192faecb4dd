"""What would have been consolidated under other thresholds, without touching the store or a writer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recurring_memory import THETA, TOPICS, brought_in, everything, lines, opened
from streams import Scripted, clustered, run, unit_length, units

from memcore.absorbing.foresight import calibrated, foresee
from memcore.records import Thresholds, Unit

COUNTING: tuple[Any, ...] = ("counts_new_unit", "neighbours_reach", "neighbours_exceed")


def drawn(seed: int, count: int, dimension: int = 24) -> list[Unit]:
    """Units around topics of unequal weight, as people come back to them."""
    rng = np.random.default_rng(seed)
    middles = rng.normal(size=(30, dimension))
    weights = 1 / np.arange(1, 31)
    picked = rng.choice(30, count, p=weights / weights.sum())
    return units([unit_length(middles[i] + 0.8 * rng.normal(size=dimension)) for i in picked])


@pytest.mark.parametrize("collect", [1, 3])
def test_above_every_similarity_nothing_moves(collect: int) -> None:
    stream = drawn(1, 300)
    found = foresee(stream, Thresholds(1.0, 5, 1.0, collect=collect))
    assert (found.share, found.calls, found.tokens, found.episodes) == (0.0, 0, 0, {})
    assert {d.outcome for d in found.decisions.values()} == {"stored"}


@pytest.mark.parametrize("counting", COUNTING)
def test_the_gate_is_exact_while_nothing_was_merged(counting: Any) -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        stream = units(clustered(rng, 40))
        t = Thresholds(float(rng.choice([0.3, 0.6, 0.8])), int(rng.integers(2, 6)), 1.1, counting)
        ran, found = run(stream, t, Scripted(facts=0)), foresee(stream, t)
        for absorbed in ran.done:
            seen, real = found.decisions[absorbed.unit.id], absorbed.decision
            assert (seen.outcome, seen.neighbours, seen.below) == (real.outcome, real.neighbours, real.below)
            assert seen.consumed == real.consumed
        moved = sum(u.state == "consolidated" for u in ran.tiers.units.values())
        assert found.share == moved / len(stream)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_calibration_comes_near_the_wanted_share(share: float) -> None:
    stream = drawn(2, 600)
    found = calibrated(stream, share, Thresholds(0.7, 5, 0.7))
    assert abs(found.share - share) < 0.05
    assert found.thresholds.theta_count == 5 and found.thresholds.merge >= found.thresholds.theta_sim
    again = foresee(stream, found.thresholds)
    assert (again.share, again.calls, again.tokens) == (found.share, found.calls, found.tokens)


def test_what_was_foreseen_depends_on_nothing_that_was_decided(tmp_path: Path) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines([TOPICS[i % 3] for i in range(12)]))
    before = everything(memory)
    t = THETA._replace(theta_count=4)
    first = memory.recurrence.foresee(t)
    assert everything(memory) == before
    list(memory.recurrence.apply(t))
    again = memory.recurrence.foresee(t)
    outcomes = [[d.outcome for d in f.decisions.values()] for f in (first, again)]
    assert outcomes[0] == outcomes[1] == [u.decision.outcome for u in memory.recurrence.units() if u.decision]
    assert first.share == 1.0
    assert (first.calls, first.tokens) == (again.calls, again.tokens)


def test_units_that_could_not_be_compared_count_as_left_raw() -> None:
    east = np.array([1, 0], np.float32)
    found = foresee(units([east, None, east, None, east, None]), Thresholds(0.5, 3, 0.5))
    assert found.share == 0.5 and set(found.decisions) == {"u1", "u3", "u5"}
    (inside,) = found.episodes.values()
    assert inside == ("u1", "u3", "u5")


def test_nothing_is_foreseen_of_nothing() -> None:
    assert foresee([], THETA).share == 0.0
    assert foresee(units([None, None]), THETA).decisions == {}
    assert calibrated([], 0.3, THETA).share == 0.0


def test_it_can_be_stopped() -> None:
    asked = iter([True] * 9)
    found = foresee(drawn(3, 100), THETA, lambda: next(asked, False))
    assert len(found.decisions) == 10


@pytest.mark.parametrize("theta", [-1.0, 0.0, 1.0])
def test_both_ends_of_the_slider(theta: float) -> None:
    found = foresee(drawn(4, 200), Thresholds(theta, 5, theta))
    assert 0 <= found.share <= 1 and len(found.decisions) == 200
    assert (found.share == 0) == (theta == 1.0)


def test_more_is_merged_the_lower_the_threshold() -> None:
    stream = drawn(5, 400)
    shares = [foresee(stream, Thresholds(s, 5, s + 0.02)).share for s in (0.1, 0.4, 0.6, 0.8, 0.95)]
    assert shares[0] > shares[2] > shares[-1]


def test_what_waits_to_be_merged_is_foreseen_as_waiting() -> None:
    east = np.array([1, 0], np.float32)
    found = foresee(units([east] * 7), Thresholds(0.5, 3, 0.5, collect=3))
    assert [d.outcome for d in found.decisions.values()] == [
        "stored", "stored", "consolidated", "pending", "pending", "merged", "pending",
    ]  # fmt: skip
