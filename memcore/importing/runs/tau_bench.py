"""tau-bench logs: a list of {"task_id", "trial", "reward", "info", "traj"}, traj being OpenAI messages.

The task is the instruction that the simulated user follows and the user's first message. Runs of one
task differ in "trial"; a reward below one is the failure of the last step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcore.importing.runs.chat import read_message
from memcore.importing.runs.collecting import Collecting
from memcore.importing.runs.draft import DraftRun, amount, headline, whole
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string

NAME = "tau-bench log"
SAYS = 'a tau-bench log (runs with "traj", "task_id" and "reward")'


def recognises(file: RunFile) -> bool:
    """Some record is such a run."""
    return any(_is_run(entry) for entry in file.document.records[:50])


def _is_run(entry: object) -> bool:
    return is_record(entry) and is_list(entry.get("traj")) and ("task_id" in entry or "reward" in entry)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per record, in the order of the file."""
    for position, entry in enumerate(file.document.records):
        where = file.document.where(position)
        if _is_run(entry):
            yield _run(entry, where, report)
        else:
            report.skip(where, "a record is not a run with its messages")


def _run(entry: dict[str, Any], where: str, report: RunReport) -> DraftRun:
    collecting = Collecting(report)
    for position, message in enumerate(items(entry.get("traj"))):
        read_message(message, collecting, report, f"{where}, message {position + 1}")
    info = record(entry.get("info"))
    instruction = string(record(info.get("task")).get("instruction"))
    task = "\n\n".join(text for text in (instruction, collecting.task) if text)
    task_id, trial = name(entry.get("task_id")), entry.get("trial")
    reward = amount(entry.get("reward"))
    title = f"task {task_id or '?'}, trial {name(trial) or '?'}"
    steps = collecting.finish()
    return DraftRun(
        source=title,
        title=f"{title}: {headline(instruction or task)}" if task else title,
        task=task,
        steps=steps,
        task_id=task_id,
        trial=whole(trial),
        reward=reward,
        outcome="" if reward is None else ("solved" if reward >= 1 else "not solved"),
        key=fingerprint(title, task, *(f"{step.action}\n{step.observation}" for step in steps)),
    )
