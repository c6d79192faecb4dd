"""Reflexion: a task tried again after each failure, with what the agent told itself in between.

A record is one run and every trial one step; what came back from a trial is the feedback of its tests and
the reflection on it. Programs: {"task_id" | "name", "prompt", "is_solved",
"reflections", "solution"}, with "implementations" and "test_feedback" where they were kept. Environments:
{"name", "memory", "is_success"}. After a failed trial the agent starts over: a boundary, a failed check
with the reflection as its note, and the way back to the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.runs.signals import UNSOLVED
from memcore.importing.shapes import compact, fingerprint, is_list, is_record, items, name, record, string

NAME = "Reflexion trials"
SAYS = 'Reflexion trials (records with "is_solved" and "reflections", or "is_success" and "memory")'
_RULE = "new_trial"


def recognises(file: RunFile) -> bool:
    """Some record tells of trials."""
    return any(_is_program(entry) or _is_environment(entry) for entry in file.document.records[:50])


def _is_program(entry: object) -> bool:
    if not is_record(entry) or not ("task_id" in entry or "name" in entry):
        return False
    return is_list(entry.get("reflections")) or ("is_solved" in entry and "solution" in entry)


def _is_environment(entry: object) -> bool:
    return is_record(entry) and is_list(entry.get("memory")) and "is_success" in entry and "name" in entry


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per record."""
    for position, entry in enumerate(file.document.records):
        where = file.document.where(position)
        if not (_is_program(entry) or _is_environment(entry)):
            report.skip(where, "a record tells of no trials")
            continue
        told = _environment(entry) if _is_environment(entry) else _program(entry)
        if told:
            yield _run(entry, told, where)
        else:
            report.skip(where, "a record holds no trial")


def _program(entry: dict[str, Any]) -> list[DraftStep]:
    """One more trial than there are reflections; the program of the last one is the solution."""
    reflections = _texts(entry.get("reflections"))
    programs, feedback = _texts(entry.get("implementations")), _texts(entry.get("test_feedback"))
    count = max(len(reflections) + 1, len(programs))
    last = string(entry.get("solution"))
    steps: list[DraftStep] = []
    for number in range(count):
        program = programs[number] if number < len(programs) else last if number == count - 1 else ""
        back = [*feedback[number : number + 1], *reflections[number : number + 1]]
        steps.append(_trial(number, program, "\n\n".join(back)))
    solved = entry.get("is_solved") is True
    return [step if solved and step is steps[-1] else _failed(step) for step in steps]


def _environment(entry: dict[str, Any]) -> list[DraftStep]:
    """Each memory was written after a failed trial; a success is one more."""
    memory = _texts(entry.get("memory"))
    steps = [_failed(_trial(number, "", reflection)) for number, reflection in enumerate(memory)]
    if entry.get("is_success") is True:
        steps.append(_trial(len(memory), "", ""))
    return steps


def _trial(number: int, program: str, observed: str) -> DraftStep:
    action = program or f"trial {number + 1} (what was done is not in the file)"
    return DraftStep(action, observed, tool="trial", parent=0, source=f"trial {number + 1}")


def _failed(step: DraftStep) -> DraftStep:
    return step._replace(signals=(*step.signals, UNSOLVED))


def _run(entry: dict[str, Any], steps: list[DraftStep], where: str) -> DraftRun:
    source = name(entry.get("task_id")) or name(entry.get("name")) or where
    task = string(entry.get("prompt"))
    solved = entry.get("is_solved") is True or entry.get("is_success") is True
    reflections = _texts(entry.get("reflections")) or _texts(entry.get("memory"))
    return DraftRun(
        source=source,
        title=f"{source}: {headline(task)}" if task else source,
        task=task,
        steps=tuple(steps),
        agent="Reflexion",
        task_id=source,
        reward=1.0 if solved else 0.0,
        outcome="solved" if solved else "not solved",
        marks=tuple(_marks(steps, reflections)),
        key=fingerprint(source, task, *(f"{step.action}\n{step.observation}" for step in steps)),
    )


def _marks(steps: list[DraftStep], reflections: list[str]) -> Iterator[DraftMark]:
    for after in range(1, len(steps)):
        note = reflections[after - 1] if after <= len(reflections) else ""
        seen = (after,)
        yield DraftMark(after, "compress", 0, f"trial {after}", rule=_RULE, evidence=seen)
        yield DraftMark(after, "maintain", 1, note=note, passed=False, target=0, rule=_RULE, evidence=seen)
        yield DraftMark(after, "revise", 2, note=note, target=0, rule=_RULE, evidence=seen)


def _texts(value: object) -> list[str]:
    return [text if isinstance(text, str) else compact(record(text) or text) for text in items(value)]
