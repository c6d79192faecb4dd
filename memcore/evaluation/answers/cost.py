"""What answering and judging would cost, before anybody is asked.

Some questions, evenly spread, are put as they would be, with models that have no reply: their prompts are
counted, and rules do the work. How long replies will be is an estimate (see llm.expected).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

from memcore.configuration import Configuration
from memcore.evaluation.answers.run import Question, Run
from memcore.evaluation.rows import Row
from memcore.events import Strategy
from memcore.llm.asking import Usage
from memcore.llm.budget import dollars
from memcore.llm.expected import RECEIVED
from memcore.llm.prompts import Prompt
from memcore.llm.prompts.judge import judge
from memcore.llm.tasks import RECORDED
from memcore.prompted import shown
from memcore.reconstruction import Ask

SAMPLED = 100


class _Call(NamedTuple):
    """So many calls like this one would be made."""

    role: str
    model: str
    prompt: Prompt
    times: float

    @property
    def usage(self) -> Usage:
        return Usage(self.prompt.tokens, RECEIVED[self.role])


def rehearsed(chosen: Configuration) -> Configuration:
    """The same models, of which only recorded replies are given, and there are none."""
    roles: Any = {role: RECORDED + model for role, model in chosen.roles.items()}
    return replace(chosen, roles=roles, recording=False)


def preview(run: Run) -> Iterator[Row]:
    """A row for each strategy: what is left of it, counted on some of that."""
    for strategy in run.conditions.strategies:
        left = [q for q in run.questions if not run.log.settled(q.by(strategy))]
        some = left[:: -(-len(left) // SAMPLED) or 1]
        calls = [call for q in some for call in _calls(run, q, strategy, len(left) / len(some))]
        calls += _verdicts(run, strategy)
        yield {
            "would be asked": strategy,
            "questions": len(left),
            "counted on": len(some),
            **_row(run, calls),
        }


def _row(run: Run, calls: list[_Call]) -> Row:
    """What these calls cost together."""
    prices = run.chosen.price_table
    money = [dollars(call.model, call.usage, prices) for call in calls]
    known = [m * call.times for m, call in zip(money, calls, strict=True) if m is not None]
    return {
        "calls": round(sum(call.times for call in calls)),
        "tokens sent": round(sum(call.usage.sent * call.times for call in calls)),
        "tokens received, about": round(sum(call.usage.received * call.times for call in calls)),
        "dollars, about": round(sum(known), 4) if len(known) == len(money) else "no price is known",
        "prices of": run.chosen.prices_read_in,
    }


def _calls(run: Run, question: Question, strategy: str, times: float) -> Iterator[_Call]:
    """The calls for one question by one strategy; `times` it stands for as many questions."""
    memory, asked = run.scopes[question.conversation], question.asked
    ask = Ask(asked.text, run.conditions.budget, strategy=cast(Strategy, strategy))
    for event in memory.ask(ask):
        if event.kind == "model_asked":
            yield _Call(event.role, event.model, shown(memory, asked.text, event).prompt, times)
    if run.conditions.judge and asked.gold:
        yield _Call("judge", run.conditions.judge, judge(asked.text, asked.gold, asked.gold), times)


def _verdicts(run: Run, strategy: str) -> Iterator[_Call]:
    """The calls for answers that are there and were not judged."""
    for question in run.questions:
        if answer := run.unjudged(question, question.by(strategy)):
            prompt = judge(question.asked.text, question.asked.gold, answer)
            yield _Call("judge", run.conditions.judge, prompt, 1)
