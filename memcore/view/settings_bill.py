"""The bill of model calls as rows: by task, model, run or day, and the eager system's beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memcore.absorbing.ledger import Ledger
from memcore.llm.budget import KEYS, Bill, By, Entry, bill

TASKS = {
    "extract": "Construction",
    "merge": "Merging into an episode",
    "consolidate": "Writing episodes",
    "refine": "Refining into facts",
    "refine_in_merge": "Refining after a merge",
    "update": "Updating memories",
    "summarise": "Summing up a subgoal",
    "verify": "Checking a subgoal",
    "read": "Reading the question",
    "choose": "Choosing paths",
    "route": "Routing",
    "enough": "Sufficiency",
    "answer": "Answering",
    "judge": "Judging answers",
    "check": "Self-test",
    "embed": "Embedding",
}
BY: dict[str, By] = {"Task": "task", "Model": "model", "Run": "run", "Day": "day"}


class Row(NamedTuple):
    """Calls together. `dollars` is without those of `unpriced` calls."""

    name: str
    calls: int
    failed: int
    sent: int
    received: int
    cached: int
    seconds: float
    dollars: float
    unpriced: int


def table(entries: Sequence[Entry], by: By, time: Callable[[datetime], str]) -> list[Row]:
    """A row for each; runs and days the newest first. A run is named by when it began and what it asked."""
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(KEYS[by](entry), []).append(entry)
    order = sorted(parts, key=lambda key: parts[key][0].at, reverse=True) if by == "run" else sorted(parts)
    rows = [_row(_name(key, by, parts[key], time), bill(parts[key])) for key in order]
    return rows[::-1] if by == "day" else rows


def eager(ledger: Ledger) -> list[Row]:
    """What a system that reads every unit with a model would have spent on what this memory holds."""
    return [
        Row(f"{TASKS[line.operation]}, every unit", line.calls, 0, line.sent, line.received, 0, 0.0, 0.0, 0)
        for line in ledger.eager
    ]


def total(rows: Iterable[Row]) -> tuple[int, int]:
    """Calls and tokens together."""
    counted = [(row.calls, row.sent + row.received) for row in rows]
    return sum(c for c, _ in counted), sum(t for _, t in counted)


def _name(key: str, by: By, entries: Sequence[Entry], time: Callable[[datetime], str]) -> str:
    if by == "task":
        return TASKS.get(key, key)
    if by != "run":
        return key
    tasks = ", ".join(dict.fromkeys(TASKS.get(e.called.task, e.called.task).lower() for e in entries))
    return f"{time(entries[0].at)}: {tasks}"


def _row(name: str, of: Bill) -> Row:
    used, seconds = of.usage, round(of.seconds, 1)
    return Row(
        name, of.calls, of.failed, used.sent, used.received, used.cached, seconds, of.dollars, of.unpriced
    )
