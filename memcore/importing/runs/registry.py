"""All formats of agent runs in the order in which they are tried, and the one way to read a file of them.

A file of runs is often a chat log as well: the same file may be imported as a conversation (see
importing.registry) or as runs. Whoever reads chooses: `read_runs` looks for runs only and refuses a chat in
which no tool is called. Where two formats of runs know a file, the first in this list has it; the list
of messages with tool calls comes last, for many formats contain one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memcore.errors import InputError, UnknownFormat
from memcore.importing.document import Member, members
from memcore.importing.registry import recognise as recognise_conversation
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


class RunFormat(NamedTuple):
    """One family of files. `says` tells a person what is looked for."""

    name: str
    says: str
    recognises: Callable[[RunFile], bool]
    read: Callable[[RunFile, RunReport], Iterator[DraftRun]]


RUN_FORMATS: tuple[RunFormat, ...] = tuple(
    RunFormat(each.NAME, each.SAYS, each.recognises, each.read)
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


@dataclass(frozen=True, slots=True)
class RunReading:
    """A file that is being read. The report fills while the runs are drawn one by one."""

    format: str
    report: RunReport
    runs: Iterator[DraftRun]


def recognise_runs(file: RunFile) -> RunFormat | None:
    """The format of a file of runs; None where no format knows it."""
    return next((known for known in RUN_FORMATS if known.recognises(file)), None)


def read_runs(path: Path | str) -> RunReading:
    """Opens and recognises a file, and reads it run by run.

    InputError where the path cannot be read, UnknownFormat where it holds no runs of a known format: both
    before anything is yielded. What goes wrong inside later members of a ZIP is in the report.
    """
    path = Path(path)
    waiting = list(members(path))
    report = RunReport(path.name)
    file, known = _first_known(waiting, report, path)
    report.format = known.name
    return RunReading(known.name, report, _read_all(file, known, waiting, report))


def preview_runs(path: Path | str) -> RunFileReport:
    """Reads the whole file without writing: its report."""
    reading = read_runs(path)
    for _ in reading.runs:
        pass
    return reading.report.freeze_runs()


def looked_for_runs() -> str:
    """One sentence naming every format of runs."""
    return f"Looked for: {'; '.join(known.says for known in RUN_FORMATS)}."


def _first_known(waiting: list[Member], report: RunReport, path: Path) -> tuple[RunFile, RunFormat]:
    """Opens members until one is recognised. The only member's own error is the file's error."""
    alone = len(waiting) == 1
    chat = False
    while waiting:
        member = waiting.pop(0)
        file = _open(member) if alone else _try_open(member, report)
        if file is None:
            continue
        if known := recognise_runs(file):
            return file, known
        if alone and file.no_json:
            raise UnknownFormat(f"{file.no_json} {looked_for_runs()}")
        chat = chat or recognise_conversation(file.document) is not None
        report.skip(file.document.name, "a file in the ZIP holds no run of a known format")
    if chat:
        raise UnknownFormat(
            f"{path.name} is a conversation and no agent run: import it as one. {looked_for_runs()}"
        )
    raise UnknownFormat(f"{path.name} holds no agent run of a known format. {looked_for_runs()}")


def _open(member: Member) -> RunFile:
    try:
        return open_run_file(member)
    except UnknownFormat as error:
        raise UnknownFormat(f"{error} {looked_for_runs()}") from error


def _try_open(member: Member, report: RunReport) -> RunFile | None:
    try:
        return _open(member)
    except InputError as error:
        report.skip(member.name, "a file in the ZIP cannot be read")
        report.warn(str(error))
        return None


def _read_all(
    file: RunFile, known: RunFormat, waiting: list[Member], report: RunReport
) -> Iterator[DraftRun]:
    cleaning = Cleaning(report)
    yield from _read_one(file, known, cleaning, report)
    for member in waiting:
        following = _try_open(member, report)
        if following is None:
            continue
        if (its := recognise_runs(following)) is None:
            report.skip(following.document.name, "a file in the ZIP holds no run of a known format")
            continue
        yield from _read_one(following, its, cleaning, report)


def _read_one(file: RunFile, known: RunFormat, cleaning: Cleaning, report: RunReport) -> Iterator[DraftRun]:
    for where, why in file.document.broken:
        report.skip(where, why)
    for sentence in file.document.warnings:
        report.warn(sentence)
    for run in known.read(file, report):
        if not run.steps and not run.nested:
            report.skip(run.source, "a run has no step that can be read")
        elif cleaned := cleaning.clean(run):
            whole = with_signals(cleaned)
            report.count_run(whole)
            yield whole
