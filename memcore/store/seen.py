# pyright: basic, reportAttributeAccessIssue=false
"""The tables of a scope as a viewer of less than full clearance has them in hand.

Every read of a scope goes through its two tables. These give out only what the viewer may see, and take no
writes; so whatever is built on a scope withholds what it must, without knowing of it. Only the traces of
the viewer's own runs are written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import lancedb
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.query import MatchQuery

from memcore.access.permissions import MOST_SENSITIVE, READ_ONLY
from memcore.access.roles import Act
from memcore.store.commit import CHANGES
from memcore.store.folder import Folder
from memcore.store.lance_errors import lance_errors
from memcore.store.schema import Index, items_indexes
from memcore.store.scribe import Scribe
from memcore.store.tables import Table, begun_again
from memcore.store.withheld import Withheld, withheld

_WORDS = ("text", "grams")
_SEARCHED = "kind IN ('turn', 'content', 'step')"
_NEEDED = ("id", "kind", "seq")
_READING = """(body LIKE '%"opened"%' OR body LIKE '%"overridden"%')"""  # events that name what was read


class SealedFolder(Folder):
    """A store's folder for who may only read: nothing in it is written, looked through or measured."""

    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe

    @property
    def path(self) -> Path:
        raise self._scribe.refuse("read", READ_ONLY)

    @contextmanager
    def writing(
        self, on_wait: Callable[[], None] | None = None, wait: float | None = None
    ) -> Generator[None]:
        raise self._scribe.refuse("correct", READ_ONLY)
        yield


class _Closed(Table):
    """A table that is only read, and only through what a subclass lets out."""

    def __init__(self, db: Any, name: str, scribe: Scribe) -> None:
        super().__init__(db, name)
        self._scribe = scribe

    def add(self, rows: pa.Table) -> None:
        self._refuse()

    def merge(self, rows: pa.Table, delete: str | None = None) -> None:
        self._refuse()

    def remove(self, where: str) -> None:
        self._refuse()

    def tidy(self) -> None:
        self._refuse()

    def newest(self) -> Any:
        self._refuse("read")

    def create_indexes(self, indexes: Mapping[str, Index]) -> None:
        self._refuse()

    @property
    def folder(self) -> Path:
        self._refuse("read")

    def count(self, where: str) -> int:
        return len(self.read(["id"], where))

    def batches(
        self, columns: Sequence[str], where: str | None = None, rows: int | None = None
    ) -> Generator[pa.RecordBatch]:
        yield from self.read(columns, where).to_batches(max_chunksize=rows)

    def _refuse(self, act: Act = "correct") -> NoReturn:
        raise self._scribe.refuse(act, READ_ONLY)


class SeenItems(_Closed):
    """The items that a viewer may see. What is withheld is worked out anew for each version of the table."""

    def __init__(self, db: Any, name: str, scribe: Scribe, clearance: int) -> None:
        super().__init__(db, name, scribe)
        self.clearance = clearance
        self._known: tuple[int, Withheld] | None = None
        self._words: Table | None = None

    def read(self, columns: Sequence[str], where: str | None = None, few: bool = False) -> pa.Table:
        """These columns of what fits and is shown. That commits were made, and how many, is told."""
        if where == CHANGES and list(columns) == ["seq"]:
            return super().read(columns, where)
        kept = self.withheld()
        rows = super().read(list(dict.fromkeys([*columns, *_NEEDED])), where, few)
        return kept.out_of(rows).select(list(columns))

    def match(self, query: MatchQuery, where: str, limit: int) -> pa.Table:
        """Full text over a copy in memory of what is shown: how rare a word is must not tell of the rest."""
        return self._copy().match(query, where, limit)

    @contextmanager
    def pinned(self) -> Generator[Table]:
        with Table(self.db, self.name).pinned() as still:
            seen = SeenItems(self.db, self.name, self._scribe, self.clearance)
            seen._table, seen._pinned = still._table, True
            if self._known and self._known[0] == seen.version:
                seen._known = self._known
            yield seen

    def withheld(self) -> Withheld:
        """What is kept back of the table as it is now."""
        version = self.version
        if self._known is None or self._known[0] != version:
            self._words = None  # nothing of what was erased or marked since stays at hand
            self._known = self._table_now() if self._pinned else begun_again(self._table_now)
        return self._known[1]

    def _table_now(self) -> tuple[int, Withheld]:
        still = Table(self.db, self.name)
        with lance_errors():
            still._table.checkout(self.version)
        still._pinned = True
        return still.version, withheld(still, self.clearance)

    def _copy(self) -> Table:
        self.withheld()
        if self._words is None:
            self._words = _searchable(self.read(["id", "kind", *_WORDS], _SEARCHED))
        return self._words


