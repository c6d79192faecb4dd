"""Nodes as the rows of a table that is edited in place, and what was typed into its cells as edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memcore.editing.edits import Set
from memcore.records import Record

COLUMNS = {"cue": {"name": "name", "kind of cue": "cue_kind", "pinned": "pinned"},
           "tag": {"name": "name"},
           "content": {"name": "text", "pinned": "pinned"}}  # fmt: skip


def cells(record: Record) -> dict[str, Any]:
    """A node as a row that can be edited: its name or text, kind of cue, and whether it is pinned."""
    fields = COLUMNS.get(record.kind, {})
    row: dict[str, Any] = {column: getattr(record, field) for column, field in fields.items()}
    kind = str(getattr(record, "layer", record.kind))
    return {"kind": kind.capitalize(), "name": "", "kind of cue": None, "pinned": None} | row


def cell_edits(records: Sequence[Record], changed: Mapping[int, Mapping[str, Any]]) -> list[Set]:
    """What was typed into a table as edits: one per name or text, one for all cells given the same choice."""
    alone: list[Set] = []
    together: dict[tuple[str, str, Any], list[str]] = {}
    for row, values in sorted(changed.items()):
        record = records[row]
        for column, value in values.items():
            field = COLUMNS[record.kind].get(column, column)
            typed = "" if value is None and column == "name" else value
            if typed == getattr(record, field, None):
                continue
            if column == "name":
                alone.append(Set(record.kind, (record.id,), field, typed))
            else:
                together.setdefault((record.kind, field, typed), []).append(record.id)
    return [*alone, *(Set(k, tuple(ids), f, v) for (k, f, v), ids in together.items())]
