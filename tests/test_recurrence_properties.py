"""What holds of every stream, at every threshold, whatever the writer does and whenever it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import Middles, Ran, Scripted, clustered, read, run, states, told, units

from memcore.absorbing.ledger import ledger
from memcore.errors import ModelUnavailable
from memcore.records import Spent, Thresholds, Unit
from memcore.recurrence import Recurrence, in_time, recurs
from memcore.tiers import Tiers
from memcore.writing import Passage, Roles

similarities = st.sampled_from([-1.0, 0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0])
thresholds = st.builds(
    Thresholds,
    similarities,
    st.integers(1, 6),
    similarities,
    st.sampled_from(["counts_new_unit", "neighbours_reach", "neighbours_exceed"]),
    st.sampled_from(["before_gate", "at_consolidation"]),
    st.sampled_from([1, 1, 2, 3, 7]),
)
shares = st.sampled_from([0.0, 0.3, 1.0])


@st.composite
def streams(draw: st.DrawFn) -> list[Unit]:
    """Up to forty units, of them some without a vector, some without a time, the clock going either way."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    vectors = clustered(rng, draw(st.integers(1, 40)))
    days = [None if rng.random() < 0.2 else int(rng.integers(-20, 20)) for _ in vectors]
    return units([None if rng.random() < 0.1 else v for v in vectors], days)


writers = st.builds(Scripted, st.integers(0, 99), declines=shares, fails=shares, facts=st.integers(0, 9))


@given(streams(), thresholds, writers)
@settings(max_examples=150, deadline=None)
def test_the_invariants(stream: list[Unit], t: Thresholds, writer: Scripted) -> None:
    ran = run(stream, t, writer)
    holds(ran, stream, t)
    assert sum(len(a.decision.spent) for a in ran.done) == len(writer.calls)


