"""What RecMem decided, in the order of arrival: when it consolidated, merged, declined or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """A unit of a cluster: how similar it was to what, and with which unit it left the live ones."""

    unit: str
    score: float | None
    to: str
    joined: int


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
    found = {i: Member(i, None, "", units[i].order) for i in cluster.units if i in units}
    for unit in _deciding(cluster, units):
        if unit.decision is not None:
            _joined(found, unit, unit.decision, cluster)
    return list(found.values())


def _deciding(cluster: Cluster, units: Mapping[str, Unit]) -> list[Unit]:
    """The units whose decisions made it; the one that completed it may have gone into another episode."""
    if not cluster.episode:
        return [units[i] for i in cluster.units if i in units]
    made = [u for u in units.values() if u.decision and cluster.episode in u.decision.episodes]
    return sorted(made, key=lambda u: u.order)


def _joined(found: dict[str, Member], unit: Unit, decision: Decision, cluster: Cluster) -> None:
    """What a decision says of the units that left by it, or that were near to this one."""
    scores = {n.id: n.score for n in decision.neighbours}
    if not cluster.episode:
        here = [n for n in decision.neighbours if n.id in found]
        _near(found, unit, here)
    elif decision.outcome == "consolidated":
        for id_ in decision.consumed:
            if id_ in found:
                found[id_] = Member(id_, scores.get(id_), "to the unit that completed it", unit.order)
        best = max(scores.values(), default=None)
        if unit.id in found:
            found[unit.id] = Member(unit.id, best, "to the nearest of them", unit.order)
    elif decision.outcome == "merged" and decision.nearest is not None:
        for id_ in (*decision.consumed, unit.id):
            if id_ in found:
                score = decision.nearest.score if id_ == unit.id else scores.get(id_, found[id_].score)
                found[id_] = Member(id_, score, "to the episode", unit.order)


def _near(found: dict[str, Member], unit: Unit, here: Sequence[Near]) -> None:
    """Of growing clusters: each unit's nearest one, whichever of the two arrived first."""
    for near in here:
        for id_ in (unit.id, near.id):
            if found[id_].score is None or near.score > (found[id_].score or 0.0):
                found[id_] = Member(id_, near.score, "to its nearest one here", found[id_].joined)


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
