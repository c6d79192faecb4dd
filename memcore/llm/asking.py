"""Asking a model: one question, one checked value, whoever answers.

`Model.ask` sends a prompt to one provider (`Wire`) and follows its reply as it streams. What comes back is
read as strict JSON against the task's schema and checked by the task; what cannot be used is refused and
asked for again, once. Outages are waited for (patience.py), budgets asked before each call and every call
told to the book after it, also one that failed. Nothing is returned but a checked value or an error.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple, Protocol

from memcore.errors import ContentRefused, MemcoreError, ReplyInvalid, TimedOut, TooLong
from memcore.llm.following import followed
from memcore.llm.patience import Patience
from memcore.llm.prompts import Prompt
from memcore.llm.strict_json import Schema, read
from memcore.tokens import count

LONGEST_REPLY = 400_000  # characters: a server that never stops is cut off here
MOST_TOKENS = 10**12  # of one call: what a server counts beyond, or below zero, is not believed
STOPPED = "stopped"
UNSAID = frozenset((STOPPED, "TimedOut", "Cancelled"))  # outcomes after which nobody knows what a call took
OnText = Callable[[str], None]
Check = Callable[[Any], object]


class Usage(NamedTuple):
    """Tokens of calls: all that were sent, all received (thinking included), and sent ones out of a cache."""

    sent: int
    received: int
    cached: int = 0

    def plus(self, other: Usage) -> Usage:
        return Usage(self.sent + other.sent, self.received + other.received, self.cached + other.cached)

    @staticmethod
    def total(calls: Iterable[Usage]) -> Usage:
        """The tokens of all these calls."""
        return reduce(Usage.plus, calls, NOTHING)


NOTHING = Usage(0, 0)


class Reply(NamedTuple):
    """What was answered, checked; what all calls for it took; which model did, how long, waits included.

    `recorded` is the number of its line with the recorded replies, where it has one.
    """

    value: Any
    usage: Usage
    model: str
    milliseconds: int
    recorded: str = ""


class LLM(Protocol):
    """A model that can be asked. `name` is provider/model."""

    @property
    def name(self) -> str: ...

    def ask(
        self,
        task: str,
        prompt: Prompt,
        schema: Schema,
        on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:
        """The value that a prompt is answered with, as the schema wants it.

        `on_text` is given the whole reply so far, and begins anew when it is asked for again. `check` raises
        ReplyInvalid for a value that the schema cannot refuse. Raises ModelError, Cancelled.
        """  # fmt: skip
        ...


class Call(NamedTuple):
    """What a provider is asked; `most` are the tokens that the reply may have."""

    task: str
    prompt: Prompt
    schema: Schema
    most: int


class Part(NamedTuple):
    """A piece of a streaming reply: text, or the tokens of this call so far. An empty one says: alive."""

    text: str = ""
    usage: Usage | None = None


class Wire(Protocol):
    """One provider: how it is spoken to. Its errors are ours (faults.py), and it never tries again."""

    @property
    def name(self) -> str: ...

    def stream(self, call: Call) -> Generator[Part, None, None]:
        """The reply in pieces; one that ends without saying so raises Unreachable. Raises ModelError."""
        ...

    def tokens(self, prompt: Prompt) -> int:
        """How many tokens the prompt has, by the provider's own count where it has one."""
        ...

    def close(self) -> None:
        """Ends its connections."""
        ...


class Called(NamedTuple):
    """One call: `outcome` is "ok", "stopped", the name of its error, or "begun" (see call_log)."""

    task: str
    model: str
    usage: Usage
    milliseconds: int
    outcome: str


class Book(Protocol):
    """Who keeps the bill (budget.py)."""

    def before(self, task: str, model: str, most: Usage) -> str:
        """What the call is known by, which takes at most about so much.

        Raises BudgetExceeded where it may not be made.
        """
        ...

    def after(self, called: Called, call: str = "") -> None:
        """Enters a call."""
        ...


class Tallied(NamedTuple):
    """A book, if there is one, and somebody who is told of every call as well."""

    book: Book | None
    called: Callable[[Called], None]

    def before(self, task: str, model: str, most: Usage) -> str:
        """See Book.before."""
        return self.book.before(task, model, most) if self.book else ""

    def after(self, called: Called, call: str = "") -> None:
        """See Book.after."""
        self.called(called)
        if self.book:
            self.book.after(called, call)


