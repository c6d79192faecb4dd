"""Drafts become records: random ids, positions, and which run started which."""

from __future__ import annotations

from typing import NamedTuple

from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep
from memcore.records import AgentRun, RunMark, RunStep, new_id


class RunRecords(NamedTuple):
    """A run with its steps and marks, and the records of the runs nested in it.

    `identity` is what makes it the same run when it is imported again; a writer hashes it.
    """

    run: AgentRun
    steps: list[RunStep]
    marks: list[RunMark]
    nested: list[RunRecords]
    identity: str


def records_of(draft: DraftRun, file_id: str, parent_run: str = "") -> RunRecords:
    """The records of one draft. The run of a subagent names the run and the step that started it."""
    run = AgentRun(
        id=new_id(),
        file_id=file_id,
        title=draft.title,
        source=draft.source,
        task=draft.task,
        agent=draft.agent,
        model=draft.model,
        task_id=draft.task_id,
        trial=draft.trial,
        reward=draft.reward,
        outcome=draft.outcome,
        steps=len(draft.steps),
        started=draft.started,
        parent_run=parent_run,
        parent_step=draft.parent_step,
    )
    return RunRecords(
        run=run,
        steps=[_step(step, position, run.id) for position, step in enumerate(draft.steps, start=1)],
        marks=[_mark(mark, run.id) for mark in draft.marks],
        nested=[records_of(nested, file_id, run.id) for nested in draft.nested],
        identity=draft.identity,
    )


def flat(found: RunRecords) -> list[RunRecords]:
    """The run and all that are nested in it, each above the ones it started."""
    return [found, *(below for nested in found.nested for below in flat(nested))]


def _step(step: DraftStep, position: int, run_id: str) -> RunStep:
    return RunStep(
        id=new_id(),
        run_id=run_id,
        position=position,
        action=step.action,
        observation=step.observation,
        thought=step.thought,
        tool=step.tool,
        parent=step.parent,
        signals=step.signals,
        source=step.source,
        said=step.said,
    )


def _mark(mark: DraftMark, run_id: str) -> RunMark:
    return RunMark(
        id=new_id(),
        run_id=run_id,
        after=mark.after,
        action=mark.action,
        rank=mark.rank,
        summary=mark.summary,
        note=mark.note,
        passed=mark.passed,
        target=mark.target,
        rule=mark.rule,
        evidence=mark.evidence,
        made_by="raw",
    )
