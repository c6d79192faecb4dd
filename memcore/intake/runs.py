"""Bringing agent runs in: a file -> runs, steps -> detected marks -> a commit for every few runs.

A run is recognised by a keyed hash of where it came from: imported again it adds nothing, and a longer
export of it adds the steps that are new, what came back to the last ones, and how it ended. Its marks by
rule are then detected afresh; those that a person made or changed stay. All commits of a file are one
change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from memcore.detecting import detect
from memcore.events import RunsImported
from memcore.importing.runs.records import RunRecords, flat, records_of
from memcore.importing.runs.registry import read_runs
from memcore.importing.runs.report import RunFileReport
from memcore.intake.each_file import STOPPED
from memcore.records import AgentRun, File, Record, RunMark, RunStep, new_id, now
from memcore.settings import Settings
from memcore.shelf import Committing
from memcore.stopping import Stop, never


class RunProgress(NamedTuple):
    """Where an import stands: runs and steps of this file written so far, and runs known before."""

    name: str
    runs: int
    steps: int
    known: int


class Shelf(Committing, Protocol):
    """What this needs of a store (see store.Scope)."""

    def hash(self, text: str) -> str: ...

    def ids_of(self, source_hashes: Iterable[str]) -> dict[str, str]: ...

    def held_back(self, source_hashes: Iterable[str]) -> set[str]: ...

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def run_steps(self, run_id: str) -> list[RunStep]: ...

    def run_marks(self, run_id: str) -> list[RunMark]: ...

    def tidy(self) -> None: ...


@dataclass
class RunIntake:
    """One import of runs into one scope."""

    shelf: Shelf
    settings: Settings
    cancelled: Stop = never

    def bring_in(self, path: Path) -> Iterator[RunProgress | RunFileReport]:
        """Import one file: progress after each commit, its report at the end.

        Raises InputError or UnknownFormat before anything is written, StoreBusy or StoreFull with all
        commits so far in place.
        """
        reading = read_runs(path)
        self._file = File(new_id(), path.name, reading.format, now())
        self._group, self._written = new_id(), RunProgress(path.name, 0, 0, 0)
        self._held, self._begun = 0, False
        waiting: list[RunRecords] = []
        for draft in reading.runs:
            waiting += flat(records_of(draft, self._file.id))
            if sum(len(r.steps) for r in waiting) >= self.settings.import_batch:
                yield self._write(waiting)
                waiting = []
            if self.cancelled():
                break
        yield self._write(waiting)
        yield self._finish(reading.report.freeze_runs(), self.cancelled())

    def _write(self, found: Sequence[RunRecords]) -> RunProgress:
        """One commit under the writer lock: what is known is left out, what has grown is added to."""
        with self.shelf.writing():
            if self._begun and not self._filed():
                self._file, self._begun = replace(self._file, id=new_id()), False
            coming = self._gathered(found)
            steps = self._commit(coming)
        before, self._held = self._written, self._held + coming.held
        known = before.known + len(found) - len(coming.new) - coming.held
        self._written = RunProgress(before.name, before.runs + len(coming.new), before.steps + steps, known)
        return self._written

    def _gathered(self, found: Sequence[RunRecords]) -> Coming:
        """What these runs add to the memory as it is now."""
        hashes = [self.shelf.hash(f"run\n{self._file.format}\n{r.identity}") for r in found]
        there, held = self.shelf.ids_of(hashes), self.shelf.held_back(hashes)
        coming = Coming({}, len(held), [], [], [])
        for records, hash_ in zip(_placed(found, hashes, there, held), hashes, strict=True):
            if hash_ in there and hash_ not in held:
                grown = self._grown(there[hash_], records)
                coming.inserts.extend(grown.inserts)
                coming.upserts.extend(grown.upserts)
                coming.deletes.extend(grown.deletes)
            elif hash_ not in held:
                coming.inserts.extend(self._whole(records))
                coming.new[records.run.id] = hash_
        return coming

    def _commit(self, coming: Coming) -> int:
        """How many steps were new."""
        steps = sum(isinstance(x, RunStep) for x in coming.inserts)
        if coming.inserts or coming.upserts:
            first = [] if self._begun else [self._file]
            self._begun = True
            self.shelf.commit(
                RunsImported(self._file.id, len(coming.new), steps),
                inserts=[*first, *coming.inserts],
                upserts=coming.upserts,
                deletes=coming.deletes,
                group=self._group,
                source_hashes=coming.new,
            )
        return steps

    def _whole(self, records: RunRecords) -> list[Record]:
        run = replace(records.run, file_id=self._file.id)
        return [run, *records.steps, *detect(run, records.steps, records.marks)]

    def _filed(self) -> bool:
        """Whether the file is still there: it can have been erased since its last commit."""
        return bool(self.shelf.get([self._file.id]))

    def _grown(self, run_id: str, again: RunRecords) -> Grown:
        """What a later export adds to a run: steps, what came back since, how it ended."""
        run = self.shelf.get([run_id]).get(run_id)
        if not isinstance(run, AgentRun) or len(again.steps) < run.steps:
            return Grown([], [], [])
        stored = self.shelf.run_steps(run_id)
        new = [replace(s, run_id=run_id) for s in again.steps[len(stored) :]]
        answered = [_answered(s, a) for s, a in zip(stored, again.steps, strict=False)]
        heard = [s for s, before in zip(answered, stored, strict=False) if s != before]
        later = _later(run, again.run, len(stored) + len(new))
        headed = [] if later == run else [replace(later, revision=run.revision + 1)]
        if not (new or heard):
            return Grown([], [*headed], [])
        marks = self.shelf.run_marks(run_id)
        stale = [m for m in marks if m.made_by == "rule" and not m.dropped]
        kept = [m for m in marks if m not in stale]
        places = {(m.after, m.action) for m in kept}
        found = detect(later, [*answered, *new], [replace(m, run_id=run_id) for m in again.marks])
        fresh = [m for m in found if (m.after, m.action) not in places]
        return Grown([*new, *fresh], [*headed, *heard], [m.id for m in stale])

    def _finish(self, report: RunFileReport, stopped: bool) -> RunFileReport:
        warnings = (*report.warnings, STOPPED) if stopped else report.warnings
        _, steps, known = self._written[1:]
        counts = {"steps_written": steps, "runs_known": known, "held_back": self._held}
        report = replace(report, **counts, warnings=warnings)
        if self._begun:
            with self.shelf.writing():
                if self._filed():
                    saved = replace(self._file, report=report.as_dict())
                    self.shelf.commit(RunsImported(self._file.id, 0, 0), upserts=[saved], group=self._group)
            self.shelf.tidy()
        return report


def _placed(
    found: Sequence[RunRecords], hashes: Sequence[str], there: Mapping[str, str], held: Collection[str]
) -> list[RunRecords]:
    """Runs of subagents below the run as it is stored; on their own where that one is held back."""
    ids = {r.run.id: "" if h in held else there.get(h, r.run.id) for r, h in zip(found, hashes, strict=True)}
    return [r._replace(run=replace(r.run, parent_run=ids.get(r.run.parent_run, ""))) for r in found]


def _answered(step: RunStep, again: RunStep) -> RunStep:
    """A step with what came back since it was stored. One whose words were erased has no action."""
    more = again.observation != step.observation and again.observation.startswith(step.observation)
    if not (step.action and more and again.action == step.action):
        return step
    return replace(step, observation=again.observation, signals=again.signals, revision=step.revision + 1)


def _later(run: AgentRun, again: AgentRun, steps: int) -> AgentRun:
    """A run with how it stands now, and where it belongs if nothing said so before."""
    above = run if run.parent_run else again
    return replace(
        run,
        steps=steps,
        outcome=again.outcome or run.outcome,
        reward=run.reward if again.reward is None else again.reward,
        parent_run=above.parent_run,
        parent_step=above.parent_step,
    )


class Coming(NamedTuple):
    """What a batch of runs adds: where each new one comes from by its id, how many were erased once, and the
    records of all (see Grown)."""

    new: dict[str, str]
    held: int
    inserts: list[Record]
    upserts: list[Record]
    deletes: list[str]


class Grown(NamedTuple):
    """Records of a run that is known: new ones, those that change, marks that no longer hold."""

    inserts: list[Record]
    upserts: list[Record]
    deletes: list[str]
