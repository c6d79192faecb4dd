"""MAGE: what is stored of an agent run, its steps verbatim and the marks between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memcore.records.basics import UNKNOWN, MadeBy, Moment


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One agent run over one task, its own or recorded. `source` is the format's own name for it.

    `task_id` and `trial` make runs of the same task comparable. `reward` is the format's own score, None
    where it has none. A subagent's run names the run and the position of the step that started it.
    """

    id: str
    file_id: str
    title: str
    source: str
    task: str
    agent: str = ""
    model: str = ""
    task_id: str = ""
    trial: int | None = None
    reward: float | None = None
    outcome: str = ""
    steps: int = 0
    started: Moment = UNKNOWN
    parent_run: str = ""
    parent_step: int | None = None
    revision: int = 1
    kind: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class RunStep:
    """One executed step of an agent run, verbatim: MAGE's (action, observation) pair.

    `position` counts the steps of a run from 1; 0 is the start. `parent` is the position of the step it
    follows where the source says so (search trees); None means the one before it. `signals` are
    reason codes for why it may have failed. `thought` is what the agent said to itself before it acted.
    """

    id: str
    run_id: str
    position: int
    action: str
    observation: str
    thought: str = ""
    tool: str = ""
    parent: int | None = None
    signals: tuple[str, ...] = ()
    source: str = ""
    said: Moment = UNKNOWN
    sensitivity: int = 0
    revision: int = 1
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True)
class RunMark:
    """A turn in a run that is no step: a subgoal was declared done (compress), checked (maintain), or the
    agent went back (revise). It comes after the step at position `after`, in the order of `rank`.

    `summary` and `note` are a subgoal's; `target` is the step gone back to; `rule` names what made the
    mark ("agent", "person" or a detector), `evidence` the steps it was read from. `dropped`: a person does
    not want it.
    """

    id: str
    run_id: str
    after: int
    action: Literal["compress", "maintain", "revise"]
    rank: int = 0
    summary: str = ""
    note: str = ""
    passed: bool = True
    target: int | None = None
    rule: str = "agent"
    evidence: tuple[int, ...] = ()
    made_by: MadeBy = "rule"
    dropped: bool = False
    revision: int = 1
    kind: Literal["mark"] = "mark"
