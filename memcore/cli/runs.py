"""`memcore runs`: agent runs listed, and one shown as the outline of its state tree."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit
from memcore.cli.parsing import verbs

if TYPE_CHECKING:
    from memcore.agent_runs import WholeRun
    from memcore.memory import Memory
    from memcore.settings import Settings

SHOWN = 90  # characters of a step or summary in the outline


def arguments(command: argparse.ArgumentParser) -> None:
    """What can be said to it."""
    verbs(
        command,
        {
            "import": "bring in files or folders of agent runs",
            "list": "all runs, with their ids",
            "show": "one run, the outline of its state tree",
        },
    )
    command.add_argument("of", nargs="*", metavar="PATH or ID", help="files to import, or the run to show")


def runs(memory: Memory, action: str, of: Sequence[str], emit: Emit) -> int:
    """List all runs, or show one. Raises NotFound, InputError when none is named."""
    from memcore.errors import InputError
    from memcore.view.naming import counted

    if action == "list":
        for run in memory.runs.all():
            reward = "" if run.reward is None else f"  reward {run.reward:g}"
            emit(asdict(run), [f"{run.id}  {counted(run.steps, 'step'):>11}{reward}  {run.title[:SHOWN]}"])
        return 0
    if not of:
        raise InputError("Name the run: memcore runs show ID (memcore runs list shows them).")
    whole = memory.runs.get(of[0])
    emit(_as_dict(whole), list(_outline(whole, memory.settings)))
    return 0


def _as_dict(whole: WholeRun) -> dict[str, Any]:
    from memcore.events import dump

    return {**asdict(whole.run), "log": [dump(event) for event in whole.events()]}


def _outline(whole: WholeRun, settings: Settings) -> Iterator[str]:
    """Every subgoal with what it covers, in the order of the run; what was left is marked."""
    from memcore.active_state import active_state
    from memcore.execution_tree import fold
    from memcore.view.naming import counted

    tree = fold(whole.events())
    marks = {m.id: m for m in whole.marks}
    active = set(tree.path())
    steps, subgoals = counted(whole.run.steps, "step"), counted(len(tree.subgoals) - 1, "subgoal")
    yield f"{whole.run.title}: {steps}, {subgoals}"
    for number, subgoal in sorted(tree.subgoals.items())[1:]:
        mark = marks.get(subgoal.record)
        told = " ".join((mark.summary if mark else "").split())[:SHOWN]
        state = "" if number in active else "left    " if subgoal.passed is not False else "failed  "
        yield f"  {state}steps {subgoal.covers[0]}-{subgoal.covers[-1]} ({subgoal.rule}): {told}"
    sizes = active_state(tree, settings).sizes
    yield f"The agent sees {counted(sizes.total, 'token')}; all steps are {sizes.full_history:,}."
