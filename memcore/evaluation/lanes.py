"""Running one strategy over many questions of one memory, each question prepared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from memcore.evaluation.metrics import Values, recall
from memcore.evaluation.questions import Asked
from memcore.memory import Memory
from memcore.question import Question
from memcore.reconstruction import Ask, fold
from memcore.records import Turn
from memcore.settings import Settings

BUDGETS = (5, 10, 20, 50)
ONE_ORDER = ("dense", "bm25", "fusion", "priors", "graph")


class Lane(NamedTuple):
    """A way of asking, with a name for the table. `ask` is filled in with question and budget."""

    name: str
    ask: Ask


def _lane(name: str, **switches: object) -> Lane:
    return Lane(name, replace(Ask("-", 1), **switches))  # type: ignore[arg-type]


PASSIVE = tuple(_lane(s, strategy=s) for s in ("dense", "bm25", "fusion", "nhop", "priors"))
ACTIVE = _lane("active")
ABLATIONS = (
    _lane("active, no reverse", reverse=False),
    _lane("active, no time cue", use_time=False),
    _lane("active, no speaker cue", use_speaker=False),
    _lane("active CE (no tags)", mode="ce"),
    _lane("active CTE (turns only)", mode="cte"),
    _lane("passive graph CTC", strategy="graph"),
    _lane("passive graph CE", strategy="graph", mode="ce"),
    _lane("passive graph CTE", strategy="graph", mode="cte"),
)


@dataclass(frozen=True, slots=True)
class Exam:
    """The questions of one memory, ready to be asked: evidence as turn ids or session names."""

    memory: Memory
    questions: list[tuple[Asked, Question]]
    unit: dict[str, str]


def exam(memory: Memory, asked: Iterable[Asked], unit: str) -> Exam:
    """`unit` is "turn" (evidence are source ids) or "session" (evidence are names of conversations)."""
    talks = {t.id: t.source for t in memory.conversations()}
    units: dict[str, str] = {}
    for talk in talks:
        for turn in memory.turns(talk):
            units[turn.id] = _unit(turn, talks[talk], unit)
    known = set(units.values())
    usable = [(q, tuple(e for e in q.evidence if e in known)) for q in asked]
    kept = [q._replace(evidence=e) for q, e in usable if e]
    return Exam(memory, [(q, memory.prepared(q.text)) for q in kept], units)


def _unit(turn: Turn, talk: str, unit: str) -> str:
    return turn.source if unit == "turn" else talk


def scores(
    exams: Sequence[Exam], lane: Lane, settings: Settings, budgets: Sequence[int] = BUDGETS
) -> dict[str, Values]:
    """Category -> (questions, budgets) recall. Every question is asked once per budget."""
    rows: dict[str, list[list[float]]] = {}
    for ready in exams:
        for asked, question in ready.questions:
            reads = _reads(ready, lane, question, budgets, settings)
            row = [recall(asked.evidence, read, n) for read, n in zip(reads, budgets, strict=True)]
            rows.setdefault(asked.category, []).append(row)
    return {category: np.array(found, dtype=np.float64) for category, found in rows.items()}


def _reads(
    ready: Exam, lane: Lane, question: Question, budgets: Sequence[int], settings: Settings
) -> list[list[str]]:
    """What was read at each budget. Where the order does not depend on it, one run gives them all."""
    if lane.ask.strategy in ONE_ORDER:
        return [_read(ready, lane, question, max(budgets), settings)] * len(budgets)
    return [_read(ready, lane, question, n, settings) for n in budgets]


def _read(ready: Exam, lane: Lane, question: Question, budget: int, settings: Settings) -> list[str]:
    """Units of the turns read, in order. A session counts at its first turn read."""
    ask = replace(lane.ask, question=question.text, budget=budget)
    run = ready.memory.events(ask, settings=settings, question=question)
    state = fold(takewhile(lambda event: event.kind != "stopped", run))
    return [ready.unit[t] for t in state.turns if t in ready.unit]
