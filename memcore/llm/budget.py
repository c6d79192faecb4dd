"""What models may cost, and what they did cost: budgets of a run and of a day, and the book of all calls.

Before each call the budgets are asked, after it the call is entered, also one that failed. The book is a file
of one JSON object a line: when, run, task, model, tokens, milliseconds, outcome, and the dollars by the
prices of that day. It holds no word of a memory. A day is a day in UTC. Writing to a provider's cache is
charged as sending: where it costs more, the bill is that much too low. Calls that are under way count with
what they send, so that runs of one program cannot use up the rest of a budget twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, Literal, NamedTuple

from memcore.errors import BudgetExceeded, StoreFull
from memcore.llm.asking import MOST_TOKENS, Called, Usage
from memcore.llm.lines import Lines
from memcore.llm.strict_json import Schema, wrongs
from memcore.records import new_id, now
from memcore.settings import DEFAULT, PRICES, Price, Settings

SHORTEST_CALL = 0.001  # seconds
_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS}
_WORD: Schema = {"type": "string"}
_LINE: Schema = {
    "type": "object",
    "properties": {
        "at": _WORD, "run": _WORD, "task": _WORD, "model": _WORD, "outcome": _WORD,
        "sent": _NUMBER, "received": _NUMBER, "cached": _NUMBER, "milliseconds": _NUMBER,
        "dollars": {"type": ["number", "null"], "minimum": 0, "maximum": MOST_TOKENS},
    },
    "required": [
        "at", "run", "task", "model", "outcome", "sent", "received", "cached", "milliseconds", "dollars"
    ],
}  # fmt: skip
By = Literal["task", "model", "run", "day", "outcome"]


class Entry(NamedTuple):
    """One call. `dollars` is None where there was no price for the model."""

    at: datetime
    run: str
    called: Called
    dollars: float | None


class Bill(NamedTuple):
    """Calls together; `failed` of them gave nothing, `unpriced` of them are not in the dollars."""

    calls: int = 0
    failed: int = 0
    usage: Usage = Usage(0, 0)
    seconds: float = 0.0
    dollars: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        return self.usage.sent + self.usage.received


@dataclass(frozen=True, slots=True)
class _Limit:
    """One budget: its setting, of what it is and in which unit, its value, and how much of it a bill is."""

    setting: str
    of: Literal["run", "day"]
    unit: Literal["calls", "tokens", "dollars", "seconds"]
    value: Callable[[Settings], float]
    spent: Callable[[Bill], float]


_LIMITS = (
    _Limit("run_calls", "run", "calls", lambda s: s.run_calls, lambda b: b.calls),
    _Limit("run_tokens", "run", "tokens", lambda s: s.run_tokens, lambda b: b.tokens),
    _Limit("run_money", "run", "dollars", lambda s: s.run_money, lambda b: b.dollars),
    _Limit("run_seconds", "run", "seconds", lambda s: s.run_seconds, lambda b: b.seconds),
    _Limit("day_calls", "day", "calls", lambda s: s.day_calls, lambda b: b.calls),
    _Limit("day_tokens", "day", "tokens", lambda s: s.day_tokens, lambda b: b.tokens),
    _Limit("day_money", "day", "dollars", lambda s: s.day_money, lambda b: b.dollars),
    _Limit("day_seconds", "day", "seconds", lambda s: s.day_seconds, lambda b: b.seconds),
)


class CallLog:
    """All calls of a store, in the order they ended; without a path they live as long as the program.

    Several programs may write to one file: each sees the others' calls before its own next one.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lines = Lines(path) if path else None
        self._entries: list[Entry] = []
        self._reading = Lock()
        self.deciding = Lock()
        self.under_way: dict[int, Entry] = {}  # by the thread that waits for the reply

    def entries(self) -> Sequence[Entry]:
        """Everything entered so far. Lines that are damaged are left out."""
        with self._reading:
            for told in self._lines.fresh() if self._lines else ():
                if (entry := _entry(told)) is not None:
                    self._entries.append(entry)
        return self._entries

    def enter(self, entry: Entry) -> None:
        """Raises StoreFull where the file cannot be written."""
        if self._lines is None:
            self._entries.append(entry)
            return
        try:
            self._lines.add(_told(entry))
        except OSError as error:
            raise StoreFull("The bill of model calls cannot be written: free some space.") from error


