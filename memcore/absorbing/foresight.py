"""What would have been consolidated under other thresholds: neither store nor writer, only vectors.

RecMem itself runs (`recurrence.absorb`), behind a writer that writes nothing. An episode is taken to lie near
the centroid of its units, where the real one lies where its text does: merges are approximate, and the gate
is exact until the first of them (README, Figures, says how near both come). `calibrated` chooses the
thresholds that move a wanted share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from memcore.absorbing.units import afresh, taken_apart
from memcore.llm import prompts
from memcore.llm.expected import EPISODE, RECEIVED
from memcore.records import UNKNOWN, Content, Decision, MadeBy, Thresholds, Unit, Vector
from memcore.recurrence import Recurrence
from memcore.tiers import Tiers
from memcore.writing import EpisodeDraft, FactDraft, Passage, Reply, Roles

TEXT_REACH = 0.88  # an episode's text is this much less near to a unit than the centroid of its units is
MERGE_ABOVE = 0.02  # a unit is merged from this much above theta_sim: an episode is near to more than a unit
HALVINGS = 8


class Foreseen(NamedTuple):
    """Decisions in the order of the units, the share that was merged or consolidated, calls and tokens."""

    thresholds: Thresholds
    decisions: dict[str, Decision]
    episodes: dict[str, tuple[str, ...]]
    share: float
    calls: int
    tokens: int


def foresee(
    units: Sequence[Unit], thresholds: Thresholds, go_on: Callable[[], bool] = lambda: True
) -> Foreseen:
    """All units once more, in their order. Units that could not be compared, or whose episode a person
    deleted, stay as they are."""
    apart = taken_apart(units)
    compared = [afresh(u, thresholds) for u in units if u.vector is not None and u.id not in apart]
    by_id = {u.id: u for u in compared}
    dimension = len(compared[0].vector) if compared and compared[0].vector is not None else 0
    tiers = Tiers(dimension)
    roles = silent_roles(by_id)
    decisions: dict[str, Decision] = {}
    for absorbed in Recurrence(tiers, roles, thresholds).absorb(compared):
        decisions[absorbed.unit.id] = absorbed.decision
        if not go_on():
            break
    moved = sum(tiers.units[i].state in ("merged", "consolidated") for i in decisions)
    spent = [s for d in decisions.values() for s in d.spent]
    return Foreseen(
        thresholds,
        decisions,
        {e.id: e.units for e in tiers.episodes.values()},
        moved / max(1, len(units)),
        len(spent),
        sum(s.sent + s.received for s in spent),
    )


def silent_roles(units: dict[str, Unit]) -> Roles:
    """A writer that writes nothing over these units; their episodes lie near the units' centroid."""
    return Roles(_Silent(units), lambda ids: [Passage(i, (), UNKNOWN) for i in ids], _Centroid(units).of)


def calibrated(units: Sequence[Unit], share: float, like: Thresholds) -> Foreseen:
    """The thresholds at which about `share` of the units would be merged or consolidated.

    `like` gives everything but the similarities. The share grows as theta_sim falls, so it is halved towards.
    """
    low, high = 0.0, 1.0
    best = foresee(units, _at(like, high))
    for _ in range(HALVINGS):
        middle = round((low + high) / 2, 4)
        found = foresee(units, _at(like, middle))
        if abs(found.share - share) < abs(best.share - share):
            best = found
        low, high = (low, middle) if found.share < share else (middle, high)
    return best


def _at(like: Thresholds, theta_sim: float) -> Thresholds:
    return like._replace(theta_sim=round(theta_sim, 3), merge=round(min(1.0, theta_sim + MERGE_ABOVE), 3))


@dataclass(frozen=True, slots=True)
class _Centroid:
    """Sums are kept by episode, with the number of units in them: an episode only grows at its end."""

    units: dict[str, Unit]
    sums: dict[str, tuple[int, Vector]] = field(default_factory=dict[str, tuple[int, Vector]])

    def of(self, content: Content) -> Vector | None:
        summed, middle = self.sums.get(content.id, (0, np.zeros(1, np.float32)))
        for id_ in content.units[summed:]:
            vector = self.units[id_].vector
            middle = middle if vector is None else middle + vector
        self.sums[content.id] = len(content.units), middle
        return (TEXT_REACH * middle / max(float(np.linalg.norm(middle)), 1e-9)).astype(np.float32)


@dataclass
class _Silent:
    """Writes nothing, merges whatever is near, and counts what a writer would have been sent."""

    units: dict[str, Unit]
    made_by: MadeBy = "rule"

    def __post_init__(self) -> None:
        self._merge = prompts.merge("", []).tokens
        self._consolidate = prompts.consolidate([]).tokens
        self._refine = prompts.refine("", [], []).tokens

    def merge(self, episode: str, passages: Sequence[Passage]) -> Reply[str | None]:
        sent = self._merge + EPISODE + self._told(passages)
        return Reply(episode, sent, RECEIVED["merge"])

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        sent = self._consolidate + self._told(passages)
        return Reply([EpisodeDraft("-", tuple(range(len(passages))))], sent, RECEIVED["consolidate"])

    def refine(
        self, episode: str, passages: Sequence[Passage], known: Sequence[str]
    ) -> Reply[list[FactDraft]]:
        sent = self._refine + EPISODE + self._told(passages)
        return Reply([], sent, RECEIVED["refine"])

    def _told(self, passages: Sequence[Passage]) -> int:
        return sum(self.units[p.unit_id].tokens for p in passages)