class SeenTraces(_Closed):
    """The traces of runs that were asked with no more clearance and read nothing that is withheld by now; and
    of those that are under way through this table."""

    def __init__(self, db: Any, name: str, scribe: Scribe, items: SeenItems) -> None:
        super().__init__(db, name, scribe)
        self._items = items
        self._own: set[str] = set()

    def read(self, columns: Sequence[str], where: str | None = None, few: bool = False) -> pa.Table:
        rows = super().read(list(dict.fromkeys([*columns, "trace_id"])), where, few)
        seen = pa.array([*(self._seen() | self._own)], pa.string())
        return rows.filter(pc.is_in(rows.column("trace_id"), seen)).select(list(columns))

    def add(self, rows: pa.Table) -> None:
        self._only_own(rows)
        Table.add(self, rows)

    def merge(self, rows: pa.Table, delete: str | None = None) -> None:
        """Writes the header of a trace that is new or of the viewer's own."""
        given = _traces(rows)
        strange = given - self._own
        if delete is not None or (strange and strange & _traces(super().read(["trace_id"]))):
            self._refuse()
        Table.merge(self, rows)
        under_way = {r["trace_id"] for r in rows.to_pylist() if r["status"] == "running"}
        self._own = self._own - given | under_way

    def remove(self, where: str) -> None:
        """Takes back a trace of the viewer's own, if it was erased while it ran."""
        if _traces(super().read(["trace_id"], where)) <= self._own:
            Table.remove(self, where)
        else:
            self._refuse()

    def tidy(self) -> None:
        """Housekeeping, which changes nothing that can be read."""
        Table.tidy(self)

    def _only_own(self, rows: pa.Table) -> None:
        if not _traces(rows) <= self._own:
            self._refuse()

    def _seen(self) -> set[str]:
        asked, clearance = self._events("position = 0"), self._items.clearance
        may = {i for i, body in asked if json.loads(body).get("clearance", MOST_SENSITIVE) <= clearance}
        kept = self._items.withheld()
        return may - {i for i, body in (self._events(_READING) if may else ()) if kept.named_in(body)}

    def _events(self, where: str) -> list[tuple[str, str]]:
        rows = super().read(["trace_id", "body"], f"kind = 'event' AND {where}")
        return list(zip(rows.column("trace_id").to_pylist(), rows.column("body").to_pylist(), strict=True))


def _traces(rows: pa.Table) -> set[str]:
    return {*rows.column("trace_id").to_pylist()}


def seen(db: Any, items: str, traces: str, scribe: Scribe) -> tuple[Table, Table]:
    """Both tables of a scope, as the viewer of this scribe sees them."""
    shown = SeenItems(db, items, scribe, scribe.viewer.clearance)
    return shown, SeenTraces(db, traces, scribe, shown)


def _searchable(rows: pa.Table) -> Table:
    """A table in memory with the indexes of words over these rows."""
    db = lancedb.connect("memory://")
    with lance_errors():
        db.create_table("words", rows)
    table = Table(db, "words")
    table.create_indexes({column: index for column, index in items_indexes().items() if column in _WORDS})
    return table
