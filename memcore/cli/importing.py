"""`memcore import` and `memcore runs import`: files and folders brought in, a report for each file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcore.cli.emit import Emit
from memcore.errors import InputError, MemcoreError
from memcore.importing import FORMATS, FileReport, find_files, read_file
from memcore.importing.runs import RUN_FORMATS, RunFileReport, read_runs
from memcore.settling import settle
from memcore.view.naming import counted

Report = FileReport | RunFileReport


@dataclass(frozen=True, slots=True)
class Files:
    """One kind of files: how one is read, the report of one that cannot be, and a report in numbers.

    `looked_for` names the formats of this kind. `others` reads files of the other kind, which hold `other`
    and for which there is the command `instead`.
    """

    read: Callable[[Path], object]
    refused: Callable[[str, InputError], Report]
    numbers: Callable[[Any], str]
    looked_for: str
    others: Callable[[Path], object]
    other: str
    instead: str


def _of_conversations(report: FileReport) -> str:
    return (
        f"{counted(report.conversations, 'conversation')}, {counted(report.turns_read, 'turn')} read, "
        f"{report.turns_written:,} written, {report.turns_known:,} known already, "
        f"{report.turns_skipped:,} skipped"
    )


def _of_runs(report: RunFileReport) -> str:
    return (
        f"{counted(report.runs, 'run')}, {counted(report.steps_read, 'step')} read, "
        f"{report.steps_written:,} written, {counted(report.runs_known, 'run')} known already"
    )


CONVERSATIONS = Files(
    read_file, FileReport.refused, _of_conversations, FORMATS.looked_for,
    read_runs, "agent runs", "memcore runs import",
)  # fmt: skip
RUNS = Files(
    read_runs, RunFileReport.refused, _of_runs, RUN_FORMATS.looked_for,
    read_file, "a conversation", "memcore import",
)  # fmt: skip


def bring_in(
    files: Files, paths: Sequence[str], imported: Callable[[str], Iterator[Any]], emit: Emit, progress: bool
) -> int:
    """Import every path; 1 when one of several could not be read. Raises the refusal of an only one."""
    settle()
    refused: list[str] = []
    for path in paths:
        for step in _each(files, path, imported, alone=len(paths) == 1):
            if isinstance(step, Report):
                refused += [] if step.format else step.warnings
                emit(step.as_dict(), _lines(files, step))
            elif progress:
                written = counted(step.turns_written, "turn")
                print(f"\r{step.name}: {written} written", end="\r", file=sys.stderr)
    if any(files.looked_for in why for why in refused):
        emit(None, [files.looked_for, f"A file that holds {files.other} is brought in with {files.instead}."])
    return int(bool(refused))


def some_can_be_read(files: Files, paths: Sequence[str]) -> None:
    """Raises the last refusal when no file can be imported: then no store and no memory is made either."""
    refused: MemcoreError | None = None
    for path in paths:
        try:
            for file in find_files(path):
                try:
                    files.read(file)
                    return
                except InputError as error:
                    refused = _of_other_kind(files, file) or error
        except InputError as error:
            refused = error
    raise refused or InputError(f"There is no file in {Path(paths[0]).name}: name another folder, or a file.")


def _of_other_kind(files: Files, file: Path) -> InputError | None:
    """The refusal of a file for which there is another command."""
    try:
        files.others(file)
    except InputError:
        return None
    return InputError(f"{file.name} holds {files.other}: bring it in with {files.instead}.")


def _each(files: Files, path: str, imported: Callable[[str], Iterator[Any]], *, alone: bool) -> Iterator[Any]:
    """One path of several that cannot be read is reported, and the others still come in."""
    try:
        yield from imported(path)
    except InputError as error:
        if alone:
            raise
        yield files.refused(Path(path).name, error)


def _lines(files: Files, report: Report) -> list[str]:
    """A report; what was looked for in files of no known format is said once, at the end of all."""
    if not report.format:
        said = "; ".join(report.warnings).replace(files.looked_for, "").rstrip()
        return [said if said.startswith(report.name) else f"{report.name}: {said}"]
    held = f", {report.held_back:,} held back because they were erased" if report.held_back else ""
    skipped = [f"  skipped {s.count:,}: {s.why} (first: {s.first_where})" for s in report.skipped]
    head = f"{report.name}: {report.format}, {files.numbers(report)}{held}"
    return [head, *skipped, *(f"  note: {w}" for w in report.warnings)]
