# pyright: basic
"""What is asked of a scope about agent runs: the runs, their steps and their marks."""

from __future__ import annotations

from typing import TypeVar

from memcore.records import AgentRun, RunMark, RunStep
from memcore.store.readable import Readable
from memcore.store.tables import is_id

_Part = TypeVar("_Part", RunStep, RunMark)


class RunRecords(Readable):
    """The part of a `Scope` that holds runs."""

    def agent_runs(self) -> list[AgentRun]:
        """All runs in the order in which they were written."""
        return self._all(AgentRun, order=("made", "name"))

    def run_steps(self, run_id: str) -> list[RunStep]:
        """The steps of a run, by position."""
        return sorted(self._of_run(RunStep, run_id), key=lambda step: step.position)

    def run_marks(self, run_id: str) -> list[RunMark]:
        """The marks of a run, in their order."""
        return sorted(self._of_run(RunMark, run_id), key=lambda m: (m.after, m.rank, m.id))

    def _of_run(self, record_class: type[_Part], run_id: str) -> list[_Part]:
        return self._all(record_class, f"conversation_id = '{run_id}'") if is_id(run_id) else []
