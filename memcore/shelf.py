"""What nearly everything that changes a memory needs of its store: one lock, one commit, a few records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from memcore.events import ChangeEvent
from memcore.records import Correction, Record, Relation
from memcore.triples import Names


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


class Records(Protocol):
    """Records by their ids, relations by their ends, and what people corrected: see store.Scope."""

    def get(self, ids: Iterable[str], *classes: type[Record]) -> dict[str, Record]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def corrections(self) -> list[Correction]: ...


class Named(Protocol):
    """The cues and tags of a memory by id and key: see store.Scope."""

    def names(self, kind: str) -> list[tuple[str, str]]: ...


def names_of(shelf: Named) -> Names:
    """The cues and tags of a memory by their names, as construction finds them again."""
    cues, tags = ({key: id_ for id_, key in shelf.names(kind)} for kind in ("cue", "tag"))
    return Names(cues, tags)
