# pyright: basic, reportAttributeAccessIssue=false
"""Where erased records came from, as keyed hashes: an import of the same file leaves those out.

A tombstone is a row of its own kind with nothing but the hash and the commit that erased the record; it can
be lifted. The hash is of the format's own id; where a format has none, of the text itself, against which
somebody who holds the store's key could test guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from memcore.records import new_id, now
from memcore.store.commit import Stamp
from memcore.store.tables import Table, among

TOMBSTONES = "kind = 'tombstone'"


class Held(NamedTuple):
    """What one erasure keeps out of the memory: so many records, since then."""

    erasure: str
    when: datetime
    records: int


def tombstones(gone: pa.Table, stamp: Stamp) -> pa.Table:
    """A tombstone for each of these rows that was imported."""
    hashes = gone.column("source_hash").drop_null().unique().to_pylist()
    values = {"id": [new_id() for _ in hashes], "source_hash": hashes}
    values |= {"kind": ["tombstone"] * len(hashes), "group_id": [stamp.group] * len(hashes)}
    values |= {name: [stamp.seq] * len(hashes) for name in ("seq", "made", "state")}
    values |= {"recorded": [now()] * len(hashes), "before": [b""] * len(hashes), "body": [""] * len(hashes)}
    schema = gone.schema
    columns = [
        pa.array(values[f.name], f.type) if f.name in values else pa.nulls(len(hashes), f.type)
        for f in schema
    ]
    return pa.table(columns, schema=schema)


def held_back(items: Table, hashes: Iterable[str]) -> set[str]:
    """Which of these source hashes must not come in again."""
    if not items.count(TOMBSTONES):
        return set()
    rows = items.read_among(["kind", "source_hash"], "source_hash", hashes)
    return set(rows.filter(pc.equal(rows.column("kind"), "tombstone")).column("source_hash").to_pylist())


def listed(items: Table) -> list[Held]:
    """Every erasure that still keeps something out, newest first."""
    rows = items.read(["group_id", "recorded"], TOMBSTONES).to_pylist()
    found: dict[str, Held] = {}
    for row in rows:
        of = found.get(row["group_id"], Held(row["group_id"], row["recorded"], 0))
        found[of.erasure] = of._replace(records=of.records + 1)
    return sorted(found.values(), key=lambda h: h.when, reverse=True)


def of_erasures(items: Table, erasures: Collection[str]) -> list[str]:
    """The ids of the tombstones that these erasures left."""
    where = among("group_id", erasures)
    return items.read(["id"], f"{TOMBSTONES} AND {where}").column("id").to_pylist() if where else []
