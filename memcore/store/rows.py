# pyright: basic
"""Records to rows and back. Both ways follow one declaration, column by column.

Columns are built whole, never row by row: an import writes some fifteen relations per turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, fields
from datetime import UTC
from typing import Any

import numpy as np
import pyarrow as pa

from memcore.errors import StoreMismatch
from memcore.events import revived
from memcore.records import (
    AgentRun,
    Calibration,
    Content,
    Conversation,
    Correction,
    Cue,
    Decision,
    File,
    Moment,
    Record,
    Relation,
    RunMark,
    RunStep,
    Spent,
    Tag,
    Thresholds,
    Turn,
    Unit,
    Version,
)
from memcore.store.schema import width_of

TermHashes = Callable[[str], np.ndarray]

CLASSES: dict[str, type[Any]] = {
    "file": File,
    "conversation": Conversation,
    "turn": Turn,
    "cue": Cue,
    "tag": Tag,
    "content": Content,
    "relation": Relation,
    "correction": Correction,
    "unit": Unit,
    "version": Version,
    "calibration": Calibration,
    "run": AgentRun,
    "step": RunStep,
    "mark": RunMark,
}
KINDS = {record_class: kind for kind, record_class in CLASSES.items()}
_PLAIN: dict[str, dict[str, str]] = {  # kind -> column -> attribute
    "file": {"name": "name", "subkind": "format", "recorded": "recorded"},
    "conversation": {"name": "title", "revision": "revision"},
    "turn": {
        "conversation_id": "conversation_id", "position": "position", "speaker": "speaker", "subkind": "role",
        "text": "text", "session": "session", "sensitivity": "sensitivity", "revision": "revision",
    },
    "cue": {
        "name": "name", "name_key": "key", "subkind": "cue_kind",
        "made_by": "made_by", "revision": "revision",
    },
    "tag": {"name": "name", "name_key": "key", "made_by": "made_by", "revision": "revision"},
    "content": {
        "subkind": "layer", "text": "text", "origin": "origin", "conversation_id": "conversation_id",
        "position": "position", "speaker": "speaker", "recorded": "recorded", "session": "session",
        "made_by": "made_by", "sensitivity": "sensitivity", "revision": "revision",
    },
    "relation": {
        "cue_id": "cue_id", "tag_id": "tag_id", "content_id": "content_id", "turn_id": "turn_id",
        "made_by": "made_by", "revision": "revision",
    },
    "correction": {
        "subkind": "target", "turn_id": "origin", "recorded": "recorded", "revision": "revision",
    },
    "unit": {
        "subkind": "state", "conversation_id": "conversation_id", "position": "position", "origin": "origin",
        "span_start": "order",  # a column of its own would be null in all other rows
        "recorded": "recorded", "sensitivity": "sensitivity", "revision": "revision",
    },
    "version": {
        "content_id": "content_id", "text": "text", "recorded": "recorded", "revision": "content_revision",
    },
    "calibration": {"recorded": "recorded", "revision": "revision"},
    "run": {"name": "title", "revision": "revision"},
    "step": {
        "conversation_id": "run_id", "position": "position", "subkind": "tool",
        "sensitivity": "sensitivity", "revision": "revision",
    },
    "mark": {
        "conversation_id": "run_id", "position": "after", "subkind": "action", "text": "summary",
        "made_by": "made_by", "revision": "revision",
    },
}  # fmt: skip
_MOMENTS: dict[str, dict[str, str]] = {  # kind -> prefix of the columns -> attribute
    "conversation": {"said": "started", "event": "ended"},
    "turn": {"said": "said"},
    "content": {"said": "said", "event": "event"},
    "unit": {"said": "said"},
    "run": {"said": "started"},
    "step": {"said": "said"},
}
_BODY: dict[str, tuple[str, ...]] = {  # the rest, as JSON
    "file": ("report",),
    "conversation": ("file_id", "source", "speakers", "turns"),
    "turn": ("source", "language", "branch", "folded", "attachments", "redacted"),
    "cue": ("pinned",),
    "content": ("pinned", "units", "episode_id"),
    "correction": ("slot", "extracted", "corrected", "record_id", "author", "reason", "disputed"),
    "unit": ("speakers", "episodes", "decision", "tokens", "eager", "label"),
    "calibration": ("embedder", "thresholds", "share", "units"),
    "run": (
        "file_id", "source", "task", "agent", "model", "task_id", "trial", "reward", "outcome", "steps",
        "parent_run", "parent_step",
    ),
    "step": ("thought", "parent", "signals", "source"),
    "mark": ("rank", "note", "passed", "target", "rule", "evidence", "dropped"),
}  # fmt: skip
_REVIVED: dict[str, Any] = {  # of the body: nested values that JSON keeps as plain lists
    "decision": Decision | None, "eager": tuple[Spent, ...], "thresholds": Thresholds,
}  # fmt: skip
_BESIDE = {"step": ("text", "span_start"), "content": ("span_start", "span_end")}  # see _record
_MOMENT_PARTS = ("start", "end", "precision", "zoned")
_WITH_VECTOR = ("cue", "tag", "content", "unit")
_WITHOUT_SPACES = re.compile(r"[\uac00-\ud7a3\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_NOT_READ = frozenset({"before", "terms", "grams"})


def grams_of(text: str) -> str | None:
    """The part of a text whose words are found by their pairs of characters; None when there is none."""
    return " ".join(_WITHOUT_SPACES.findall(text)) or None


def columns_of(schema: pa.Schema, *kinds: str) -> list[str]:
    """What `from_rows` needs of rows of these kinds: any other column would be read, fragment by fragment,
    for nothing."""
    needed = {"id", "kind"}
    for kind in kinds:
        moments = [f"{prefix}_{part}" for prefix in _MOMENTS.get(kind, ()) for part in _MOMENT_PARTS]
        needed |= {*_PLAIN[kind], *moments, *_BESIDE.get(kind, ())}
        needed |= {"body"} if kind in _BODY else set()
        needed |= {"vector"} if kind in _WITH_VECTOR else set()
    return [name for name in schema.names if name in needed]


def to_rows(records: Iterable[Record], schema: pa.Schema, term_hashes: TermHashes) -> pa.Table:
    """A table of the given schema, kind by kind; commit columns (seq, made ...) are still null."""
    by_kind: dict[str, list[Any]] = {}
    for record in records:
        by_kind.setdefault(record.kind, []).append(record)
    tables = [_table(kind, rs, schema, term_hashes) for kind, rs in by_kind.items()]
    return pa.concat_tables(tables) if tables else schema.empty_table()


def from_rows(rows: pa.Table) -> list[Record]:
    """The records of these rows; rows of changes are no records and are left out."""
    vectors = _vectors(rows)
    plain = rows.drop_columns([c for c in ("vector", *_NOT_READ) if c in rows.column_names]).to_pylist()
    return [
        _record(row, vector) for row, vector in zip(plain, vectors, strict=True) if row["kind"] in CLASSES
    ]


def _table(kind: str, records: Sequence[Any], schema: pa.Schema, term_hashes: TermHashes) -> pa.Table:
    values: dict[str, Any] = {"id": [r.id for r in records], "kind": [kind] * len(records)}
    # Never null: Lance repeats a page's only value for every null beside it, and a journal row can be large.
    values |= {"before": [b""] * len(records), "body": [""] * len(records)}
    for column, attribute in _PLAIN[kind].items():
        values[column] = [getattr(r, attribute) for r in records]
    for prefix, attribute in _MOMENTS.get(kind, {}).items():
        moments = [getattr(r, attribute) for r in records]
        for part in _MOMENT_PARTS:
            values[f"{prefix}_{part}"] = [getattr(m, part) for m in moments]
    if kind in _BODY:
        values["body"] = [_body(r) for r in records]
    if kind == "step":
        # action and observation are one text to search; where it is cut is kept beside it
        values["text"] = [r.action + r.observation for r in records]
        values["span_start"] = [len(r.action) for r in records]
    if kind in ("turn", "content", "step"):
        values["grams"] = [grams_of(text) for text in values["text"]]
    if kind == "content":
        spans = [r.span or (None, None) for r in records]
        values["span_start"], values["span_end"] = zip(*spans, strict=True)
        values["terms"] = _lists([term_hashes(r.spoken) for r in records])
    if kind == "conversation":
        # a conversation has no place of its own: keep the order in which an import wrote them
        values["position"] = list(range(len(records)))
    if kind in _WITH_VECTOR and "vector" in schema.names:
        values["vector"] = _vector_column([r.vector for r in records], width_of(schema))
    return pa.table([_column(values.get(f.name), f, len(records)) for f in schema], schema=schema)


def _column(values: Any, field: pa.Field, rows: int) -> pa.Array:
    if values is None:
        return pa.nulls(rows, field.type)
    if isinstance(values, pa.Array):
        return values
    if pa.types.is_timestamp(field.type):
        values = [v if v is None or v.tzinfo else v.replace(tzinfo=UTC) for v in values]
    try:
        return pa.array(values, field.type)
    except UnicodeEncodeError:
        return pa.array([_storable(v) for v in values], field.type)


def _storable(text: str | None) -> str | None:
    """Half a surrogate pair is no character: shown as a question mark, as it cannot be stored."""
    return text if text is None else text.encode("utf-8", "replace").decode()


def _body(record: Record) -> str:
    given = {
        f.name: getattr(record, f.name)
        for f in fields(record)
        if f.name in _BODY[record.kind] and (f.default is MISSING or getattr(record, f.name) != f.default)
    }
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")) if given else ""


def _lists(arrays: Sequence[np.ndarray]) -> pa.Array:
    offsets = np.zeros(len(arrays) + 1, np.int32)
    np.cumsum([len(a) for a in arrays], out=offsets[1:])
    flat = np.concatenate(arrays) if arrays else np.zeros(0, np.uint32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat.astype(np.uint32)))


def _vector_column(vectors: Sequence[np.ndarray | None], width: int) -> pa.Array:
    """Absent where a record has none, or one that holds what is no number."""
    if any(v is not None and np.shape(v) != (width,) for v in vectors):
        raise StoreMismatch(f"A vector does not have the {width} numbers of this store's embedder.")
    packed = [None if v is None else np.asarray(v, "<f4") for v in vectors]
    given = [None if v is None or not np.isfinite(v).all() else v.tobytes() for v in packed]
    return pa.array(given, pa.large_binary())


def put_vectors(out: np.ndarray, places: np.ndarray, vectors: pa.LargeBinaryArray) -> None:
    """Writes vectors into the rows `places` of a matrix; a row that has none is left as it is."""
    if vectors.null_count:
        places = places[vectors.is_valid().to_numpy(zero_copy_only=False)]
        vectors = vectors.drop_null()
    out[places] = _numbers(vectors).reshape(-1, out.shape[1])


def _numbers(packed: pa.LargeBinaryArray) -> np.ndarray:
    """All numbers of an array without nulls, one after the other, not copied."""
    _, offsets, data = packed.buffers()
    if not len(packed) or data is None:
        return np.zeros(0, np.float32)
    ends = np.frombuffer(offsets, np.int64)[[packed.offset, packed.offset + len(packed)]]
    return np.frombuffer(data, "<f4")[ends[0] // 4 : ends[1] // 4]


def _vectors(rows: pa.Table) -> list[np.ndarray | None]:
    if "vector" not in rows.column_names:
        return [None] * len(rows)
    return [None if v is None else np.frombuffer(v, "<f4") for v in rows.column("vector").to_pylist()]


def _record(row: dict[str, Any], vector: np.ndarray | None) -> Record:
    kind = row["kind"]
    values = {attribute: row[column] for column, attribute in _PLAIN[kind].items()}
    for prefix, attribute in _MOMENTS.get(kind, {}).items():
        values[attribute] = Moment(*(row[f"{prefix}_{part}"] for part in _MOMENT_PARTS))
    body = json.loads(row["body"]) if row.get("body") else {}
    values.update({k: _revived(k, v) for k, v in body.items()})
    if "origin" in values and kind != "correction":
        values["origin"] = tuple(row["origin"])
    if kind == "step":
        cut = row["span_start"]
        values["action"], values["observation"] = row["text"][:cut], row["text"][cut:]
    if kind == "content":
        values["span"] = None if row["span_start"] is None else (row["span_start"], row["span_end"])
    if kind in _WITH_VECTOR:
        values["vector"] = vector
    return CLASSES[kind](id=row["id"], **values)


def _revived(name: str, value: Any) -> Any:
    if name in _REVIVED:
        return revived(_REVIVED[name], value)
    return tuple(value) if isinstance(value, list) else value
