"""What models may cost, and what they did cost: budgets of a run and of a day, and bills of the book of all
calls (see call_log).

Before each call the budgets are asked, after it the call is entered, also one that failed. A day is a day in
UTC. Dollars are by the prices of the day of a call. Writing to a provider's cache is charged as sending:
where it costs more, the bill is that much too low. A call that is under way counts with the most it may take:
what it sends and the longest reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NamedTuple

from memcore.errors import BudgetExceeded
from memcore.llm.asking import Called, Usage
from memcore.llm.call_log import BEGUN, CallLog, Entry
from memcore.records import new_id, now
from memcore.settings import DEFAULT, PRICES, Price, Settings

SHORTEST_CALL = 0.001  # seconds
By = Literal["task", "model", "run", "day", "outcome"]


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


@dataclass(frozen=True, slots=True)
class Budget:
    """The book of one run (asking.Book): asked before each call, told after it."""

    log: CallLog = field(default_factory=CallLog)
    settings: Settings = DEFAULT
    run: str = field(default_factory=new_id)
    prices: tuple[Price, ...] = PRICES
    clock: Callable[[], datetime] = now

    def before(self, task: str, model: str, most: Usage) -> str:
        """Raises BudgetExceeded where a call that sends so many tokens is one too many."""
        begun = Called(task, model, most, 0, BEGUN)
        with self.log.deciding():
            self._allowed(model, most.sent)
            return self.log.begin(self._charged(begun))

    def after(self, called: Called, call: str = "") -> None:
        """Enters a call."""
        self.log.enter(self._charged(called), call)

    def _charged(self, called: Called) -> Entry:
        return Entry(self.clock(), self.run, called, dollars(called.model, called.usage, self.prices))

    def _allowed(self, model: str, tokens: int) -> None:
        entries, money = self.log.spent(), dollars(model, Usage(tokens, 0), self.prices)
        spent = {"run": _of_run(entries, self.run), "day": _of_day(entries, self.clock().date())}
        more = {"calls": 1, "tokens": tokens, "dollars": money, "seconds": SHORTEST_CALL}
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
            "There is no price for this model: give one, or lift the dollar limit.", limit.setting
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
