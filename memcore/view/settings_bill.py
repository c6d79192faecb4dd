"""The bill of model calls as rows: by task, model, run or day, and the eager system's beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from memcore.llm.budget import KEYS, Bill, By, bill
from memcore.llm.call_log import Entry
from memcore.models.costing import Cost
from memcore.view.model_calls import money
from memcore.view.naming import counted, listed

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
    """A row for each; runs and days the newest first. A run is named by when it began and its first task."""
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(KEYS[by](entry), []).append(entry)
    order = sorted(parts, key=lambda key: parts[key][0].at, reverse=True) if by == "run" else sorted(parts)
    rows = [_row(_name(key, by, parts[key], time), bill(parts[key])) for key in order]
    return rows[::-1] if by == "day" else rows


def eager_rows(eager: Cost) -> list[Row]:
    """What a system that reads every unit with a model would have spent on what this memory holds."""
    return [
        Row(
            f"{TASKS[line.task]}, every unit", line.calls, 0, line.sent, line.received, 0, 0.0,
            line.dollars or 0.0, line.calls if line.dollars is None else 0,
        )
        for line in eager.lines
    ]  # fmt: skip


def beside(eager: Cost, lazy: Cost) -> str:
    """Both in the same units, as sentences: calls, tokens, and dollars by the same prices."""
    models = listed(dict.fromkeys(line.model for line in eager.lines))
    return (
        f"Reading every unit with a model would have taken {_taken(eager)}, by an estimate on the same "
        f"prompts. Recurrence took {_taken(lazy)}, estimated where rules wrote. The dollars are those of "
        f"{models}, by the prices of {eager.prices_read_in}."
    )


def _taken(cost: Cost) -> str:
    dollars = "an unknown sum of dollars" if cost.dollars is None else money(cost.dollars)
    return listed((counted(cost.calls, "call"), counted(cost.tokens, "token"), dollars))


def _name(key: str, by: By, entries: Sequence[Entry], time: Callable[[datetime], str]) -> str:
    if by == "task":
        return TASKS.get(key, key)
    if by != "run":
        return key
    first, *others = dict.fromkeys(TASKS.get(e.called.task, e.called.task).lower() for e in entries)
    more = f" and {len(others):,} more" if others else ""
    return f"{time(entries[0].at)}: {first}{more}"


def _row(name: str, of: Bill) -> Row:
    used, seconds = of.usage, round(of.seconds, 1)
    return Row(
        name, of.calls, of.failed, used.sent, used.received, used.cached, seconds, of.dollars, of.unpriced
    )
