"""A reply as JSON and nothing else, against a small schema.

The subset of JSON Schema that the tasks use: type (one, or a list of them), properties, required,
additionalProperties false, items, enum, minimum, maximum, minItems, maxItems, minLength. Vendors enforce
parts of it; here all of it is checked again. What is wrong is said by its place and never by what stands
there: a reply retells memories, and an error is logged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from memcore.errors import ReplyInvalid

Schema = Mapping[str, Any]
# Not every grammar knows these; the rest all of them enforce.
_CHECKED_HERE = frozenset({"minimum", "maximum", "minItems", "maxItems", "minLength"})
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_OF_TYPE: dict[str, Callable[[object], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "null": lambda v: v is None,
}


def read(text: str, schema: Schema) -> Any:
    """The value of a reply. Raises ReplyInvalid for an empty one, for anything but one JSON value, for a
    name given twice, for text that cannot be stored, and for what the schema does not allow."""
    if not text.strip():
        raise ReplyInvalid("The model replied with nothing.")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
        again = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        # What the parser says quotes the reply, hence no cause.
        raise ReplyInvalid("The model replied with something that is not JSON.") from None
    if _NUL.search(again):
        raise ReplyInvalid("The model's reply holds characters that cannot be stored.")
    for wrong in wrongs(value, schema):
        raise ReplyInvalid(f"The model's reply does not have the asked form: {wrong}.")
    return value


def wrongs(value: Any, schema: Schema, at: str = "the reply") -> Iterator[str]:
    """What is wrong with a value, outermost first."""
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if kinds and not any(_OF_TYPE[kind](value) for kind in kinds):
        yield f"{at} must be {' or '.join(kinds)}"
    elif "enum" in schema and not any(value == v and type(value) is type(v) for v in schema["enum"]):
        yield f"{at} is none of the values to choose from"
    elif isinstance(value, dict):
        yield from _wrong_members(cast(dict[str, Any], value), schema, at)
    elif isinstance(value, list):
        yield from _wrong_items(cast(list[Any], value), schema, at)
    elif isinstance(value, str):
        if len(value.strip()) < schema.get("minLength", 0):
            yield f"{at} is empty"
    elif not _in_bounds(value, schema):
        yield f"{at} is a number that was not given"


def sendable(schema: Schema) -> dict[str, Any]:
    """The schema as the grammars of Claude and Gemini take it: without the bounds, which are checked here.

    It is then the same for every call of a task, whatever it numbers, and stays in the caches. What may be
    null is sent as what may be left out: not every grammar takes two types.
    """
    kept: dict[str, Any] = {}
    for word, value in schema.items():
        if word == "properties":
            kept[word] = {name: sendable(of) for name, of in value.items()}
        elif word == "items":
            kept[word] = sendable(value)
        elif word == "type" and not isinstance(value, str):
            kept[word] = next(kind for kind in value if kind != "null")
        elif word not in _CHECKED_HERE:
            kept[word] = value
    return kept


def _in_bounds(value: Any, schema: Schema) -> bool:
    bounded = isinstance(value, int | float) and not isinstance(value, bool)
    return not bounded or schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _wrong_members(value: dict[str, Any], schema: Schema, at: str) -> Iterator[str]:
    known: Mapping[str, Schema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at} has no {name}"
    if schema.get("additionalProperties") is False and not value.keys() <= known.keys():
        yield f"{at} holds something that was not asked for"
    for name in known.keys() & value.keys():
        yield from wrongs(value[name], known[name], name if at == "the reply" else f"{at}.{name}")


def _wrong_items(value: list[Any], schema: Schema, at: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{at} holds too few or too many"
    for i, item in enumerate(value):
        yield from wrongs(item, schema.get("items", {}), f"{at}[{i}]")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name twice")
    return made


def _no_number(constant: str) -> None:
    raise ValueError(constant)
