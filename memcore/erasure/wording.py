"""Which fields of a record hold somebody's words, and the record with some of them replaced by a mark.

Ids, codes of our own and numbers are no words. A test compares this list with what the store finds text in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from memcore.erasure.masking import Mask
from memcore.records import Record, RunStep

WORDED: Mapping[str, tuple[str, ...]] = {
    "file": ("name", "format", "report"),
    "conversation": ("title", "source", "speakers"),
    "turn": ("speaker", "role", "text", "source", "session", "attachments"),
    "cue": ("name",),
    "tag": ("name",),
    "content": ("text", "speaker", "session"),
    "correction": ("extracted", "corrected", "disputed", "author", "reason"),
    "unit": ("label", "speakers"),
    "version": ("text",),
    "run": ("title", "source", "task", "agent", "model", "task_id", "outcome"),
    "step": ("thought", "tool", "source"),  # and what was done and seen, as one text
    "mark": ("summary", "note"),
}

_TIMES = ("first_said", "last_said")  # of a report: moments, written as text


def masked(record: Record, mask: Mask) -> Record:
    """The record with the words replaced; the very same where it holds none. Its revision stays."""
    changed: dict[str, Any] = {}
    for field in WORDED.get(record.kind, ()):
        value = getattr(record, field)
        if (now := _within(value, mask.text)) != value:
            changed[field] = now
    if isinstance(record, RunStep):
        changed |= _both(record, mask)
    of: Any = record
    return replace(of, **changed) if changed else record


def _both(step: RunStep, mask: Mask) -> dict[str, str]:
    """Action and observation, which a store keeps as one text: a word may stand across their border."""
    told = mask.on(step.action + step.observation)
    border = told.moved((0, len(step.action)))[1]
    return {"action": told.text[:border], "observation": told.text[border:]} if told.cuts else {}


def _within(value: Any, change: Callable[[str], str]) -> Any:
    """Every text of a value, whatever holds it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        several = cast(tuple[Any, ...] | list[Any], value)
        found = [_within(v, change) for v in several]
        return found if isinstance(value, list) else tuple(found)
    if isinstance(value, dict):
        named = cast(dict[str, Any], value)
        return {name: of if name in _TIMES else _within(of, change) for name, of in named.items()}
    return value
