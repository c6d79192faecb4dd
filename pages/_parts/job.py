"""Work in a thread of its own, so that no page waits for it: what it yielded so far, stop, and its end.

The thread never calls Streamlit; a fragment of the page looks at the job every half second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from memcore.errors import Cancelled, MemcoreError
from memcore.stopping import Stop

UNEXPECTED = "It ended unexpectedly; everything reported so far is in place, and it can be run again."


class Job:
    """A generator run to its end in the background. `items` only grows; `error` is set before `ended`."""

    def __init__(self, steps: Callable[[Stop], Iterator[Any]], total: int = 0) -> None:
        self.items: list[Any] = []
        self.total = total
        self.error: MemcoreError | None = None
        self._steps, self._stop, self._ended = steps, threading.Event(), threading.Event()
        threading.Thread(target=self._run, daemon=True, name="memcore-job").start()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        """Asks it to end between two steps."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Waits for the end at most so long; whether it ended."""
        return self._ended.wait(seconds)

    def _run(self) -> None:
        error: MemcoreError | None = MemcoreError(UNEXPECTED)
        try:
            for item in self._steps(self._stop.is_set):
                self.items.append(item)
            error = None
        except Cancelled:  # a model was being asked when somebody pressed Stop
            error = None
        except MemcoreError as failure:
            error = failure
        finally:
            self.error = error
            self._ended.set()
