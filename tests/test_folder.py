"""The writer lock: one writer at a time, on this system and, as far as that can be shown here, on Windows."""

from __future__ import annotations

import errno
import importlib.util
import os
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from memcore import locks as locks_here
from memcore.errors import StoreBusy
from memcore.store import folder as folder_here


class Msvcrt(ModuleType):
    """Stands in for `msvcrt` with what its documentation says of `locking`: regions, per open file."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: dict[tuple[int, int], int] = {}
        self.codes = [errno.EACCES, errno.EDEADLK]

    def locking(self, fd: int, mode: int, count: int) -> None:
        region = (os.fstat(fd).st_ino, os.lseek(fd, 0, os.SEEK_CUR))
        assert count == 1
        if mode == self.LK_UNLCK:
            if self.held.pop(region, None) != fd:
                raise PermissionError(errno.EACCES, "this region is not locked by this file")
        elif region in self.held:
            raise OSError(self.codes[len(self.held) % 2], "the region is locked")
        else:
            self.held[region] = fd


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, Msvcrt]:
    """The module as Windows would load it, over the stand-in. Real Windows is not exercised by this."""
    locks = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    monkeypatch.setattr(sys, "platform", "win32")
    on_windows = loaded(Path(locks_here.__file__))
    assert not hasattr(on_windows, "fcntl")
    monkeypatch.setitem(sys.modules, "memcore.locks", on_windows)
    return loaded(Path(folder_here.__file__)), locks


def loaded(source: Path) -> ModuleType:
    """A module of this source once more, as this system would load it."""
    spec = importlib.util.spec_from_file_location(f"{source.stem}_on_windows", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def second_is_refused(module: ModuleType, path: Path) -> None:
    """While one folder object writes, another is told to wait and then refused; afterwards it may."""
    first, second = module.Folder(path, 1.0), module.Folder(path, 0.05)
    waited: list[bool] = []
    with (
        first.writing(),
        first.writing(),
        pytest.raises(StoreBusy),
        second.writing(lambda: waited.append(True)),
    ):
        pass
    assert waited == [True]
    with second.writing(), pytest.raises(StoreBusy), first.writing(wait=0):
        pass


def test_a_second_writer_waits_and_is_refused(tmp_path: Path) -> None:
    second_is_refused(folder_here, tmp_path)


def test_a_second_writer_waits_and_is_refused_on_windows(
    windows: tuple[ModuleType, Msvcrt], tmp_path: Path
) -> None:
    module, locks = windows
    second_is_refused(module, tmp_path)
    assert locks.held == {}, "every lock is given back before its file is closed"


def test_a_writer_that_waits_goes_on_when_the_first_is_done(tmp_path: Path) -> None:
    first, second = folder_here.Folder(tmp_path, 5.0), folder_here.Folder(tmp_path, 5.0)
    order: list[str] = []
    waiting = threading.Event()

    def write() -> None:
        with second.writing(waiting.set):
            order.append("second")

    with first.writing():
        thread = threading.Thread(target=write)
        thread.start()
        assert waiting.wait(5)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_an_error_that_is_no_lock_is_not_taken_for_one(
    windows: tuple[ModuleType, Msvcrt], tmp_path: Path
) -> None:
    module, locks = windows
    locks.codes = [errno.EBADF] * 2
    other = module.Folder(tmp_path, 0.05).writing()
    with module.Folder(tmp_path, 1.0).writing(), pytest.raises(OSError, match="locked") as caught, other:
        pass
    assert caught.value.errno == errno.EBADF


def test_the_head_is_replaced_although_a_reader_has_it_open_for_a_moment(
    windows: tuple[ModuleType, Msvcrt], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _ = windows
    replace, refusals = os.replace, iter([True, True, False])

    def busy(draft: Path, place: Path) -> None:
        if next(refusals):
            raise PermissionError(errno.EACCES, "in use")
        replace(draft, place)

    monkeypatch.setattr(os, "replace", busy)
    folder = module.Folder(tmp_path, 1.0)
    folder.write_head({"schema": 1})
    assert folder.head() == {"schema": 1} and folder.leftovers() == []
