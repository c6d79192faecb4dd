"""What only a local folder can do: the writer lock, the head file, the size on disk.

A store elsewhere (an object store) would need another file like this one and nothing else.

    FOLDER/store.json    schema, embedder, secret key, scopes (mode 0600: it holds the key)
    FOLDER/writer.lock   held while something is written
    FOLDER/traces.lock   held for the moment in which a trace is written
    FOLDER/audit.*       who did what, and its lock (see chain)
    FOLDER/lance/        the tables
    FOLDER/receipts/     of erasures
    FOLDER/replies.jsonl recorded replies of models, which go with any erasure
    FOLDER/settings.json what was chosen in the settings: models, budgets, thresholds; never a key
    FOLDER/calls.jsonl   the bill of model calls: task, model, tokens, dollars
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memcore.errors import InputError, StoreBusy, StoreDamaged
from memcore.locks import awaited, release
from memcore.store.lance_errors import lance_errors

HEAD = "store.json"
LOCK = "writer.lock"
TRACES_LOCK = "traces.lock"
AUDIT_LOCK = "audit.lock"
AUDIT = "audit.jsonl"
AUDIT_HEAD = "audit.head"
TABLES = "lance"
RECEIPTS = "receipts"
REPLIES = "replies.jsonl"  # see llm.recording
SETTINGS = "settings.json"  # see configuration
CALLS = "calls.jsonl"  # see llm.call_log
_UNREADABLE = f"The file {SETTINGS} of this store cannot be read: mend it, or move it away to start afresh."
# Windows does not replace a file that another process has open at that very moment.
_REPLACE_ATTEMPTS = 50
_REPLACE_SECONDS = 0.02


class Folder:
    """One store's folder. The lock in it works between processes and between threads."""

    def __init__(self, path: Path, lock_seconds: float) -> None:
        self.path = path
        self._lock_seconds = lock_seconds
        self._held = threading.local()
        self.unfinished: Callable[[], None] | None = None
        """What must be completed before anybody may write: called with the lock in hand."""

    @property
    def tables(self) -> Path:
        return self.path / TABLES

    def is_store(self) -> bool:
        """Whether a store was made here.

        Raises InputError where there is something, but not a store.
        """
        if self.path.exists() and not self.path.is_dir():
            raise InputError("The store must be a folder, but this path is a file.")
        with lance_errors():
            names = {p.name for p in self.path.iterdir()} if self.path.is_dir() else set[str]()
        leftovers = {p.name for p in self.leftovers()}
        if HEAD not in names and names - {LOCK, TRACES_LOCK, TABLES} - leftovers:
            raise InputError("This folder holds other files and is not a store: name an empty or new one.")
        return HEAD in names

    def make(self) -> None:
        """The folder itself, readable by its owner only."""
        with lance_errors():
            self.tables.mkdir(mode=0o700, parents=True, exist_ok=True)

    def head(self) -> dict[str, Any]:
        """What store.json says."""
        with lance_errors():
            text = (self.path / HEAD).read_text(encoding="utf-8")
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise StoreDamaged(f"The store's {HEAD} is broken: restore it from a copy.") from error

    def write_head(self, head: dict[str, Any]) -> None:
        """Replaces store.json as a whole: after a crash it is the old one or the new one."""
        self._put(HEAD, head)

    def settings(self) -> Any:
        """What settings.json says, None where there is none. Raises StoreDamaged naming the file."""
        with lance_errors():
            try:
                text = (self.path / SETTINGS).read_bytes().decode("utf-8")
            except FileNotFoundError:
                return None
            except UnicodeDecodeError as error:
                raise StoreDamaged(_UNREADABLE) from error
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StoreDamaged(_UNREADABLE) from error

    def write_settings(self, told: dict[str, Any]) -> None:
        """Replaces settings.json as a whole. Raises StoreFull."""
        self._put(SETTINGS, told)

    def _put(self, name: str, told: dict[str, Any]) -> None:
        draft = self.path / f"{name}.{os.getpid()}.{threading.get_ident()}.tmp"
        with lance_errors():
            with open(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as out:
                json.dump(told, out, ensure_ascii=False, indent=1)
                out.flush()
                os.fsync(out.fileno())
            replaced(draft, self.path / name)

    def leftovers(self) -> list[Path]:
        """Drafts of store.json and settings.json that a crash left."""
        return sorted(p for name in (HEAD, SETTINGS) for p in self.path.glob(f"{name}.*.tmp"))

    def bytes(self) -> int:
        """Size on disk. Files that vanish while they are counted count as nothing."""
        return sum(_size(Path(at) / name) for at, _, names in os.walk(self.path) for name in names)

    @contextmanager
    def writing(
        self, on_wait: Callable[[], None] | None = None, wait: float | None = None
    ) -> Generator[None]:
        """The writer lock, for one thread; taking it again inside is free.

        `on_wait` is called once when another writer has it. Raises StoreBusy after `wait` seconds
        (the setting `lock_seconds` when None).
        """
        with self._holding(LOCK, on_wait, wait) as newly:
            if newly and self.unfinished is not None:
                self.unfinished()
            yield

    @contextmanager
    def tracing(self) -> Generator[None]:
        """The lock of traces, which an import does not hold. Raises StoreBusy as `writing` does."""
        with self._holding(TRACES_LOCK, None, None):
            yield

    @contextmanager
    def auditing(self) -> Generator[None]:
        """The lock of the audit, always the innermost. Raises StoreBusy as `writing` does."""
        with self._holding(AUDIT_LOCK, None, None):
            yield

    @contextmanager
    def _holding(self, name: str, on_wait: Callable[[], None] | None, wait: float | None) -> Generator[bool]:
        """A lock for this thread; whether it was taken now, and not held already."""
        if getattr(self._held, name, False):
            yield False
            return
        with lance_errors():
            lock = open(self.path / name, "ab")  # noqa: SIM115
        with lock:
            seconds = self._lock_seconds if wait is None else wait
            if not awaited(lock.fileno(), seconds, on_wait):
                raise StoreBusy(
                    f"Something else has been writing to this store for over {seconds:g} seconds: "
                    "let it finish or stop it, then try again; nothing was changed."
                )
            setattr(self._held, name, True)
            try:
                yield True
            finally:
                setattr(self._held, name, False)
                release(lock.fileno())


def replaced(draft: Path, place: Path) -> None:
    """Puts the draft in its place as one step, waiting for a reader where the system makes it wait."""
    for left in reversed(range(_REPLACE_ATTEMPTS if sys.platform == "win32" else 1)):
        try:
            os.replace(draft, place)
            return
        except PermissionError:
            if not left:
                raise
            time.sleep(_REPLACE_SECONDS)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
