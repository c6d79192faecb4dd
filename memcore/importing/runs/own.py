"""Our own JSONL for agent runs: a header line, then a line per step and per mark, in the order they happened.

    {"format": "memcore.run", "run": "r1", "task": "Book two seats.", "agent": "demo", "reward": 1}
    {"step": 1, "action": "search(seats)", "observation": "3 free", "tool": "search", "thought": "First ..."}
    {"step": 2, "action": "book(7A)", "observation": "taken", "signals": ["is_error"], "at": "2025-03-01"}
    {"mark": "compress", "after": 2, "summary": "7A is taken."}
    {"mark": "revise", "after": 2, "target": 0, "note": "Look at the plan of the plane first."}

Header: "format" is required. Optional: "run" (its name, unique in the file), "title", "task", "agent",
"model", "task_id", "trial" (a whole number), "reward", "outcome", "started", and for the run of a
subagent "parent_run" and "parent_step". Step: "action" is required; optional are "observation",
"thought", "tool", "parent" (the number of the step it follows; 0 is the start), "signals" (a list of
codes, see signals), "at" (ISO 8601) and "id". "step" is the step's number and may be left out: lines
count from 1. Mark: "mark" is compress, maintain or revise; "after" is the step it comes after (the last
one where left out); "summary", "note", "passed", "target", "rule" and "evidence" are those of a RunMark.
A file may hold several runs one after the other, each with its header.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from memcore.importing.runs.collecting import NO_RESULT
from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep, amount, headline, whole
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import fingerprint, is_record, items, name, record, string
from memcore.importing.times import moment
from memcore.records import UNKNOWN, Moment

NAME = "memcore run JSONL"
SAYS = 'our own JSONL of runs (a header {"format": "memcore.run"}, then lines with "action" or "mark")'
FORMAT = "memcore.run"
_ACTIONS: dict[str, Literal["compress", "maintain", "revise"]] = {
    "compress": "compress",
    "maintain": "maintain",
    "revise": "revise",
}


@dataclass
class _Open:
    """A run that is being read: its header, steps, marks, and the file's own number of each step."""

    header: dict[str, Any]
    steps: list[DraftStep] = field(default_factory=list[DraftStep])
    marks: list[DraftMark] = field(default_factory=list[DraftMark])
    numbers: dict[int, int] = field(default_factory=lambda: {0: 0})


def recognises(file: RunFile) -> bool:
    """Some record is our header."""
    return any(is_record(entry) and entry.get("format") == FORMAT for entry in file.document.records)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """The runs of the file; those with a parent are nested in it."""
    runs: list[_Open] = []
    for position, entry in enumerate(file.document.records):
        where = file.document.where(position)
        if not is_record(entry):
            report.skip(where, "a line is not a record")
        elif entry.get("format") == FORMAT:
            runs.append(_Open(entry))
        elif not runs:
            report.skip(where, "a line stands before the first header")
        else:
            _read_line(entry, runs[-1], where, report)
    drafts = [_run(each, number) for number, each in enumerate(runs, start=1)]
    yield from _nested(drafts, [name(each.header.get("parent_run")) for each in runs])


def _nested(drafts: list[DraftRun], parents: list[str]) -> Iterator[DraftRun]:
    """Every run of a subagent inside the one before it in the file that it names; else on its own."""
    places = {draft.source: place for place, draft in reversed(list(enumerate(drafts)))}
    below = [places.get(parent) for parent in parents]
    for place in range(len(drafts) - 1, -1, -1):
        above = below[place]
        if above is not None and above < place:
            nested = drafts[place]
            drafts[above] = drafts[above]._replace(nested=(nested, *drafts[above].nested))
        else:
            below[place] = None
    yield from (draft for draft, above in zip(drafts, below, strict=True) if above is None)


def _read_line(entry: dict[str, Any], into: _Open, where: str, report: RunReport) -> None:
    if "mark" in entry:
        mark = _mark(entry, into)
        if mark is None:
            report.skip(where, "a mark is of no known kind, or names a step that is not there")
        else:
            into.marks.append(mark)
    elif isinstance(entry.get("action"), str) or isinstance(entry.get("observation"), str):
        number = entry.get("step")
        into.steps.append(_step(entry, into, report))
        into.numbers[number if isinstance(number, int) else len(into.steps)] = len(into.steps)
    else:
        report.skip(where, 'a line has neither "action" nor "mark"')


def _step(entry: dict[str, Any], into: _Open, report: RunReport) -> DraftStep:
    signals = tuple(text for text in map(string, items(entry.get("signals"))) if text)
    missing = "observation" in entry and entry["observation"] is None
    return DraftStep(
        action=string(entry.get("action")),
        observation=string(entry.get("observation")),
        thought=string(entry.get("thought")),
        tool=name(entry.get("tool")),
        parent=_place(entry.get("parent"), into),
        signals=(*signals, NO_RESULT) if missing and not signals else signals,
        source=name(entry.get("id")),
        said=report.time(entry.get("at")),
    )


def _mark(entry: dict[str, Any], into: _Open) -> DraftMark | None:
    action = _ACTIONS.get(string(entry.get("mark")))
    after = _place(entry.get("after"), into) if "after" in entry else len(into.steps)
    target = _place(entry.get("target"), into)
    if action is None or after is None or (action == "revise" and target is None):
        return None
    evidence = (_place(step, into) for step in items(entry.get("evidence")))
    return DraftMark(
        after=after,
        action=action,
        rank=sum(mark.after == after for mark in into.marks),
        summary=string(entry.get("summary")),
        note=string(entry.get("note")),
        passed=entry.get("passed") is not False,
        target=target,
        rule=name(entry.get("rule")) or "agent",
        evidence=tuple(step for step in evidence if step is not None),
    )


def _place(number: object, into: _Open) -> int | None:
    """The position of the step with this number; None where there is none (yet)."""
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return into.numbers.get(number)


def _run(found: _Open, number: int) -> DraftRun:
    header = found.header
    task = string(header.get("task"))
    source = name(header.get("run")) or name(header.get("id")) or f"run {number}"
    begins = [f"{step.action}\n{step.observation}" for step in found.steps[:1]]
    return DraftRun(
        source=source,
        title=string(header.get("title")).strip() or headline(task) or source,
        task=task,
        steps=tuple(found.steps),
        agent=name(header.get("agent")),
        model=name(header.get("model")),
        task_id=name(header.get("task_id")),
        trial=whole(header.get("trial")),
        reward=amount(header.get("reward")),
        outcome=string(header.get("outcome")),
        started=_started(header, found.steps),
        marks=tuple(found.marks),
        parent_step=whole(header.get("parent_step")),
        key=fingerprint(source, name(record(header).get("started")), task, *begins),
    )


def _started(header: dict[str, Any], steps: list[DraftStep]) -> Moment:
    stated = moment(header.get("started"))
    return stated if stated.known else next((step.said for step in steps if step.said.known), UNKNOWN)
