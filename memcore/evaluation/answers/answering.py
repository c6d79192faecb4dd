"""A model answers a question out of what a strategy found, and a model judges the answer.

The answer comes about as in the app: the recorded run of a strategy, with the models that the settings choose
for finding the way, and the app's own prompt at its end. The judge knows nothing of all that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from memcore.errors import ModelError, is_out
from memcore.evaluation.answers.log import OK, Given, Took, Verdict
from memcore.evaluation.f1 import NOT_MENTIONED
from memcore.events import Answered, RoleFailed, Strategy
from memcore.llm.asking import NOTHING, Called
from memcore.llm.budget import dollars
from memcore.llm.listening import Listening
from memcore.llm.prompts import judge
from memcore.llm.recording import Replay
from memcore.memory import Memory
from memcore.models.at_work import Models
from memcore.reconstruction import Ask
from memcore.records import new_id
from memcore.run_state import fold
from memcore.settings import Price


@dataclass(frozen=True, slots=True)
class Answering:
    """One question answered, one answer judged; `replies` are the recorded ones of the model that answers.

    `judge` is the name of a model, "" for none.
    """

    models: Models
    replies: Replay
    budget: int
    judge: str = ""

    def answer(self, memory: Memory, question: str, strategy: str) -> Given:
        """What the model answers, "not mentioned" where it finds nothing, or the error there was instead."""
        calls: list[Called] = []
        ask = Ask(question, self.budget, strategy=cast(Strategy, strategy))
        events = list(memory.ask(ask, listening=Listening(called=calls.append)))
        failed = [event for event in events if event.kind == "role_failed"]
        took = self._took(calls)
        if error := _in_the_way(failed):
            return Given(error, took)
        state = fold(events)
        text = self._text(state.answer) if state.answer else NOT_MENTIONED
        return Given(OK, took, text, len(state.turns), len(failed))

    def verdict(self, question: str, reference: str, answer: str) -> Verdict:
        """What the judge says of an answer, or the error there was instead."""
        calls: list[Called] = []
        model = self.models.model(self.judge, new_id(), Listening(called=calls.append))
        prompt = judge.judge(question, reference, answer)
        try:
            reply = model.ask("judge", prompt, judge.SCHEMA)
        except ModelError as error:
            return Verdict(type(error).__name__, self._took(calls), self.judge)
        return Verdict(OK, self._took(calls), self.judge, judge.says_correct(reply.value))

    def _text(self, answered: Answered) -> str:
        """Rules answer only where there is no evidence."""
        if answered.made_by != "model" or not answered.found:
            return NOT_MENTIONED
        return str(self.replies.given("answer", answered.prompt, answered.reply)["answer"]).strip()

    def _took(self, calls: Sequence[Called]) -> Took:
        return taken(calls, self.models.configuration.price_table)


def taken(calls: Iterable[Called], prices: Sequence[Price]) -> Took:
    """What these calls took together."""
    total = Took()
    for one in calls:
        money = 0.0 if one.usage == NOTHING else dollars(one.model, one.usage, prices)
        total = total.plus(Took(1, *one.usage, one.milliseconds, money))
    return total


def _in_the_way(failed: Sequence[RoleFailed]) -> str:
    """The error that lets a run not count: one of answering, or of a service that was out on the way.

    Where a model only said something unusable on the way, rules did that step, as in the app.
    """
    return next((f.error for f in failed if f.role == "answer" or is_out(f.error)), "")
