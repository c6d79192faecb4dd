"""Two runs of one question side by side: what both read and kept, what only one did, and where they part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memcore.events import TraceEvent
from memcore.run_state import State, fold
from memcore.view.naming import counted


class Shares(NamedTuple):
    """Ids in both runs, only in the first and only in the second, in the order of the runs."""

    both: tuple[str, ...]
    here: tuple[str, ...]
    there: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not self.here and not self.there


class Difference(NamedTuple):
    """`parted` is the first step in which they read or kept something else, None where they never do."""

    evidence: Shares
    turns: Shares
    parted: int | None
    same_answer: bool


class Fate(NamedTuple):
    """What became of a memory in one run, and at which step; step 0 where it was not read."""

    word: str
    step: int

    @property
    def said(self) -> str:
        return f"{self.word}, step {self.step}" if self.step else self.word


def difference(
    here: Sequence[TraceEvent],
    there: Sequence[TraceEvent],
    answers: tuple[str, str],
    aside: Collection[str] = (),
) -> Difference:
    """What differs between two runs with these answers; contents and turns of `aside` do not count."""
    one, other = fold(here), fold(there)
    return Difference(
        _shares(one.evidence, other.evidence, aside),
        _shares(one.turns, other.turns, aside),
        _parted(here, there, aside),
        answers[0] == answers[1],
    )


def told(between: Difference) -> list[str]:
    """The difference as sentences: the way, the evidence, the answer."""
    evidence, turns = between.evidence, between.turns
    read = counted(len(turns.both), "turn")
    if turns.same:
        order = "" if between.parted is None else f", in other steps from step {between.parted} on"
        way = f"Both read the same {read}{order}."
    else:
        part = "" if between.parted is None else f"They part at step {between.parted}: "
        way = f"{part}{_counts(turns, 'turn', 'turns', 'read')}."
    memories = counted(len(evidence.both), "memory", "memories")
    kept = f"the same {memories}" if evidence.same else _counts(evidence, "memory", "memories", "kept")
    answer = "The answer is the same." if between.same_answer else "The answers differ."
    return [way, f"Both kept {kept}." if evidence.same else f"Evidence: {kept}.", answer]


def moved(between: Difference, left_out: int = 1) -> str:
    """Whether leaving memories out moved the route, as a sentence; the first run is the one with them."""
    it = "it" if left_out == 1 else "them"
    turns, evidence = between.turns, between.evidence
    if turns.same and evidence.same:
        answer = "and the answer is the same" if between.same_answer else "but the answer is different"
        kept = f"Without {it} the same turns are read and the same evidence is kept"
        return f"{kept}: {it} did not move the route, {answer}."
    where = f" from step {between.parted} on" if between.parted else ""
    read = f"{counted(len(turns.here), 'turn')} read only with {it}, {len(turns.there):,} only without"
    kept = "the evidence is the same" if evidence.same else "the evidence is different"
    answer = "the answer is the same" if between.same_answer else "the answer is different"
    return f"Without {it} the run took another way{where}: {read}; {kept}, and {answer}."


def fate(state: State, content_id: str) -> Fate:
    """Kept, left behind by hand, read, or not read."""
    if content_id in state.evidence:
        return Fate("kept", state.kept_at.get(content_id, 0))
    if content_id in state.barred:
        return Fate("left by hand", 0)
    step = state.opened.get(content_id, 0)
    return Fate("read, not kept", step) if step else Fate("not read", 0)


def _counts(shares: Shares, one: str, many: str, verb: str) -> str:
    parts = [f"{counted(len(shares.both), one, many)} {verb} by both"]
    parts += [f"{len(shares.here):,} only in this run"] if shares.here else []
    parts += [f"{len(shares.there):,} only in the other"] if shares.there else []
    return ", ".join(parts)


def _shares(one: Iterable[str], other: Iterable[str], aside: Collection[str]) -> Shares:
    here, there = [i for i in one if i not in aside], [i for i in other if i not in aside]
    first, second = {*here}, {*there}
    return Shares(
        tuple(i for i in here if i in second),
        tuple(i for i in here if i not in second),
        tuple(i for i in there if i not in first),
    )


def _parted(here: Sequence[TraceEvent], there: Sequence[TraceEvent], aside: Collection[str]) -> int | None:
    one, other = _ways(here, aside), _ways(there, aside)
    steps = sorted(one.keys() | other.keys())
    return next((step for step in steps if one.get(step) != other.get(step)), None)


def _ways(events: Iterable[TraceEvent], aside: Collection[str]) -> dict[int, set[tuple[str, str]]]:
    """By step, each memory that was read, kept or left by hand."""
    ways: dict[int, set[tuple[str, str]]] = {}
    for event in events:
        if event.kind == "opened":
            did = {("read", id_) for id_ in event.content_ids}
        elif event.kind == "routed" or event.kind == "overridden":
            did = {("kept", k.content_id) for k in event.kept}
            did |= {("left", p.id) for p in event.pruned if p.why == "by_hand"}
        else:
            continue
        ways.setdefault(event.step, set()).update(d for d in did if d[1] not in aside)
    return {step: way for step, way in ways.items() if way}
