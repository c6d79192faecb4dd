# pyright: basic, reportAttributeAccessIssue=false
"""A scope as columns: what `graph.Columns` asks for, read at one commit and put in reading order.

The order depends on what is remembered, never on the random ids, so that equal memories give equal runs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from memcore.graph import Columns
from memcore.store.commit import last_seq
from memcore.store.rows import put_vectors
from memcore.store.schema import width_of
from memcore.store.tables import Table

_NODES = ["id", "name", "name_key", "subkind"]
_CONTENTS = [
    "id", "subkind", "speaker", "session", "conversation_id", "position", "span_start", "said_start",
    "event_start", "event_end", "sensitivity", "revision", "origin", "terms",
]  # fmt: skip
_LAYERS = pa.array(["turn", "episode", "fact", "topic"])
# By start; those of unknown start last, in the order in which they were imported.
CONVERSATION_ORDER = ("said_start", "made", "position")
_EPOCH_DAY = 719_163  # date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000  # microseconds

Ints = npt.NDArray[np.int32]


class Sorted(NamedTuple):
    """Rows in their order, and their vectors as a matrix."""

    rows: pa.Table
    vectors: npt.NDArray[np.float32]


def load_columns(items: Table) -> Columns:
    """The whole scope at its newest commit."""
    with items.pinned() as now:
        seq = last_seq(now)
        cues, cue_vectors = _nodes(now, "cue")
        tags, tag_vectors = _nodes(now, "tag")
        contents, content_vectors = _in_reading_order(now)
        relations = now.read(["cue_id", "tag_id", "content_id"], "kind = 'relation'")
    origin, origin_offsets = ragged(contents.column("origin"))
    turns = origin.dictionary_encode()
    terms, term_offsets = ragged(contents.column("terms"))
    cue_at, tag_at, content_at = _triples(
        relations, cues.column("id"), tags.column("id"), contents.column("id")
    )
    return Columns(
        seq=seq,
        cue_ids=_list(cues, "id"),
        cue_names=_list(cues, "name"),
        cue_keys=_list(cues, "name_key"),
        cue_kinds=_list(cues, "subkind"),
        cue_vectors=cue_vectors,
        tag_ids=_list(tags, "id"),
        tag_names=_list(tags, "name"),
        tag_keys=_list(tags, "name_key"),
        tag_vectors=tag_vectors,
        content_ids=_list(contents, "id"),
        layers=_list(contents, "subkind"),
        speakers=_list(contents, "speaker"),
        sessions=_list(contents, "session"),
        conversation_ids=_list(contents, "conversation_id"),
        positions=ints(contents, "position"),
        said_days=days(contents, "said_start"),
        event_first=days(contents, "event_start"),
        event_last=days(contents, "event_end"),
        sensitivity=ints(contents, "sensitivity"),
        revisions=ints(contents, "revision"),
        content_vectors=content_vectors,
        turn_ids=turns.dictionary.to_pylist(),
        origin=turns.indices.to_numpy().astype(np.int32),
        origin_offsets=origin_offsets,
        terms=terms.to_numpy(),
        term_offsets=term_offsets,
        relation_cue=cue_at,
        relation_tag=tag_at,
        relation_content=content_at,
    )


def _nodes(items: Table, kind: str) -> Sorted:
    rows = items.read(_NODES, f"kind = '{kind}'")
    by = [("name_key", "ascending"), ("subkind", "ascending"), ("name", "ascending")]
    rows = rows.take(pc.sort_indices(rows.select([name for name, _ in by]), sort_keys=by))
    return Sorted(rows, _matrix(items, kind, rows.column("id")))


def _in_reading_order(items: Table) -> Sorted:
    conversations = items.read(["id", *CONVERSATION_ORDER], "kind = 'conversation'")
    by = [(column, "ascending") for column in CONVERSATION_ORDER]
    order = conversations.sort_by(by).column("id").combine_chunks()
    rows = items.read(_CONTENTS, "kind = 'content'")
    place = pa.table(
        {
            "conversation": pc.index_in(rows.column("conversation_id"), order),
            "position": rows.column("position"),
            "layer": pc.index_in(rows.column("subkind"), _LAYERS),
            "span": rows.column("span_start"),
        }
    )
    by = [(name, "ascending") for name in place.column_names]
    rows = rows.take(pc.sort_indices(place, sort_keys=by))
    return Sorted(rows, _matrix(items, "content", rows.column("id")))


def _matrix(items: Table, kind: str, ids: pa.ChunkedArray) -> npt.NDArray[np.float32]:
    """The vectors of these rows, each put straight in its place: they are most of the memory."""
    out = np.zeros((len(ids), width_of(items.schema)), np.float32)
    place = {id_: row for row, id_ in enumerate(ids.to_pylist())}
    for batch in items.batches(["id", "vector"], f"kind = '{kind}'") if out.shape[1] else ():
        rows = np.array([place[id_] for id_ in batch.column("id").to_pylist()], np.int64)
        put_vectors(out, rows, batch.column("vector"))
    return out


def _triples(relations: pa.Table, *ends: pa.ChunkedArray) -> tuple[Ints, Ints, Ints]:
    """Relations as indexes, sorted by content, cue, tag. One whose end is missing is left out."""
    found = [
        pc.index_in(relations.column(name), ids.combine_chunks()).combine_chunks()
        for name, ids in zip(("cue_id", "tag_id", "content_id"), ends, strict=True)
    ]
    whole = pc.and_(pc.and_(found[0].is_valid(), found[1].is_valid()), found[2].is_valid())
    cue, tag, content = (f.filter(whole).to_numpy().astype(np.int32) for f in found)
    order = np.lexsort((tag, cue, content))
    return cue[order], tag[order], content[order]


def ragged(column: pa.ChunkedArray) -> tuple[pa.Array, Ints]:
    """All items of lists, and where the lists begin and end among them."""
    lists = column.combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    offsets = np.zeros(len(lists) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pc.list_flatten(lists), offsets


def _list(rows: pa.Table, column: str) -> list[Any]:
    return rows.column(column).to_pylist()


def ints(rows: pa.Table, column: str) -> Ints:
    """Numbers, 0 where there is none."""
    return pc.fill_null(rows.column(column), 0).to_numpy().astype(np.int32)


def days(rows: pa.Table, column: str) -> Ints:
    """Proleptic ordinals, 0 where unknown."""
    micros = rows.column(column).cast(pa.int64())
    known = micros.is_valid().to_numpy()
    days = np.floor_divide(pc.fill_null(micros, 0).to_numpy(), _DAY) + _EPOCH_DAY
    return np.where(known, days, 0).astype(np.int32)
