"""A correction as one line of JSON that means the same in another store: names and places, never row ids.

A place is a turn as its source knows it (conversation, and the turn's own name or its position there) and
the part of the turn that a memory shows. Lines come from anywhere, so each is checked whole before use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from memcore.editing.fields import LONGEST_WORDS
from memcore.errors import InputError
from memcore.records import CueKind, Value

LONGEST_LINE = 2_000_000  # characters
SLOTS: Mapping[str, tuple[str, ...]] = {
    "cue": ("name", "merged", "removed", "exists", "cue_kind", "pinned"),
    "tag": ("name", "merged", "removed", "exists"),
    "relation": ("triple",),
    "content": ("text", "event", "layer", "pinned", "sensitivity", "removed"),
}
_CUE_KINDS = get_args(CueKind)
_FLAGS = ("pinned", "sensitivity")
_ABOUT_A_NODE = ("cue_kind", "pinned")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory was read: a turn by its source, and the layer, span and topic of what it shows."""

    conversation: str
    title: str
    turn: str
    position: int
    layer: str
    span: tuple[int, int] | None = None
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of a relation by name. Before a correction, either may have had one of several names."""

    cues: tuple[str, ...]
    tags: tuple[str, ...]
    cue_kind: str = "topic"


@dataclass(frozen=True, slots=True)
class Line:
    """One correction. `extracted` and `corrected` are Ends for a relation, else plain values; None before:
    added by hand, None after: removed. `name` is of the cue whose kind or pin was corrected."""

    target: Literal["cue", "tag", "relation", "content"]
    slot: str
    extracted: Value | Ends
    corrected: Value | Ends
    author: str
    reason: str
    time: str
    place: Place | None = None
    name: str = ""


def dumped(line: Line) -> str:
    """The line as JSON, in the letters it is written with."""
    place = line.place
    fields: dict[str, Any] = {
        "target": line.target,
        "slot": line.slot,
        "extracted": _plain(line.extracted),
        "corrected": _plain(line.corrected),
        "author": line.author,
        "reason": line.reason,
        "time": line.time,
    }
    if place is not None:
        fields["at"] = {name: getattr(place, name) for name in place.__slots__}
    if line.name:
        fields["name"] = line.name
    return json.dumps(fields, ensure_ascii=False)


def parsed(text: str) -> Line:
    """The line that `dumped` wrote. Raises InputError with what is wrong with it."""
    if len(text) > LONGEST_LINE:
        raise InputError(f"A line has at most {LONGEST_LINE:,} characters.")
    try:
        found = json.loads(text)
        text.encode("utf-8")
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("The line holds half a character, which cannot be stored.") from error
    except (ValueError, RecursionError) as error:
        raise InputError("This is not a line of JSON.") from error
    if not isinstance(found, dict):
        raise InputError("A line is an object with target, slot, extracted and corrected.")
    return _line(cast(dict[str, Any], found))


def _line(found: dict[str, Any]) -> Line:
    target, slot = found.get("target"), found.get("slot")
    if not isinstance(target, str) or target not in SLOTS:
        raise InputError(f"The field “target” is one of {', '.join(SLOTS)}.")
    if slot not in SLOTS[target]:
        raise InputError(f"The field “slot” of a {target} is one of {', '.join(SLOTS[target])}.")
    read = _ends if target == "relation" else _value
    line = Line(
        target=cast(Any, target),
        slot=str(slot),
        extracted=read(found.get("extracted"), "extracted"),
        corrected=read(found.get("corrected"), "corrected"),
        author=_words(found, "author"),
        reason=_words(found, "reason"),
        time=_words(found, "time"),
        place=_place(found.get("at")) if target in ("relation", "content") else None,
        name=_words(found, "name"),
    )
    _check(line)
    return line


def _check(line: Line) -> None:
    """Refuse a line whose values do not fit its slot."""
    before, after = line.extracted, line.corrected
    if line.target in ("cue", "tag"):
        named = {"name": (before, after), "merged": (before, after), "removed": (before,), "exists": (after,)}
        if not all(isinstance(v, str) and v for v in named.get(line.slot, ())):
            raise InputError("A corrected name is a text, before and after.")
        if line.slot in _ABOUT_A_NODE and not line.name:
            raise InputError("The field “name” says which cue is meant; it is missing.")
    if line.target == "relation" and before is None and after is None:
        raise InputError("A relation is there before the correction, after it, or both.")
    if line.slot in _FLAGS and not isinstance(after, int):
        raise InputError(f"The corrected {line.slot} is a number.")
    if line.slot == "event" and not (isinstance(after, tuple) and len(after) == 4):
        raise InputError("A corrected time is a start, an end, how exact it is, and whether it has a zone.")


def _plain(value: Value | Ends) -> Any:
    if isinstance(value, Ends):
        return {"cue": list(value.cues), "cue_kind": value.cue_kind, "tag": list(value.tags)}
    return list(value) if isinstance(value, tuple) else value


def _value(found: Any, field: str) -> Value:
    if isinstance(found, list):
        parts = cast(list[Any], found)
        if len(parts) <= 8 and all(p is None or isinstance(p, str | int) for p in parts):
            return tuple(parts)
    elif found is None or isinstance(found, str | int):
        return found
    raise InputError(f"The field “{field}” is a text, a number, a short list of them, or null.")


def _ends(found: Any, field: str) -> Ends | None:
    if found is None:
        return None
    if isinstance(found, dict):
        ends = cast(dict[str, Any], found)
        kind = ends.get("cue_kind", "topic")
        if kind not in _CUE_KINDS:
            raise InputError(f"The field “cue_kind” of a relation is one of {', '.join(_CUE_KINDS)}.")
        if _names(ends.get("cue")) and _names(ends.get("tag")):
            return Ends(tuple(ends["cue"]), tuple(ends["tag"]), kind)
    raise InputError(f"The field “{field}” of a relation names its cue and its tag, or is null.")


def _names(found: Any) -> bool:
    names = cast(list[Any], found) if isinstance(found, list) else []
    return 0 < len(names) <= 1_000 and all(isinstance(n, str) for n in names)


def _place(found: Any) -> Place:
    at = cast(dict[str, Any], found) if isinstance(found, dict) else {}
    texts = [at.get(name, "") for name in ("conversation", "title", "turn", "layer", "topic")]
    position, span = at.get("position"), at.get("span")
    if not at or not all(isinstance(t, str) for t in texts) or not isinstance(position, int):
        raise InputError("The field “at” says in which conversation and turn this was read; it does not.")
    if span is not None and not _is_span(span):
        raise InputError("The span of a memory is two numbers.")
    talk, title, turn, layer, topic = texts
    return Place(talk, title, turn, position, layer, tuple(span) if span else None, topic)


def _is_span(found: Any) -> bool:
    span = cast(list[Any], found) if isinstance(found, list) else []
    return len(span) == 2 and all(isinstance(n, int) for n in span)


def _words(found: dict[str, Any], field: str) -> str:
    words = found.get(field, "")
    if not isinstance(words, str) or len(words) > LONGEST_WORDS:
        raise InputError(f"The field “{field}” is a text of at most {LONGEST_WORDS:,} characters.")
    return words
