"""Runs of ReAct agents written down as text, as Reflexion keeps them: a question, then numbered lines.

    Question: Which of the two is older?
    Thought 1: I look both up.
    Action 1: Search[the first]
    Observation 1: It was founded in 1901.

"Context:" may stand before the question; "Answer is CORRECT" and "Correct answer:" end a run. Sections
begin with "BEGIN TRIAL n". Each trial of a question is a run of the same task; a log that repeats earlier
trials is read once. The reflections that a later trial is given stand in its question and are its task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memcore.importing.runs.draft import DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import fingerprint

NAME = "ReAct log"
SAYS = 'a ReAct log as text ("Question:", then lines of "Thought", "Action" and "Observation")'
_BEGINS = re.compile(r"(?:Question|Context): ?")
_PART = re.compile(r"(Thought|Action|Observation)(?: \d+)?: ?")
_TRIAL = re.compile(r"BEGIN TRIAL (\d{1,6})")
_BETWEEN = re.compile(r"#{8,}|Trial summary:|-{4,} BEGIN \w+ AGENTS -{4,}|BEGIN TRIAL \d+")
_QUESTION = re.compile(r"Question: ?(.*)")
_AGAIN = "You have attempted to answer following question before"  # what Reflexion writes behind it
_TOOL = re.compile(r"\s*([A-Za-z_]\w{0,30})\[")


@dataclass
class _Block:
    """The lines of one run, sorted into its parts."""

    trial: int | None
    where: str
    task: list[str] = field(default_factory=list[str])
    steps: list[dict[str, list[str]]] = field(default_factory=list[dict[str, list[str]]])
    answer: str = ""


def recognises(file: RunFile) -> bool:
    """A question, an action and an observation stand at the beginning of lines."""
    lines = file.text.splitlines()
    found = {part.group(1) for line in lines if (part := _PART.match(line))}
    return {"Action", "Observation"} <= found and any(_BEGINS.match(line) for line in lines)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per question and trial, in the order of the file."""
    for block in _blocks(file.text):
        if block.steps:
            yield _run(block)
        else:
            report.skip(block.where, "a question has no action")


def _blocks(text: str) -> Iterator[_Block]:
    """The runs of the log; what stands between them is left out."""
    block: _Block | None = None
    part = ""
    trial: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if _BETWEEN.match(line):
            if block:
                yield block
            section = _TRIAL.match(line)
            block, trial = None, int(section.group(1)) if section else trial
        elif _BEGINS.match(line) and (block is None or block.steps):
            if block:
                yield block
            block, part = _Block(trial, f"line {number}", [line]), "task"
        elif block:
            part = _add(block, line, part)
    if block:
        yield block


def _add(block: _Block, line: str, part: str) -> str:
    """Adds a line to the part that it begins or goes on with, and says which one that is."""
    if line.startswith("Correct answer:"):
        block.answer = line.removeprefix("Correct answer:").strip()
        return "end"
    if begins := _PART.match(line):
        part = begins.group(1)
        if not block.steps or part in block.steps[-1] or (part == "Thought" and "Action" in block.steps[-1]):
            block.steps.append({})
        block.steps[-1][part] = [line[begins.end() :]]
    elif part == "task":
        block.task.append(line)
    elif part in ("Thought", "Action", "Observation"):
        block.steps[-1][part].append(line)
    return part


def _run(block: _Block) -> DraftRun:
    task = "\n".join(block.task).strip()
    asked = _QUESTION.search(task)
    question = (asked.group(1) if asked else task).split(_AGAIN)[0].strip()
    steps = [_step(parts) for parts in block.steps]
    last = steps[-1].observation
    reward = 0.0 if "Answer is INCORRECT" in last else 1.0 if "Answer is CORRECT" in last else None
    if reward is None:
        steps[-1] = steps[-1]._replace(signals=("aborted",))
    outcome = {None: "halted", 0.0: "not solved", 1.0: "solved"}[reward]
    return DraftRun(
        source=f"{question}, trial {block.trial}" if block.trial else question,
        title=f"{headline(question)} (trial {block.trial})" if block.trial else headline(question),
        task=task,
        steps=tuple(steps),
        agent="ReAct",
        task_id=question,
        trial=block.trial,
        reward=reward,
        outcome=f"{outcome}\nright answer: {block.answer}" if block.answer else outcome,
        key=fingerprint(task, *(f"{step.action}\n{step.observation}" for step in steps)),
    )


def _step(parts: dict[str, list[str]]) -> DraftStep:
    texts = {name: "\n".join(lines).strip() for name, lines in parts.items()}
    action = texts.get("Action", "")
    tool = _TOOL.match(action)
    return DraftStep(
        action, texts.get("Observation", ""), texts.get("Thought", ""), tool.group(1) if tool else ""
    )
