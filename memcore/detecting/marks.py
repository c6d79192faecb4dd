"""Marks out of what the detectors found: a walk over the run that keeps only what can have happened.

First the way back: each return is placed on the path that is active then; one whose step is not on it any
more is dropped. The step gone back to must be a boundary, so a boundary is put there ("returned_to"). Then
the boundaries: a declared one always, an inferred one unless it is too close to another, and one where a
segment grows too long. A segment that is rolled back ends in a boundary, a failed check with the note, and
the return, as MAGE's Compress, Maintain and Revise follow each other; a search only returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits, Return
from memcore.detecting.searched import REWOUND, SEARCH
from memcore.detecting.summaries import summary_of

RETURNED_TO, LENGTH = "returned_to", "length"


class Placed(NamedTuple):
    """A return whose target is a step of the path that was active."""

    found: Return
    target: int


class Marked(NamedTuple):
    """A mark without ids, in the fields of a RunMark."""

    after: int
    action: Literal["compress", "maintain", "revise"]
    rule: str
    evidence: tuple[int, ...]
    summary: str = ""
    note: str = ""
    passed: bool = True
    target: int | None = None


def place_returns(acts: Sequence[Act], found: Sequence[Return]) -> list[Placed]:
    """The returns that are possible, at most one after a step, with the step gone back to."""
    offered: dict[int, list[Return]] = {}
    for each in found:
        offered.setdefault(each.after, []).append(each)
    path, on_path = [0], {0}
    placed: list[Placed] = []
    for act in acts:
        path.append(act.position)
        on_path.add(act.position)
        for each in offered.get(act.position, ()):
            target = _target(each, path, on_path)
            if target is not None:
                placed.append(Placed(each, target))
                while path[-1] != target:
                    on_path.discard(path.pop())
                break
    return placed


def _target(found: Return, path: list[int], on_path: set[int]) -> int | None:
    """The step before the first one that is rolled back, if that is on the active path."""
    if found.target is not None:
        possible = found.target in on_path and found.target != path[-1]
        return found.target if possible else None
    if found.before not in on_path or found.before == 0:
        return None
    return path[path.index(found.before) - 1]


class _Walk:
    """The state of the second pass: the active path, its boundaries, and the marks so far."""

    def __init__(self, acts: Sequence[Act], limits: Limits) -> None:
        self.acts, self.limits = acts, limits
        self.path: list[int] = [0]
        self.bounds: list[int] = [0]
        self.open_characters = 0
        self.marks: list[Marked] = []

    def grow(self, act: Act) -> None:
        self.path.append(act.position)
        self.open_characters += len(act.step.action) + len(act.step.observation) + len(act.step.thought)

    @property
    def segment(self) -> list[Act]:
        """The steps since the last boundary."""
        at = len(self.path)
        while at > 0 and self.path[at - 1] != self.bounds[-1]:
            at -= 1
        return [self.acts[position - 1] for position in self.path[at:]]

    def compress(self, found: Boundary) -> None:
        """A boundary after the current step; on an empty segment there is none."""
        segment = self.segment
        if not segment:
            return
        summary = summary_of(segment, found.says)
        self.marks.append(Marked(self.path[-1], "compress", found.rule, found.evidence, summary))
        self.bounds.append(self.path[-1])
        self.open_characters = 0

    def revise(self, placed: Placed) -> None:
        """Back to a boundary; the segment that failed is closed with its note first, but in a search."""
        found, at = placed.found, self.path[-1]
        if found.rule not in (SEARCH, REWOUND):
            self.compress(Boundary(at, found.rule, found.evidence))
            failed = Marked(at, "maintain", found.rule, found.evidence, "", found.note, False, placed.target)
            self.marks.append(failed)
        mark = Marked(at, "revise", found.rule, found.evidence, note=found.note, target=placed.target)
        self.marks.append(mark)
        while self.path[-1] != placed.target:
            if self.bounds[-1] == self.path[-1]:
                self.bounds.pop()
            self.path.pop()
        self.open_characters = 0


def marks_of(
    acts: Sequence[Act], boundaries: Sequence[Boundary], returns: Sequence[Placed], limits: Limits
) -> list[Marked]:
    """All marks in order. `boundaries` stand in the order of their rules: the first at a step wins."""
    wanted: dict[int, Boundary] = {}
    for found in boundaries:
        wanted.setdefault(found.after, found)
    needed = _needed(returns)
    back = {placed.found.after: placed for placed in returns}
    fixed = {at for at, found in wanted.items() if found.declared} | needed.keys() | back.keys()
    walk = _Walk(acts, limits)
    for act in acts:
        walk.grow(act)
        if chosen := _chosen(walk, act.position, wanted, needed, fixed):
            walk.compress(chosen)
        if act.position in back:
            walk.revise(back[act.position])
    return walk.marks


def _needed(returns: Sequence[Placed]) -> dict[int, Boundary]:
    """A boundary at every step that is gone back to; the start is one already."""
    seen: dict[int, list[int]] = {}
    for placed in returns:
        if placed.target:
            seen.setdefault(placed.target, []).append(placed.found.after)
    return {at: Boundary(at, RETURNED_TO, (at, *after[:3])) for at, after in seen.items()}


def _chosen(
    walk: _Walk, at: int, wanted: dict[int, Boundary], needed: dict[int, Boundary], fixed: set[int]
) -> Boundary | None:
    """The boundary after this step: declared, needed, inferred, or because the segment is long enough."""
    found = wanted.get(at)
    if found and found.declared:
        return found
    if at in needed:
        return found or needed[at]
    if any(near in fixed for near in range(at, at + 1 + walk.limits.nearby)):
        return None
    length = _length(walk.path, walk.bounds[-1])
    if found and length >= walk.limits.shortest:
        return found
    too_long = length >= walk.limits.longest or walk.open_characters >= walk.limits.most_characters
    if too_long and length >= walk.limits.shortest:
        return Boundary(at, LENGTH, (walk.path[-length], at))
    return None


def _length(path: list[int], bound: int) -> int:
    """How many steps of the path lie after its last boundary."""
    count = 0
    for position in reversed(path):
        if position == bound:
            break
        count += 1
    return count


def in_order(marks: Sequence[Marked]) -> Iterator[tuple[int, Marked]]:
    """Each mark with its rank among those after the same step."""
    last, rank = -1, 0
    for mark in marks:
        rank = rank + 1 if mark.after == last else 0
        last = mark.after
        yield rank, mark
