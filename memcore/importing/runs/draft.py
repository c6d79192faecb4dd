"""What a reader of agent runs yields: runs, steps and marks as the file tells them.

A step is one action of the agent and what came back: a tool call with its result, a command with its
output, a message with the reply to it. Text is verbatim and whole. Ids are the format's own;
`records` gives random ones.
"""

from __future__ import annotations

from math import isfinite
from typing import Literal, NamedTuple

from memcore.records import UNKNOWN, Moment

MOST = 10**9  # nothing of a run is counted further


class DraftStep(NamedTuple):
    """One executed step: (action, observation), and what the agent said to itself before it.

    `parent` is the position (from 1; 0 is the start) of the step it follows where the file is a tree.
    `signals` are reason codes for why it may have failed (see signals). `source` is the format's own id.
    """

    action: str
    observation: str = ""
    thought: str = ""
    tool: str = ""
    parent: int | None = None
    signals: tuple[str, ...] = ()
    source: str = ""
    said: Moment = UNKNOWN


class DraftMark(NamedTuple):
    """A boundary, a check or a step back that the file itself records after the step `after`."""

    after: int
    action: Literal["compress", "maintain", "revise"]
    rank: int = 0
    summary: str = ""
    note: str = ""
    passed: bool = True
    target: int | None = None
    rule: str = "agent"
    evidence: tuple[int, ...] = ()


class DraftRun(NamedTuple):
    """One run over one task with its steps in order, and the runs of its subagents below it.

    `source` is the format's own name for it; `key`, where given, stands for it in the identity.
    `parent_step` is the position of the step of the run above that started this one, None where the
    file does not say. `wrong_step` is the position of the step a person labelled as the mistake.
    """

    source: str
    title: str
    task: str
    steps: tuple[DraftStep, ...]
    agent: str = ""
    model: str = ""
    task_id: str = ""
    trial: int | None = None
    reward: float | None = None
    outcome: str = ""
    started: Moment = UNKNOWN
    marks: tuple[DraftMark, ...] = ()
    nested: tuple[DraftRun, ...] = ()
    parent_step: int | None = None
    wrong_step: int | None = None
    key: str = ""

    @property
    def identity(self) -> str:
        """Unique within its format; the same at the next import."""
        return self.key or self.source


def headline(text: str, limit: int = 60) -> str:
    """The first line of a task, at most `limit` characters, for a title."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def amount(value: object) -> float | None:
    """A score; None for what is none, and for what no float holds."""
    if not isinstance(value, int | float):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def whole(value: object) -> int | None:
    """A trial or the number of a step; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
        return None
    return value


def all_runs(run: DraftRun) -> list[DraftRun]:
    """The run and every run nested in it, in order."""
    return [run, *(below for nested in run.nested for below in all_runs(nested))]
