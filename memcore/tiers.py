"""RecMem's three tiers as they stand between two units: the fold of what was decided of all before.

`apply` is all that a decision changes: the same decisions give the same tiers. Two things do not wait for it.
`take_in` puts in what is stored already, and `release` lets go of those who waited for an episode as soon as
it declined them, for the gate that comes next is to find them. Live units are what the gate searches;
consolidated and merged ones stay as evidence, but no new unit is compared with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from memcore.nearest import Nearest
from memcore.records import Content, Counting, Decision, MergeOrder, Thresholds, Unit, UnitState
from memcore.settings import Settings


class Absorbed(NamedTuple):
    """What was decided of a unit, and the episodes and facts that came of it, new or written anew."""

    unit: Unit
    decision: Decision
    episodes: tuple[Content, ...] = ()
    facts: tuple[Content, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether more was decided than to store the unit, which the next step may still change."""
        return self.decision.outcome != "stored"


@dataclass
class Tiers:
    """Units, episodes and facts of a scope.

    `waiting` are the units, by episode, that one call will merge together; `moved` those whose state was
    set since somebody last cleared it.
    """

    dimension: int
    units: dict[str, Unit] = field(default_factory=dict[str, Unit])
    episodes: dict[str, Content] = field(default_factory=dict[str, Content])
    facts: dict[str, str] = field(default_factory=dict[str, str])
    waiting: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    moved: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.live = Nearest(self.dimension)
        self.episodic = Nearest(self.dimension)
        self.semantic = Nearest(self.dimension)

    def apply(self, absorbed: Absorbed) -> Absorbed:
        """The tiers after this decision, which is given back: every unit is in exactly one state."""
        unit, decision = absorbed.unit, absorbed.decision
        for content in (*absorbed.episodes, *absorbed.facts):
            self.take_in(content)
        self._gather(decision, unit.id)
        for id_ in decision.consumed:
            self._move(id_, state_after(decision), decision.episodes)
        self.units[unit.id] = replace(unit, decision=decision)
        self._move(unit.id, state_after(decision), decision.episodes)
        return absorbed

    def take_in(self, content: Content) -> None:
        """An episode or a fact, new or written anew."""
        near = self.episodic if content.layer == "episode" else self.semantic
        if content.layer == "episode":
            self.episodes[content.id] = content
        else:
            self.facts[content.id] = content.text
        if content.vector is not None:
            near.put(content.id, content.vector)

    def release(self, episode_id: str) -> None:
        """Nobody waits for this episode any more: those who did are live again."""
        for id_ in self.waiting.pop(episode_id, []):
            self._move(id_, "live", ())

    def _gather(self, decision: Decision, unit_id: str) -> None:
        """Who waits for the nearest episode: one more, or nobody once it was decided."""
        if decision.nearest is None:
            return
        if decision.merge == "declined":
            self.release(decision.nearest.id)
        elif decision.merge == "accepted":
            self.waiting.pop(decision.nearest.id, None)
        elif decision.merge == "pending":
            self.waiting.setdefault(decision.nearest.id, []).append(unit_id)

    def _move(self, id_: str, state: UnitState, episodes: tuple[str, ...]) -> None:
        unit = self.units[id_] = replace(self.units[id_], state=state, episodes=episodes)
        self.moved.add(id_)
        compared = unit.decision is None or not unit.decision.why
        if state == "live" and unit.vector is not None and compared:
            self.live.put(id_, unit.vector, unit.order)  # among equals the one that arrived first
        else:
            self.live.drop(id_)


def state_after(decision: Decision) -> UnitState:
    """The state of the units that a decision is about."""
    return "live" if decision.outcome in ("stored", "failed") else decision.outcome


def thresholds_of(settings: Settings) -> Thresholds:
    """What decides over a unit where the scope was not calibrated."""
    return Thresholds(
        settings.theta_sim,
        settings.theta_count,
        settings.merge_threshold,
        cast(Counting, settings.counting),
        cast(MergeOrder, settings.merge_order),
        settings.merge_collect,
    )
