"""RecMem's order: merge first, then the gate, then consolidation; else the unit is stored raw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from streams import Middles, Scripted, clustered, read, run, units

from memcore.errors import ModelUnavailable
from memcore.records import Content, Decision, Thresholds, Unit
from memcore.recurrence import Recurrence
from memcore.tiers import Absorbed, Tiers
from memcore.writing import EpisodeDraft, FactDraft, Passage, Reply, Roles, shared_out

EAST = np.array([1, 0, 0], np.float32)
NORTH = np.array([0, 1, 0], np.float32)
BETWEEN = np.array([0.8, 0.6, 0], np.float32)
T = Thresholds(0.7, 3, 0.7)


def outcomes(done: Sequence[Absorbed]) -> list[str]:
    return [a.decision.outcome for a in done]


def test_a_topic_said_once_costs_no_call() -> None:
    writer = Scripted()
    ran = run(units([EAST, NORTH, -EAST]), T, writer)
    assert outcomes(ran.done) == ["stored"] * 3 and writer.calls == []
    assert [a.decision.below for a in ran.done] == [None, ("u1", 0.0), ("u2", 0.0)]


def test_a_unit_near_an_episode_is_merged_before_the_gate_is_asked() -> None:
    ran = run(units([EAST] * 5), T, Scripted(declines=0.0))
    assert outcomes(ran.done) == ["stored", "stored", "consolidated", "merged", "merged"]
    assert all(a.decision.neighbours == () for a in ran.done[3:])


def test_merging_at_consolidation_updates_the_episode_in_place_with_all_that_recurred() -> None:
    ran = run(units([EAST] * 6), T._replace(order="at_consolidation"), Scripted(declines=0.0))
    assert outcomes(ran.done) == ["stored", "stored", "consolidated", "stored", "stored", "merged"]
    assert ran.done[5].decision.consumed == ("u4", "u5")
    (grown, *_) = [e for e in ran.tiers.episodes.values() if "u6" in e.units]
    assert {"u4", "u5", "u6"} < {*grown.units}


def test_a_declined_merge_is_its_own_outcome_and_on_the_bill() -> None:
    ran = run(units([EAST] * 4), T, Scripted(declines=1.0))
    declined = ran.done[3].decision
    assert (declined.outcome, declined.merge) == ("stored", "declined")
    assert declined.spent == (("merge", 100, 10),)


def test_consolidated_units_are_no_neighbours_any_more() -> None:
    ran = run(units([EAST] * 5), T._replace(merge=1.1), Scripted())
    assert outcomes(ran.done) == ["stored", "stored", "consolidated", "stored", "stored"]
    assert [n.id for n in ran.done[4].decision.neighbours] == ["u4"]


def test_collected_units_are_merged_by_one_call() -> None:
    writer = Scripted(declines=0.0)
    ran = run(units([EAST] * 6), T._replace(collect=3), writer)
    assert outcomes(ran.done) == ["stored", "stored", "consolidated", "pending", "pending", "merged"]
    assert ran.done[5].decision.consumed == ("u4", "u5")
    assert [c[2] for c in writer.calls if c[0] == "merge"] == ["u4 u5 u6"]


def test_a_merge_that_fails_goes_on_to_the_gate() -> None:
    @dataclass
    class Away(Scripted):
        def merge(self, episode: str, passages: Sequence[Passage]) -> Any:
            super().merge(episode, passages)
            raise ModelUnavailable("The writer is away.")

    ran = run(units([EAST] * 6), T, Away())
    assert outcomes(ran.done) == ["stored", "stored", "consolidated", "stored", "stored", "consolidated"]
    last = ran.done[5].decision
    assert (last.merge, last.error) == ("failed", "ModelUnavailable")
    assert [s.operation for s in last.spent][:2] == ["merge", "consolidate"]
    assert last.spent[0] == ("merge", 0, 0)


def test_a_merged_episode_keeps_its_units_and_time() -> None:
    ran = run(units([EAST] * 4), T, Scripted(declines=0.0))
    merged, before = ran.done[3].episodes[0], ran.done[2].episodes[0]
    assert merged.id == before.id and merged.units == (*before.units, "u4")
    assert merged.said == ran.done[3].unit.said and merged.revision == 2


def test_an_episode_is_as_sensitive_as_the_most_sensitive_of_its_units() -> None:
    stream = [replace(u, sensitivity=s) for u, s in zip(units([EAST] * 4), (0, 2, 0, 1), strict=True)]
    ran = run(stream, T, Scripted(declines=0.0, facts=9))
    facts = [f for a in ran.done for f in a.facts]
    assert {e.sensitivity for e in ran.tiers.episodes.values() if "u2" in e.units} == {2}
    assert {f.units: f.sensitivity for f in facts}[("u2",)] == 2


def test_a_unit_that_cannot_be_compared_says_why_and_is_never_a_neighbour() -> None:
    apart = Decision("stored", T, why="uncovered")
    stream = units([EAST, None, EAST])
    stream[1] = replace(stream[1], decision=apart)
    ran = run(stream, T._replace(theta_count=2), Scripted())
    assert ran.done[1].decision == apart and ran.tiers.units["u2"].state == "live"
    assert ran.done[2].decision.consumed == ("u1",)


def test_nothing_is_decided_of_no_units() -> None:
    assert run([], T, Scripted()).done == []


def test_what_no_episode_tells_of_rests_under_the_first() -> None:
    drafts = [EpisodeDraft("a", (3,)), EpisodeDraft("b", (1, 3, 1))]
    assert shared_out(drafts, 5) == [[0, 2, 3, 4], [1, 3]]


def test_refinement_is_shown_the_nearest_known_facts_and_those_made_a_moment_ago() -> None:
    writer = Scripted(declines=0.0, facts=9)
    rng = np.random.default_rng(3)
    ran = run(units([*clustered(rng, 40)]), Thresholds(0.2, 3, 0.9), writer)
    shown = [len(c) - 3 for c in writer.calls if c[0] == "refine"]
    assert shown[0] == 0 and max(shown) >= 10
    assert len(ran.tiers.facts) > 20


# replies that cannot be used


class Told(Scripted):
    """Replies as it is told to in one role."""

    def __init__(self, role: str, value: Any) -> None:
        super().__init__(declines=0.0)
        self.role, self.value = role, value

    def merge(self, episode: str, passages: Sequence[Passage]) -> Any:
        return self._told("merge", super().merge(episode, passages))

    def consolidate(self, passages: Sequence[Passage]) -> Any:
        return self._told("consolidate", super().consolidate(passages))

    def refine(self, episode: str, passages: Sequence[Passage], known: Sequence[str]) -> Any:
        return self._told("refine", super().refine(episode, passages, known))

    def _told(self, role: str, reply: Any) -> Any:
        return Reply(self.value, 7, 3) if role == self.role else reply


UNUSABLE: list[tuple[str, Any]] = [
    ("consolidate", []),
    ("consolidate", [EpisodeDraft(" \n", (0, 1, 2))]),
    ("consolidate", [EpisodeDraft("East.", ())]),
    ("consolidate", [EpisodeDraft("East.", (0, 3))]),
    ("consolidate", [EpisodeDraft("East.", (-1,))]),
    ("consolidate", [EpisodeDraft("East.", (0,))] * 4),
    ("refine", [FactDraft("\t", (0,))]),
    ("refine", [FactDraft("East.", ())]),
    ("refine", [FactDraft("East.", (5,))]),
    ("refine", [FactDraft("East.", (-1,))]),
    ("refine", [FactDraft("East.", (0,), "0123456789abcdef")]),
    ("refine", [FactDraft("East.", (0,), "t99a")]),
    ("refine", [FactDraft("words", (0,), "", (0, 5))]),
    ("refine", [FactDraft("East.", (0,), "t1a", (0, 5))]),
    ("refine", [FactDraft("words", (0,), "t1a", (5, 0))]),
    ("refine", [FactDraft("words", (0,), "t1a", (-3, 5))]),
    ("refine", [FactDraft("East.", (0,))] * 10),
    ("merge", ""),
    ("merge", " \t\n"),
]


@pytest.mark.parametrize(("role", "value"), UNUSABLE, ids=range(len(UNUSABLE)))
def test_a_reply_that_cannot_be_used_changes_nothing_and_is_on_the_bill(role: str, value: Any) -> None:
    many = 4 if role == "merge" else 3
    ran = run(units([EAST] * many), T, Told(role, value))
    last = ran.done[-1].decision
    assert last.error == "ReplyInvalid" and ran.tiers.units[f"u{many}"].state == "live"
    assert (last.outcome, last.merge) == (("stored", "failed") if role == "merge" else ("failed", "none"))
    assert last.spent[-1] == (role, 7, 3)
    assert ran.done[-1].episodes == ran.done[-1].facts == ()


@pytest.mark.parametrize(
    ("role", "value"),
    [
        ("refine", []),
        ("refine", [FactDraft("East.", (0, 0, 1))] * 9),
        ("refine", [FactDraft("words of u1", (0,), "t1a", (0, 11))]),
        ("consolidate", [EpisodeDraft(" East.\n", (2, 0, 2))] * 3),
    ],
)
def test_a_reply_at_the_edge_of_what_is_allowed_is_taken(role: str, value: Any) -> None:
    ran = run(units([EAST] * 3), T, Told(role, value))
    assert outcomes(ran.done)[-1] == "consolidated" and ran.done[-1].decision.error == ""


def test_a_fact_that_stands_already_is_raised_and_two_episodes_share_it() -> None:
    stream = units([EAST] * 3)
    standing = Content(
        "f", "fact", "words", ("t1a",), "talk", 2, "Ann", stream[0].said, span=(0, 5), made_by="rule"
    )

    class Twice(Scripted):
        def consolidate(self, passages: Sequence[Passage]) -> Any:
            return Reply([EpisodeDraft("one", (0, 1)), EpisodeDraft("two", (0, 2))], 1, 1)

        def refine(self, episode: str, passages: Sequence[Passage], known: Sequence[str]) -> Any:
            return Reply([FactDraft("words", (0,), "t1a", (0, 5))], 1, 1)

    tiers = Tiers(3)
    by_id: dict[str, Unit] = {u.id: u for u in stream}
    roles = Roles(Twice(), read, Middles(by_id).place, lambda draft: standing)
    done = list(Recurrence(tiers, roles, T).absorb(stream))
    (fact,) = done[-1].facts
    assert fact.id == "f" and fact.units == ("u1",) and fact.episode_id in done[-1].decision.episodes
    assert done[-1].decision.facts == ("f",) and fact.revision == 2


@pytest.mark.parametrize(("theta", "state"), [(0.0, "merged"), (1.0, "live")])
def test_ten_thousand_identical_units(theta: float, state: str) -> None:
    """Above 1 nothing is similar, and nothing recurs."""

    class Brief(Scripted):
        def merge(self, episode: str, passages: Sequence[Passage]) -> Any:
            return Reply(episode, 1, 1)

        def refine(self, episode: str, passages: Sequence[Passage], known: Sequence[str]) -> Any:
            return Reply([], 1, 1)

    stream = units([EAST] * 10_000)
    tiers = Tiers(3)
    roles = Roles(Brief(), read, lambda content: EAST)
    t = Thresholds(theta, 3, theta if theta < 1 else 1.1)
    decided = sum(1 for _ in Recurrence(tiers, roles, t).absorb(stream))
    assert decided == len(tiers.units) == 10_000
    assert [tiers.units[f"u{i}"].state for i in (9, 5_000, 10_000)] == [state] * 3
