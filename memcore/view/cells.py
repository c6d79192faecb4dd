"""Which fields of a node are cells of the table that is edited in place, and what was typed as edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memcore.editing.edits import Set
from memcore.editing.fields import checked
from memcore.errors import InputError
from memcore.records import Record

CELLS: Mapping[str, tuple[str, ...]] = {
    "cue": ("name", "cue_kind", "pinned"),
    "tag": ("name",),
    "content": ("text", "pinned"),
}
_WORDS = ("name", "text")


def cell_edits(typed: Iterable[tuple[Record, Mapping[str, Any]]]) -> list[Set]:
    """What was typed over fields of records as edits: one per name or text, one for all that are given the
    same choice."""
    alone: list[Set] = []
    together: dict[tuple[str, str, Any], list[str]] = {}
    for record, values in typed:
        for field, value in values.items():
            if field in _WORDS:
                alone.append(Set(record.kind, (record.id,), field, value))
            else:
                together.setdefault((record.kind, field, value), []).append(record.id)
    return [*alone, *(Set(k, tuple(ids), f, v) for (k, f, v), ids in together.items())]


def refusals(records: Sequence[Record], edits: Iterable[Set]) -> dict[int, str]:
    """Why a name or text cannot be, by the place of its row."""
    places = {record.id: at for at, record in enumerate(records)}
    found: dict[int, str] = {}
    for edit in edits:
        try:
            checked(edit.record_kind, edit.field, edit.value)
        except InputError as error:
            found[places[edit.ids[0]]] = str(error)
    return found
