"""What came of the answers: the table, the differences between strategies, and what each of them cost.

A question counts for a difference only where both strategies have a score for it. Nothing but the text of
the answers is read again: F1 follows from it and from the benchmark's file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from memcore.evaluation.answers.log import OK, Took
from memcore.evaluation.answers.run import Question, Run
from memcore.evaluation.f1 import NOT_MENTIONED, scored
from memcore.evaluation.metrics import paired
from memcore.evaluation.on_locomo import ANSWERABLE, TOGETHER
from memcore.evaluation.rows import Row

ADVERSARIAL = "adversarial"
Measure = Literal["F1", "judge"]


def scores(run: Run) -> Iterator[Row]:
    """Everything that is known by now."""
    first, *others = run.conditions.strategies
    for strategy in run.conditions.strategies:
        yield from _table(run, strategy)
    for category, members in ((TOGETHER, ANSWERABLE), *((c, (c,)) for c in (*ANSWERABLE, ADVERSARIAL))):
        for other in others:
            yield from _difference(run, (first, other), category, members)
    yield from _bill(run)


def score(run: Run, question: Question, strategy: str, measure: Measure) -> float | None:
    """From 0 to 1; None where there is none (yet): not answered, not judged, or nothing to judge."""
    key = question.by(strategy)
    given, asked = run.log.answered.get(key), question.asked
    if given is None or given.outcome != OK:
        return None
    if measure == "F1":
        return scored(given.text, asked.gold, asked.category)
    if not run.conditions.judge or asked.category == ADVERSARIAL:
        return None
    if given.text == NOT_MENTIONED:
        return 0.0
    verdict = run.log.judged.get((key, run.conditions.judge))
    return float(verdict.correct) if verdict and verdict.outcome == OK else None


def _table(run: Run, strategy: str) -> Iterator[Row]:
    """One row for all that can be answered, one for each category there is."""
    yield _row(run, strategy, TOGETHER, ANSWERABLE)
    for category in (*ANSWERABLE, ADVERSARIAL):
        if any(q.asked.category == category for q in run.questions):
            yield _row(run, strategy, category, (category,))


def _row(run: Run, strategy: str, category: str, members: Sequence[str]) -> Row:
    asked = [q for q in run.questions if q.asked.category in members]
    answers = [g for q in asked if (g := run.log.answered.get(q.by(strategy)))]
    good = [g for g in answers if g.outcome == OK]
    judged = _known(run, asked, strategy, "judge")
    row: Row = {
        "strategy": strategy,
        "category": category,
        "questions": len(asked),
        "answered": len(good),
        "not answered": dict(Counter(g.outcome for g in answers if g.outcome != OK)),
        "turns read, mean": round(sum(g.read for g in good) / len(good), 1) if good else None,
        "says not mentioned %": _percent([float(g.text == NOT_MENTIONED) for g in good]),
        "F1 %": _percent(_known(run, asked, strategy, "F1")),
    }
    if category != ADVERSARIAL and run.conditions.judge:
        row |= {"right by the judge %": _percent(judged), "judged": len(judged)}
        row["not judged"] = len(good) - len(judged)
    if by_rules := sum(g.by_rules for g in good):
        row["steps done by rules where a model failed"] = by_rules
    return row


def _difference(
    run: Run, strategies: tuple[str, str], category: str, members: Sequence[str]
) -> Iterator[Row]:
    """One strategy minus another in points with 95 % intervals, paired over questions."""
    ours, theirs = strategies
    row: Row = {f"{ours} minus": theirs, "category": category}
    measures: tuple[Measure, ...] = ("F1", "judge")
    for measure in measures:
        both = [
            (a, b)
            for q in run.questions
            if q.asked.category in members
            and (a := score(run, q, ours, measure)) is not None
            and (b := score(run, q, theirs, measure)) is not None
        ]
        if both:
            mine, other = np.array(both).T
            row |= {measure: str(paired(mine, other)), f"{measure} over": len(both)}
    if len(row) > 2:
        yield row


def _bill(run: Run) -> Iterator[Row]:
    """Of each strategy what answering and judging took; last of all, what the book of calls says."""
    read_in = run.chosen.prices_read_in
    for (strategy, part), took in sorted(run.log.took.items()):
        yield {"bill of": strategy, "for what was": part, **_took(took), "prices of": read_in}
    yield {"bill of": "everything", "dollars": round(run.spent(), 4), "prices of": read_in}


def _took(took: Took) -> Row:
    return {
        "calls": took.calls,
        "tokens sent": took.sent,
        "of them cached": took.cached,
        "tokens received": took.received,
        "seconds": round(took.milliseconds / 1000, 1),
        "dollars": "no price is known" if took.dollars is None else round(took.dollars, 4),
    }


def _known(run: Run, asked: Sequence[Question], strategy: str, measure: Measure) -> list[float]:
    known = (score(run, question, strategy, measure) for question in asked)
    return [value for value in known if value is not None]


def _percent(values: Sequence[float]) -> float | None:
    return round(100 * sum(values) / len(values), 1) if values else None
