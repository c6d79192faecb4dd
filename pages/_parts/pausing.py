"""Work in a thread of its own that a person can hold, let go on, and stop; it ends when the tab closes.

The thread calls nothing of Streamlit; the page looks at it from time to time.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from memcore.errors import MemcoreError
from pages._parts.job import UNEXPECTED


class Pausing(ABC):
    """One piece of work. `pace` seconds pass between two steps, so that a person can follow.

    `error` is set before `done`.
    """

    def __init__(self, pace: float) -> None:
        self._stopping, self._going, self._standing = threading.Event(), threading.Event(), threading.Event()
        self._going.set()
        self.pace = pace
        self.error: MemcoreError | None = None
        self.done = False
        self._thread = threading.Thread(target=self._to_the_end, daemon=True, name="memcore-live")

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    @property
    def held(self) -> bool:
        """Whether it stands still between two steps, which is soon after a pause."""
        return self.paused and self._standing.is_set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def start(self) -> None:
        self._thread.start()

    def pause(self) -> None:
        """Hold before the next step."""
        self._going.clear()

    def go_on(self) -> None:
        """Take the next step after a pause."""
        self._going.set()

    def stop(self) -> None:
        """End after the step under way; what happened stays."""
        self._stopping.set()
        self._going.set()

    def wait(self, seconds: float) -> None:
        """Return when it has ended, or after so many seconds."""
        self._thread.join(seconds)

    @abstractmethod
    def work(self) -> None:
        """All of it, in the thread: `between_steps` is called after each step."""

    def between_steps(self) -> None:
        """Let the pace pass, and stand still while held."""
        self._stopping.wait(self.pace)
        while self.paused and not self.stopping:
            self._standing.set()
            time.sleep(0.05)
        self._standing.clear()

    def _to_the_end(self) -> None:
        error: MemcoreError | None = MemcoreError(UNEXPECTED)
        try:
            self.work()
            error = None
        except MemcoreError as failure:
            error = failure
        finally:
            self.error = error
            self.done = True


_Work = TypeVar("_Work", bound=Pausing)


class UnderWay(Generic[_Work]):
    """The work of one browser session, one at a time."""

    def __init__(self) -> None:
        self.current: _Work | None = None

    def begin(self, work: _Work) -> _Work:
        """Start it; what was under way is stopped."""
        self.release()
        self.current = work
        work.start()
        return work

    def release(self) -> None:
        """Stop whatever is under way, and forget it."""
        if self.current is not None:
            self.current.stop()
        self.current = None
