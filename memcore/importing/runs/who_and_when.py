"""Who&When: failed runs of several agents, {"question", "history", "mistake_agent", "mistake_step", ...}.

Every message of "history" is one step, so that the label (an index from 0, written as a string) names
the step at the position after it. The speaker is the tool; what a terminal prints is an observation
without an action. The labelled step keeps the signal "labelled_mistake", the reason is the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcore.importing.runs.draft import DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.runs.signals import LABELLED
from memcore.importing.shapes import compact, fingerprint, is_list, is_record, name, record, string

NAME = "Who&When run"
SAYS = 'a Who&When run ("history" with "mistake_step" and "mistake_agent")'
_TERMINALS = frozenset(("Computer_terminal", "ComputerTerminal"))


def recognises(file: RunFile) -> bool:
    """Some record has a history and a labelled mistake."""
    return any(_is_run(entry) for entry in file.document.records[:50])


def _is_run(entry: object) -> bool:
    return is_record(entry) and is_list(entry.get("history")) and "mistake_step" in entry


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per record."""
    for position, entry in enumerate(file.document.records):
        where = file.document.where(position)
        if _is_run(entry):
            yield _run(entry, where, report)
        else:
            report.skip(where, "a record is not a run with a labelled mistake")


def _run(entry: dict[str, Any], where: str, report: RunReport) -> DraftRun:
    steps, places = _steps(entry["history"], where, report)
    labelled = _label(entry, places, report)
    if labelled is not None:
        steps[labelled - 1] = steps[labelled - 1]._replace(signals=(LABELLED,))
    question = string(entry.get("question"))
    source = name(entry.get("question_ID")) or name(entry.get("question_id")) or where
    return DraftRun(
        source=source,
        title=headline(question) or source,
        task=question or (steps[0].action if steps else ""),
        steps=tuple(steps),
        task_id=source,
        outcome=_outcome(entry, labelled),
        wrong_step=labelled,
        key=fingerprint(source, *(f"{step.tool}\n{step.action}\n{step.observation}" for step in steps)),
    )


def _steps(history: list[Any], where: str, report: RunReport) -> tuple[list[DraftStep], dict[int, int]]:
    """The steps, and the position of each by its index in the file."""
    steps: list[DraftStep] = []
    places: dict[int, int] = {}
    for index, message in enumerate(history):
        if not is_record(message):
            report.skip(f"{where}, message {index + 1}", "a message is not a record")
            continue
        content = message.get("content")
        text = content if isinstance(content, str) else compact(content or "")
        speaker = name(message.get("name")) or name(message.get("role"))
        printed = speaker in _TERMINALS
        step = DraftStep(action="" if printed else text, observation=text if printed else "", tool=speaker)
        steps.append(step._replace(source=str(index)))
        places[index] = len(steps)
    return steps, places


def _label(entry: dict[str, Any], places: dict[int, int], report: RunReport) -> int | None:
    said = name(entry.get("mistake_step"))
    try:
        place = places.get(int(said))
    except ValueError:
        place = None
    if place is None:
        report.warn("a label names no message of its history")
    return place


def _outcome(entry: dict[str, Any], labelled: int | None) -> str:
    """Who went wrong where and why, and the right answer, in words."""
    who, why = string(entry.get("mistake_agent")), string(entry.get("mistake_reason"))
    step = f" at step {labelled}" if labelled else ""
    told = [f"mistake{f' of {who}' if who else ''}{step}{f': {why}' if why else ''}"]
    if answer := name(entry.get("ground_truth")) or compact(record(entry).get("ground_truth") or ""):
        told.append(f"right answer: {answer}")
    return "\n".join(told)
