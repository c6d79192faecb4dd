"""Signing in with a shared token: whose it is, and how often somebody may guess.

A token is compared with all that there are, each in constant time, so that how long it takes says nothing.
Wrong ones are counted for each session and for all of them, so that opening many sessions does not help; what
is kept of it does not grow. Tokens come from the environment and are in no record, log or address.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import NamedTuple, cast

from memcore.access.roles import CALLED, Role
from memcore.errors import InputError
from memcore.settings import Settings

SHORTEST = 16
ALL_SESSIONS = (
    10  # times as many wrong tokens may be given by all sessions as by one, and a tenth of its waits
)
_FORGOTTEN = 3_600.0  # seconds without a wrong token


class Outcome(NamedTuple):
    """What came of an attempt: a role, or how long to wait for the next one. `first` of a wait is told once:
    an attempt within a wait is not looked at."""

    role: Role | None
    wait: float = 0.0
    looked_at: bool = True
    first: bool = True


@dataclass
class Session:
    """One sign-in: whose role, a random id for the audit, and when something was last done (a clock's)."""

    role: Role
    id: str
    used: float

    def idle(self, settings: Settings, now: float) -> bool:
        """Whether nothing was done for too long."""
        return now - self.used > settings.idle_minutes * 60


@dataclass
class Attempts:
    """Wrong tokens so far. After `free` of them one has to wait, each time twice as long."""

    free: int
    first_wait: float
    longest_wait: float
    clock: Callable[[], float] = time.monotonic
    wrong: int = 0
    _last: float = 0.0
    _told: bool = False
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of_session(cls, settings: Settings, clock: Callable[[], float] = time.monotonic) -> Attempts:
        """Those of one session."""
        return cls(settings.wrong_tokens, settings.wrong_wait, settings.wrong_wait_most, clock)

    @classmethod
    def of_all(cls, settings: Settings, clock: Callable[[], float] = time.monotonic) -> Attempts:
        """Those of all sessions together. The waits are shorter: they hold up people who have a token."""
        free, longest = settings.wrong_tokens * ALL_SESSIONS, settings.wrong_wait_most / ALL_SESSIONS
        return cls(free, settings.wrong_wait, longest, clock)

    def wait(self) -> float:
        """Seconds until the next token is looked at."""
        since = self.clock() - self._last
        if self.wrong and since > max(_FORGOTTEN, self.longest_wait):
            self.wrong = 0
        over = self.wrong - self.free
        if over < 0:
            return 0.0
        doubled = self.first_wait * 2 ** min(over, 30)
        return max(0.0, min(doubled, self.longest_wait) - since)

    def failed(self) -> None:
        """One more was wrong."""
        self.wrong += 1
        self._last = self.clock()
        self._told = False

    def tell(self) -> bool:
        """Whether this is the first attempt within a wait."""
        first, self._told = not self._told, True
        return first


def usable(tokens: Mapping[str, str], scopes: Collection[str] = ()) -> None:
    """Raises InputError for tokens that are too easy to guess, or cannot tell two roles apart; also where
    `scopes`, the roles that may enter some memories only, has one that this cannot hold for."""
    if "officer" in scopes:
        raise InputError(
            "A privacy officer reads the audit and changes the settings of all memories, so that "
            "MEMCORE_OFFICER_SCOPES would hold nothing back: take it away."
        )
    for role, token in tokens.items():
        if len(token) < SHORTEST:
            name = f"MEMCORE_{role.upper()}_TOKEN"
            raise InputError(f"{name} is too short: a token has at least {SHORTEST} characters.")
    if len({*tokens.values()}) < len(tokens):
        raise InputError("Two roles have the same token: give each one of its own.")


def attempt(given: str, tokens: Mapping[str, str], session: Attempts, everybody: Attempts) -> Outcome:
    """Whose token this is. Within a wait no token is looked at, not even a right one."""
    with everybody.lock:
        wait = max(session.wait(), everybody.wait())
        if wait > 0:
            waited_for = everybody if everybody.wait() > 0 else session
            return Outcome(None, wait, looked_at=False, first=waited_for.tell())
        role = role_of(given, tokens)
        if role is not None:
            session.wrong = 0
            return Outcome(role)
        session.failed()
        everybody.failed()
        return Outcome(None, max(session.wait(), everybody.wait()))


def role_of(given: str, tokens: Mapping[str, str]) -> Role | None:
    """The role that has this token. Digests are compared, so that not even its length shows, and all of
    them, so that it does not show which one it was."""
    found: str | None = None
    digest = _digest(given)
    for role, token in tokens.items():
        found = role if hmac.compare_digest(digest, _digest(token)) else found
    return cast(Role, found) if found in CALLED else None


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
