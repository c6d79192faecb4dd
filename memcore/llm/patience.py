"""How long a call is waited for, and how often it is made again: bounded, with a countdown one can see.

Only what passes is tried again: a rate limit, an overload, a silence, a lost connection; a model that talks
for too long would do so again. A service that says when to come back is believed, up to the longest wait.
Between two ticks of the countdown it can be cancelled.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from memcore.errors import Cancelled, Overloaded, RateLimited, TimedOut, Unreachable
from memcore.settings import DEFAULT, Settings
from memcore.stopping import Stop, never

TICK = 0.5
_PASSING = (RateLimited, Overloaded, TimedOut, Unreachable)
_T = TypeVar("_T")


class Wait(NamedTuple):
    """Before the `attempt`-th call of at most `attempts`, with `seconds` left; `why` is the last error."""

    attempt: int
    attempts: int
    seconds: float
    why: str


def _unseen(wait: Wait) -> None:
    """Nobody follows."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Who follows the waiting (`waiting`, once a tick), who can end it (`cancelled`), and what time it is."""

    settings: Settings = DEFAULT
    waiting: Callable[[Wait], None] = _unseen
    cancelled: Stop = never
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def checked(self) -> None:
        """Raises Cancelled where the person stopped it."""
        if self.cancelled():
            raise Cancelled("The call to the model was stopped.")

    def insist(self, call: Callable[[], _T]) -> _T:
        """The call, made again as often as the settings say. Raises its last error, or Cancelled."""
        attempts = self.settings.model_retries + 1
        for attempt in range(1, attempts + 1):
            self.checked()
            try:
                return call()
            except _PASSING as error:
                seconds = self._wait(attempt, error)
                final = isinstance(error, TimedOut) and not error.again
                if final or attempt == attempts or seconds > self.settings.model_longest_wait:
                    raise
                why = str(error)
            self._count_down(Wait(attempt + 1, attempts, seconds, why))
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, attempt: int, error: RateLimited | Overloaded | TimedOut | Unreachable) -> float:
        if isinstance(error, RateLimited | Overloaded) and error.seconds is not None:
            return error.seconds
        return min(self.settings.model_first_wait * 2 ** (attempt - 1), self.settings.model_longest_wait)

    def _count_down(self, wait: Wait) -> None:
        while wait.seconds > 0:
            self.waiting(wait)
            self.checked()
            tick = min(TICK, wait.seconds)
            self.sleep(tick)
            wait = wait._replace(seconds=wait.seconds - tick)
