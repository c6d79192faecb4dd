"""The report of a file of agent runs: runs and steps read, what was left out and why.

The same notes as for conversations (see importing.report), counted in runs, steps and marks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memcore.errors import InputError
from memcore.importing.report import Report, SkippedKind
from memcore.importing.runs.draft import DraftRun, all_runs


@dataclass(frozen=True, slots=True)
class RunFileReport:
    """What became of one file. The reader fills the upper part, the writer the three last fields.

    `runs` are top-level runs, `nested` their subagents' runs; `steps_read` counts both. `failing` steps
    carry a failure signal. `repeated` steps stand in the file more than once and were read once. `held_back`
    runs were erased once and stay out.
    """

    name: str
    format: str
    runs: int = 0
    nested: int = 0
    steps_read: int = 0
    marks: int = 0
    failing: int = 0
    repeated: int = 0
    skipped: tuple[SkippedKind, ...] = ()
    first_said: datetime | None = None
    last_said: datetime | None = None
    warnings: tuple[str, ...] = ()
    steps_written: int = 0
    runs_known: int = 0
    held_back: int = 0

    @classmethod
    def refused(cls, name: str, why: InputError) -> RunFileReport:
        """Of a file that cannot be read."""
        return cls(name, "", warnings=(str(why),))

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values: times as ISO 8601, reasons as objects."""
        plain: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "name", "format", "runs", "nested", "steps_read", "marks", "failing",
                "repeated", "steps_written", "runs_known", "held_back",
            )
        }  # fmt: skip
        return plain | {
            "skipped": [
                {"why": kind.why, "count": kind.count, "first_where": kind.first_where}
                for kind in self.skipped
            ],
            "first_said": self.first_said.isoformat() if self.first_said else None,
            "last_said": self.last_said.isoformat() if self.last_said else None,
            "warnings": list(self.warnings),
        }


class RunReport(Report):
    """What a reader of runs notes while it reads one file."""

    def count_run(self, run: DraftRun) -> None:
        """A run was read and is handed on, with the runs nested in it."""
        self._counts["runs"] += 1
        for each in all_runs(run):
            self._counts["nested"] += each is not run
            self._counts["steps"] += len(each.steps)
            self._counts["marks"] += len(each.marks)
            for step in each.steps:
                self._counts["failing"] += bool(step.signals)
                if step.said.start is not None:
                    end = step.said.end or step.said.start
                    self._first = min(self._first or step.said.start, step.said.start)
                    self._last = max(self._last or end, end)

    def freeze_runs(self) -> RunFileReport:
        """The report as it stands. A file without any step says so."""
        return RunFileReport(
            name=self.name,
            format=self.format,
            runs=self._counts["runs"],
            nested=self._counts["nested"],
            steps_read=self._counts["steps"],
            marks=self._counts["marks"],
            failing=self._counts["failing"],
            repeated=self._counts["repeated"],
            skipped=tuple(sorted(self._skipped.values(), key=lambda kind: (-kind.count, kind.why))),
            first_said=self._first,
            last_said=self._last,
            warnings=self._run_warnings(),
        )

    def _run_warnings(self) -> tuple[str, ...]:
        told = [text if times == 1 else f"{text} ({times} times)" for text, times in self._warnings.items()]
        if not self._counts["steps"]:
            told.insert(0, f"no step was read: {self._most_common_reason()}")
        return tuple(told)