@dataclass(frozen=True, slots=True)
class Budget:
    """The book of one run (asking.Book): asked before each call, told after it."""

    log: CallLog = field(default_factory=CallLog)
    settings: Settings = DEFAULT
    run: str = field(default_factory=new_id)
    prices: tuple[Price, ...] = PRICES
    clock: Callable[[], datetime] = now

    def before(self, task: str, model: str, tokens: int) -> None:
        """Raises BudgetExceeded where a call that sends about so many tokens is one too many."""
        sends = Usage(tokens, 0)
        begun = Called(task, model, sends, 0, "stopped")
        coming = Entry(self.clock(), self.run, begun, dollars(model, sends, self.prices))
        with self.log.deciding:
            self.log.under_way.pop(get_ident(), None)
            self._allowed(coming)
            self.log.under_way[get_ident()] = coming

    def after(self, called: Called) -> None:
        """Enters a call."""
        charged = dollars(called.model, called.usage, self.prices)
        try:
            self.log.enter(Entry(self.clock(), self.run, called, charged))
        finally:
            self.log.under_way.pop(get_ident(), None)

    def _allowed(self, coming: Entry) -> None:
        entries = [*self.log.entries(), *self.log.under_way.values()]
        spent = {"run": _of_run(entries, self.run), "day": _of_day(entries, coming.at.date())}
        tokens = coming.called.usage.sent
        more = {"calls": 1, "tokens": tokens, "dollars": coming.dollars, "seconds": SHORTEST_CALL}
        for limit in _LIMITS:
            most = limit.value(self.settings)
            if most > 0:
                _within(limit, most, limit.spent(spent[limit.of]), more[limit.unit])

    def of_run(self) -> Bill:
        return _of_run(self.log.entries(), self.run)

    def of_day(self, day: date | None = None) -> Bill:
        """The bill of a day in UTC, of today where none is named."""
        return _of_day(self.log.entries(), day or self.clock().date())


def _of_run(entries: Iterable[Entry], run: str) -> Bill:
    return bill(e for e in entries if e.run == run)


def _of_day(entries: Iterable[Entry], day: date) -> Bill:
    return bill(e for e in entries if e.at.date() == day)


def _within(limit: _Limit, most: float, spent: float, coming: float | None) -> None:
    if coming is None:
        raise BudgetExceeded(
            "There is no price for this model: give one, or lift the limit of dollars.", limit.setting
        )
    if spent + coming > most:
        says = f"The budget of this {limit.of} is used up: {spent:.4g} of {most:.4g} {limit.unit}."
        raise BudgetExceeded(says, limit.setting)


def price_of(model: str, prices: Iterable[Price] = PRICES) -> Price | None:
    """The price whose name is the longest beginning of the model's."""
    return max((p for p in prices if model.startswith(p.model)), key=lambda p: len(p.model), default=None)


def dollars(model: str, usage: Usage, prices: Iterable[Price] = PRICES) -> float | None:
    """What these tokens cost; None without a price. With estimated tokens, a preview."""
    price = price_of(model, prices)
    if price is None:
        return None
    fresh = usage.sent - usage.cached
    return (fresh * price.sent + usage.cached * price.cached + usage.received * price.received) / 1e6


def bill(entries: Iterable[Entry]) -> Bill:
    """These calls together."""
    total = Bill()
    for entry in entries:
        total = Bill(
            total.calls + 1,
            total.failed + (entry.called.outcome != "ok"),
            total.usage.plus(entry.called.usage),
            total.seconds + entry.called.milliseconds / 1000,
            total.dollars + (entry.dollars or 0.0),
            total.unpriced + (entry.dollars is None),
        )
    return total


def bills(entries: Iterable[Entry], by: Sequence[By]) -> dict[tuple[str, ...], Bill]:
    """The bill of each task, model, run, day or outcome, or of each of their combinations."""
    parts: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        parts.setdefault(tuple(KEYS[key](entry) for key in by), []).append(entry)
    return {key: bill(part) for key, part in sorted(parts.items())}


KEYS: dict[By, Callable[[Entry], str]] = {
    "task": lambda e: e.called.task,
    "model": lambda e: e.called.model,
    "run": lambda e: e.run,
    "day": lambda e: e.at.date().isoformat(),
    "outcome": lambda e: e.called.outcome,
}
"""What calls are summed up by."""


def _told(entry: Entry) -> dict[str, Any]:
    called = entry.called
    return {
        "at": entry.at.isoformat(),
        "run": entry.run,
        "task": called.task,
        "model": called.model,
        **called.usage._asdict(),
        "milliseconds": called.milliseconds,
        "outcome": called.outcome,
        "dollars": entry.dollars,
    }


def _entry(told: dict[str, Any]) -> Entry | None:
    if any(wrongs(told, _LINE)):
        return None
    usage = Usage(told["sent"], told["received"], told["cached"])
    called = Called(told["task"], told["model"], usage, told["milliseconds"], told["outcome"])
    try:
        at = datetime.fromisoformat(told["at"])
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return Entry(at.astimezone(UTC), told["run"], called, told["dollars"])
