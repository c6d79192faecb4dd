"""`memcore history` and `memcore reextract`: what was changed, taken back, carried over and read again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from memcore.cli.emit import Emit
from memcore.errors import InputError, InTheWay
from memcore.memory import Memory
from memcore.reextraction import Step
from memcore.settings import author
from memcore.store import ChangeRow, TakenBack
from memcore.store.past import Stood
from memcore.view.carried import STATES
from memcore.view.change_titles import named_in, title, turned
from memcore.view.history import authors, reasons
from memcore.view.naming import counted

LISTED = 200
NOTHING_LEFT = "Nothing was changed: what this change was about has been erased."


def history(memory: Memory, action: str, of: str, with_later: bool, emit: Emit) -> int:
    """One of its actions; the exit code. Raises what undo and redo raise, InputError for a file."""
    if action == "list":
        _list(memory, emit)
        return 0
    if action == "export":
        return _export(memory, of, emit)
    if action == "replay":
        return _replay(memory, of, emit)
    if action == "undo":
        _told(memory, "Taken back", _undo(memory, of, with_later), emit)
    else:
        _told(memory, "Brought back", memory.redo(of or None, author=author()), emit)
    return 0


def reextract(memory: Memory, emit: Emit, progress: bool, model: str = "") -> int:
    """Read everything again; a line of progress per conversation, and at the end what came of it."""
    step = Step(0, 0, 0, 0, 0)
    for step in memory.reextract(model=model):
        if progress:
            print(f"\r{step.done:,} of {step.total:,} conversations", end="\r", file=sys.stderr, flush=True)
    read = counted(step.done, "conversation")
    told = f"Read {read} again: {counted(step.made, 'record')} made, {step.removed:,} removed, "
    disputed = counted(step.conflicts, "correction is disputed", "corrections are disputed")
    emit(step._asdict(), [f"{told}{disputed}.", *(f"  note: {note}" for note in step.notes)])
    return 0


def _list(memory: Memory, emit: Emit) -> None:
    rows = memory.changes(None)
    by_group = {row.group: row for row in rows}
    listed = rows[:LISTED]
    stood = _named(memory, listed, by_group)
    for row in listed:
        says = title(row, stood, by_group)
        who, why = ", ".join(authors(row)), "; ".join(reasons(row))
        by = (f" by {who}" if who else "") + (f": {why}" if why else "")
        counts = f"{row.made:,} made, {row.updated:,} changed, {row.deleted:,} deleted"
        state = " (undone)" if row.undone else ""
        line = f"{row.group}  {row.when:%Y-%m-%d %H:%M}  {_one_line(says + by)}{state}: {counts}"
        what = ", ".join(dict.fromkeys(e.kind for e in row.events))
        fields = {"group": row.group, "when": row.when, "what": what, "says": says, "author": who}
        emit({**fields, "reason": why, "undone": row.undone}, [line])


def _named(memory: Memory, rows: Iterable[ChangeRow], by_group: Mapping[str, ChangeRow]) -> dict[str, Stood]:
    """What the titles of these changes name, and of those that undos and redos among them were of."""
    listed = list(rows)
    of = [by_group[group] for row in listed for group in turned(row) if group in by_group]
    return memory.stood(named_in([*listed, *of]))


def _told(memory: Memory, verb: str, taken: TakenBack, emit: Emit) -> None:
    """What was taken or brought back, a line each, and how many records that came to."""
    by_group = {row.group: row for row in memory.changes(None)}
    rows = [by_group[group] for group in taken.groups]
    stood = _named(memory, rows, by_group)
    says = [title(row, stood, by_group) for row in rows]
    count = f"{counted(taken.removed, 'record')} removed, {taken.restored:,} restored."
    emit(
        {**asdict(taken), "says": says},
        [*(f"{verb}: {_one_line(line)}" for line in says), count if taken.rows else NOTHING_LEFT],
    )


def _undo(memory: Memory, of: str, with_later: bool) -> TakenBack:
    try:
        return memory.undo(of or None, also_later=with_later, author=author())
    except InTheWay as error:
        rows = [row for row in memory.changes(None) if row.group in error.groups]
        stood = _named(memory, rows, {})
        names = "; ".join(f"{row.group} ({_one_line(title(row, stood))})" for row in rows)
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
