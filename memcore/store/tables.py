# pyright: basic
"""One LanceDB table, reduced to what a store needs: read, add, merge, tidy; retried and translated.

A predicate is built only from ids (checked to be hex digits), numbers and literals of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import lancedb
import pyarrow as pa
from lancedb.query import MatchQuery

from memcore.errors import StoreError
from memcore.store.lance_errors import compacted_away, lance_errors
from memcore.store.schema import Index

_ID = re.compile(r"[0-9a-f]{8,64}")
_IDS_PER_PREDICATE = 5_000
_READS = 5  # of one version, until a compaction by another process leaves it alone
# Lance warns of a zero, which it takes for a mistake; readers here read again when a version is gone.
AT_ONCE = timedelta(milliseconds=1)
_Result = TypeVar("_Result")


def connect(folder: Path) -> Any:
    """LanceDB over a folder, always reading the newest version."""
    with lance_errors():
        return lancedb.connect(str(folder), read_consistency_interval=timedelta(0))


def is_id(text: str) -> bool:
    """Whether this can be an id of ours: only then may it stand in a predicate."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def among(column: str, ids: Iterable[str]) -> str | None:
    """The predicate "column is one of these ids"; None when none of them can be an id."""
    fit = [f"'{i}'" for i in ids if is_id(i)]
    return f"{column} IN ({','.join(fit)})" if fit else None


class Table:
    """A table by its name. Every read sees the newest commit unless it is `pinned`."""

    def __init__(self, db: Any, name: str) -> None:
        self.db = db
        self.name = name
        self._pinned = False
        self._table = self._opened()

    @classmethod
    def create(cls, db: Any, name: str, schema: Any, indexes: Mapping[str, Index]) -> Table:
        """A new empty table with all its indexes: they cost nothing yet, and each commit may rely on them."""
        with lance_errors():
            made = db.create_table(name, schema=schema)
            made.set_unenforced_primary_key("id")
            for column, config in indexes.items():
                made.create_index(column, config=config)
        return cls(db, name)

    @property
    def schema(self) -> pa.Schema:
        with lance_errors():
            return self._table.schema

    @property
    def version(self) -> int:
        with lance_errors():
            return self._table.version

    def read(self, columns: Sequence[str], where: str | None = None, few: bool = False) -> pa.Table:
        """These columns of all rows that fit. `few` finds the rows first and then takes them: a scan reads
        all columns of every fragment that the indexes do not know yet."""

        def scan(table: Any) -> Any:
            return table.search() if where is None else table.search().where(where)

        def take() -> pa.Table:
            with self._standing() as still:
                found = scan(still).with_row_id(True).select(["id"]).to_arrow()
                rows = found.column("_rowid").to_pylist()
                return still.take_row_ids(rows).select(list(columns)).to_arrow()

        return self._again(take if few else lambda: scan(self._table).select(list(columns)).to_arrow())

    def batches(
        self, columns: Sequence[str], where: str | None = None, rows: int | None = None
    ) -> Generator[pa.RecordBatch]:
        """The same piece by piece, in any order: for what is too large to be held twice. `rows` of a piece:
        many of them are read several times as fast."""
        query = self._table.search() if where is None else self._table.search().where(where)
        with lance_errors():
            yield from query.select(list(columns)).to_batches(batch_size=rows)

    def read_among(self, columns: Sequence[str], column: str, ids: Iterable[str]) -> pa.Table:
        """These columns of the rows whose `column` is one of the ids; what cannot be an id is left out."""
        wanted = list(dict.fromkeys(ids))
        parts = [wanted[i : i + _IDS_PER_PREDICATE] for i in range(0, len(wanted), _IDS_PER_PREDICATE)]
        found = [self.read(columns, where, few=True) for part in parts if (where := among(column, part))]
        schema = self.schema
        return (
            pa.concat_tables(found) if found else pa.schema([schema.field(c) for c in columns]).empty_table()
        )

    def count(self, where: str) -> int:
        """How many rows fit; from the index alone where there is one."""
        return self._again(lambda: self._table.count_rows(where))

    def match(self, query: MatchQuery, where: str, limit: int) -> pa.Table:
        """Full text: `id` and `_score` of the best rows that fit."""

        def search() -> pa.Table:
            found = self._table.search(query, query_type="fts").where(where, prefilter=True)
            return found.select(["id", "_score"]).limit(limit).to_arrow()

        return self._again(search)

    def add(self, rows: pa.Table) -> None:
        """Appends rows that are known to be new: one commit."""
        with lance_errors():
            self._table.add(rows)

    def merge(self, rows: pa.Table, delete: str | None = None) -> None:
        """Writes rows over those of the same id, and deletes what fits the predicate: one commit."""
        with lance_errors():
            merge = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            if delete is not None:
                merge = merge.when_not_matched_by_source_delete(delete)
            merge.execute(rows)

    def remove(self, where: str) -> None:
        """Deletes what fits the predicate: one commit."""
        with lance_errors():
            self._table.delete(where)

    def tidy(self) -> None:
        """Compacts, takes new rows into the indexes and drops old versions. Needs the writer lock."""
        with lance_errors():
            self._table.optimize(cleanup_older_than=AT_ONCE, delete_unverified=False)

    def newest(self) -> Any:
        """LanceDB's own table at its newest version, for what only a purge may do (see purging)."""
        self._table = self._opened()
        return self._table

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return Path(self._table.uri)

    def fragments(self) -> int:
        """How many pieces the table is in: what makes reading slow."""
        with lance_errors():
            return self._table.stats()["fragment_stats"]["num_fragments"]

    def missing_indexes(self, indexes: Mapping[str, Index]) -> list[str]:
        """The columns of `indexes` that have no index."""
        with lance_errors():
            present = {column for index in self._table.list_indices() for column in index.columns}
        return [column for column in indexes if column not in present]

    def create_indexes(self, indexes: Mapping[str, Index]) -> None:
        with lance_errors():
            for column, config in indexes.items():
                self._table.create_index(column, config=config)

    @contextmanager
    def pinned(self) -> Generator[Table]:
        """The table as it is now, for several reads that must agree.

        A compaction by another process can take that version away: then a read raises, and the caller
        begins again (see `begun_again`).
        """
        still = Table(self.db, self.name)
        with lance_errors():
            still._table.checkout(still._table.version)
        still._pinned = True
        yield still

    @contextmanager
    def _standing(self) -> Generator[Any]:
        """LanceDB's table at one version: this one where it is pinned."""
        if self._pinned:
            yield self._table
            return
        with Table.pinned(self) as still:
            yield still._table

    def _opened(self) -> Any:
        with lance_errors():
            return self.db.open_table(self.name)

    def _again(self, read: Callable[[], _Result]) -> _Result:
        """Reads, and once more when another process compacted the version away meanwhile."""
        try:
            with lance_errors():
                return read()
        except StoreError as error:
            if self._pinned or not compacted_away(error):
                raise
        self._table = self._opened()
        with lance_errors():
            return read()


def begun_again(read: Callable[[], _Result]) -> _Result:
    """Several reads of one pinned version, begun again when that version was compacted away meanwhile."""
    for _ in range(_READS - 1):
        try:
            return read()
        except StoreError as error:
            if not compacted_away(error):
                raise
    return read()
