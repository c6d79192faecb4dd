"""All formats of agent runs in the order in which they are tried, and the one way to read a file of them.

A file of runs is often a chat log as well: the same file may be imported as a conversation (see
importing.registry) or as runs. Whoever reads chooses: `read_runs` looks for runs only and refuses a chat in
which no tool is called. Where two formats of runs know a file, the first in this list has it; the list
of messages with tool calls comes last, for many formats contain one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from memcore.errors import UnknownFormat
from memcore.importing.document import members
from memcore.importing.formats import Format, Formats
from memcore.importing.opened import opened
from memcore.importing.registry import FORMATS
from memcore.importing.runs import (
    claude_code,
    mini_swe_agent,
    openai_messages,
    own,
    react_text,
    reflexion,
    search_trees,
    swe_agent,
    tau_bench,
    who_and_when,
)
from memcore.importing.runs.cleaning import Cleaning
from memcore.importing.runs.draft import DraftRun
from memcore.importing.runs.opening import RunFile, open_run_file
from memcore.importing.runs.report import RunFileReport, RunReport
from memcore.importing.runs.signals import with_signals

_Format = Format[RunFile, RunReport, DraftRun]
RUN_FORMATS: Formats[RunFile, RunReport, DraftRun] = Formats(
    tuple(
        _Format(each.NAME, each.SAYS, each.recognises, each.read)
        for each in (
            own,
            claude_code,
            tau_bench,
            who_and_when,
            swe_agent,
            mini_swe_agent,
            search_trees,
            reflexion,
            react_text,
            openai_messages,
        )
    )
)


@dataclass(frozen=True, slots=True)
class RunReading:
    """A file that is being read. The report fills while the runs are drawn one by one."""

    format: str
    report: RunReport
    runs: Iterator[DraftRun]


def read_runs(path: Path | str) -> RunReading:
    """Opens and recognises a file, and reads it run by run.

    InputError where the path cannot be read, UnknownFormat where it holds no runs of a known format: both
    before anything is yielded. What goes wrong inside later members of a ZIP is in the report.
    """
    path = Path(path)
    inside, report = members(path), RunReport(path.name)
    files = opened(inside, open_run_file, report, RUN_FORMATS.looked_for)
    found = _known(files, report, alone=len(inside) == 1)
    first = next(found)
    report.format = first[1].name
    return RunReading(report.format, report, _read_all(chain([first], found), report))


def preview_runs(path: Path | str) -> RunFileReport:
    """Reads the whole file without writing: its report."""
    reading = read_runs(path)
    for _ in reading.runs:
        pass
    return reading.report.freeze_runs()


def _known(files: Iterator[RunFile], report: RunReport, *, alone: bool) -> Iterator[tuple[RunFile, _Format]]:
    """Those of a known format. Raises UnknownFormat at the end where there is none."""
    found = chat = False
    for file in files:
        if known := RUN_FORMATS.recognise(file):
            found = True
            yield file, known
        elif alone and file.no_json:
            raise UnknownFormat(f"{file.no_json} {RUN_FORMATS.looked_for}")
        else:
            chat = chat or FORMATS.recognise(file.document) is not None
            report.skip(file.document.name, "a file in the ZIP holds no run of a known format")
    if not found:
        what = "is a conversation and no agent run: import it as one" if chat else "holds no agent run"
        raise UnknownFormat(f"{report.name} {what}. {RUN_FORMATS.looked_for}")


def _read_all(found: Iterable[tuple[RunFile, _Format]], report: RunReport) -> Iterator[DraftRun]:
    cleaning = Cleaning(report)
    for file, known in found:
        report.note(file.document)
        for run in known.read(file, report):
            if not run.steps and not run.nested:
                report.skip(run.source, "a run has no step that can be read")
            elif cleaned := cleaning.clean(run):
                whole = with_signals(cleaned)
                report.count_run(whole)
                yield whole
