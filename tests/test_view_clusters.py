"""Clusters are the fold of the decisions: at every point of a stream they show what the tiers held then."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from building import day
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import Middles, Scripted, clustered, read, units

from memcore.absorbing.foresight import foresee
from memcore.absorbing.ledger import ledger
from memcore.records import UNKNOWN, Decision, Near, Spent, Thresholds, Unit, Version
from memcore.recurrence import Recurrence
from memcore.tiers import Tiers
from memcore.view.clusters import Cluster, Clusters, cluster_of, clusters, needed, standing
from memcore.view.kinds import KINDS
from memcore.view.network import network, payload
from memcore.view.recurrence_graph import Sieve, edges, nodes, rows, sentence
from memcore.view.recurrence_labels import labels
from memcore.view.recurrence_layout import anchored, places, radius
from memcore.view.recurrence_spread import nearest_earlier, spread
from memcore.view.recurrence_states import left_raw, nearest_pair, reached, summary
from memcore.view.recurrence_then import facts_then, text_then
from memcore.view.recurrence_timeline import deciding, members, rule, told, triggers
from memcore.view.recurrence_whatif import compared, decided_under, foreseen_clusters, foreseen_units
from memcore.writing import Roles

T = Thresholds(0.6, 4, 0.6)
similarities = st.sampled_from([0.0, 0.4, 0.6, 0.8, 0.95])
thresholds = st.builds(
    Thresholds,
    similarities,
    st.integers(2, 5),
    similarities,
    st.sampled_from(["counts_new_unit", "neighbours_reach", "neighbours_exceed"]),
    st.sampled_from(["before_gate", "at_consolidation"]),
    st.sampled_from([1, 1, 3]),
)
shares = st.sampled_from([0.0, 0.3])


def absorbed(stream: list[Unit], t: Thresholds, writer: Scripted) -> tuple[Tiers, list[dict[str, str]]]:
    """The tiers after a stream, and the state of every unit after each of its units."""
    tiers = Tiers(4)
    roles = Roles(writer, read, Middles({u.id: u for u in stream}).place)
    seen: list[dict[str, str]] = []
    for _ in Recurrence(tiers, roles, t).absorb(stream):
        seen.append({u.id: u.state for u in tiers.units.values()})
    return tiers, seen


def drawn(seed: int, count: int = 30) -> list[Unit]:
    rng = np.random.default_rng(seed)
    return units([None if rng.random() < 0.1 else v for v in clustered(rng, count)])


def grown(seed: int = 3, count: int = 40, t: Thresholds = T, **writer: Any) -> tuple[list[Unit], Any]:
    """Units with their decisions, and on which of them each episode rests."""
    tiers, _ = absorbed(drawn(seed, count), t, Scripted(seed, **writer))
    return list(tiers.units.values()), {e.id: e.units for e in tiers.episodes.values()}


@given(
    st.integers(0, 2**32), thresholds, st.builds(Scripted, st.integers(0, 99), declines=shares, fails=shares)
)
@settings(max_examples=120, deadline=None)
def test_the_fold_of_the_first_decisions_is_what_the_tiers_held_then(
    seed: int, t: Thresholds, writer: Scripted
) -> None:
    tiers, seen = absorbed(drawn(seed), t, writer)
    listed, rests = list(tiers.units.values()), {e.id: e.units for e in tiers.episodes.values()}
    for after in range(1, len(listed) + 1):
        assert standing(listed, rests, after).states == seen[after - 1]
    last = standing(listed, rests)
    assert {e: set(of) for e, of in last.members.items()} == {e: set(of) for e, of in rests.items()}
    assert {e: of for e, of in last.waiting.items() if of} == {e: of for e, of in tiers.waiting.items() if of}


@given(st.integers(0, 2**32), thresholds, st.builds(Scripted, st.integers(0, 99), fails=shares))
@settings(max_examples=60, deadline=None)
def test_every_live_unit_grows_stands_alone_or_was_never_compared(
    seed: int, t: Thresholds, writer: Scripted
) -> None:
    tiers, _ = absorbed(drawn(seed), t, writer)
    listed, rests = list(tiers.units.values()), {e.id: e.units for e in tiers.episodes.values()}
    for after in (len(listed) // 2, None):
        found = clusters(listed, rests, t, after)
        groups = [c for c in found.found if not c.episode]
        inside = [u for c in groups for u in c.units]
        live = [u for u, s in found.standing.states.items() if s == "live"]
        assert len(inside) == len(set(inside)) and set(inside) <= set(live)
        assert len(inside) + found.alone + found.apart == len(live)
        assert all(c.recurring < needed(t) for c in groups if c.state == "growing")


def test_the_same_units_give_the_same_clusters_the_largest_first() -> None:
    listed, rests = grown()
    found = clusters(listed, rests, T)
    assert found.found and found == clusters(listed, rests, T)
    sizes = [len(c.units) for c in found.found]
    assert sizes == sorted(sizes, reverse=True)


def test_a_writer_that_fails_leaves_a_triggered_cluster_with_all_its_units() -> None:
    near = [np.array([1, 0, 0, 0], np.float32)] * 4
    tiers, _ = absorbed(units(near), T, Scripted(fails=1.0))
    (cluster,) = clusters(list(tiers.units.values()), {}, T).found
    assert cluster.state == "triggered" and cluster.units == ("u1", "u2", "u3", "u4")
    assert "failed" in sentence(cluster) and cluster.progress == 1


def test_a_cluster_that_grows_says_how_many_are_missing() -> None:
    near = [np.array([1, 0, 0, 0], np.float32)] * 3
    tiers, _ = absorbed(units(near), T, Scripted())
    (cluster,) = clusters(list(tiers.units.values()), {}, T).found
    assert (cluster.state, cluster.recurring, cluster.needed, cluster.progress) == ("growing", 3, 4, 0.75)
    assert "3 of the 4" in sentence(cluster)


@pytest.mark.parametrize(
    ("counting", "most"), [("counts_new_unit", 5), ("neighbours_reach", 6), ("neighbours_exceed", 7)]
)
def test_the_number_that_is_needed_follows_the_counting_rule(counting: Any, most: int) -> None:
    assert needed(Thresholds(0.7, 5, 0.7, counting)) == most


def test_a_cluster_is_found_by_its_episode_and_by_each_of_its_units() -> None:
    listed, rests = grown()
    found = clusters(listed, rests, T).found
    for cluster in found:
        assert cluster_of(found, cluster.id) == cluster
        assert cluster_of(found, cluster.units[-1]) is not None
    assert cluster_of(found, "nothing") is None


def test_no_two_clusters_overlap_and_the_places_are_those_of_the_clusters_alone() -> None:
    found = [Cluster(f"c{i}", "growing", tuple("u" * (40 - i)), 1, 5) for i in range(40)]
    at = places(found)
    assert at == places(found)
    for a, b in combinations(found, 2):
        apart = np.hypot(at[a.id].x - at[b.id].x, at[a.id].y - at[b.id].y)
        assert apart > radius(len(a.units)) + radius(len(b.units))


def test_going_back_moves_no_cluster_and_a_group_grows_where_its_episode_will_be() -> None:
    listed, rests = grown()
    final = clusters(listed, rests, T).found
    standing_at = places(final)
    went_back = 0
    for after in range(1, len(listed)):
        then = clusters(listed, rests, T, after).found
        at = anchored(then, final, standing_at)
        assert set(at) == {c.id for c in then} and len(set(at.values())) == len(at)
        for cluster in then:
            if cluster.id in standing_at:
                assert at[cluster.id] == standing_at[cluster.id]
            elif home := next((c for c in final if cluster.units[0] in c.units), None):
                went_back += 1
                apart = np.hypot(*(np.subtract(at[cluster.id], standing_at[home.id])))
                assert apart < 100
    assert went_back


def spoken(listed: list[Unit], *names: str) -> list[Unit]:
    return [replace(u, speakers=(names[i % len(names)],)) for i, u in enumerate(listed)]


def test_filters_grey_out_and_take_nothing_away() -> None:
    listed, rests = grown()
    listed = spoken(listed, "Ann", "Bo")
    found, by_id = clusters(listed, rests, T).found, {u.id: u for u in listed}
    states = {c.state for c in found}
    assert len(states) > 1
    for wanted in (Sieve(), Sieve(states=["growing"]), Sieve(speakers=["Nobody"]), Sieve(first=1, last=2)):
        listed_nodes = nodes(found, {}, by_id, wanted)
        assert [n.id for n in listed_nodes] == [c.id for c in found]
        dim = [n.id for n in listed_nodes if "dim" in n.marks]
        assert dim == [c.id for c in found if not wanted.passes(c, by_id)]
    assert all(Sieve(speakers=["Ann"]).passes(c, by_id) for c in found if len(c.units) > 2)


def test_what_is_drawn_of_a_cluster_is_white_listed_and_says_its_state_by_shape_and_ring() -> None:
    listed, rests = grown()
    by_id = {u.id: u for u in listed}
    found = clusters(listed, rests, T).found
    hostile = "<img src=x onerror=alert(1)> \u202e![a](http://203.0.113.9/i.png)"
    drawn_nodes = nodes(found, {c.id: hostile for c in found}, by_id, Sieve())
    sent = payload(network(drawn_nodes, edges(found, by_id), places(found)))
    by_node = {n["id"]: n for n in sent["nodes"]}
    for cluster in found:
        node = by_node[cluster.id]
        assert node["kind"] == cluster.state and node["side"] == "below"
        assert ("ring" in node) == (not cluster.episode)
        assert "\u202e" not in node["label"] and "\u202e" not in node["title"]
    shapes = [KINDS[state].shape for state in ("growing", "triggered", "consolidated", "merged")]
    assert len(set(shapes)) == 4


def test_the_table_has_a_row_for_every_cluster_with_the_same_numbers() -> None:
    listed, rests = grown()
    found = clusters(listed, rests, T).found
    table = rows(found, {c.id: c.id for c in found}, {u.id: u for u in listed}, Sieve())
    assert [(r["cluster"], r["units"]) for r in table] == [(c.id, len(c.units)) for c in found]


def test_first_and_last_said_are_the_earliest_and_the_latest_day_that_is_known() -> None:
    listed, rests = grown()
    found = clusters(listed, rests, T).found
    cluster = next(c for c in found if len(c.units) > 2)
    at = [day(datetime(2024, 3, n, tzinfo=UTC)) for n in (9, 2)]
    said = dict(zip(cluster.units, [at[0], UNKNOWN, at[1]], strict=False))
    by_id = {u.id: replace(u, said=said.get(u.id, UNKNOWN)) for u in listed}
    (row,) = rows([cluster], {}, by_id, Sieve())
    assert (row["first"], row["last"]) == (date(2024, 3, 2), date(2024, 3, 9))


def test_the_timeline_has_every_decision_that_a_writer_was_called_for_with_its_numbers() -> None:
    listed, _ = grown(declines=0.5, fails=0.2)
    found = triggers(listed)
    called = [u for u in listed if u.decision and u.decision.spent]
    assert {t.unit for t in found} >= {u.id for u in called}
    assert sum(t.calls for t in found) == sum(len(u.decision.spent) for u in called if u.decision)
    assert len({t.what for t in found}) > 2
    for t in found:
        assert t.needed == 4 and t.rule == rule(T) and told(t).endswith(".")
        assert t.nearest is None or f"{t.nearest:.3f}" in told(t) or t.what in ("consolidated", "failed")
    assert triggers(listed, 5) == [t for t in found if t.order <= 5]


def test_members_carry_the_similarity_they_were_taken_by_and_the_unit_that_completed_them() -> None:
    listed, rests = grown(declines=0.0)
    by_id = {u.id: u for u in listed}
    found = clusters(listed, rests, T).found
    assert any(c.state == "merged" for c in found)
    for cluster in found:
        for member in members(cluster, by_id):
            decision = by_id[member.unit].decision
            assert member.score is not None
            assert not cluster.episode or member.joined >= by_id[member.unit].order
            if decision and decision.outcome == "merged" and decision.nearest:
                assert member.score == decision.nearest.score
            elif cluster.state == "growing":
                assert member.score > T.theta_sim


def test_an_episode_reads_as_it_did_then_and_its_facts_come_with_the_decisions_that_made_them() -> None:
    tiers, _ = absorbed(drawn(3, 40), T, Scripted(3, declines=0.0))
    listed, rests = list(tiers.units.values()), {e.id: e.units for e in tiers.episodes.values()}
    cluster = max(clusters(listed, rests, T).found, key=lambda c: (c.state == "merged", len(c.units)))
    made = [u for u in deciding(cluster, listed) if u.decision]
    now = tiers.episodes[cluster.episode]
    earlier = [
        Version(f"v{i}", now.id, f"text {i}", i, datetime(2024, 1, 1, tzinfo=UTC))
        for i in range(len(made) - 1)
    ]
    facts = [replace(now, id=f, layer="fact") for u in made if u.decision for f in u.decision.facts]
    for at, unit in enumerate(made):
        arrived = listed[: listed.index(unit) + 1]
        assert text_then(cluster, now, earlier, arrived) == [*(v.text for v in earlier), now.text][at]
        wanted = [f for u in made[: at + 1] if u.decision for f in u.decision.facts]
        assert [f.id for f in facts_then(cluster, facts, arrived)] == wanted


# names


def two(first: str, second: str) -> tuple[list[Cluster], dict[str, str]]:
    found = [Cluster("a", "growing", ("a1", "a2"), 2, 5), Cluster("b", "growing", ("b1", "b2"), 2, 5)]
    return found, {"a1": first, "a2": first, "b1": second, "b2": second}


def test_a_cluster_is_called_by_the_words_that_tell_it_from_the_others() -> None:
    found, texts = two("We bake sourdough bread on Sunday", "We run slowly round the park on Sunday")
    names = labels(found, {}, texts)
    assert "sourdough" in names["a"] and "park" in names["b"]
    assert "Sunday" not in names["a"] + names["b"]


def test_korean_names_lose_their_particles_and_a_person_s_name_wins() -> None:
    found, texts = two("고양이가 약을 먹어요", "수영장에서 자유형을 배워요")
    names = labels(found, {"b1": "수영"}, texts)
    assert "고양이" in names["a"].split(", ") and names["b"] == "수영"


def test_units_without_words_still_have_a_name() -> None:
    found, texts = two("12345 ...", "")
    assert set(labels(found, {}, texts).values()) == {"2 units"}


# what if, similarities, states


def test_the_nearest_earlier_unit_is_the_nearest_of_all_before_it() -> None:
    listed = drawn(7, 60)
    rows_ = [u.vector for u in listed if u.vector is not None]
    plain = [max(float(rows_[i] @ rows_[j]) for j in range(i)) for i in range(1, len(rows_))]
    assert np.allclose(nearest_earlier(listed), plain, atol=1e-5)
    assert sum(b.units for b in spread(plain)) == len(plain)
    assert nearest_earlier(listed[:1]) == [] and spread([]) == []


def test_what_would_be_is_told_beside_what_is_and_adds_up() -> None:
    listed, rests = grown()
    found = foresee(listed, T._replace(theta_sim=0.4))
    table = {row["what"]: row for row in compared(listed, rests, ledger(listed), found)}
    raw, moved, merged = (
        int(table[name]["would be"]) for name in ("Units left raw", "Units consolidated", "Units merged")
    )
    assert raw + moved + merged == len(listed)
    assert table["Calls"]["would be"] == f"{found.calls:,}"
    would = foreseen_clusters(listed, found)
    assert {c.episode for c in would.found if c.episode} == set(found.episodes)
    assert [u.id for u in foreseen_units(listed, found)] == [u.id for u in listed]


def test_units_decided_under_other_thresholds_than_those_in_force_are_told_apart() -> None:
    listed, _ = grown()
    assert decided_under(listed, T) and not decided_under(listed, T._replace(theta_sim=0.4))


def test_how_near_anything_is_to_recurring_is_told_from_what_the_decisions_recorded() -> None:
    one = units([np.array([1, 0, 0, 0], np.float32)])[0]
    assert reached([one]) is None and "compared" in nearest_pair(None, T)
    tiers, _ = absorbed(units([np.eye(4, dtype=np.float32)[0], np.full(4, 0.5, np.float32)]), T, Scripted())
    best = reached(tiers.units.values())
    assert best == pytest.approx(0.5) and "0.500" in nearest_pair(best, T)


def test_the_headline_counts_every_unit_once() -> None:
    listed, rests = grown()
    found = clusters(listed, rests, T)
    states = list(found.standing.states.values())
    said = summary(found, len(listed), len(rests))
    assert f"{states.count('live')} raw" in said and f"{len(listed)} units" in said


def test_units_of_an_episode_that_was_taken_away_do_not_come_back_to_life() -> None:
    listed, rests = grown()
    gone = next(iter(rests))
    left = {e: of for e, of in rests.items() if e != gone}
    before, now = standing(listed, rests), standing(listed, left)
    assert before.states == now.states
    assert isinstance(clusters(listed, left, T), Clusters)


def test_a_unit_that_another_generation_took_again_is_in_the_state_of_that_one() -> None:
    """A kept episode names fewer units than left with it: the others were decided anew."""
    first, second = units([np.eye(4, dtype=np.float32)[0]] * 2)
    old = second.decision or None
    assert old is None
    stored = Decision("stored", T)
    made = Decision(
        "consolidated", T, 2, neighbours=(Near("u1", 1.0),), consumed=("u1",), episodes=("e",),
        spent=(Spent("consolidate", 1, 1),),
    )  # fmt: skip
    listed = [replace(first, decision=stored), replace(second, decision=made)]
    assert standing(listed, {"e": ("u1", "u2")}).states == {"u1": "consolidated", "u2": "consolidated"}
    assert standing(listed, {"e": ("u2",)}).states == {"u1": "live", "u2": "consolidated"}


def test_each_reason_why_units_were_never_compared_is_counted_and_told() -> None:
    whys: list[Any] = ["uncovered", "", "uncovered", "empty"]
    listed = [
        replace(u, decision=Decision("stored", T, why=w))
        for u, w in zip(units([None] * 4), whys, strict=True)
    ]
    first, second = left_raw(listed)
    assert first.startswith("2 units are") and "script" in first
    assert second.startswith("1 unit is") and "nothing was said" in second
    assert clusters(listed, {}, T).apart == 3
