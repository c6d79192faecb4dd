"""RecMem's clusters: what recurs, as it stands once so many units have arrived.

    units with their decisions  ->  standing (the fold)  ->  clusters

A cluster is an episode with its units, or a group of live units that are neighbours of each other. Nothing
is compared here: who is near to whom stands in the decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from memcore.records import Decision, Thresholds, Unit, UnitState
from memcore.tiers import state_after

State = Literal["growing", "triggered", "consolidated", "merged"]
STATES: tuple[State, ...] = ("growing", "triggered", "consolidated", "merged")
Rests = Mapping[str, Sequence[str]]  # the units of each episode


@dataclass
class Standing:
    """Units and episodes after a number of decisions: `members` of episodes in the order they joined, those
    `merged` into, and who waits for which episode."""

    states: dict[str, UnitState] = field(default_factory=dict[str, UnitState])
    members: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    merged: set[str] = field(default_factory=set[str])
    waiting: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class Cluster(NamedTuple):
    """What recurs. Its units are in the order of their arrival, `id` is the first of them, or its episode.

    `recurring` is the most that one of its units counted, itself included, `needed` the number at which
    they are consolidated. `waiting` units are to be merged into it together with later ones.
    """

    id: str
    state: State
    units: tuple[str, ...]
    recurring: int
    needed: int
    episode: str = ""
    waiting: tuple[str, ...] = ()

    @property
    def progress(self) -> float:
        """How near it is to being consolidated, from 0 to 1."""
        return min(1.0, self.recurring / max(1, self.needed))


class Clusters(NamedTuple):
    """All clusters, the largest first; live units that are near to none, and units never compared."""

    found: tuple[Cluster, ...]
    alone: int
    apart: int
    standing: Standing


def needed(t: Thresholds) -> int:
    """How many units must recur, the new one included, by each reading of theta_count."""
    more = {"counts_new_unit": 0, "neighbours_reach": 1}
    return t.theta_count + more.get(t.counting, 2)


def standing(units: Sequence[Unit], rests: Rests, after: int | None = None) -> Standing:
    """The fold of the first `after` decisions, in the order of arrival.

    `rests` says on which units an episode rests: of the units that left together, those made up one of
    several episodes, or one that is gone. A unit that is live and in none was taken again by a later
    generation: the decision that it left with is no longer true of it.
    """
    found = Standing()
    inside = {episode: frozenset(of) for episode, of in rests.items()}
    again = {u.id for u in units if u.state == "live"}.difference(*inside.values())
    for unit in units[:after]:
        _decided(found, unit, inside, again)
    return found


def _decided(
    found: Standing, unit: Unit, inside: Mapping[str, frozenset[str]], again: Collection[str]
) -> None:
    decision = unit.decision
    if decision is None:
        found.states[unit.id] = "live"
        return
    _waits(found, unit.id, decision)
    state = state_after(decision)
    found.states[unit.id] = state
    if state not in ("merged", "consolidated"):
        return
    together = [*decision.consumed, unit.id]
    known = any(episode in inside for episode in decision.episodes)
    for episode in decision.episodes:
        rests = inside.get(episode)
        joined = together if rests is None else [i for i in together if i in rests]
        found.members.setdefault(episode, []).extend(joined)
        if state == "merged":
            found.merged.add(episode)
    left = [i for i in decision.consumed if not known or i not in again]
    found.states |= dict.fromkeys(left, state)


def _waits(found: Standing, unit: str, decision: Decision) -> None:
    """Who waits for the nearest episode: one more, or nobody once it was decided."""
    if decision.nearest is None or decision.merge not in ("pending", "accepted", "declined"):
        return
    before = found.waiting.pop(decision.nearest.id, [])
    if decision.merge == "pending":
        found.waiting[decision.nearest.id] = [*before, unit]
    elif decision.merge == "declined":
        found.states |= dict.fromkeys(before, "live")


def clusters(
    units: Sequence[Unit], rests: Rests, thresholds: Thresholds, after: int | None = None
) -> Clusters:
    """The clusters after so many units (None: all), under the thresholds in force."""
    now = standing(units, rests, after)
    order = {u.id: u.order for u in units}
    by_id = {u.id: u for u in units[:after]}
    most = needed(thresholds)
    found = [_episode(e, of, now, by_id, most) for e, of in now.members.items() if of]
    live = [u for u in units[:after] if now.states[u.id] == "live"]
    groups = _groups(live)
    found += [_group(group, most) for group in groups if len(group) > 1 or _failed(group[0])]
    alone = sum(len(g) == 1 and not _apart(g[0]) and not _failed(g[0]) for g in groups)
    found.sort(key=lambda c: (-len(c.units), order.get(c.units[0], 0), c.id))
    return Clusters(tuple(found), alone, sum(map(_apart, live)), now)


def cluster_of(found: Iterable[Cluster], id_: str) -> Cluster | None:
    """The cluster of this id, of this episode, or with this unit in it."""
    listed = list(found)
    named = (c for c in listed if id_ in (c.id, c.episode))
    return next(named, None) or next((c for c in listed if id_ in c.units or id_ in c.waiting), None)


def homes(found: Iterable[Cluster]) -> dict[str, Cluster]:
    """The cluster of every unit; the largest of several that share one."""
    return {unit: c for c in reversed(list(found)) for unit in (*c.units, *c.waiting)}


def _episode(episode: str, of: Sequence[str], now: Standing, by_id: Mapping[str, Unit], most: int) -> Cluster:
    units = sorted(dict.fromkeys(of), key=lambda i: by_id[i].order if i in by_id else 0)
    counted = max((d.recurring for i in units if i in by_id and (d := by_id[i].decision)), default=1)
    state: State = "merged" if episode in now.merged else "consolidated"
    return Cluster(episode, state, tuple(units), counted, most, episode, tuple(now.waiting.get(episode, ())))


def _group(group: Sequence[Unit], most: int) -> Cluster:
    """What a unit counted, without those that have left since."""
    here = {u.id for u in group}
    counts = [
        1 + sum(n.id in here for n in u.decision.neighbours) if u.decision is not None else 1 for u in group
    ]
    state: State = "triggered" if any(map(_failed, group)) else "growing"
    return Cluster(group[0].id, state, tuple(u.id for u in group), max(counts), most)


def _groups(live: Sequence[Unit]) -> list[list[Unit]]:
    """Live units joined by being neighbours, each group in the order of arrival."""
    root = {u.id: u.id for u in live}

    def top(id_: str) -> str:
        while root[id_] != id_:
            root[id_] = root[root[id_]]
            id_ = root[id_]
        return id_

    for unit in live:
        for near in unit.decision.neighbours if unit.decision is not None else ():
            if near.id in root:
                root[top(unit.id)] = top(near.id)
    groups: dict[str, list[Unit]] = {}
    for unit in live:
        groups.setdefault(top(unit.id), []).append(unit)
    return list(groups.values())


def _failed(unit: Unit) -> bool:
    return unit.decision is not None and unit.decision.outcome == "failed"


def _apart(unit: Unit) -> bool:
    return unit.decision is not None and bool(unit.decision.why)