@dataclass
class _Heard:
    """What has come of one call so far."""

    text: str = ""
    usage: Usage = NOTHING
    outcome: str = STOPPED
    begun: bool = False

    def taken(self, prompt: Prompt) -> Usage:
        """What it took, by estimate where the service did not say, or not yet. One that fell silent may have
        read the prompt; one that refused the call has not."""
        if not self.usage.sent and (self.begun or self.outcome in UNSAID):
            return Usage(prompt.tokens, self.usage.received or count(self.text))
        return self.usage


@dataclass(frozen=True, slots=True)
class Model:
    """One model of a provider, asked with patience and on a budget. Close it, or use it in a `with`."""

    wire: Wire
    book: Book | None = None
    patience: Patience = field(default_factory=Patience)

    @property
    def name(self) -> str:
        return self.wire.name

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """See LLM.ask."""
        started = self.patience.clock()
        calls: list[Usage] = []
        asked = prompt
        for again in range(self.patience.settings.model_asked_again, -1, -1):
            asking = _Asking(self, Call(task, asked, schema, self._most), on_text, check)
            try:
                value = self.patience.insist(lambda asking=asking: asking.once(calls))
            except (ContentRefused, TooLong):
                raise
            except ReplyInvalid as error:
                if not again:
                    raise
                asked = _corrected(prompt, error)
            else:
                took = _milliseconds(self.patience.clock() - started)
                return Reply(value, Usage.total(calls), self.name, took)
        raise AssertionError("the last reply is returned or refused")

    def tokens(self, prompt: Prompt) -> int:
        """How many tokens the prompt has: the provider's count. Raises ModelError."""
        return self.patience.insist(lambda: self.wire.tokens(prompt))

    def close(self) -> None:
        self.wire.close()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _most(self) -> int:
        return self.patience.settings.model_reply_tokens


class _Asking(NamedTuple):
    """One call in the making."""

    model: Model
    call: Call
    on_text: OnText | None
    check: Check | None

    def once(self, calls: list[Usage]) -> Any:
        """Make the call, and its entry in the book whatever becomes of it."""
        model, prompt = self.model, self.call.prompt
        most = Usage(prompt.tokens, self.call.most)
        entry = model.book.before(self.call.task, model.name, most) if model.book else ""
        heard, started = _Heard(), model.patience.clock()
        try:
            self._listen(heard, started)
            value = read(heard.text, self.call.schema)
            if self.check:
                self.check(value)
            heard.outcome = "ok"
            return value
        except MemcoreError as error:
            heard.outcome = type(error).__name__
            raise
        finally:
            taken = heard.taken(prompt)
            calls.append(taken)
            if model.book:
                took = _milliseconds(model.patience.clock() - started)
                model.book.after(Called(self.call.task, model.name, taken, took, heard.outcome), entry)

    def _listen(self, heard: _Heard, started: float) -> None:
        parts = followed(self.model.wire.stream(self.call), lambda: self._look(started))
        with closing(parts):
            for part in parts:
                heard.begun = True
                heard.usage = _believed(part.usage) if part.usage else heard.usage
                heard.text += part.text
                if len(heard.text) > LONGEST_REPLY:
                    raise TooLong("The model's reply would not end, and was cut off.")
                if part.text and self.on_text:
                    self.on_text(heard.text)

    def _look(self, started: float) -> None:
        patience = self.model.patience
        patience.checked()
        if patience.clock() - started > patience.settings.model_seconds:
            raise TimedOut("The model took longer than one call may take.", again=False)


def _believed(told: Usage) -> Usage:
    """The tokens that a server says, as far as they can be: no call gives a budget anything back."""
    sent, received, cached = (min(max(n, 0), MOST_TOKENS) for n in told)
    return Usage(sent, received, min(cached, sent))


def _corrected(prompt: Prompt, error: ReplyInvalid) -> Prompt:
    """The same data, and why the last reply could not be used: our sentence, nothing of the reply."""
    return prompt._replace(data=f"{prompt.data}\n\nYour last answer could not be used. {error} Answer again.")


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
