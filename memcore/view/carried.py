"""A line of carried-over corrections in words, and what can become of it."""

from __future__ import annotations

from collections.abc import Mapping

from memcore.editing.corrections import as_moment
from memcore.editing.outcomes import State
from memcore.editing.portable import Ends, Line
from memcore.view.history import FIELDS
from memcore.view.naming import human_time
from memcore.view.text import shorten

STATES: Mapping[State, str] = {
    "applied": "carried out",
    "already": "so already",
    "not_found": "not found",
    "collides": "in the way of another name or correction",
    "refused": "refused",
}
NAME = 50


def about(line: Line | None) -> str:
    """The correction in one line: cue “Felix” → “Felice”."""
    if line is None:
        return "cannot be read"
    subject = "memory" if line.target == "content" else line.target
    if line.slot == "removed":
        return (
            f"{subject} {_value(line, line.extracted)} removed"
            if line.target != "content"
            else "memory removed"
        )
    if line.slot == "exists":
        return f"{subject} {_value(line, line.corrected)} made"
    if line.slot == "merged":
        return f"{subject} {_value(line, line.extracted)} merged into {_value(line, line.corrected)}"
    field = "" if line.slot in ("name", "triple") else f", {FIELDS.get(line.slot, line.slot)}"
    name = f" “{shorten(line.name, NAME)}”" if line.name else ""
    return f"{subject}{name}{field}: {_value(line, line.extracted)} → {_value(line, line.corrected)}"


def _value(line: Line, value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Ends):
        return f"“{shorten(value.cues[0], NAME)}” by “{shorten(value.tags[0], NAME)}”"
    if line.slot == "event" and isinstance(value, tuple):
        try:
            return human_time(as_moment(value))  # pyright: ignore[reportUnknownArgumentType]
        except (ValueError, TypeError):
            return "no time"
    return f"“{shorten(str(value), NAME)}”"
