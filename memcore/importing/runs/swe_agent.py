"""SWE-agent trajectories: {"environment", "trajectory", "history", "info"}; every entry is one step.

The task is the first message of the user that is no demonstration. Demonstrations stand in "history"
only and are no steps. The state after a step is no part of its observation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memcore.importing.runs.draft import DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import compact, fingerprint, is_list, is_record, items, name, record, string

NAME = "SWE-agent trajectory"
SAYS = 'a SWE-agent trajectory ("trajectory" of {"action", "observation"}, with "history" or "info")'


def recognises(file: RunFile) -> bool:
    """Some record has a trajectory whose entries have an action and an observation."""
    return any(_is_run(entry) for entry in file.document.records[:50])


def _is_run(entry: object) -> bool:
    if not is_record(entry) or not is_list(entry.get("trajectory")):
        return False
    seen = entry["trajectory"][:20]
    if not seen:
        return "history" in entry and "info" in entry
    return any(is_record(step) and "action" in step and "observation" in step for step in seen)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per record."""
    for position, entry in enumerate(file.document.records):
        if _is_run(entry):
            yield _run(entry, file.document.name, report)
        else:
            report.skip(file.document.where(position), "a record is not a run with its trajectory")


def _run(entry: dict[str, Any], called: str, report: RunReport) -> DraftRun:
    steps = tuple(_steps(entry, report))
    task = _task(entry, report)
    config = record(_config(entry.get("replay_config")))
    about = record(config.get("problem_statement"))
    agent = record(config.get("agent"))
    source = (
        name(about.get("id")) or name(entry.get("instance_id")) or name(entry.get("environment")) or called
    )
    status = name(record(entry.get("info")).get("exit_status"))
    return DraftRun(
        source=source,
        title=f"{called.removesuffix('.traj')}: {headline(task)}" if task else called,
        task=task,
        steps=_ended(steps, status),
        agent=name(agent.get("name")),
        model=name(record(agent.get("model")).get("name")),
        task_id=name(about.get("id")) or name(entry.get("instance_id")),
        outcome=status,
        key=fingerprint(source, task, *(f"{step.action}\n{step.observation}" for step in steps)),
    )


def _steps(entry: dict[str, Any], report: RunReport) -> Iterator[DraftStep]:
    for position, step in enumerate(entry["trajectory"]):
        if not is_record(step):
            report.skip(f"step {position + 1}", "a step is not a record")
            continue
        action, thought = string(step.get("action")), string(step.get("thought"))
        yield DraftStep(
            action=action,
            observation=_text(step.get("observation")),
            thought=thought or string(step.get("response")),
            tool=(action.split(maxsplit=1) or [""])[0],
            source=str(position + 1),
        )


def _ended(steps: tuple[DraftStep, ...], status: str) -> tuple[DraftStep, ...]:
    """A run that ended otherwise than by submitting was cut off at its last step."""
    if not steps or not status or status.startswith("submitted"):
        return steps
    return (*steps[:-1], steps[-1]._replace(signals=(*steps[-1].signals, "aborted")))


def _task(entry: dict[str, Any], report: RunReport) -> str:
    asked = ""
    for message in items(entry.get("history")):
        said = record(message)
        if said.get("is_demo"):
            report.warn("a demonstration is not a step and was left out")
        elif said.get("role") == "user" and not asked:
            asked = _text(said.get("content"))
    return asked


def _text(content: object) -> str:
    """Text, or the texts of a list of blocks; anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = [string(record(block).get("text")) or string(block) for block in items(content)]
    return "\n".join(text for text in texts if text) if texts else compact(content)


def _config(value: object) -> object:
    """The configuration is an object, or JSON written into a string."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
