"""A time as a person types it, in English or Korean, and as it can be typed again.

2023-05-03    May 2023    2023    2023년 5월 3일    2023. 5. 3.    2023-05-01 to 2023-05-07
"""

from __future__ import annotations

import re

from memcore.errors import InputError
from memcore.importing.times import moment
from memcore.records import UNKNOWN, Moment

_TO = re.compile(r"\s+to\s+|\s*[~〜]\s*|부터\s*")
_KOREAN = re.compile(
    r"(\d{4})\s*(?:년|\.(?!\d))\s*(?:(\d{1,2})\s*[월.]\s*(?:(\d{1,2})\s*[일.]?)?)?", re.ASCII
)


def typed_moment(text: str) -> Moment:
    """A day, a month, a year, an instant, "A to B" (or "A ~ B"), or nothing for unknown.

    Raises InputError for a text that states no time.
    """
    text = text.strip()
    if not text or text.casefold() == "unknown":
        return UNKNOWN
    parts = [moment(_numbered(part)) for part in _TO.split(text, 1)]
    if not all(part.known for part in parts):
        raise InputError(
            "Write a time like 2023-05-03, May 2023, 2023, 2023년 5월 3일, or 2023-05-01 to 2023-05-07."
        )
    if len(parts) == 1:
        return parts[0]
    return Moment(parts[0].start, parts[1].end, "day", parts[0].zoned)


def as_typed(when: Moment) -> str:
    """A time as it can be typed again; "" for an unknown one."""
    if when.start is None or when.end is None:
        return ""
    if when.precision == "instant":
        return f"{when.start:%Y-%m-%d %H:%M:%S}" + ("Z" if when.zoned else "")
    if when.precision in ("month", "year"):
        return f"{when.start:%Y-%m}" if when.precision == "month" else f"{when.start:%Y}"
    first, last = f"{when.start:%Y-%m-%d}", f"{when.end:%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


def _numbered(text: str) -> str:
    """A date in Korean writing with dashes, so that it means the same as one in any other."""
    text = text.strip().removesuffix("까지").rstrip()
    korean = _KOREAN.match(text)
    if korean is None:
        return text
    return "-".join(number for number in korean.groups() if number) + text[korean.end() :]
