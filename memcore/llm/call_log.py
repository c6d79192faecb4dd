"""The book of all calls to models: a file of one JSON object a line, or the memory of the program.

    {"call": "<random>", "at": "...", "run": "...", "task": "merge", "model": "claude/...",
     "sent": 900, "received": 4096, "cached": 0, "dollars": 0.05}                         it begins
    {"call": "<random>", ... "received": 80, "milliseconds": 1200, "outcome": "ok", ...}  it ended

A call is written down before it is made, with the most that it may take, and again when it ended, with what
it took. One that never ended was cut off with its program, or is under way in another one: it counts with the
most. Whether a call may still be made is decided under a lock on the file, so that no two programs can use
up the rest of a budget twice. The book holds no word of a memory.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from memcore.errors import StoreBusy, StoreFull
from memcore.llm.asking import MOST_TOKENS, Called, Usage
from memcore.llm.lines import Lines
from memcore.llm.strict_json import Schema, wrongs
from memcore.records import new_id

BEGUN = "begun"  # the outcome of a call that is not known to have ended
_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS}
_WORD: Schema = {"type": "string"}
_LINE: Schema = {
    "type": "object",
    "properties": {
        "at": _WORD, "run": _WORD, "task": _WORD, "model": _WORD, "outcome": _WORD, "call": _WORD,
        "sent": _NUMBER, "received": _NUMBER, "cached": _NUMBER, "milliseconds": _NUMBER,
        "dollars": {"type": ["number", "null"], "minimum": 0, "maximum": MOST_TOKENS},
    },
    "required": ["at", "run", "task", "model", "sent", "received", "cached", "dollars"],
}  # fmt: skip
_ENDED: Schema = {**_LINE, "required": [*_LINE["required"], "outcome", "milliseconds"]}
_BEGUN: Schema = {**_LINE, "required": [*_LINE["required"], "call"]}


class Entry(NamedTuple):
    """One call. `dollars` is None where there was no price for the model."""

    at: datetime
    run: str
    called: Called
    dollars: float | None


class CallLog:
    """All calls of a store, in the order they ended; without a path they live as long as the program.

    Several programs may write to one file: each sees the others' calls before its own next one.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lines = Lines(path) if path else None
        self._ended: list[Entry] = []
        self._begun: dict[str, Entry] = {}
        self._own: set[str] = set()  # calls under way in this program
        self._reading, self._deciding = Lock(), Lock()

    def entries(self) -> Sequence[Entry]:
        """Every call that ended, then those begun that never did. Lines that are damaged are left out."""
        with self._reading:
            self._read()
            lost = [entry for call, entry in self._begun.items() if call not in self._own]
            return [*self._ended, *lost]

    def spent(self) -> Sequence[Entry]:
        """The same, and the calls that are under way in this program."""
        with self._reading:
            self._read()
            return [*self._ended, *self._begun.values()]

    @contextmanager
    def deciding(self) -> Generator[None]:
        """Nobody else, in this program or another, begins a call meanwhile. Raises StoreBusy, StoreFull."""
        if self._lines is None:
            with self._deciding:
                yield
            return
        with _room(), self._lines.alone() as alone:
            if not alone:
                raise StoreBusy("Another program holds the bill of model calls: let it finish or stop it.")
            yield

    def begin(self, coming: Entry) -> str:
        """Writes down that a call begins, and the most it may take; what it is known by. Raises StoreFull."""
        call = new_id()
        with self._reading:
            self._write(coming, call)
            self._begun[call] = coming
            self._own.add(call)
        return call

    def enter(self, entry: Entry, call: str = "") -> None:
        """Writes down that it ended. Raises StoreFull where the file cannot be written."""
        with self._reading:
            self._own.discard(call)
            self._write(entry, call)
            if self._lines is None:
                self._end(call, entry)

    def _write(self, entry: Entry, call: str) -> None:
        if self._lines is not None:
            with _room():
                self._lines.add(_told(entry, call))

    def _read(self) -> None:
        for told in self._lines.fresh() if self._lines else ():
            call = told.get("call", "")
            if not any(wrongs(told, _ENDED)) and (at := _moment(told["at"])) is not None:
                self._end(call, _entry(told, at))
            elif not any(wrongs(told, _BEGUN)) and (at := _moment(told["at"])) is not None:
                self._begun[call] = _entry(told, at)

    def _end(self, call: str, entry: Entry) -> None:
        self._begun.pop(call, None)
        self._ended.append(entry)


@contextmanager
def _room() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StoreFull("The bill of model calls cannot be written: free some space.") from error


def _told(entry: Entry, call: str) -> dict[str, Any]:
    called = entry.called
    ended = {"milliseconds": called.milliseconds, "outcome": called.outcome}
    return {
        **({"call": call} if call else {}),
        "at": entry.at.isoformat(),
        "run": entry.run,
        "task": called.task,
        "model": called.model,
        **called.usage._asdict(),
        **({} if called.outcome == BEGUN else ended),
        "dollars": entry.dollars,
    }


def _entry(told: dict[str, Any], at: datetime) -> Entry:
    usage = Usage(told["sent"], told["received"], told["cached"])
    took, outcome = told.get("milliseconds", 0), told.get("outcome", BEGUN)
    return Entry(at, told["run"], Called(told["task"], told["model"], usage, took, outcome), told["dollars"])


def _moment(told: str) -> datetime | None:
    """In UTC, as which it counts where no zone is given."""
    try:
        at = datetime.fromisoformat(told)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
