"""A line of carried-over corrections in words, and what can become of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from memcore.editing.corrections import as_moment
from memcore.editing.outcomes import State
from memcore.editing.portable import SLOTS, Ends, Line
from memcore.view.history import Row
from memcore.view.naming import counted, human_time
from memcore.view.record_words import FIELDS, record_words
from memcore.view.text import shorten

STATES: Mapping[State, str] = {
    "applied": "carried out",
    "already": "already so",
    "not_found": "not found",
    "collides": "in the way of another name or correction",
    "refused": "refused",
}
NAME = 50
_CARRIED = {*SLOTS, "correction"}  # deciding a dispute changes a correction, which is carried as it is then


def left_out(rows: Iterable[Row]) -> list[str]:
    """What was changed by hand and is no correction that an export could carry: in words, counted."""
    found = Counter(
        (FIELDS.get(e.field, ""), e.record_kind)
        for row in rows
        for e in row.events[:1]
        if e.kind == "edited" and not row.undone and e.record_kind not in _CARRIED
    )
    return [_edits(number, field, kind) for (field, kind), number in sorted(found.items())]


def _edits(number: int, field: str, kind: str) -> str:
    of = f"the {field} of " if field else ""
    return f"{counted(number, 'edit')} of {of}{record_words(kind)[1]}"


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
    if isinstance(line.extracted, Ends) and isinstance(line.corrected, Ends):
        return _moved(line.extracted, line.corrected)
    field = "" if line.slot in ("name", "triple") else f", {FIELDS.get(line.slot, line.slot)}"
    name = f" “{shorten(line.name, NAME)}”" if line.name else ""
    return f"{subject}{name}{field}: {_value(line, line.extracted)} → {_value(line, line.corrected)}"


def _moved(before: Ends, after: Ends) -> str:
    """The end that changed, or both."""
    (cue, new_cue), (tag, new_tag) = (
        [f"“{shorten(name, NAME)}”" for name in pair]
        for pair in ((before.cues[0], after.cues[0]), (before.tags[0], after.tags[0]))
    )
    if cue == new_cue:
        return f"tag of a relation from {cue}: {tag} → {new_tag}"
    if tag == new_tag:
        return f"cue of a relation through {tag}: {cue} → {new_cue}"
    return f"relation: {cue} by {tag} → {new_cue} by {new_tag}"


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
