# pyright: basic, reportAttributeAccessIssue=false
"""Every piece of text that a scope holds, wherever the registry says that text can be.

What is found here is what a person can be told of, and what a check after an erasure looks through.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from memcore.store.commit import CHANGES
from memcore.store.images import images
from memcore.store.receipts import said
from memcore.store.registry import searched
from memcore.store.removal import Removal
from memcore.store.tables import Table

_WORDS = searched("items")
_COLUMNS = ["id", "kind", *_WORDS, "conversation_id", "content_id", "position", "said_start"]
_OF_OUR_OWN = {"subkind": ("cue", "content", "unit", "correction", "mark")}  # our words, nobody's text
_NOBODYS = frozenset(  # keys of a body whose values are ids and words of our own
    ("decision", "thresholds", "embedder", "units", "origin", "episodes", "eager", "language", "branch",
     "file_id", "parent_run", "record_id", "episode_id", "slot", "rule", "signals")
)  # fmt: skip


class Holding(NamedTuple):
    """One text: the row it is in, the record it belongs to and what part of it.

    Of an earlier version `id` is the change row that keeps it, `of` the record and `kind` "change".
    `talk` is the conversation or run, `at` the place in it, `said` when it was said, where the record has
    them.
    """

    id: str
    kind: str
    part: str
    text: str
    of: str = ""
    talk: str = ""
    at: int | None = None
    said: datetime | None = None


def holdings(items: Table, traces: Table) -> Iterator[Holding]:
    """All of them: records, then earlier versions and reasons, then traces."""
    where = f"NOT ({CHANGES}) AND kind NOT IN ('relation', 'gone', 'tombstone', 'calibration')"
    yield from _of_rows(items.read(_COLUMNS, where))
    for change, rows in images(items):
        kept = rows.filter(pc.invert(pc.is_in(rows.column("kind"), pa.array(["relation", "tombstone"]))))
        for held in _of_rows(kept.select(_COLUMNS)):
            yield held._replace(id=change, kind="change", of=held.id)
    yield from _reasons(items)
    yield from _of_traces(traces)


def of_receipts(folder: Path, called: Collection[str]) -> Iterator[Holding]:
    """Who asked for the erasures of a memory that goes by any of these, and why (see receipts)."""
    return (Holding(id_, "receipt", part, text) for id_, part, text in said(folder, called))


class Parted(NamedTuple):
    """Every different text and where it stands: in what stays, and in what a removal takes out."""

    staying: dict[str, str]
    going: dict[str, str]


def parted(items: Table, traces: Table, removal: Removal | None = None) -> Parted:
    """All texts; without a removal all of them stay. A text that stands in both parts is in both."""
    out, found = _Out.of(removal), Parted({}, {})
    where = f"NOT ({CHANGES}) AND kind NOT IN ('relation', 'gone', 'tombstone', 'calibration')"
    rows = items.read(["id", "kind", *_WORDS], where)
    going = pc.is_in(rows.column("id"), out.rows)
    found.staying.update(_distinct(rows.filter(pc.invert(going))))
    found.going.update(_distinct(rows.filter(going)))
    for change, kept in images(items):
        going = pa.array([(change, i) in out.images for i in kept.column("id").to_pylist()], pa.bool_())
        plain = pc.invert(pc.is_in(kept.column("kind"), pa.array(["relation", "tombstone"])))
        for part, its in ((found.staying, pc.invert(going)), (found.going, going)):
            for text, at in _distinct(kept.filter(pc.and_(plain, its))).items():
                part.setdefault(text, f"earlier {at}")
    for held in _reasons(items):
        (found.going if held.id in out.unworded else found.staying).setdefault(held.text, held.part)
    for held in _of_traces(traces):
        part = found.going if held.id in out.traces else found.staying
        part.setdefault(held.text, f"trace {held.part}")
    return found


class _Out(NamedTuple):
    """What a removal takes out, ready to be looked up."""

    rows: pa.Array
    images: frozenset[tuple[str, str]]
    unworded: frozenset[str]
    traces: frozenset[str]

    @classmethod
    def of(cls, removal: Removal | None) -> _Out:
        if removal is None:
            return cls(pa.array([], pa.string()), frozenset(), frozenset(), frozenset())
        rows = pa.array([*removal.gone, *(r.id for r in removal.rewritten)], pa.string())
        return cls(rows, removal.images, removal.unworded, frozenset(removal.traces))


def _distinct(rows: pa.Table) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _WORDS:
        ours = pa.array(_OF_OUR_OWN.get(part, ()), pa.string())
        texts = rows.column(part).filter(pc.invert(pc.is_in(rows.column("kind"), ours)))
        for text in pc.unique(texts).to_pylist():
            if text and part == "body":
                found |= {words: part for _, words in _strings(json.loads(text)) if words not in found}
            elif text:
                found.setdefault(text, part)
    return found


def _reasons(items: Table) -> Iterator[Holding]:
    for row in items.read(["id", "body"], CHANGES).to_pylist():
        event = json.loads(row["body"])["event"]
        for part in ("reason", "author"):
            if event.get(part):
                yield Holding(row["id"], "change", part, event[part])


def _of_rows(rows: pa.Table) -> Iterator[Holding]:
    said, kinds = rows.column("said_start"), rows.column("kind")
    for part in _WORDS:
        texts = rows.column(part)
        there = pc.greater(pc.utf8_length(pc.fill_null(texts, "")), 0)
        for kind in _OF_OUR_OWN.get(part, ()):
            there = pc.and_(there, pc.not_equal(kinds, kind))
        found = rows.filter(there)
        named = ("id", "kind", part, "conversation_id", "content_id", "position")
        columns = (found.column(c).to_pylist() for c in named)
        times = said.filter(there).to_pylist()
        for id_, kind, text, talk, content, at, time in zip(*columns, times, strict=True):
            of = content if kind == "version" else ""
            for key, words in _strings(json.loads(text)) if part == "body" else ((part, text),):
                yield Holding(id_, kind, key, words, of, talk or "", at, time)


def _of_traces(traces: Table) -> Iterator[Holding]:
    """The questions: events hold ids, spans and codes, and no text."""
    parts = searched("traces")
    for row in traces.read(["trace_id", *parts], "kind = 'header'").to_pylist():
        yield from (Holding(row["trace_id"], "trace", part, row[part]) for part in parts)


def _strings(value: Any, key: str = "body") -> Iterator[tuple[str, str]]:
    """Every string of a JSON value with the outermost key it stands under."""
    if isinstance(value, str):
        if value:
            yield key, value
    elif isinstance(value, dict):
        for name, of in value.items():
            if name not in _NOBODYS:
                yield from _strings(of, name if key == "body" else key)
    elif isinstance(value, list):
        for of in value:
            yield from _strings(of, key)
