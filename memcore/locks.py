"""A lock on an open file, between programs and threads. The system releases it when its holder dies."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_POLL_SECONDS = 0.02
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def awaited(lock: int, seconds: float, on_wait: Callable[[], None] | None = None, at: int = 0) -> bool:
    """Takes the lock as soon as it is free; False where it was not for so long.

    `on_wait` is called once when somebody else has it. `at` is the byte that Windows locks: nobody else can
    read it then, so that in a file that is read it has to lie beyond the end.
    """
    until = time.monotonic() + seconds
    while not _take(lock, at):
        if on_wait is not None:
            on_wait()
            on_wait = None
        if time.monotonic() >= until:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _take(lock: int, at: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(lock, at, os.SEEK_SET)
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True


def release(lock: int, at: int = 0) -> None:
    """Gives the lock back. Closing the file would do, but Windows does not say when."""
    if sys.platform == "win32":
        os.lseek(lock, at, os.SEEK_SET)
        msvcrt.locking(lock, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(lock, fcntl.LOCK_UN)
