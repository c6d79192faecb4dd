# pyright: basic
"""What is asked of a scope about agent runs: the runs, their steps and their marks."""

from __future__ import annotations

from memcore.records import AgentRun, Record, RunMark, RunStep
from memcore.store.readable import Readable
from memcore.store.rows import from_rows
from memcore.store.tables import is_id


class RunRecords(Readable):
    """The part of a `Scope` that holds runs."""

    def agent_runs(self) -> list[AgentRun]:
        """All runs in the order in which they were written."""
        rows = self._rows("kind = 'run'", "made").sort_by([("made", "ascending"), ("name", "ascending")])
        return [r for r in from_rows(rows) if isinstance(r, AgentRun)]

    def run_steps(self, run_id: str) -> list[RunStep]:
        """The steps of a run, by position."""
        found = self._of_run("step", run_id)
        return sorted((r for r in found if isinstance(r, RunStep)), key=lambda step: step.position)

    def run_marks(self, run_id: str) -> list[RunMark]:
        """The marks of a run, in their order."""
        found = self._of_run("mark", run_id)
        return sorted((r for r in found if isinstance(r, RunMark)), key=lambda m: (m.after, m.rank, m.id))

    def _of_run(self, kind: str, run_id: str) -> list[Record]:
        if not is_id(run_id):
            return []
        return from_rows(self._rows(f"kind = '{kind}' AND conversation_id = '{run_id}'"))
