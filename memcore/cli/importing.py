"""`memcore import`: files and folders of conversations, a report for each file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from memcore.cli.emit import Emit
from memcore.errors import InputError, MemcoreError
from memcore.importing import FileReport, find_files, read_file
from memcore.memory import Memory
from memcore.settling import settle
from memcore.view.naming import counted


def bring_in(memory: Memory, args: argparse.Namespace, emit: Emit, progress: bool) -> int:
    """Import every path; 1 when one of several could not be read. Raises the refusal of an only one."""
    settle()
    failed = False
    for path in args.paths:
        for step in _imported(memory, args, path):
            if isinstance(step, FileReport):
                failed |= not step.format
                emit(step.as_dict(), _report_lines(step))
            elif progress:
                written = counted(step.turns_written, "turn")
                print(f"\r{step.name}: {written} written", end="\r", file=sys.stderr)
    return int(failed)


def some_can_be_read(paths: Sequence[str], read: Callable[[Path], object] = read_file) -> None:
    """Raises the last refusal when no file can be imported: then no store and no memory is made either."""
    refused: MemcoreError | None = None
    for path in paths:
        try:
            for file in find_files(path):
                try:
                    read(file)
                    return
                except InputError as error:
                    refused = error
        except InputError as error:
            refused = error
    raise refused or InputError(f"There is no file in {Path(paths[0]).name}: name one with conversations.")


def _imported(memory: Memory, args: argparse.Namespace, path: str) -> Iterator[Any]:
    """One path of several that cannot be read is reported, and the others still come in."""
    try:
        yield from memory.import_path(path, mode=args.mode, append_to=args.append, model=args.model)
    except InputError as error:
        if len(args.paths) == 1:
            raise
        yield FileReport.refused(Path(path).name, error)


def _report_lines(report: Any) -> list[str]:
    if not report.format:
        return [f"{report.name}: {'; '.join(report.warnings)}"]
    head = (
        f"{report.name}: {report.format}, {counted(report.conversations, 'conversation')}, "
        f"{counted(report.turns_read, 'turn')} read, {report.turns_written:,} written, "
        f"{report.turns_known:,} known already, {report.turns_skipped:,} skipped"
        + (f", {report.held_back:,} held back because they were erased" if report.held_back else "")
    )
    skipped = [f"  skipped {s.count:,}: {s.why} (first: {s.first_where})" for s in report.skipped]
    return [head, *skipped, *(f"  note: {w}" for w in report.warnings)]
