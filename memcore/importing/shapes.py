"""What a value read from a file is: typed looks at JSON that may be anything at all.

Every function gives an empty value where the shape is another one, so that a reader asks for what it
needs and never trips over what it got.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, TypeGuard, cast

DEEPEST = "… (nested too deeply to show)"


def is_record(value: object) -> TypeGuard[dict[str, Any]]:
    """A JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """A JSON array."""
    return isinstance(value, list)


def record(value: object) -> dict[str, Any]:
    """The object itself, or an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The array itself, or an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def string(value: object) -> str:
    """The string itself, or an empty one."""
    return value if isinstance(value, str) else ""


def name(value: object) -> str:
    """A string or a whole number as a name (ids are written both ways); else empty."""
    if isinstance(value, int) and not isinstance(value, bool):
        return number_as_text(value)
    return string(value).strip()


def number_as_text(value: int) -> str:
    """An integer in decimal, in hexadecimal where Python refuses that many digits."""
    return str(value) if value.bit_length() < 10_000 else hex(value)


def first_given(value: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The first of these fields that is there and not null; None where there is none."""
    return next((value[key] for key in keys if value.get(key) is not None), None)


def compact(value: object) -> str:
    """Any JSON value as one line of JSON, strings verbatim; for what is kept raw."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    except (RecursionError, ValueError):
        return DEEPEST


def fingerprint(*texts: str) -> str:
    """A digest of texts in this order; it joins identities while reading and is never stored."""
    digest = blake2b(digest_size=16)
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()
