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

from memcore.errors import MemcoreError, Unreachable

LOOK = 0.1  # seconds between two looks
_T = TypeVar("_T")


def followed(parts: Generator[_T, None, None], look: Callable[[], None]) -> Generator[_T, None, None]:
    """The parts, in the thread that asks for them. `look` is called between them and may raise.

    Raises what the parts raise, and what `look` raises.
    """
    come: SimpleQueue[_T | MemcoreError | None] = SimpleQueue()
    left = threading.Event()
    threading.Thread(target=_read, args=(parts, come, left), daemon=True).start()
    try:
        while True:
            try:
                part = come.get(timeout=LOOK)
            except Empty:
                look()
                continue
            if part is None:
                return
            if isinstance(part, MemcoreError):
                raise part
            look()
            yield part
    finally:
        left.set()


def _read(
    parts: Generator[_T, None, None], come: SimpleQueue[_T | MemcoreError | None], left: threading.Event
) -> None:
    """Puts every part, then the error that ended them, if one did, then None."""
    try:
        with closing(parts):
            for part in parts:
                if left.is_set():
                    break
                come.put(part)
    except MemcoreError as error:
        come.put(error)
    except Exception as error:  # noqa: BLE001 - else whoever waits would never hear of it
        come.put(Unreachable(f"The reply of the model could not be read ({type(error).__name__})."))
    finally:
        come.put(None)
