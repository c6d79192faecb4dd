"""The cost ledger: calls and tokens by operation, beside what an eager system would have spent on the same.

Both sides are counted on the prompts that a model is sent (llm.prompts), by one estimate (tokens). Where no
model was called the numbers say what one would have cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, get_args

from memcore.records import Operation, Spent, Unit


class Line(NamedTuple):
    """One operation: calls, tokens sent and received."""

    operation: Operation
    calls: int
    sent: int
    received: int

    @property
    def tokens(self) -> int:
        return self.sent + self.received


class Ledger(NamedTuple):
    """`lines` are what recurrence spent, `eager` what reading every unit would have. Shares lie in [0, 1].

    `untouched` is the share of units that needed no call, `raw` the share that is live still, waiting
    ones included.
    """

    lines: tuple[Line, ...]
    eager: tuple[Line, ...]
    units: int
    untouched: float
    raw: float

    @property
    def tokens(self) -> int:
        return sum(line.tokens for line in self.lines)

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

    @property
    def eager_tokens(self) -> int:
        return sum(line.tokens for line in self.eager)

    @property
    def ratio(self) -> float | None:
        """Tokens of the lazy path as a share of the eager one's; None where there is nothing to compare."""
        return self.tokens / self.eager_tokens if self.eager_tokens else None


def ledger(units: Iterable[Unit]) -> Ledger:
    """The ledger of these units' decisions."""
    counted = list(units)
    spent = [s for u in counted if u.decision for s in u.decision.spent]
    called = sum(bool(u.decision and u.decision.spent) for u in counted)
    live = sum(u.state in ("live", "pending") for u in counted)
    whole = max(1, len(counted))
    eager = _lines(s for u in counted for s in u.eager)
    return Ledger(_lines(spent), eager, len(counted), 1 - called / whole, live / whole)


def _lines(spent: Iterable[Spent]) -> tuple[Line, ...]:
    sums: dict[Operation, tuple[int, int, int]] = {}
    for s in spent:
        calls, sent, received = sums.get(s.operation, (0, 0, 0))
        sums[s.operation] = (calls + 1, sent + s.sent, received + s.received)
    return tuple(Line(o, *sums[o]) for o in get_args(Operation) if o in sums)
