"""Going through the questions: each is put by every strategy, answered, judged, and written down at once.

The store stays in the folder beside the answers: every run can be looked at in the app, and the bill is
complete, whatever ended the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from memcore.configuration import Configuration
from memcore.errors import BudgetExceeded, ModelError
from memcore.evaluation.answers.answering import Answering
from memcore.evaluation.answers.conditions import Conditions, same
from memcore.evaluation.answers.log import FILE, OK, AnswerLog, Given, Key, Verdict
from memcore.evaluation.f1 import NOT_MENTIONED
from memcore.evaluation.on_locomo import Sample, imported
from memcore.evaluation.questions import Asked, locomo
from memcore.evaluation.rows import Row
from memcore.llm.call_log import CallLog
from memcore.llm.recording import Replay
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import now
from memcore.store.folder import CALLS, REPLIES

STORE = "store"
LEAST = 1e-9  # dollars; 0 would be no limit
EVERY = 50  # answers between two lines of progress


class Question(NamedTuple):
    """One of a conversation's questions: its place there, and the memory it is put to."""

    conversation: str
    number: int
    asked: Asked

    def by(self, strategy: str) -> Key:
        return Key(self.conversation, self.number, strategy)


@dataclass(slots=True)
class Run:
    """The questions in the order of asking, the store they are put to, what was answered, the bill.

    `stopped` is why it ended before all was done, "" where it did not.
    """

    conditions: Conditions
    chosen: Configuration
    folder: Path
    memories: Memories
    log: AnswerLog
    calls: CallLog
    questions: tuple[Question, ...]
    scopes: dict[str, Memory]
    stopped: str = ""

    def all(self) -> Iterator[Row]:
        """What is left of it; yields how far it has come."""
        self._limit()
        answering = self._answering()
        for done, (question, key) in enumerate(self.puts()):
            if done and not done % EVERY:
                yield self.left()
            if not self.log.settled(key) and self._may_ask():
                given = answering.answer(self.scopes[key.conversation], question.asked.text, key.strategy)
                if self._counts(given):
                    self.log.give(key, given)
            if not self.stopped and (answer := self.unjudged(question, key)) and self._may_ask():
                verdict = answering.verdict(question.asked.text, question.asked.gold, answer)
                if self._counts(verdict):
                    self.log.judge(key, verdict)
            if self.stopped:
                return

    def puts(self) -> Iterator[tuple[Question, Key]]:
        """Every question by every strategy: all strategies on one before the next, so that wherever it ends,
        all were put the same."""
        return ((q, q.by(s)) for q in self.questions for s in self.conditions.strategies)

    def unjudged(self, question: Question, key: Key) -> str:
        """The answer that the judge has to see (again), "" for none. To say nothing is not right: nobody has
        to judge that."""
        given = self.log.answered.get(key)
        if not self.conditions.judge or given is None or given.outcome != OK or not question.asked.gold:
            return ""
        verdict = self.log.judged.get((key, self.conditions.judge))
        settled = given.text == NOT_MENTIONED or (verdict is not None and verdict.settled)
        return "" if settled else given.text

    def spent(self) -> float:
        """Dollars of all calls so far, also of those that a crash cut off from their answer."""
        return sum(entry.dollars or 0.0 for entry in self.calls.entries())

    def left(self) -> Row:
        """How far it has come, and what that took."""
        return {
            "answered": sum(self.log.settled(key) for _, key in self.puts()),
            "of": len(self.questions) * len(self.conditions.strategies),
            "dollars so far": round(self.spent(), 4),
        }

    def _answering(self) -> Answering:
        replies = Replay(self.folder / STORE / REPLIES, self.conditions.answer)
        return Answering(self.memories.models, replies, self.conditions.budget, self.conditions.judge)

    @property
    def _cap(self) -> float:
        return self.conditions.cap(self.chosen)

    def _limit(self) -> None:
        """From now on the models may spend what the cap leaves; it holds over all days together."""
        cap, today = self._cap, now().date()
        earlier = sum(e.dollars or 0.0 for e in self.calls.entries() if e.at.date() != today)
        left = max(cap - earlier, LEAST) if cap else 0.0
        self.memories.configure(replace(self.chosen, changed={**self.chosen.changed, "day_money": left}))

    def _may_ask(self) -> bool:
        """Whether the cap leaves anything; it ends here where not."""
        if 0 < self._cap <= self.spent():
            self.stopped = self._cap_reached
        return not self.stopped

    def _counts(self, one: Given | Verdict) -> bool:
        """Whether this is to be written down. It ends here where the cap let no more calls pass, and where a
        service is still out after all patience."""
        used_up = one.outcome == BudgetExceeded.__name__
        if used_up:
            self.stopped = self._cap_reached
        elif not one.settled:
            self.stopped = self._wrong()
        return not used_up

    def _wrong(self) -> str:
        """What is wrong with the models, "" where all answer again."""
        for name in sorted({*self.chosen.roles.values(), self.conditions.judge} - {""}):
            try:
                self.memories.models.check(name)
            except ModelError as error:
                return str(error)
        return ""

    @property
    def _cap_reached(self) -> str:
        return f"The limit of {self._cap:g} dollars is reached: raise it with --max-money."


def begun(
    conditions: Conditions, chosen: Configuration, file: Path, samples: Sequence[Sample], at: Path
) -> Run:
    """A run begun in this folder, or gone on with; what is not there yet is imported.

    Raises InputError where it was begun under other conditions, StoreFull.
    """
    log = AnswerLog(at / FILE)
    log.begin(same(conditions, chosen, file))
    memories = Memories.open(at / STORE, embedder=conditions.embedder)
    with TemporaryDirectory() as drafts:
        for sample in samples:
            if (name := str(sample["sample_id"])) not in log.imported:
                imported(memories, Path(drafts), sample)
                log.has_imported(name)
    scopes = {(name := str(s["sample_id"])): memories.scope(name) for s in samples}
    questions = _in_turn(samples, conditions.first)
    return Run(conditions, chosen, at, memories, log, memories.models.log, questions, scopes)


def as_kept(run: Run, file: Path, at: Path) -> Run:
    """The run with the answers and the bill of another folder, where something was begun there.

    Raises InputError where that was under other conditions.
    """
    if not (at / FILE).is_file():
        return run
    log = AnswerLog(at / FILE)
    log.begin(same(run.conditions, run.chosen, file))
    return replace(run, folder=at, log=log, calls=CallLog(at / STORE / CALLS))


def _in_turn(samples: Sequence[Sample], first: int) -> tuple[Question, ...]:
    """One question of each conversation after the other: an early end has seen something of all of them."""
    every = [
        Question(str(sample["sample_id"]), number, asked)
        for sample in samples
        for number, asked in enumerate(locomo(sample)[: first or None])
        if asked.gold or asked.category == "adversarial"
    ]
    return tuple(sorted(every, key=lambda q: q.number))
