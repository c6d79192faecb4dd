# pyright: basic
"""The two tables of a scope, column by column, and the indexes over them.

`items` holds one row per record and one per change. `state` is the commit whose words and vectors the
row shows: an undo writes a row anew (`seq`) with an older state. `terms` are keyed hashes of a
content's words; `grams` repeats only the part of a text that is written without spaces or in eojeol.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from lancedb.index import FTS, Bitmap, BTree

SCHEMA = 1
WIDTH = "dimension"
UTC_MICROSECONDS = pa.timestamp("us", tz="UTC")

Index = BTree | Bitmap | FTS

_ITEMS: dict[str, pa.DataType] = {
    "id": pa.string(),
    "kind": pa.string(),
    "seq": pa.int64(),
    "made": pa.int64(),
    "state": pa.int64(),
    "group_id": pa.string(),
    "revision": pa.int32(),
    "name": pa.string(),
    "name_key": pa.string(),
    "subkind": pa.string(),
    "text": pa.string(),
    "grams": pa.string(),
    "terms": pa.list_(pa.uint32()),
    "conversation_id": pa.string(),
    "turn_id": pa.string(),
    "cue_id": pa.string(),
    "tag_id": pa.string(),
    "content_id": pa.string(),
    "origin": pa.list_(pa.string()),
    "position": pa.int32(),
    "span_start": pa.int32(),
    "span_end": pa.int32(),
    "speaker": pa.string(),
    "session": pa.string(),
    "said_start": UTC_MICROSECONDS,
    "said_end": UTC_MICROSECONDS,
    "said_precision": pa.string(),
    "said_zoned": pa.bool_(),
    "event_start": UTC_MICROSECONDS,
    "event_end": UTC_MICROSECONDS,
    "event_precision": pa.string(),
    "event_zoned": pa.bool_(),
    "recorded": UTC_MICROSECONDS,
    "source_hash": pa.string(),
    "sensitivity": pa.int32(),
    "made_by": pa.string(),
    "body": pa.string(),
    "before": pa.binary(),
}

_TRACES: dict[str, pa.DataType] = {
    "id": pa.string(),
    "kind": pa.string(),
    "trace_id": pa.string(),
    "position": pa.int32(),
    "question": pa.string(),
    "strategy": pa.string(),
    "budget": pa.int32(),
    "started": UTC_MICROSECONDS,
    "ended": UTC_MICROSECONDS,
    "status": pa.string(),
    "seq": pa.int64(),
    "events": pa.int32(),
    "parent": pa.string(),
    "parent_step": pa.int32(),
    "body": pa.string(),
}

_LOOKED_UP = (
    "id", "seq", "group_id", "conversation_id", "cue_id", "tag_id", "content_id", "turn_id", "source_hash",
)  # fmt: skip


def items_schema(dimension: int) -> Any:
    """The items table for vectors of this dimension; no vector column at all when it is 0.

    A vector is kept as the bytes of its float32 numbers: a list of fixed size takes its full room on
    disk also where it is null, and most rows are relations.
    """
    width = {WIDTH: str(dimension)}
    vector = [pa.field("vector", pa.large_binary(), metadata=width)] if dimension else []
    return pa.schema([*_fields(_ITEMS), *vector])


def width_of(items: Any) -> int:
    """The dimension of the vectors of this schema, 0 in zero-model mode."""
    return int(items.field("vector").metadata[WIDTH.encode()]) if "vector" in items.names else 0


def traces_schema() -> Any:
    """One header row per trace and one row per event."""
    return pa.schema(_fields(_TRACES))


def items_indexes() -> dict[str, Index]:
    """Every id that is looked up, the kinds, words by stem, and pairs and triples of characters."""
    words = FTS(language="English", stem=True, ascii_folding=True, remove_stop_words=False)
    grams = FTS(
        base_tokenizer="ngram",
        ngram_min_length=2,
        ngram_max_length=3,
        stem=False,
        remove_stop_words=False,
    )
    looked_up: dict[str, Index] = {name: BTree() for name in _LOOKED_UP}
    return {**looked_up, "kind": Bitmap(), "text": words, "grams": grams}


def traces_indexes() -> dict[str, Index]:
    """By trace, and headers apart from events."""
    return {"id": BTree(), "trace_id": BTree(), "kind": Bitmap()}


def _fields(columns: dict[str, pa.DataType]) -> list[pa.Field]:
    return [pa.field(name, of, nullable=name != "id") for name, of in columns.items()]
