"""`memcore history` and `memcore reextract`: what was changed, taken back, carried over and read again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memcore.cli.emit import Emit
from memcore.errors import InputError, InTheWay
from memcore.memory import Memory
from memcore.records import Record
from memcore.reextraction import Step
from memcore.store import ChangeRow
from memcore.view.carried import STATES
from memcore.view.history import authors, ends_of, named_in, reasons, title
from memcore.view.naming import counted

LISTED = 200
EVERY = 1_000_000  # changes: an undo names what it took back, however old


def history(memory: Memory, action: str, of: str, with_later: bool, emit: Emit) -> int:
    """One of its actions; the exit code. Raises what undo and redo raise, InputError for a file."""
    if action == "list":
        _list(memory, emit)
        return 0
    if action == "export":
        return _export(memory, of, emit)
    if action == "replay":
        return _replay(memory, of, emit)
    taken = _undo(memory, of, with_later) if action == "undo" else memory.redo(of or None)
    verb = "Taken back" if action == "undo" else "Brought back"
    many = f" {counted(len(taken.groups), 'change')}:" if len(taken.groups) > 1 else ":"
    emit(
        asdict(taken),
        [f"{verb}{many} {taken.removed:,} records removed, {taken.restored:,} restored."],
    )
    return 0


def reextract(memory: Memory, emit: Emit, progress: bool, model: str = "") -> int:
    """Read everything again; a line of progress per conversation, and at the end what came of it."""
    step = Step(0, 0, 0, 0, 0)
    for step in memory.reextract(model=model):
        if progress:
            print(f"\r{step.done:,} of {step.total:,} conversations", end="\r", file=sys.stderr, flush=True)
    read = counted(step.done, "conversation")
    told = f"Read {read} again: {step.made:,} records made, {step.removed:,} removed, "
    disputed = counted(step.conflicts, "correction is disputed", "corrections are disputed")
    emit(step._asdict(), [f"{told}{disputed}.", *(f"  note: {note}" for note in step.notes)])
    return 0


def _list(memory: Memory, emit: Emit) -> None:
    rows = memory.changes(EVERY)
    by_group = {row.group: row for row in rows}
    listed = rows[:LISTED]
    records = _named(memory, _with_undone(listed, by_group))
    for row in listed:
        says = title(row, records, by_group)
        who, why = ", ".join(authors(row)), "; ".join(reasons(row))
        by = (f" by {who}" if who else "") + (f": {why}" if why else "")
        counts = f"{row.made:,} made, {row.updated:,} changed, {row.deleted:,} deleted"
        state = " (undone)" if row.undone else ""
        line = f"{row.group}  {row.when:%Y-%m-%d %H:%M}  {_one_line(says + by)}{state}: {counts}"
        what = ", ".join(dict.fromkeys(e.kind for e in row.events))
        fields = {"group": row.group, "when": row.when, "what": what, "says": says, "author": who}
        emit({**fields, "reason": why, "undone": row.undone}, [line])


def _named(memory: Memory, rows: list[ChangeRow]) -> dict[str, Record]:
    found = memory.get(named_in(rows))
    return found | memory.get(ends_of(found.values()))


def _with_undone(rows: list[ChangeRow], by_group: Mapping[str, ChangeRow]) -> list[ChangeRow]:
    """The rows, and those that undos and redos among them were of."""
    of = [e.group for row in rows for e in row.events if e.kind == "undone" or e.kind == "redone"]
    return [*rows, *(by_group[group] for group in of if group in by_group)]


def _undo(memory: Memory, of: str, with_later: bool) -> Any:
    try:
        return memory.undo(of or None, also_later=with_later)
    except InTheWay as error:
        rows = [row for row in memory.changes(EVERY) if row.group in error.groups]
        records = _named(memory, rows)
        names = "; ".join(f"{row.group} ({_one_line(title(row, records))})" for row in rows)
        rest = "1 later change rests" if len(rows) == 1 else f"{len(rows):,} later changes rest"
        raise InputError(f"{rest} on this one: {names}; undo them too with --with-later.") from error


def _export(memory: Memory, of: str, emit: Emit) -> int:
    path = _file(of, "export")
    lines = list(memory.exported())
    try:
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be written: {error.strerror}.") from error
    emit(
        {"file": str(path), "corrections": len(lines)},
        [f"{counted(len(lines), 'correction')} written to {path.name}."],
    )
    return 0


def _replay(memory: Memory, of: str, emit: Emit) -> int:
    """1 when a line did not fit."""
    path = _file(of, "replay")
    found: Counter[str] = Counter()
    for outcome in memory.replay(_lines(path)):
        found[outcome.state] += 1
        row = {"line": outcome.number, "state": outcome.state, "says": outcome.says}
        emit(row, [f"line {outcome.number}: {STATES[outcome.state]}. {outcome.says}"])
    says = ", ".join(f"{found[state]:,} {words}" for state, words in STATES.items() if found[state])
    emit(dict(found), [f"{counted(found.total(), 'line')}: {says or 'nothing to do'}."])
    return int(bool(found["not_found"] or found["collides"] or found["refused"]))


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            yield from file
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be read: {error.strerror}.") from error


def _file(of: str, action: str) -> Path:
    if not of:
        raise InputError(f"Name the file: memcore history {action} FILE.jsonl.")
    return Path(of)


def _one_line(text: str) -> str:
    return " ".join(text.split())
