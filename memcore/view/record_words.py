"""What kinds of records, their fields and their values are called, and the name of one record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memcore.records import (
    AgentRun,
    Content,
    Cue,
    File,
    Moment,
    Record,
    Relation,
    RunMark,
    Tag,
    Unit,
)
from memcore.view.naming import human_time
from memcore.view.text import shorten

NAME = 48
FIELDS = {
    "name": "name",
    "cue_kind": "kind",
    "pinned": "pin",
    "text": "text",
    "event": "time",
    "layer": "layer",
    "sensitivity": "sensitivity",
    "cue": "cue",
    "tag": "tag",
    "label": "cluster name",
    "title": "title",
    "summary": "summary",
    "note": "note",
    "dropped": "dropped",
}
_KINDS: Mapping[str, tuple[str, str]] = {
    "cue": ("cue", "cues"),
    "tag": ("tag", "tags"),
    "content": ("memory", "memories"),
    "relation": ("relation", "relations"),
    "correction": ("correction", "corrections"),
    "unit": ("unit", "units"),
    "run": ("agent run", "agent runs"),
    "step": ("step of a run", "steps of runs"),
    "mark": ("mark of a run", "marks of runs"),
    "file": ("file", "files"),
    "turn": ("turn", "turns"),
    "conversation": ("conversation", "conversations"),
}


def record_words(record_kind: str) -> tuple[str, str]:
    """What a kind of record is called: one, and several."""
    return _KINDS.get(record_kind, ("record", "records"))


def quoted(record: Record | None, limit: int = NAME) -> str:
    """The name or the beginning of the text, in quotation marks; "" for what has neither."""
    if isinstance(record, Cue | Tag | File):
        return f"“{shorten(record.name, limit)}”"
    if isinstance(record, AgentRun | RunMark):
        name = record.title if isinstance(record, AgentRun) else record.summary
        return f"“{shorten(name, limit)}”" if name else ""
    if isinstance(record, Unit):
        return f"“{shorten(record.label, limit)}”" if record.label else f"{record.order:,}"
    return f"“{shorten(record.text, limit)}”" if isinstance(record, Content) else ""


def plain_value(value: Any) -> str:
    """A value as it is read: a time as exact as it is known, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return human_time(value) if isinstance(value, Moment) else str(value)


def ends_of(records: Iterable[Record]) -> list[str]:
    """The ids of cues, tags and contents that relations among these lead to."""
    return list(dict.fromkeys(i for r in records if isinstance(r, Relation) for i in r.triple))
