"""What can be set by hand on each kind of record, and how a value is checked: one line per field.

A new kind of record gets editing, undo and history by adding its line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from memcore.access.permissions import MOST_SENSITIVE
from memcore.editing.visible import visible
from memcore.errors import InputError
from memcore.records import CueKind, Layer, Moment
from memcore.words import normalise

LONGEST_NAME = 200
LONGEST_TEXT = 200_000
LONGEST_WORDS = 2_000  # characters of an author or a reason
_KEPT_CONTROLS = "\n\t"
# Marks that turn the direction of what follows: in a name they can make it look like another.
_DIRECTION = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@dataclass(frozen=True, slots=True)
class Field:
    """A field that can be set: its label, what it says, its check, and its choices where it has any."""

    name: str
    label: str
    check: Callable[[Any], Any]
    choices: tuple[str, ...] = ()


def checked(record_kind: str, field: str, value: Any) -> Any:
    """The value as it will be stored. Raises InputError with a sentence that says what is wrong."""
    found = next((f for f in EDITABLE.get(record_kind, ()) if f.name == field), None)
    if found is None:
        raise InputError(f"The {field.replace('_', ' ')} of a {record_kind} cannot be edited.")
    return found.check(value)


def a_name(value: Any) -> str:
    """A name of a cue or tag: one line, composed, without what nobody sees, with something to find it by."""
    typed = " ".join(_composed(value).split())
    if any(c in _DIRECTION or unicodedata.category(c) == "Cc" for c in typed):
        raise InputError("A name cannot hold control characters or marks that turn the reading direction.")
    name = " ".join(visible(typed).split())
    if not name:
        raise InputError("A name cannot be empty.")
    if len(name) > LONGEST_NAME:
        raise InputError(f"A name has at most {LONGEST_NAME} characters; this one has {len(name):,}.")
    if not normalise(name):
        raise InputError("A name needs at least one letter, digit or symbol to be found by.")
    return name


def a_label(value: Any) -> str:
    """A name for something that has none of its own, or none."""
    return a_name(value) if str(value).strip() else ""


def a_note(value: Any) -> str:
    """A text that may be empty."""
    return a_text(value) if str(value).strip() else ""


def a_text(value: Any) -> str:
    """The text of a memory, as it was typed but for control characters."""
    text = "".join(
        c for c in _composed(value) if c in _KEPT_CONTROLS or unicodedata.category(c) != "Cc"
    ).strip()
    if not visible(text).strip():
        raise InputError("A memory cannot be empty; delete it instead.")
    if len(text) > LONGEST_TEXT:
        raise InputError(f"A memory has at most {LONGEST_TEXT:,} characters; this one has {len(text):,}.")
    return text


def some_words(value: Any, what: str) -> str:
    """An author or a reason, which the journal keeps with every commit."""
    words = _composed(value)
    if len(words) > LONGEST_WORDS:
        raise InputError(f"The {what} has at most {LONGEST_WORDS:,} characters; this one has {len(words):,}.")
    return words


def a_moment(value: Any) -> Moment:
    """When it happened; a Moment whose end is not before its start, or unknown."""
    if not isinstance(value, Moment):
        raise InputError("A time is a day, a month, a year or unknown.")
    if value.start is not None and (value.end is None or value.end < value.start):
        raise InputError("The end of a time cannot be before its start.")
    return value


def a_flag(value: Any) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise InputError("This can only be on or off.")
    return value


def a_degree(value: Any) -> int:
    """How sensitive: 0 not at all to 3."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_SENSITIVE:
        raise InputError(f"Sensitivity goes from 0 (open) to {MOST_SENSITIVE} (most sensitive).")
    return value


def one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    """A check for one of these."""

    def check(value: Any) -> str:
        if value not in choices:
            raise InputError(f"Choose one of {', '.join(choices)}.")
        return str(value)

    return check


def _composed(value: Any) -> str:
    """Composed (NFC), so that what looks the same is the same; halves of surrogate pairs are refused."""
    if not isinstance(value, str):
        raise InputError("This needs a text.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("The text holds half a character, which cannot be stored.") from error
    return unicodedata.normalize("NFC", value)


_KINDS, _LAYERS = get_args(CueKind), get_args(Layer)

EDITABLE: Mapping[str, tuple[Field, ...]] = {
    "cue": (
        Field("name", "Name", a_name),
        Field("cue_kind", "Kind", one_of(_KINDS), _KINDS),
        Field("pinned", "Pinned", a_flag),
    ),
    "tag": (Field("name", "Name", a_name),),
    "content": (
        Field("text", "Text", a_text),
        Field("event", "Happened", a_moment),
        Field("layer", "Layer", one_of(_LAYERS), _LAYERS),
        Field("pinned", "Pinned", a_flag),
        Field("sensitivity", "Sensitivity", a_degree),
    ),
    "run": (Field("title", "Title", a_name),),
    "step": (Field("sensitivity", "Sensitivity", a_degree),),
    "mark": (Field("summary", "Summary", a_note), Field("note", "Note", a_note)),
    "unit": (Field("label", "Cluster name", a_label), Field("sensitivity", "Sensitivity", a_degree)),
    "relation": (Field("cue", "Cue", a_name), Field("tag", "Tag", a_name)),
}
