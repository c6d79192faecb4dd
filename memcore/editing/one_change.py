"""A store in which every edit joins one change, so that a whole replay is undone at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memcore.events import ChangeEvent
from memcore.records import Content, Conversation, Correction, Record, Relation, Turn


class Shelf(Protocol):
    """What this needs of a store (see store.Scope)."""

    def writing(self) -> AbstractContextManager[None]: ...

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def names(self, kind: str) -> list[tuple[str, str]]: ...

    def named(self, kind: str, keys: Collection[str]) -> dict[str, str]: ...

    def extracted_since(self, when: datetime) -> bool: ...

    def conversations(self) -> list[Conversation]: ...

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def contents(self, conversation_id: str) -> list[Content]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def corrections(self) -> list[Correction]: ...

    def commit(
        self,
        event: ChangeEvent,
        *,
        inserts: Sequence[Record] = (),
        upserts: Sequence[Record] = (),
        deletes: Sequence[str] = (),
        group: str | None = None,
    ) -> int: ...


@dataclass(frozen=True, slots=True)
class OneChange:
    """See above; `group` is the change."""

    shelf: Shelf
    group: str

    def writing(self) -> AbstractContextManager[None]:
        return self.shelf.writing()

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        return self.shelf.get(ids)

    def names(self, kind: str) -> list[tuple[str, str]]:
        return self.shelf.names(kind)

    def named(self, kind: str, keys: Collection[str]) -> dict[str, str]:
        return self.shelf.named(kind, keys)

    def extracted_since(self, when: datetime) -> bool:
        return self.shelf.extracted_since(when)

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]:
        return self.shelf.relations_of(*ids, end=end)

    def corrections(self) -> list[Correction]:
        return self.shelf.corrections()

    def commit(
        self,
        event: ChangeEvent,
        *,
        inserts: Sequence[Record] = (),
        upserts: Sequence[Record] = (),
        deletes: Sequence[str] = (),
        group: str | None = None,
    ) -> int:
        return self.shelf.commit(event, inserts=inserts, upserts=upserts, deletes=deletes, group=self.group)
