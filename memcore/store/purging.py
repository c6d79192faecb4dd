# pyright: basic, reportAttributeAccessIssue=false
"""Leaving no byte of removed rows in a table: the part of an erasure that LanceDB has to do.

A deletion only marks rows, and compaction leaves large pieces and the copies inside indexes as they are.
So every row that stays is written anew, every index is built anew, and then all older versions go, files
of killed writers included. Nobody else may write to the table meanwhile.

A column's missing values hide bytes too: Lance repeats a page's only value for every null beside it, and
copies what lies under a null when it copies a row. Only a function that makes each value anew leaves it out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import Any, NamedTuple

import pyarrow as pa

from memcore.store.lance_errors import lance_errors
from memcore.store.schema import Index
from memcore.store.tables import AT_ONCE, Table

_ATTEMPTS = 5
_BUILT_AT_ONCE = 4


class Leftovers(NamedTuple):
    """What a table holds beside its current rows; `clean` when there is nothing. A version that somebody
    named, or branched off, with Lance keeps what was erased."""

    old_versions: int
    named_versions: int
    marked_rows: int
    unread_files: int
    unread_indexes: int

    @property
    def clean(self) -> bool:
        return not any(self)


def purge(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    """Write the table anew without what was deleted from it: (steps done, steps in all).

    Needs the lock of everyone who writes to this table. Beginning again after a crash is safe.
    """
    total = len(indexes) + 2
    lance = table.newest()
    with lance_errors():
        _drop_names(lance)
        lance.update(where="true", values_sql=made_anew(table))
        yield 1, total
        for done, _ in enumerate(_indexed(lance, indexes), 2):
            yield done, total
        _drop_versions(lance)
    yield total, total


def _indexed(lance: Any, indexes: Mapping[str, Index]) -> Iterator[Any]:
    """Each index as it is built; several at once, as one alone leaves most of a computer idle."""
    with ThreadPoolExecutor(_BUILT_AT_ONCE) as builders:
        building = [
            builders.submit(lance.create_index, column, config=config, replace=True)
            for column, config in indexes.items()
        ]
        for built in as_completed(building):
            yield built.result()


def made_anew(table: Table) -> dict[str, str]:
    """SQL that gives every column of text or bytes its own values, and none under its nulls."""
    found = {"kind": "replace(kind, ' ', ' ')"}
    for field in table.schema:
        if pa.types.is_string(field.type) and field.nullable:
            found[field.name] = f"replace({field.name}, ' ', ' ')"
        elif pa.types.is_large_binary(field.type):
            found[field.name] = f"decode(encode({field.name}, 'base64'), 'base64')"
    return found


def leftovers(table: Table) -> Leftovers:
    """What the folder of a table holds that its current version does not read."""
    lance = table.newest()
    with lance_errors():
        versions = lance.list_versions()
        said = versions[-1]["metadata"]
        folder = table.folder
        data = list((folder / "data").glob("*.lance")) if folder.is_dir() else []
        kept = {str(index.index_uuid) for index in lance.list_indices()}
        indexes = [p for p in (folder / "_indices").glob("*") if p.name not in kept]
    return Leftovers(
        len(versions) - 1,
        len(_tags(lance)) + len(_branches(lance)),
        int(said.get("total_deletion_file_rows", 0)),
        max(0, len(data) - int(said.get("total_data_files", len(data)))),
        len(indexes),
    )


def files_of(table: Table) -> Iterator[tuple[str, float]]:
    """Every file of a table by its name in the table's folder, and when it was written (seconds since 1970).
    One that vanishes meanwhile is left out."""
    for path in table.folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                yield path.relative_to(table.folder).as_posix(), path.stat().st_mtime


def _drop_names(lance: Any) -> None:
    """A named version or a branch keeps old files, a branch even in silence."""
    for name in _tags(lance):
        lance.tags.delete(name)
    for name in _branches(lance):
        lance.branches.delete(name)


def _tags(lance: Any) -> list[str]:
    return list(lance.tags.list())


def _branches(lance: Any) -> list[str]:
    return [name for name in lance.branches.list() if name != "main"]


def _drop_versions(lance: Any) -> None:
    """Twice where a version was too young the first time: Lance compares its clock with the file's."""
    for attempt in range(_ATTEMPTS):
        time.sleep(0.005 * (attempt + 1))
        lance.optimize(cleanup_older_than=AT_ONCE, delete_unverified=True)
        if len(lance.list_versions()) == 1:
            return
