"""Clusters as nodes, edges and table rows, and what the filters grey out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memcore.records import Unit
from memcore.view.clusters import Cluster
from memcore.view.kinds import KINDS
from memcore.view.naming import counted
from memcore.view.network import Edge, Node
from memcore.view.recurrence_layout import radius

DRAWN = 300
NEAR = 0.75  # of the merge threshold, from where an episode counts as the one that a cluster came near to
Units = Mapping[str, Unit]


@dataclass(frozen=True, slots=True)
class Sieve:
    """What is not greyed out; empty means all. Days are ordinals, 0 for open ends."""

    speakers: Collection[str] = ()
    states: Collection[str] = ()
    first: int = 0
    last: int = 0

    def __bool__(self) -> bool:
        return bool(self.speakers or self.states or self.first or self.last)

    def passes(self, cluster: Cluster, units: Units) -> bool:
        """One unit of it is enough, as long as it passes as a whole."""
        if self.states and cluster.state not in self.states:
            return False
        return any(self.lets(units[i]) for i in cluster.units if i in units)

    def lets(self, unit: Unit) -> bool:
        """Whether a unit was said by one of these people, in this time."""
        if self.speakers and not set(self.speakers).intersection(unit.speakers):
            return False
        day = day_of(unit)
        return not (self.first or self.last) or (day > 0 and self.first <= day <= (self.last or day))


def day_of(unit: Unit) -> int:
    """The day on which it was said, as an ordinal; 0 where nobody says so."""
    return unit.said.start.toordinal() if unit.said.start else 0


def nodes(found: Sequence[Cluster], names: Mapping[str, str], units: Units, wanted: Sieve) -> list[Node]:
    """The largest clusters: size for their number, a ring for how near they are, a shape for their state."""
    return [
        Node(
            c.id,
            c.state,
            names.get(c.id, ""),
            title=f"{names.get(c.id, '')}\n{sentence(c)}",
            rank=len(c.units),
            size=radius(len(c.units)),
            side="below",
            ring=c.progress if c.state in ("growing", "triggered") else -1.0,
            marks=() if wanted.passes(c, units) else ("dim",),
        )
        for c in found[:DRAWN]
    ]


def edges(found: Sequence[Cluster], units: Units) -> list[Edge]:
    """From a growing cluster to the episode it came nearest to; between episodes with units in common."""
    shown = {c.id for c in found[:DRAWN]}
    lines: list[Edge] = []
    holds: dict[str, str] = {}
    for cluster in found[:DRAWN]:
        if cluster.episode:
            for unit in cluster.units:
                other = holds.setdefault(unit, cluster.id)
                if other != cluster.id:
                    lines.append(Edge(other, cluster.id, "shared", "units of both"))
        elif near := _nearest(cluster, units, shown):
            score, episode = near
            lines.append(Edge(cluster.id, episode, "near", f"nearest episode: {score:.2f}"))
    return lines


def _nearest(cluster: Cluster, units: Units, shown: Collection[str]) -> tuple[float, str] | None:
    decisions = [d for i in cluster.units if i in units and (d := units[i].decision)]
    tried = [(d.nearest, d.thresholds.merge) for d in decisions if d.nearest and d.nearest.id in shown]
    found = [near for near, merge in tried if near.score >= NEAR * merge]
    return max(((n.score, n.id) for n in found), default=None)


def sentence(cluster: Cluster) -> str:
    """One plain sentence about it."""
    units = counted(len(cluster.units), "unit")
    waits = f"; {len(cluster.waiting)} more wait to be merged" if cluster.waiting else ""
    if cluster.state == "growing":
        return f"{units} keep coming back: {cluster.recurring} of the {cluster.needed} that are needed."
    if cluster.state == "triggered":
        return f"{units}: it recurred {cluster.recurring} times, but the writer failed; they are all kept."
    if cluster.state == "merged":
        return f"{units} in one episode; later ones were merged into it{waits}."
    return f"{units} became an episode{waits}."


def rows(
    found: Sequence[Cluster], names: Mapping[str, str], units: Units, wanted: Sieve
) -> list[dict[str, str | int | bool | date | None]]:
    """The table twin: one row per cluster, all of them."""
    return [
        {
            "cluster": names.get(c.id, ""),
            "state": KINDS[c.state].name,
            "units": len(c.units),
            "recurring": f"{c.recurring} of {c.needed}",
            "first": _date(min(_days(c, units), default=0)),
            "last": _date(max(_days(c, units), default=0)),
            "speakers": ", ".join(speakers(units[i] for i in c.units if i in units)),
            "passes the filters": wanted.passes(c, units),
        }
        for c in found
    ]


def speakers(units: Iterable[Unit]) -> list[str]:
    """Everybody who speaks in them, in the order of their first word."""
    return list(dict.fromkeys(name for unit in units for name in unit.speakers))


def _date(day: int) -> date | None:
    return date.fromordinal(day) if day else None


def _days(cluster: Cluster, units: Units) -> list[int]:
    """The known days of its units; a clock may go backwards, and some have no time."""
    return [day for i in cluster.units if i in units and (day := day_of(units[i]))]
