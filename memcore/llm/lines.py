"""A file of JSON objects, one a line, that several programs may add to while others read it.

A line is added by one write at the end. A line that a crash left unfinished is closed by the next one and
passed over when reading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from memcore.locks import awaited, release
from memcore.records import new_id

LONGEST_HELD = 20.0  # seconds: what is done under the lock takes a moment
_BEYOND = 1 << 40  # a byte that the file never has


class Lines:
    """One such file; it need not exist. Reading goes on where it stopped."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0

    def add(self, told: dict[str, Any], beginning: bytes = b"") -> bool:
        """Whether it was added: not to another file than the one of this `beginning`. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(told, ensure_ascii=False).encode() + b"\n"
        with open(self._path, "a+b", opener=_of_the_owner) as file:
            if beginning and self._first(file) != beginning:
                return False
            if file.seek(0, os.SEEK_END) and not self._ended():
                line = b"\n" + line
            file.write(line)  # into nothing, where the file was deleted since it was opened
        return True

    @contextmanager
    def alone(self) -> Generator[bool]:
        """Under the lock of this file, which adding and reading do not need; False where somebody held it
        for too long. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(self._path, "a+b", opener=_of_the_owner) as file:
            taken = awaited(file.fileno(), LONGEST_HELD, at=_BEYOND)
            try:
                yield taken
            finally:
                if taken:
                    release(file.fileno(), _BEYOND)

    def beginning(self) -> bytes:
        """What tells this file from one that takes its place later: its first line. Raises OSError."""
        if not self._path.exists() or not self._path.stat().st_size:
            self.add({"file": new_id()})
        with self._path.open("rb") as file:
            return self._first(file)

    def _first(self, file: BinaryIO) -> bytes:
        file.seek(0)
        return file.readline()

    def fresh(self) -> Iterator[dict[str, Any]]:
        """The objects of lines that were finished since the last reading; all of them at first."""
        if not self._path.exists():
            self._read = 0
            return
        with self._path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(self._read if self._read <= size else 0)
            text = file.read()
            self._read = file.tell() - len(text) + text.rfind(b"\n") + 1
        for line in text[: text.rfind(b"\n") + 1].splitlines():
            if (told := _object(line)) is not None:
                yield told

    def _ended(self) -> bool:
        with self._path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _of_the_owner(path: str, flags: int) -> int:
    """A new file can be read by its owner only."""
    return os.open(path, flags, 0o600)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], told) if isinstance(told, dict) else None
