"""Running one strategy over many questions of one memory, each question prepared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from memcore.evaluation.metrics import Values, recall
from memcore.evaluation.questions import Asked
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.run_state import fold

BUDGETS = (5, 10, 20, 50)
ONE_ORDER = ("dense", "bm25", "fusion", "priors", "graph", "recmem")

Found = dict[str, Values]
"""Category -> (questions, budgets) recall."""


class Lane(NamedTuple):
    """A way of asking, with a name for the table. `ask` is filled in with question and budget."""

    name: str
    ask: Ask


def _lane(name: str, **switches: object) -> Lane:
    return Lane(name, replace(Ask("-", 1), **switches))  # type: ignore[arg-type]


PASSIVE = tuple(_lane(s, strategy=s) for s in ("dense", "bm25", "fusion", "nhop", "priors"))
TIERED = _lane("recmem", strategy="recmem")  # searches by embedding alone: not where there is none
ACTIVE = _lane("active")  # all layers with tags: CTC
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


def passive_lanes(embedder: str) -> tuple[Lane, ...]:
    """Every passive strategy that a store with this embedder can be asked by."""
    return PASSIVE if embedder == "none" else (*PASSIVE, TIERED)


@dataclass(frozen=True, slots=True)
class Exam:
    """The questions of one memory, ready to be asked: it can be sent to another process.

    `unit` says of every turn what is expected of it: its own source id, or the name of its session.
    `references` counts what the questions named as evidence, `unresolved` what of it is no turn or
    session of the memory, `left_out` the questions without any that is.
    """

    scope: str
    questions: list[tuple[Asked, Question]]
    unit: dict[str, str]
    references: int
    unresolved: int
    left_out: int


def exam(memory: Memory, asked: Iterable[Asked], unit: str) -> Exam:
    """`unit` is "turn" (evidence are source ids) or "session" (evidence are names of conversations)."""
    units = _units(memory, unit)
    known = set(units.values())
    given = list(asked)
    usable = [q._replace(evidence=tuple(e for e in q.evidence if e in known)) for q in given]
    kept = [q for q in usable if q.evidence]
    references = sum(len(q.evidence) + q.unreadable for q in given)
    return Exam(
        memory.name,
        [(q, memory.prepared(q.text, q.asked)) for q in kept],
        units,
        references,
        references - sum(len(q.evidence) for q in usable),
        len(given) - len(kept),
    )


def _units(memory: Memory, unit: str) -> dict[str, str]:
    talks = {talk.id: talk.source for talk in memory.conversations()}
    turns = [turn for talk in talks for turn in memory.turns(talk)]
    return {turn.id: turn.source if unit == "turn" else talks[turn.conversation_id] for turn in turns}


def scores(memories: Memories, exams: Sequence[Exam], lane: Lane, budgets: Sequence[int] = BUDGETS) -> Found:
    """Recall by category. Every question is asked once per budget."""
    rows: dict[str, list[list[float]]] = {}
    for ready in exams:
        memory = memories.scope(ready.scope)
        for asked, question in ready.questions:
            reads = _reads(memory, lane, question, budgets)
            row = [
                recall(asked.evidence, units_of(ready, read), n)
                for read, n in zip(reads, budgets, strict=True)
            ]
            rows.setdefault(asked.category, []).append(row)
    return {category: np.array(found, dtype=np.float64) for category, found in rows.items()}


def units_of(ready: Exam, turns: Iterable[str]) -> list[str]:
    """Turns in the order they were read, as what is expected of them; a turn that is none of these is ""."""
    return [ready.unit.get(turn, "") for turn in turns]


def _reads(memory: Memory, lane: Lane, question: Question, budgets: Sequence[int]) -> list[list[str]]:
    """What was read at each budget. Where the order does not depend on it, one run gives them all."""
    if lane.ask.strategy in ONE_ORDER:
        return [_read(memory, lane, question, max(budgets))] * len(budgets)
    return [_read(memory, lane, question, n) for n in budgets]


def _read(memory: Memory, lane: Lane, question: Question, budget: int) -> list[str]:
    """The turns read, in order. The answer is not asked for: it reads nothing more."""
    ask = replace(lane.ask, question=question.text, budget=budget)
    run = memory.events(ask, question=question)
    return list(fold(takewhile(lambda event: event.kind != "stopped", run)).turns)
