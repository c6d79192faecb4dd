"""Following a reply as it comes, also while nothing comes.

A service that has gone silent, or that only says that it is alive, blocks whoever reads from it. So the
reading is done by a thread of its own, and whoever waits for the parts looks up several times a second: to
stop, or because the time is over. A reply that was left is read no further; its connection ends with the
next thing that comes, or with the time limit of its silence.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import closing
from queue import Empty, SimpleQueue
from typing import TypeVar

from memcore.errors import MemcoreError

LOOK = 0.1  # seconds between two looks
_T = TypeVar("_T")


def followed(parts: Generator[_T, None, None], look: Callable[[], None]) -> Generator[_T, None, None]:
    """The parts, in the thread that asks for them. `look` is called between them and may raise.

    Raises what the parts raise, and what `look` raises.
    """
    come: SimpleQueue[_T | MemcoreError | bool] = SimpleQueue()
    left = threading.Event()
    threading.Thread(target=_read, args=(parts, come, left), daemon=True).start()
    try:
        while True:
            try:
                part = come.get(timeout=LOOK)
            except Empty:
                look()
                continue
            if isinstance(part, bool):
                assert part, "the reader failed, and Python has said where"
                return
            if isinstance(part, MemcoreError):
                raise part
            look()
            yield part
    finally:
        left.set()


def _read(
    parts: Generator[_T, None, None], come: SimpleQueue[_T | MemcoreError | bool], left: threading.Event
) -> None:
    """Puts every part, then the error that ended them, then whether all went as foreseen."""
    foreseen = False
    try:
        with closing(parts):
            for part in parts:
                if left.is_set():
                    break
                come.put(part)
        foreseen = True
    except MemcoreError as error:
        come.put(error)
    finally:
        come.put(foreseen)
