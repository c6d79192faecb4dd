"""What an active run reads and reaches: recall after each step, shares of the memory, automatic budgets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from memcore.evaluation.lanes import ACTIVE, Exam, units_of
from memcore.evaluation.metrics import paired, recall
from memcore.evaluation.questions import Asked
from memcore.evaluation.rows import Row
from memcore.events import TraceEvent
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.question import Question
from memcore.run_state import fold

BUDGET = 20
AUTOMATIC = (10, 20)


class Posed(NamedTuple):
    """One question with the memory it is put to."""

    ready: Exam
    memory: Memory
    asked: Asked
    question: Question


def spending(memories: Memories, exams: Sequence[Exam], categories: Sequence[str]) -> Iterator[Row]:
    """Rows about active runs on the questions of these categories."""
    posed = [
        Posed(ready, memory, asked, question)
        for ready in exams
        for memory in (memories.scope(ready.scope),)
        for asked, question in ready.questions
        if asked.category in categories
    ]
    if posed:
        yield from _step_by_step(posed)
        yield from (_automatic(posed, budget) for budget in AUTOMATIC)


def _step_by_step(posed: Sequence[Posed]) -> Iterator[Row]:
    """The multi-turn curve at budget 20, and how much of the memory the traversals reached."""
    steps = posed[0].memory.settings.steps
    recalls: list[list[float]] = []
    reached: list[tuple[float, float]] = []
    for one in posed:
        events = _run(one, BUDGET)
        state = fold(events)
        read = [[turn for turn, at in state.turns.items() if at <= step] for step in range(1, steps + 1)]
        recalls.append([recall(one.asked.evidence, units_of(one.ready, turns), BUDGET) for turns in read])
        reached.append(_reached(events))
    curve = np.mean(recalls, axis=0)
    yield {"recall after step": {i + 1: round(100 * float(v), 1) for i, v in enumerate(curve)}}
    for name, shares in zip(("after step 1", "at the end"), np.transpose(reached), strict=True):
        mean, most = 100 * float(shares.mean()), 100 * float(shares.max())
        yield {"contents reached %": name, "mean": round(mean, 1), "most": round(most, 1)}


def _reached(events: Iterable[TraceEvent]) -> tuple[float, float]:
    """Shares of all contents reached in step 1 and in the end."""
    contents, counts = 0, [0]
    for event in events:
        if event.kind == "asked":
            contents = event.contents
        elif event.kind == "traversed":
            counts.append(event.reached)
    return counts[min(1, len(counts) - 1)] / max(contents, 1), counts[-1] / max(contents, 1)


def _automatic(posed: Sequence[Posed], budget: int) -> Row:
    """An automatic budget against a fixed one of the same mean read.

    The mean is rarely whole: the fixed budget alternates between the two whole ones beside it, evenly
    over the questions, so that neither side may read more.
    """
    ours = [_outcome(one, budget, automatic=True) for one in posed]
    mean = float(np.mean([read for _, read in ours]))
    budgets = alternating(mean, len(posed))
    theirs = [_outcome(one, fixed) for one, fixed in zip(posed, budgets, strict=True)]
    difference = paired(np.array([r for r, _ in ours]), np.array([r for r, _ in theirs]))
    return {
        "automatic budget around": budget,
        "questions": len(posed),
        "turns read, mean": round(mean, 2),
        "turns read, least and most": [min(r for _, r in ours), max(r for _, r in ours)],
        "recall": round(100 * float(np.mean([r for r, _ in ours])), 1),
        "fixed: turns read, mean": round(float(np.mean([r for _, r in theirs])), 2),
        "fixed: recall": round(100 * float(np.mean([r for r, _ in theirs])), 1),
        "automatic minus fixed": str(difference),
    }


def alternating(mean: float, count: int) -> list[int]:
    """`count` whole budgets of at least 1 whose mean is `mean` as nearly as can be, evenly mixed."""
    edges = [math.floor(i * mean + 0.5) for i in range(count + 1)]
    return [max(1, after - before) for before, after in pairwise(edges)]


def _outcome(one: Posed, budget: int, automatic: bool = False) -> tuple[float, int]:
    """Recall over everything read, and how many turns that was."""
    turns = list(fold(_run(one, budget, automatic)).turns)
    return recall(one.asked.evidence, units_of(one.ready, turns), len(turns)), len(turns)


def _run(one: Posed, budget: int, automatic: bool = False) -> list[TraceEvent]:
    """The events of one active run up to its end; what it answers does not matter here."""
    ask = replace(ACTIVE.ask, question=one.question.text, budget=budget, auto_budget=automatic)
    events: list[TraceEvent] = []
    for event in one.memory.events(ask, question=one.question):
        if event.kind == "stopped":
            break
        events.append(event)
    return events
