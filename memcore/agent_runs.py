"""What pages and the command line ask of agent runs, imported or live: their trees and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from memcore.erasure import Receipt
from memcore.errors import InputError, NotFound
from memcore.events import Ran, TreeEvent
from memcore.importing import find_files
from memcore.importing.runs.report import RunFileReport
from memcore.intake.after_import import with_rules
from memcore.intake.each_file import each_file
from memcore.intake.runs import RunIntake, RunProgress
from memcore.records import AgentRun, RunMark, RunStep, new_id
from memcore.settings import Settings
from memcore.state_tree import replay
from memcore.stopping import Stop, never
from memcore.store import Scope


class WholeRun(NamedTuple):
    """A run with its steps by position and its marks in order."""

    run: AgentRun
    steps: list[RunStep]
    marks: list[RunMark]

    def events(self) -> list[TreeEvent]:
        """What happened to its execution-state tree (see state_tree.replay)."""
        return list(replay(self.steps, [m for m in self.marks if not m.dropped]))


@dataclass(frozen=True, slots=True)
class AgentRuns:
    """One scope's runs."""

    scope: Scope
    settings: Settings
    imported: Callable[[], Receipt | None] = lambda: None
    """What is done when an import has ended: retention."""

    def all(self) -> list[AgentRun]:
        """All runs, those of subagents included, in the order in which they were written."""
        return self.scope.agent_runs()

    def get(self, run_id: str) -> WholeRun:
        """One run. Raises NotFound."""
        run = self.scope.get([run_id]).get(run_id)
        if not isinstance(run, AgentRun):
            raise NotFound("There is no such run in this memory (any more).")
        return WholeRun(run, self.scope.run_steps(run_id), self.scope.run_marks(run_id))

    def import_path(self, path: str | Path, cancelled: Stop = never) -> Iterator[RunProgress | RunFileReport]:
        """Import a file of runs, or every file of a folder; a report per file.

        Raises InputError or UnknownFormat for a single file; in a folder such a file gives a report.
        """
        files = list(find_files(path))
        if not files:
            raise InputError(f"There is no file in the folder {Path(path).name}: name one with agent runs.")
        intake = RunIntake(self.scope, self.settings, cancelled)
        steps = each_file(files, intake.bring_in, RunFileReport.refused, cancelled)
        yield from with_rules(steps, self.imported)

    def live(self, run: AgentRun) -> LiveLog:
        """A log for a run that happens now (see agent_memory): what is appended is stored at once."""
        return LiveLog(self.scope, run)


@dataclass
class LiveLog:
    """Stores each record of a live run as one commit; all of them are one change."""

    scope: Scope
    run: AgentRun
    group: str = field(default_factory=new_id)
    _opened: bool = field(default=False, init=False)

    def append(self, record: RunStep | RunMark) -> None:
        """The record, and the run as it stands with it. Raises NotFound, and what a commit raises."""
        self._still_there()
        steps = self.run.steps + (record.kind == "step")
        grown = replace(self.run, steps=steps, revision=self.run.revision + self._opened)
        new = [record] if self._opened else [grown, record]
        self.scope.commit(
            Ran(self.run.id, 1), inserts=new, upserts=[grown] if self._opened else [], group=self.group
        )
        self.run, self._opened = grown, True

    def finish(self, outcome: str, reward: float | None = None) -> AgentRun:
        """How the run ended. Raises NotFound."""
        self._still_there()
        ended = replace(self.run, outcome=outcome, reward=reward, revision=self.run.revision + 1)
        self.scope.commit(Ran(self.run.id, 0), upserts=[ended], group=self.group)
        self.run = ended
        return ended

    def _still_there(self) -> None:
        if self._opened and self.run.id not in self.scope.get([self.run.id]):
            raise NotFound("This run was undone while it was under way: nothing more of it is stored.")
