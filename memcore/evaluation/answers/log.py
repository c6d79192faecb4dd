"""What was answered and judged so far, one line for each as soon as it is known: nothing is paid for twice.

    {"kind": "begun", ...}      the conditions: only under the same ones may be gone on
    {"kind": "imported", ...}   a conversation that is in the store
    {"kind": "answered", ...}   what a model answered to a question by a strategy, and what it took
    {"kind": "judged", ...}     whether a judge held that for right, and what it took

Questions are named by their conversation and their place in it. Of lines about the same the last counts; the
bill counts all of them. A line that was torn when the program was killed is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from memcore.errors import InputError, StoreFull, is_out
from memcore.llm.lines import Lines
from memcore.llm.strict_json import Schema, wrongs

FILE = "answers.jsonl"
OK = "ok"
Part = Literal["answered", "judged"]

_COUNT: Schema = {"type": "integer", "minimum": 0}
_WORD: Schema = {"type": "string"}
_KEY: dict[str, Schema] = {"conversation": _WORD, "number": _COUNT, "strategy": _WORD}
_TOOK: dict[str, Schema] = {
    **dict.fromkeys(("calls", "sent", "received", "cached", "milliseconds"), _COUNT),
    "dollars": {"type": ["number", "null"]},
}
_ANSWERED: dict[str, Schema] = {"text": _WORD, "read": _COUNT, "by_rules": _COUNT}
_JUDGED: dict[str, Schema] = {"judge": _WORD, "correct": {"type": "boolean"}}


class Key(NamedTuple):
    """A question, by the conversation and its place there, put by one strategy."""

    conversation: str
    number: int
    strategy: str


class Took(NamedTuple):
    """What calls took, also those that failed; `dollars` is None where one of them has no price."""

    calls: int = 0
    sent: int = 0
    received: int = 0
    cached: int = 0
    milliseconds: int = 0
    dollars: float | None = 0.0

    def plus(self, other: Took) -> Took:
        money = None if self.dollars is None or other.dollars is None else self.dollars + other.dollars
        calls, sent, received, cached, milliseconds = (
            a + b for a, b in zip(self[:-1], other[:-1], strict=True)
        )
        return Took(calls, sent, received, cached, milliseconds, money)


class Given(NamedTuple):
    """An answer, or the name of the error there was instead; `read` turns, `by_rules` steps where a model
    failed that should have found the way."""

    outcome: str
    took: Took
    text: str = ""
    read: int = 0
    by_rules: int = 0

    @property
    def settled(self) -> bool:
        """Whether it needs not be asked again; a model that was out may answer the next time."""
        return not is_out(self.outcome)


class Verdict(NamedTuple):
    """What this judge says, or the name of the error there was instead."""

    outcome: str
    took: Took
    judge: str
    correct: bool = False

    @property
    def settled(self) -> bool:
        """See Given.settled."""
        return not is_out(self.outcome)


class AnswerLog:
    """The file and what it says. `took` is all that was paid for, by strategy and what for."""

    def __init__(self, path: Path) -> None:
        self._lines = Lines(path)
        self.begun: dict[str, Any] | None = None
        self.imported: set[str] = set()
        self.answered: dict[Key, Given] = {}
        self.judged: dict[tuple[Key, str], Verdict] = {}
        self.took: dict[tuple[str, Part], Took] = {}
        for told in self._lines.fresh():
            self._take(told)

    def begin(self, conditions: Mapping[str, Any]) -> None:
        """Raises InputError where it was begun under other conditions, StoreFull."""
        if self.begun is None:
            self._add({"kind": "begun", **conditions})
            return
        other = [name for name in conditions if self.begun.get(name) != conditions[name]]
        if other:
            raise InputError(
                f"What is to be resumed was begun differently ({', '.join(other)}): say the same again, "
                "or name another folder with --resume."
            )

    def has_imported(self, conversation: str) -> None:
        """Raises StoreFull."""
        self._add({"kind": "imported", "conversation": conversation})

    def give(self, key: Key, given: Given) -> None:
        """Raises StoreFull."""
        self._add({"kind": "answered", **key._asdict(), **_flat(given)})

    def judge(self, key: Key, verdict: Verdict) -> None:
        """Raises StoreFull."""
        self._add({"kind": "judged", **key._asdict(), **_flat(verdict)})

    def settled(self, key: Key) -> bool:
        """Whether it needs not be asked (again)."""
        given = self.answered.get(key)
        return given is not None and given.settled

    def _add(self, told: dict[str, Any]) -> None:
        try:
            self._lines.add(told)
        except OSError as error:
            raise StoreFull("The answers cannot be written down: free some space.") from error
        self._take(told)

    def _take(self, told: dict[str, Any]) -> None:
        kind = told.get("kind")
        if kind == "begun":
            self.begun = {name: value for name, value in told.items() if name != "kind"}
        elif kind == "imported":
            self.imported.add(str(told.get("conversation")))
        elif kind == "answered" and _is(told, _ANSWERED):
            given = Given(told["outcome"], _took(told), *(told[name] for name in _ANSWERED))
            self.answered[_key(told)] = given
            self._spend(told["strategy"], "answered", given.took)
        elif kind == "judged" and _is(told, _JUDGED):
            verdict = Verdict(told["outcome"], _took(told), *(told[name] for name in _JUDGED))
            self.judged[_key(told), verdict.judge] = verdict
            self._spend(told["strategy"], "judged", verdict.took)

    def _spend(self, strategy: str, part: Part, took: Took) -> None:
        self.took[strategy, part] = self.took.get((strategy, part), Took()).plus(took)


def _is(told: dict[str, Any], members: dict[str, Schema]) -> bool:
    asked = {**_KEY, **_TOOK, **members, "outcome": _WORD}
    return not any(wrongs(told, {"type": "object", "properties": asked, "required": list(asked)}))


def _key(told: dict[str, Any]) -> Key:
    return Key(*(told[name] for name in Key._fields))


def _took(told: dict[str, Any]) -> Took:
    return Took(*(told[name] for name in Took._fields))


def _flat(one: Given | Verdict) -> dict[str, Any]:
    told = one._asdict()
    return {**told.pop("took")._asdict(), **told}
