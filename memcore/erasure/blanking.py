"""Words taken out of a record that stays: titles, names, labels, summaries, the texts of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from memcore.erasure.find import Hit
from memcore.records import Record

ERASED = "[erased]"
_NAMED: Mapping[tuple[str, str], tuple[str, ...]] = {  # (kind, where it stands) -> fields
    ("file", "name"): ("name",),
    ("conversation", "name"): ("title",),
    ("run", "name"): ("title",),
    ("step", "text"): ("action", "observation"),
    ("step", "subkind"): ("tool",),
    ("mark", "text"): ("summary",),
}
_SHOWN = ("title", "name")


def blanked(record: Record, hit: Hit, stored: Record) -> Any:
    """The record without the words of this hit; one revision after the stored one."""
    fields = _NAMED.get((record.kind, hit.field), (hit.field,))
    values = {f: _blank(f, getattr(record, f), hit.text) for f in fields if hasattr(record, f)}
    revised = {"revision": getattr(stored, "revision", 0) + 1} if hasattr(stored, "revision") else {}
    changed: Any = record
    return replace(changed, **values, **revised)


def _blank(field: str, value: Any, said: str) -> Any:
    """Nothing of the same type; of several texts, without those that begin as the one found does."""
    if isinstance(value, str):
        return ERASED if field in _SHOWN else ""
    if isinstance(value, tuple):
        several = cast(tuple[Any, ...], value)
        return tuple(v for v in several if not str(v).startswith(said))
    return {} if isinstance(value, dict) else value
