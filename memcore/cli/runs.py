"""`memcore runs`: bring agent runs in, list them, and show one as the outline of its state tree."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit

if TYPE_CHECKING:
    from memcore.agent_runs import WholeRun
    from memcore.memory import Memory
    from memcore.settings import Settings

SHOWN = 90  # characters of a step or summary in the outline


def arguments(command: argparse.ArgumentParser) -> None:
    """What can be said to it."""
    command.add_argument("action", choices=("import", "list", "show"))
    command.add_argument("of", nargs="*", metavar="PATH or ID", help="files to import, or the run to show")


def some_can_be_read(paths: Sequence[str]) -> None:
    """Raises InputError when none is named, or none can be imported: then no memory is made either."""
    from memcore.cli import importing
    from memcore.errors import InputError
    from memcore.importing.runs.registry import read_runs

    if not paths:
        raise InputError("Name the files to import: memcore runs import PATH.")
    importing.some_can_be_read(paths, read_runs)


def bring_in(memory: Memory, paths: Sequence[str], emit: Emit) -> int:
    """Import files of runs, a report for each. Raises InputError for the only one that cannot be read."""
    from memcore.importing.runs.report import RunFileReport

    failed = False
    for path in paths:
        for step in memory.runs.import_path(path):
            if isinstance(step, RunFileReport):
                failed |= not step.format
                emit(step.as_dict(), _report_lines(step))
    return int(failed)


def runs(memory: Memory, action: str, of: Sequence[str], emit: Emit) -> int:
    """List all runs, or show one. Raises NotFound, InputError when none is named."""
    from memcore.errors import InputError

    if action == "list":
        for run in memory.runs.all():
            reward = "" if run.reward is None else f"  reward {run.reward:g}"
            emit(asdict(run), [f"{run.id}  {run.steps:5,} steps{reward}  {run.title[:SHOWN]}"])
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


def _report_lines(report: Any) -> list[str]:
    from memcore.view.naming import counted

    if not report.format:
        return [f"{report.name}: {'; '.join(report.warnings)}"]
    head = (
        f"{report.name}: {report.format}, {counted(report.runs, 'run')}, "
        f"{counted(report.steps_read, 'step')} read, {report.steps_written:,} written, "
        f"{counted(report.runs_known, 'run')} known already"
        + (f", {report.held_back:,} held back because they were erased" if report.held_back else "")
    )
    skipped = [f"  skipped {s.count:,}: {s.why} (first: {s.first_where})" for s in report.skipped]
    return [head, *skipped, *(f"  note: {w}" for w in report.warnings)]
