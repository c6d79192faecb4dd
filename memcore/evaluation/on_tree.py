"""The state tree measured: what each operation is worth on the demo shop, and what it saves on recorded runs.

`ablate` shops the same seeded tasks with all of MAGE and without each part. The tasks and the policy are our
own (memcore/demo), with traps that a tree is good at: the figures show what the operations do there, not how
much they help a model elsewhere. How much Compress matters for success rests on how much of a long state the
policy takes in (READ_CHARS, 4,000): without it 40 points are lost at 2,000 characters, 22 at 3,000 and 1 at
6,000 (100 tasks). How much Revise matters rests on how many traps there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from memcore.active_state import Sizes, active_state
from memcore.demo.playing import visit
from memcore.evaluation.metrics import Values, paired
from memcore.evaluation.rows import Row
from memcore.events import TreeEvent
from memcore.execution_tree import Tree
from memcore.records import RunMark, RunStep
from memcore.settings import DEFAULT, Settings
from memcore.state_tree import replay

WITHOUT: dict[str, dict[str, bool]] = {
    "all of MAGE": {},
    "without Compress": {"tree_compress": False},
    "without Maintain": {"tree_maintain": False},
    "without Revise": {"tree_revise": False},
    "none: long context": {"tree_compress": False, "tree_maintain": False, "tree_revise": False},
}


class Played(NamedTuple):
    """What came of the tasks, one row each: success (0 or 1), tokens read, moves made, gave up (0 or 1)."""

    success: Values
    tokens: Values
    moves: Values
    gave_up: Values


class Reading(NamedTuple):
    """Tokens an agent reads over a whole run: the state before each step, and the full history before it."""

    steps: int
    state: int
    full_history: int

    @property
    def saved(self) -> float:
        """The share of the full history that need not be read, 0 for a run without any."""
        return 1 - self.state / self.full_history if self.full_history else 0.0


def ablate(seeds: int = 200, settings: Settings = DEFAULT) -> Iterator[Row]:
    """A row for all of MAGE and one for each part left out, over the tasks of the seeds 0 .. seeds - 1.

    Success in percent; tokens read in a run on average. Differences to all of MAGE are paired over the
    same tasks, with 95 % bootstrap intervals: of success in points, of tokens in percent of all of MAGE's.
    """
    whole = played(range(seeds), settings)
    for name, switched in WITHOUT.items():
        part = played(range(seeds), replace(settings, **switched)) if switched else whole
        row: Row = {"variant": name, "tasks": seeds, **_means(part)}
        if switched:
            scale = whole.tokens.mean()
            row["success minus all"] = str(paired(part.success, whole.success))
            row["tokens minus all, %"] = str(paired(part.tokens / scale, whole.tokens / scale))
        yield row


def played(seeds: Sequence[int], settings: Settings) -> Played:
    """Shop the task of every seed to its end."""
    rows: list[tuple[float, ...]] = []
    for seed in seeds:
        run = visit(seed, [], settings)
        for _ in run.events():
            pass
        gave_up = run.memory.tree.gave_up is not None
        rows.append((run.shop.success, run.read, run.moves, gave_up))
    return Played(*np.array(rows, dtype=np.float64).T)


def _means(found: Played) -> Row:
    return {
        "success": round(100 * float(found.success.mean()), 1),
        "tokens": round(float(found.tokens.mean())),
        "tokens a move": round(float(found.tokens.sum() / found.moves.sum())),
        "moves": round(float(found.moves.mean()), 1),
        "gave up": round(100 * float(found.gave_up.mean()), 1),
    }


def reading(steps: Iterable[RunStep], marks: Iterable[RunMark]) -> Reading:
    """What the agent of a stored run would have read: its tree's active state, against everything so far."""
    count = state = history = 0
    for size in sizes_before_steps(replay(steps, marks)):
        count, state, history = count + 1, state + size.total, history + size.full_history
    return Reading(count, state, history)


def sizes_before_steps(events: Iterable[TreeEvent]) -> Iterator[Sizes]:
    """The sizes of the active state that each executed step was decided on."""
    tree = Tree()
    for event in events:
        if event.kind in ("grown", "known_path"):
            yield active_state(tree).sizes
        tree.apply(event)


def reading_rows(runs: Iterable[tuple[str, Sequence[RunStep], Sequence[RunMark]]]) -> Iterator[Row]:
    """A row for each (title, steps, marks), then their totals, then those of more than 20 steps.

    The last two also give the mean share saved, each run counted once.
    """
    found: list[Reading] = []
    for title, steps, marks in runs:
        found.append(reading(steps, marks))
        yield _row(title, found[-1:])
    yield _row("all runs", found)
    yield _row("runs of more than 20 steps", [f for f in found if f.steps > 20])


def _row(title: str, found: Sequence[Reading]) -> Row:
    steps, state, history = (sum(values) for values in zip(*found, strict=True)) if found else (0, 0, 0)
    return {
        "run": title,
        "runs": len(found),
        "steps": steps,
        "state": state,
        "long context": history,
        "state a step": round(state / steps) if steps else 0,
        "long context a step": round(history / steps) if steps else 0,
        "saved %": round(100 * Reading(steps, state, history).saved, 1),
        "saved %, mean of runs": round(100 * float(np.mean([f.saved for f in found])), 1) if found else 0.0,
    }
