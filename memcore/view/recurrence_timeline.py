"""What RecMem decided, in the order of arrival: when it consolidated, merged, declined or failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from memcore.records import Decision, Moment, Near, Thresholds, Unit
from memcore.view.clusters import Cluster, needed

What = Literal["consolidated", "merged", "declined", "merge_failed", "failed", "pending"]
WHATS: Mapping[What, str] = {
    "consolidated": "Consolidated",
    "merged": "Merged",
    "declined": "Merge declined",
    "merge_failed": "Merge failed",
    "failed": "Writer failed",
    "pending": "Waits to be merged",
}
COUNTING = {
    "counts_new_unit": "the new unit counts as one of them",
    "neighbours_reach": "as many neighbours as that, without the new unit",
    "neighbours_exceed": "more neighbours than that, without the new unit",
}
ORDER = {
    "before_gate": "merge first, then the gate",
    "at_consolidation": "merge only once the gate has fired",
}


class Trigger(NamedTuple):
    """One decision that a model was wanted for, with its numbers."""

    unit: str
    order: int
    what: What
    said: Moment
    recurring: int
    needed: int
    nearest: float | None
    merge: float
    theta_sim: float
    rule: str
    calls: int
    tokens: int
    error: str = ""

    @property
    def counted(self) -> bool:
        """Whether neighbours were counted: a unit that is merged first never comes to the gate."""
        return self.recurring > 1 or self.what not in ("merged", "pending")


class Member(NamedTuple):
    """A unit of a cluster: how similar it was to what, how it left the live ones, and with which unit."""

    unit: str
    score: float | None
    to: str
    how: Literal["", "consolidated", "merged"] = ""
    joined: int = 0


def triggers(units: Sequence[Unit], after: int | None = None) -> list[Trigger]:
    """All of them, oldest first."""
    return [
        _trigger(u, u.decision, what) for u in units[:after] if u.decision and (what := _what(u.decision))
    ]


def rule(t: Thresholds) -> str:
    """What was counted, and when a merge was tried, in words."""
    collects = f"; {t.collect} are merged at once" if t.collect > 1 else ""
    return f"{COUNTING[t.counting]}; {ORDER[t.order]}{collects}"


def told(t: Trigger) -> str:
    """One plain sentence about it."""
    near = "The nearest episode was at " + (f"{t.nearest:.3f}" if t.nearest is not None else "nothing")
    says = {
        "consolidated": f"{t.recurring} units above {t.theta_sim:.2f} recurred and {t.needed} were needed: "
        "an episode was made.",
        "merged": f"{near}, from {t.merge:.2f} on a unit may belong: it was merged into it.",
        "declined": f"{near}, but the writer said that it does not belong; that was a call.",
        "pending": f"{near}: it waits until more can be merged by one call.",
        "merge_failed": f"{near}, but the writer failed: the unit went on to the gate.",
        "failed": f"{t.recurring} units recurred, but the writer failed: the unit was stored.",
    }
    return says[t.what]


def members(cluster: Cluster, units: Mapping[str, Unit]) -> list[Member]:
    """The units of a cluster in the order of arrival, each with the similarity that was decided on."""
    found = {i: Member(i, None, "") for i in cluster.units if i in units}
    for unit in deciding(cluster, units.values()):
        if unit.decision is None:
            continue
        if not cluster.episode:
            _near(found, unit, [n for n in unit.decision.neighbours if n.id in found])
            continue
        for member in _joined(unit, unit.decision, units):
            if member.unit in found:
                found[member.unit] = member
    return list(found.values())


def deciding(cluster: Cluster, units: Iterable[Unit]) -> list[Unit]:
    """The units whose decisions made it; the one that completed it may have gone into another episode."""
    if not cluster.episode:
        inside = set(cluster.units)
        return [u for u in units if u.id in inside]
    return [u for u in units if u.decision and cluster.episode in u.decision.episodes]


def _joined(unit: Unit, decision: Decision, units: Mapping[str, Unit]) -> list[Member]:
    """The units that left by a decision."""
    scores = {n.id: n.score for n in decision.neighbours}
    if decision.outcome == "consolidated":
        best = max(scores.values(), default=None)
        last = Member(unit.id, best, "to the nearest of them", "consolidated", unit.order)
        to = "to the unit that completed it"
        return [Member(i, scores.get(i), to, "consolidated", unit.order) for i in decision.consumed] + [last]
    if decision.outcome != "merged" or decision.nearest is None:
        return []
    found = [Member(unit.id, decision.nearest.score, "to the episode", "merged", unit.order)]
    for id_ in decision.consumed:
        own = units[id_].decision if id_ in units else None
        waited = own.nearest.score if own is not None and own.nearest is not None else None
        near, to = (scores[id_], "to the unit it came with") if id_ in scores else (waited, "to the episode")
        found.append(Member(id_, near, to, "merged", unit.order))
    return found


def _near(found: dict[str, Member], unit: Unit, here: Sequence[Near]) -> None:
    """Of growing clusters: each unit's nearest one, whichever of the two arrived first."""
    for near in here:
        for id_ in (unit.id, near.id):
            if found[id_].score is None or near.score > (found[id_].score or 0.0):
                found[id_] = Member(id_, near.score, "to its nearest one here")


def _what(d: Decision) -> What | None:
    if d.outcome in ("consolidated", "merged", "pending", "failed"):
        return d.outcome
    return {"declined": "declined", "failed": "merge_failed"}.get(d.merge)  # pyright: ignore[reportReturnType]


def _trigger(unit: Unit, d: Decision, what: What) -> Trigger:
    return Trigger(
        unit.id,
        unit.order,
        what,
        unit.said,
        d.recurring,
        needed(d.thresholds),
        d.nearest.score if d.nearest else None,
        d.thresholds.merge,
        d.thresholds.theta_sim,
        rule(d.thresholds),
        len(d.spent),
        sum(s.sent + s.received for s in d.spent),
        d.error,
    )
