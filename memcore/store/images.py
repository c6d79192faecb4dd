# pyright: basic, reportAttributeAccessIssue=false
"""Earlier versions of records, which the journal keeps for undo: read, and taken out for good."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from memcore.store.commit import CHANGES, packed, unpacked, with_column
from memcore.store.tables import Table


class Stripping(Protocol):
    """What is to go (see removal.Removal)."""

    @property
    def images(self) -> frozenset[tuple[str, str]]: ...
    @property
    def unworded(self) -> frozenset[str]: ...


def images(items: Table) -> Iterator[tuple[str, pa.Table]]:
    """(change row, the rows as they were before it), of every change that keeps any."""
    rows = items.read(["id", "before"], CHANGES)
    rows = rows.filter(pc.greater(pc.binary_length(rows.column("before")), 0))
    for change in rows.select(["id"]).to_pylist():
        at = rows.filter(pc.equal(rows.column("id"), change["id"]))
        yield change["id"], unpacked(at.column("before")[0].as_py())


def stripped_changes(items: Table, removal: Stripping) -> pa.Table:
    """The change rows that have to be written anew, without what goes. Their numbers stay."""
    alone: dict[str, set[str]] = {}
    for change, record in removal.images:
        alone.setdefault(change, set()).add(record)
    before: dict[str, bytes] = {}
    for change, rows in images(items):
        if change in alone:
            left = rows.filter(
                pc.invert(pc.is_in(rows.column("id"), pa.array([*alone[change]], pa.string())))
            )
            before[change] = packed(left) if len(left) else b""
    found = items.read_among(items.schema.names, "id", [*before, *removal.unworded])
    ids = found.column("id").to_pylist()
    befores = zip(ids, found.column("before").to_pylist(), strict=True)
    found = with_column(found, "before", [before.get(i, b) for i, b in befores])
    bodies = zip(ids, found.column("body").to_pylist(), strict=True)
    return with_column(found, "body", [_unworded(b) if i in removal.unworded else b for i, b in bodies])


def _unworded(body: str) -> str:
    """A change without the words that a person gave, and without the person."""
    saved = json.loads(body)
    saved["event"] |= {key: "" for key in ("reason", "author") if key in saved["event"]}
    return json.dumps(saved, ensure_ascii=False)
