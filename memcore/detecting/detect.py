"""All detectors over one run, in their documented order: what comes first wins where two say the same.

Boundaries: finished, plan_item_done, committed and tests_passed, reported and handed_over,
other_kind_of_work and other_file; then, in the walk, returned_to and length. Returns: search_backtrack and
rewound (the file says so), edit_undone and reverted, plan_restarted, retried and other_approach.
Where a run states its own marks, they are kept and nothing is inferred beside them; the summary of a
compaction is a boundary among the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from memcore.detecting import (
    answered,
    changed_kind,
    checked,
    finished,
    plan_done,
    replanned,
    retried,
    searched,
    undone,
)
from memcore.detecting.actions import acts_of
from memcore.detecting.found import Boundary, FindsBoundaries, FindsReturns, Limits
from memcore.detecting.marks import Marked, in_order, marks_of, place_returns
from memcore.records import AgentRun, RunMark, RunStep, new_id

BOUNDARIES: tuple[FindsBoundaries, ...] = (
    finished.find,
    plan_done.find,
    checked.find,
    answered.find,
    changed_kind.find,
)
RETURNS: tuple[FindsReturns, ...] = (searched.find, undone.find, replanned.find, retried.find)
COMPACTION = "compaction"
DEFAULT = Limits()


def detect(
    run: AgentRun, steps: Sequence[RunStep], declared: Sequence[RunMark] = (), limits: Limits = DEFAULT
) -> list[RunMark]:
    """The marks of a run, ordered by (after, rank), each with its rule and the steps it was read from.

    `declared` are the marks that the file itself states. They come back as they are where they are
    possible: no boundary without a step since the last one, no return but to a boundary that is there.
    """
    acts = acts_of(steps)
    if any(mark.rule != COMPACTION for mark in declared):
        return possible(steps, declared)
    returns = place_returns(acts, [each for find in RETURNS for each in find(acts, limits)])
    boundaries = [_compacted(mark) for mark in declared]
    boundaries += [each for find in BOUNDARIES for each in find(acts, limits)]
    return [
        _record(run, rank, mark, declared)
        for rank, mark in in_order(marks_of(acts, boundaries, returns, limits))
    ]


def possible(steps: Sequence[RunStep], marks: Sequence[RunMark]) -> list[RunMark]:
    """The marks in order without those that cannot have happened."""
    waiting: dict[int, list[RunMark]] = {}
    for mark in sorted(marks, key=lambda mark: (mark.after, mark.rank)):
        waiting.setdefault(mark.after, []).append(mark)
    path, bounds, kept = [0], [0], list[RunMark]()
    for step in steps:
        path.append(step.position)
        for mark in waiting.get(step.position, ()):
            if mark.action == "compress":
                if bounds[-1] == path[-1]:
                    continue
                bounds.append(path[-1])
            elif mark.action == "revise":
                if mark.target not in bounds or mark.target == path[-1]:
                    continue
                _go_back(path, bounds, mark.target)
            kept.append(mark)
    return kept


def _go_back(path: list[int], bounds: list[int], target: int) -> None:
    while path[-1] != target:
        if bounds[-1] == path[-1]:
            bounds.pop()
        path.pop()


def _compacted(mark: RunMark) -> Boundary:
    return Boundary(mark.after, COMPACTION, (mark.after,), True)


def _record(run: AgentRun, rank: int, mark: Marked, declared: Sequence[RunMark]) -> RunMark:
    stated = next((each for each in declared if each.after == mark.after), None)
    own = stated if stated and mark.rule == COMPACTION else None
    return RunMark(
        id=own.id if own else new_id(),
        run_id=run.id,
        after=mark.after,
        action=mark.action,
        rank=rank,
        summary=own.summary if own else mark.summary,
        note=mark.note,
        passed=mark.passed,
        target=mark.target,
        rule=mark.rule,
        evidence=mark.evidence,
        made_by="raw" if own else "rule",
    )
