"""Turns in batches of whole sessions: what construction is given at once, so that topics see all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar


class InSession(Protocol):
    """Anything said in a session."""

    @property
    def session(self) -> str: ...


_T = TypeVar("_T", bound=InSession)


def batches(turns: Sequence[_T], size: int) -> Iterator[list[_T]]:
    """Whole sessions, about `size` turns together. A session of more than four times `size` is cut."""
    batch: list[_T] = []
    for turn in turns:
        new_session = bool(batch) and batch[-1].session != turn.session
        if (len(batch) >= size and new_session) or len(batch) >= 4 * size:
            yield batch
            batch = []
        batch.append(turn)
    if batch:
        yield batch
