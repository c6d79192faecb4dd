"""The writing side of a store, as everything that changes a memory needs it: one lock, one commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from memcore.events import ChangeEvent
from memcore.records import Record


class Committing(Protocol):
    """See store.Scope, which fits."""

    def writing(self, on_wait: Callable[[], None] | None = None) -> AbstractContextManager[None]: ...

    def commit(
        self,
        event: ChangeEvent,
        *,
        inserts: Sequence[Record] = (),
        upserts: Sequence[Record] = (),
        deletes: Sequence[str] = (),
        group: str | None = None,
        source_hashes: Mapping[str, str] | None = None,
    ) -> int: ...
