"""What LanceDB and the disk raise, in our words. The one place that reads their messages.

Lance reports a full disk, a missing right and a broken file alike, as OSError, RuntimeError or
ValueError; only the text tells them apart.
"""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager

from memcore.errors import StoreDamaged, StoreError, StoreFull

_NO_ROOM = ("no space left", "os error 28", "disk quota", "os error 122", "file too large", "os error 27")
_NO_RIGHT = ("permission denied", "os error 13", "read-only file system", "os error 30")
_GONE = ("not found", "no such file", "os error 2)")
_ROOM_CODES = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_RIGHT_CODES = (errno.EACCES, errno.EPERM, errno.EROFS)


class _Gone(StoreDamaged):
    """A file of the version being read is missing: compacted away meanwhile, or lost."""


@contextmanager
def lance_errors() -> Generator[None]:
    """Turns every error of LanceDB or the disk into a StoreError with the original as its cause."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise _ours(error) from error


def compacted_away(error: StoreError) -> bool:
    """Whether reading again may help, because another process has just compacted the table."""
    return isinstance(error, _Gone)


def _ours(error: OSError | RuntimeError | ValueError) -> StoreError:
    text = str(error).casefold()
    code = error.errno if isinstance(error, OSError) else None
    if code in _ROOM_CODES or any(said in text for said in _NO_ROOM):
        return StoreFull("The disk is full: free some space and try again; nothing was changed.")
    if code in _RIGHT_CODES or any(said in text for said in _NO_RIGHT):
        return StoreFull("The store's folder cannot be written: check its permissions; nothing was changed.")
    kind = _Gone if any(said in text for said in _GONE) else StoreDamaged
    return kind("The store cannot be read: a part of it is missing or broken. Run `memcore doctor`.")
