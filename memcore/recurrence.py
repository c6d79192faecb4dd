"""RecMem (arXiv 2605.16045): raw units become episodes and facts only when they recur.

`absorb` is the algorithm, in the order of the paper's code:

    merge first   an episode is near enough: the unit, and those that wait with it, are told in it
    gate          else the live units near enough are its neighbours
    consolidate   with neighbours enough, all of them become episodes, each refined into facts
    store         else the unit is kept as it is

A unit that is stored without an episode near it costs one embedding and no call. A writer that fails
changes nothing: a merge goes on to the gate, a consolidation stores the unit. Whatever was called is on
the bill of the decision, a declined merge too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from memcore.errors import ModelError
from memcore.records import (
    UNKNOWN,
    Content,
    Decision,
    Layer,
    Near,
    Operation,
    Thresholds,
    Unit,
    new_id,
    now,
)
from memcore.tiers import Absorbed, Tiers
from memcore.writing import MOST_FACTS, Bill, FactDraft, Passage, Roles, indexes, must, shared_out, stands


@dataclass
class Recurrence:
    """RecMem over the tiers of one scope."""

    tiers: Tiers
    roles: Roles
    thresholds: Thresholds
    near_facts: int = 10

    def absorb(self, units: Sequence[Unit]) -> Iterator[Absorbed]:
        """What is decided of each unit, in the order of arrival; the tiers have taken it in by then.

        A unit without a vector cannot be compared and is stored: `Decision.why` says why.
        """
        places = self._expect([u for u in units if u.vector is not None])
        for unit in units:
            yield self.tiers.apply(self._decided(unit, places.get(unit.id)))

    def consolidate(self, units: Sequence[Unit]) -> Iterator[Absorbed]:
        """The same without waiting for anything to recur: what an eager system makes of a session."""
        *before, last = units
        for unit in before:
            yield self.tiers.apply(self._arrived(unit))
        yield self.tiers.apply(self._consolidated(self._arrived(last), [u.id for u in before]))

    def _decided(self, unit: Unit, at: int | None) -> Absorbed:
        t, tried = self.thresholds, self._arrived(unit)
        if at is None:
            return tried
        tried = self._near_an_episode(tried, at)
        nearest = tried.decision.nearest
        belongs = nearest is not None and nearest.score >= t.merge
        if belongs and t.order == "before_gate":
            tried = self._merged(tried, [])
        if tried.decided:
            return tried
        tried = self._gated(tried, at)
        together = [n.id for n in tried.decision.neighbours]
        if not recurs(len(together), t):
            return tried
        if belongs and t.order == "at_consolidation":
            tried = self._merged(tried, together)
        return tried if tried.decided else self._consolidated(tried, together)

    def _arrived(self, unit: Unit) -> Absorbed:
        """A unit as it arrived: where nothing more is decided of it, it is stored."""
        return Absorbed(unit, unit.decision or Decision("stored", self.thresholds))

    def _near_an_episode(self, tried: Absorbed, at: int) -> Absorbed:
        nearest = next((Near(*n) for n in self.tiers.episodic.of(at, 1)), None)
        return tried._replace(decision=tried.decision._replace(nearest=nearest))

    def _merged(self, tried: Absorbed, together: Sequence[str]) -> Absorbed:
        """Merge first: the unit, and those that wait or recur with it, into the nearest episode.

        With `collect` above 1 a unit waits until so many of one episode can be merged by one call.
        """
        unit, decision, _, _ = tried
        assert decision.nearest is not None
        episode = self.tiers.episodes[decision.nearest.id]
        others = [*self.tiers.waiting.get(episode.id, ()), *together]
        if len(others) + 1 < self.thresholds.collect:
            waits = decision._replace(outcome="pending", merge="pending", episodes=(episode.id,))
            return Absorbed(unit, waits)
        bill, units = Bill([*decision.spent]), [*(self.tiers.units[i] for i in others), unit]
        try:
            passages = self.roles.read([u.id for u in units])
            text = bill.call("merge", lambda: self.roles.writer.merge(episode.text, passages))
            if text is None:
                self.tiers.release(episode.id)  # the gate that comes next is to find those that waited
                return Absorbed(unit, decision._replace(merge="declined", spent=tuple(bill.spent)))
            merged = self._episode(text, units, episode)
            facts = self._refined("refine_in_merge", merged, passages, units, bill)
        except ModelError as error:
            failed = decision._replace(merge="failed", error=type(error).__name__, spent=tuple(bill.spent))
            return Absorbed(unit, failed)
        decision = decision._replace(outcome="merged", merge="accepted", consumed=tuple(others))
        return _made(unit, decision, bill, [merged], facts)

    def _gated(self, tried: Absorbed, at: int) -> Absorbed:
        """The gate: the live units near enough, of the nearest 2 x theta_count; without any, the nearest."""
        t = self.thresholds
        near = [Near(*n) for n in self.tiers.live.of(at, 2 * t.theta_count)]
        kept = tuple(n for n in near if n.score > t.theta_sim)
        below = near[0] if near and not kept else None
        found = {"neighbours": kept, "below": below, "recurring": len(kept) + 1}
        return tried._replace(decision=tried.decision._replace(**found))

    def _consolidated(self, tried: Absorbed, together: Sequence[str]) -> Absorbed:
        """The recurring units in the order of time into episodes, each refined into facts; else stored."""
        unit, decision, _, _ = tried
        units = in_time([*(self.tiers.units[i] for i in together), unit])
        bill = Bill([*decision.spent])
        episodes: list[Content] = []
        facts: list[Content] = []
        try:
            passages = self.roles.read([u.id for u in units])
            drafts = bill.call("consolidate", lambda: self.roles.writer.consolidate(passages))
            for draft, inside in zip(drafts, shared_out(drafts, len(units)), strict=True):
                own, told = [units[i] for i in inside], [passages[i] for i in inside]
                episodes.append(self._episode(draft.text, own))
                facts += self._refined("refine", episodes[-1], told, own, bill, [f.text for f in facts])
        except ModelError as error:
            failed = decision._replace(outcome="failed", error=type(error).__name__, spent=tuple(bill.spent))
            return Absorbed(unit, failed)
        decision = decision._replace(outcome="consolidated", consumed=tuple(together))
        return _made(unit, decision, bill, episodes, facts)

    def _refined(
        self,
        operation: Operation,
        episode: Content,
        passages: Sequence[Passage],
        units: Sequence[Unit],
        bill: Bill,
        fresh: Sequence[str] = (),
    ) -> list[Content]:
        """Semantic refinement against the nearest known facts and those made a moment ago."""
        near = self.tiers.semantic.to(episode.vector, self.near_facts) if episode.vector is not None else []
        known = [*(self.tiers.facts[n.id] for n in near), *fresh]
        drafts = bill.call(operation, lambda: self.roles.writer.refine(episode.text, passages, known))
        must(len(drafts) <= MOST_FACTS, "too many facts at once")
        must(all(stands(d, passages) for d in drafts), "a fact that does not stand where it says")
        return [self._fact(draft, episode, units) for draft in drafts if not self.roles.removed(draft)]

    def _episode(self, text: str, units: Sequence[Unit], before: Content | None = None) -> Content:
        """An episode on the turns of these units; a merged one keeps what it rested on before. No unit comes
        under an episode twice: it is live or waits only once."""
        must(bool(text.strip()), "an episode without words")
        first, last = units[0], units[-1]
        made = before or _content("episode", first)
        return self._placed(
            made,
            compared=made.vector is not None or _compared(units),
            text=text.strip(),
            origin=(*made.origin, *(t for u in units for t in u.origin)),
            units=(*made.units, *(u.id for u in units)),
            said=last.said if last.said.known else made.said,
            sensitivity=max(made.sensitivity, *(u.sensitivity for u in units)),
            revision=made.revision + (before is not None),
        )

    def _fact(self, draft: FactDraft, episode: Content, units: Sequence[Unit]) -> Content:
        """One that stands in the graph already keeps its row, and names its units and episode from now on."""
        must(bool(draft.text.strip()), "a fact without words")
        rests_on = [units[i] for i in indexes(draft.passages, len(units))]
        turns = tuple(dict.fromkeys(t for u in rests_on for t in u.origin))
        must(draft.turn_id in ("", *turns), "a turn that it was not given")
        source = {"units": tuple(u.id for u in rests_on), "episode_id": episode.id}
        stated = self.roles.stated(draft)
        if stated is not None:
            return replace(stated, **source, revision=stated.revision + 1)
        return self._placed(
            _content("fact", rests_on[0]),
            compared=_compared(rests_on),
            text=draft.text.strip(),
            origin=(draft.turn_id,) if draft.turn_id else turns,
            said=rests_on[-1].said,
            span=draft.span,
            sensitivity=max(u.sensitivity for u in rests_on),
            **source,
        )

    def _placed(self, content: Content, *, compared: bool, **fields: Any) -> Content:
        """A content with these fields and the vector that goes with them; none where its units have none."""
        written = replace(content, recorded=now(), made_by=self.roles.writer.made_by, **fields)
        return replace(written, vector=self.roles.place(written) if compared else None)

    def _expect(self, compared: Sequence[Unit]) -> dict[str, int]:
        """What is near to what is multiplied for all of them together."""
        if compared:
            vectors = np.stack([u.vector for u in compared if u.vector is not None])
            self.tiers.live.expect(vectors)
            self.tiers.episodic.expect(vectors)
        return {u.id: i for i, u in enumerate(compared)}


def recurs(neighbours: int, t: Thresholds) -> bool:
    """Whether so many neighbours above theta_sim are enough, by each reading of theta_count."""
    least = {"counts_new_unit": t.theta_count - 1, "neighbours_reach": t.theta_count}
    return neighbours >= least.get(t.counting, t.theta_count + 1)


def in_time(units: Iterable[Unit]) -> list[Unit]:
    """In the order in which it was said; what has no time comes last, as it arrived."""
    return sorted(
        units, key=lambda u: (0, u.said.start.timestamp(), u.order) if u.said.start else (1, 0.0, u.order)
    )


def _compared(units: Iterable[Unit]) -> bool:
    return any(u.vector is not None for u in units)


def _content(layer: Layer, first: Unit) -> Content:
    return Content(
        id=new_id(),
        layer=layer,
        text="",
        origin=(),
        conversation_id=first.conversation_id,
        position=first.position,
        speaker="",
        said=UNKNOWN,
    )


def _made(
    unit: Unit, decision: Decision, bill: Bill, episodes: Sequence[Content], facts: Sequence[Content]
) -> Absorbed:
    facts = tuple({f.id: f for f in facts}.values())  # one that two episodes tell of is there once
    made = {"episodes": tuple(e.id for e in episodes), "facts": tuple(f.id for f in facts)}
    decision = decision._replace(spent=tuple(bill.spent), **made)
    return Absorbed(unit, decision, tuple(episodes), facts)