@given(streams(), thresholds, st.integers(0, 99), shares)
@settings(max_examples=60, deadline=None)
def test_a_writer_that_fails_at_any_one_call_loses_nothing(
    stream: list[Unit], t: Thresholds, seed: int, declines: float
) -> None:
    calls = len(_written(stream, t, Scripted(seed, declines)).calls)
    for at in sorted({1, 2, 3, calls // 2, calls - 1, calls} & {*range(1, calls + 1)}):
        writer = Scripted(seed, declines, fails_at=at)
        ran = run(stream, t, writer)
        holds(ran, stream, t)
        (failed,) = [a for a in ran.done if a.decision.error]
        assert failed.decision.error == "ModelUnavailable"
        assert failed.decision.merge == "failed" or failed.decision.outcome == "failed"
        untouched(ran, failed.unit.order)
        assert sum(len(a.decision.spent) for a in ran.done) == len(writer.calls)


@given(streams(), thresholds, st.integers(0, 99), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_units_whose_words_cannot_be_read_lose_nothing(
    stream: list[Unit], t: Thresholds, seed: int, at: int
) -> None:
    asked = 0

    def reads(ids: Sequence[str]) -> list[Passage]:
        nonlocal asked
        asked += 1
        if asked == at:
            raise ModelUnavailable("The words are out of reach.")
        return read(ids)

    ran = run(stream, t, Scripted(seed), reads=reads)
    holds(ran, stream, t)
    for failed in [a for a in ran.done if a.decision.error]:
        untouched(ran, failed.unit.order)


@given(streams(), thresholds, writers, st.lists(st.integers(1, 39), max_size=5), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_same_stream_gives_the_same_result_however_it_is_cut(
    stream: list[Unit], t: Thresholds, writer: Scripted, cuts: list[int], fresh: bool
) -> None:
    """`fresh`: each batch finds tiers that were put together from what is stored."""
    whole = run(stream, t, writer)
    other = run(
        stream, t, Scripted(writer.seed, writer.declines, writer.fails, facts=writer.facts), cuts, fresh
    )
    assert told(other) == told(whole)
    assert states(other) == states(whole)


@given(streams(), thresholds, writers)
@settings(max_examples=80, deadline=None)
def test_what_an_eager_system_makes_of_a_session(stream: list[Unit], t: Thresholds, writer: Scripted) -> None:
    tiers = Tiers(4)
    roles = Roles(writer, read, Middles({u.id: u for u in stream}).place)
    done = list(Recurrence(tiers, roles, t).consolidate(stream))
    ran = Ran(tiers, done)
    assert [a.unit.id for a in done] == [u.id for u in stream]
    assert [op for a in done[:-1] for op in a.decision.spent] == []
    assert done[-1].decision.outcome in ("consolidated", "failed")
    assert {u.state for u in tiers.units.values()} == {
        "live" if done[-1].decision.outcome == "failed" else "consolidated"
    }
    evidence(ran)


@pytest.mark.parametrize(
    ("counting", "least"), [("counts_new_unit", 4), ("neighbours_reach", 5), ("neighbours_exceed", 6)]
)
def test_each_reading_of_theta_count(counting: Any, least: int) -> None:
    t = Thresholds(0.5, 5, 0.5, counting)
    assert [recurs(n, t) for n in range(8)] == [n >= least for n in range(8)]


def test_a_similarity_of_exactly_theta_is_no_neighbour_but_belongs_to_an_episode() -> None:
    near = np.array([0.6, 0.8], np.float32)
    stream = units([np.array([1, 0], np.float32), near])
    assert run(stream, Thresholds(0.6, 2, 1.0), Scripted()).done[1].decision.outcome == "stored"
    assert run(stream, Thresholds(0.59, 2, 1.0), Scripted()).done[1].decision.outcome == "consolidated"
    alone = Thresholds(1.0, 1, 0.6)
    merged = run(stream, alone, Scripted(declines=0.0)).done[1].decision
    assert (merged.outcome, merged.nearest and merged.nearest.score) == ("merged", 0.6)


def test_the_gate_searches_twice_theta_count_neighbours() -> None:
    vectors = [np.array([1, i / 100], np.float32) / np.hypot(1, i / 100) for i in range(30)]
    t = Thresholds(0.5, 4, 1.0, "neighbours_exceed")
    many = Tiers(2)
    for unit in units(vectors):
        many.units[unit.id] = unit
        many.live.put(unit.id, unit.vector)  # type: ignore[arg-type]
    new = units([*vectors, vectors[0]])[-1:]
    by_id = {u.id: u for u in [*units(vectors), *new]}
    roles = Roles(Scripted(), read, Middles(by_id).place)
    (absorbed,) = Recurrence(many, roles, t).absorb(new)
    assert [n.id for n in absorbed.decision.neighbours] == [f"u{i}" for i in range(1, 9)]


def test_passages_are_told_in_the_order_of_time_and_those_without_one_last() -> None:
    found = units([None] * 6, [5, None, -3, 5, None, 0])
    assert [u.id for u in in_time(reversed(found))] == ["u3", "u6", "u1", "u4", "u2", "u5"]


def test_after_a_merge_that_was_declined_those_that_waited_recur_with_the_new_unit() -> None:
    """Three units wait for an episode; when it does not want them, the gate finds them together."""
    rows = [np.array([1, 0], np.float32)] * 6
    t = Thresholds(0.9, 3, 0.9, collect=3)
    ran = run(units(rows), t, Declining())
    assert [a.decision.outcome for a in ran.done] == [
        "stored", "stored", "consolidated", "pending", "pending", "consolidated",
    ]  # fmt: skip
    assert ran.done[-1].decision.merge == "declined"
    assert ran.done[-1].decision.consumed == ("u4", "u5")


def test_among_equals_the_one_that_arrived_first_is_nearest_even_if_it_waited_in_between() -> None:
    near, other, unwanted = ([0.8, 0.6, 0, 0], [0, 0.6, 0.8, 0], [0.8, 0, 0, 0.6])
    rows = [*[[1, 0, 0, 0]] * 3, near, other, unwanted, [0, 1, 0, 0]]
    stream = units([np.array(row, np.float32) for row in rows])
    t = Thresholds(0.55, 3, 0.75, collect=2)
    whole = run(stream, t, Declining())
    assert whole.done[3].decision.outcome == "pending"
    assert whole.done[6].decision.neighbours == (("u4", 0.6), ("u5", 0.6))
    assert told(run(stream, t, Declining(), [6], fresh=True)) == told(whole)


@dataclass
class Declining(Scripted):
    """Wants nothing in an episode."""

    declines: float = 1.0
    calls: list[tuple[Any, ...]] = field(default_factory=list)


def holds(ran: Ran, stream: Sequence[Unit], t: Thresholds) -> None:
    assert [a.unit.id for a in ran.done] == [u.id for u in stream]
    for absorbed in ran.done:
        decided(absorbed.decision, absorbed.unit, t)
    one_state(ran)
    evidence(ran)
    billed(ran)


def decided(d: Any, unit: Unit, t: Thresholds) -> None:
    belongs = d.nearest is not None and d.nearest.score >= t.merge
    gate = recurs(len(d.neighbours), t)
    assert d.recurring == len(d.neighbours) + 1 <= 2 * t.theta_count + 1
    assert all(n.score > t.theta_sim for n in d.neighbours)
    assert [n.score for n in d.neighbours] == sorted((n.score for n in d.neighbours), reverse=True)
    assert d.below is None or (not d.neighbours and d.below.score <= t.theta_sim)
    if unit.vector is None:
        assert (d.outcome, d.spent, d.neighbours, d.nearest) == ("stored", (), (), None)
    elif not belongs and not gate:
        assert (d.outcome, d.spent) == ("stored", ())
    if d.outcome == "stored":
        assert not d.episodes and not d.facts and not d.consumed
        assert d.merge in ("none", "declined", "failed")
    asked = [s.operation for s in d.spent]
    if d.merge == "declined":
        assert asked[0] == "merge" and d.spent[0].sent > 0
    if d.merge == "accepted":
        assert asked == ["merge", "refine_in_merge"] and d.outcome == "merged" and len(d.episodes) == 1
    if d.outcome == "consolidated":
        assert 1 + len(d.consumed) >= t.theta_count and 1 <= len(d.episodes) <= 3
        assert set(d.consumed) == {n.id for n in d.neighbours}
        assert asked.count("consolidate") == 1 and asked.count("refine") == len(d.episodes)
    if d.outcome == "pending":
        assert d.spent == () and len(d.episodes) == 1
    assert (d.error != "") == (d.merge == "failed" or d.outcome == "failed")


def one_state(ran: Ran) -> None:
    found = states(ran)
    assert {i: u.state for i, u in ran.tiers.units.items()} == found
    waiting = [i for some in ran.tiers.waiting.values() for i in some]
    assert sorted(waiting) == sorted(i for i, s in found.items() if s == "pending")
    for id_, unit in ran.tiers.units.items():
        assert (id_ in ran.tiers.live) == (unit.state == "live" and unit.vector is not None)
        assert bool(unit.episodes) == (unit.state != "live")
    consumed = [i for a in ran.done for i in a.decision.consumed]
    assert len(consumed) == len(set(consumed))
    assert all(found[i] in ("merged", "consolidated") for i in consumed)


def evidence(ran: Ran) -> None:
    """Every unit that left the live ones stays under an episode; episodes and facts point to their units."""
    units, episodes = ran.tiers.units, ran.tiers.episodes
    under = {i for e in episodes.values() for i in e.units}
    assert under == {i for i, u in units.items() if u.state in ("merged", "consolidated")}
    versions: dict[str, list[Any]] = {}
    for absorbed in ran.done:
        for episode in absorbed.episodes:
            before = versions.setdefault(episode.id, [])
            assert episode.revision == len(before) + 1
            assert not before or before[-1].units == episode.units[: len(before[-1].units)]
            assert len(set(episode.units)) == len(episode.units)
            assert set(episode.origin) == {t for i in episode.units for t in units[i].origin}
            before.append(episode)
        for fact in absorbed.facts:
            assert fact.episode_id in absorbed.decision.episodes
            assert fact.units and set(fact.units) <= set(episodes[fact.episode_id].units)
            assert set(fact.origin) <= {t for i in fact.units for t in units[i].origin}
        assert absorbed.decision.facts == tuple(f.id for f in absorbed.facts)
    assert {i: made[-1] for i, made in versions.items()} == episodes


def billed(ran: Ran) -> None:
    found = ledger(ran.tiers.units.values())
    spent = [s for a in ran.done for s in a.decision.spent]
    assert found.calls == len(spent) == sum(line.calls for line in found.lines)
    assert found.tokens == sum(s.sent + s.received for s in spent)
    assert found.tokens == sum(line.sent for line in found.lines) + sum(line.received for line in found.lines)
    without = sum(not a.decision.spent for a in ran.done)
    assert found.untouched == pytest.approx(without / len(ran.done))
    for line in found.lines:
        own = [s for s in spent if s.operation == line.operation]
        assert (line.calls, Spent(line.operation, line.sent, line.received)) == (
            len(own),
            Spent(line.operation, sum(s.sent for s in own), sum(s.received for s in own)),
        )


def untouched(ran: Ran, order: int) -> None:
    """The failed attempt itself changed no episode but what a later step of the same unit made."""
    failed = ran.done[order - 1]
    if failed.decision.outcome in ("failed", "stored"):
        assert failed.episodes == failed.facts == ()
        assert not failed.decision.consumed


def _written(stream: Sequence[Unit], t: Thresholds, writer: Scripted) -> Scripted:
    run(stream, t, writer)
    return writer
