"""The graph as if some contents had never been said.

Their paths go, and with its last path a cue or a tag.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any

import numpy as np

from memcore.graph import Bools, Columns, Graph, Ints


def without(graph: Graph, content_ids: Collection[str]) -> Graph:
    """A graph of the same commit without these contents; the same one where there are none of them."""
    c = graph.columns
    kept = np.array([id_ not in content_ids for id_ in c.content_ids], dtype=bool)
    if kept.all():
        return graph
    paths = kept[c.relation_content]
    cues, tags = np.unique(c.relation_cue[paths]), np.unique(c.relation_tag[paths])
    left: dict[str, Any] = {
        "relation_content": (np.cumsum(kept) - 1)[c.relation_content[paths]].astype(np.int32),
        "relation_cue": np.searchsorted(cues, c.relation_cue[paths]).astype(np.int32),
        "relation_tag": np.searchsorted(tags, c.relation_tag[paths]).astype(np.int32),
        **_ragged(c.origin, c.origin_offsets, kept, "origin", "origin_offsets"),
        **_ragged(c.terms, c.term_offsets, kept, "terms", "term_offsets"),
    }
    for beginning, rows in (("cue_", cues), ("tag_", tags)):
        left |= {name: _rows(c, name, rows) for name in _columns_of(beginning)}
    left |= {name: _rows(c, name, np.flatnonzero(kept)) for name in _OF_CONTENTS}
    return Graph(replace(c, **left))


_OF_CONTENTS = (
    "content_ids", "layers", "speakers", "sessions", "conversation_ids", "positions", "said_days",
    "event_first", "event_last", "sensitivity", "revisions", "content_vectors",
)  # fmt: skip


def _columns_of(beginning: str) -> list[str]:
    return [f.name for f in fields(Columns) if f.name.startswith(beginning)]


def _rows(columns: Columns, name: str, rows: Any) -> Any:
    values = getattr(columns, name)
    return [values[i] for i in rows.tolist()] if isinstance(values, list) else values[rows]


def _ragged(values: Any, offsets: Ints, kept: Bools, name: str, offsets_name: str) -> dict[str, Any]:
    """Rows of different lengths: values[offsets[i]:offsets[i + 1]] are row i's."""
    lengths = np.diff(offsets)
    return {
        name: values[np.repeat(kept, lengths)],
        offsets_name: np.concatenate(([0], np.cumsum(lengths[kept]))).astype(offsets.dtype),
    }
