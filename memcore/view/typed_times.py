"""A time as a person types it, in English or Korean, and as it can be typed again.

2023-05-03    May 2023    2023    2023년 5월 3일 오후 3시    2023. 5. 3.    2023-05-01 to 2023-05-07
"""

from __future__ import annotations

import re
from datetime import datetime, time

from memcore.errors import InputError
from memcore.importing.times import moment
from memcore.records import UNKNOWN, Moment

_TO = re.compile(r"\s+to\s+|\s*[~〜–—]\s*|부터\s*")
_KOREAN = re.compile(
    r"(\d{4})\s*(?:년|\.(?!\d))\s*(?:(\d{1,2})\s*[월.]\s*(?:(\d{1,2})\s*[일.]?)?)?", re.ASCII
)
_KOREAN_HOUR = re.compile(r"(오전|오후)?\s*(\d{1,2})(?:시(?:\s*(\d{1,2})분)?|:(\d\d))", re.ASCII)
_HALF = {"오전": " am", "오후": " pm", None: ""}
_LONG_NUMBER = re.compile(r"\d{5,}(\.\d+)?", re.ASCII)  # no year: files count seconds so, people do not


def typed_moment(text: str) -> Moment:
    """A day, a month, a year, an instant, "A to B" (or "A ~ B", "A – B"), or nothing for unknown.

    Raises InputError for a text that states no time.
    """
    text = text.strip()
    if not text or text.casefold() == "unknown":
        return UNKNOWN
    parts = [_stated(part) for part in _TO.split(text, 1)]
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
        return _instant(when.start, when.zoned)
    if when.precision == "day" and not (_begins_a_day(when.start) and _ends_a_day(when.end)):
        return f"{_instant(when.start, when.zoned)} to {_instant(when.end, when.zoned)}"
    first, last = when.start.date().isoformat(), when.end.date().isoformat()
    if when.precision in ("month", "year"):
        return first[:7] if when.precision == "month" else first[:4]
    return first if first == last else f"{first} to {last}"


def _instant(at: datetime, zoned: bool) -> str:
    return at.replace(tzinfo=None).isoformat(" ", "seconds") + ("Z" if zoned else "")


def _begins_a_day(at: datetime) -> bool:
    return at.time() == time.min


def _ends_a_day(at: datetime) -> bool:
    """At its first moment too: some sources state the days of a span by where they begin."""
    return _begins_a_day(at) or at.time() >= time(23, 59, 59)


def _stated(text: str) -> Moment:
    text = text.strip()
    return UNKNOWN if _LONG_NUMBER.fullmatch(text) else moment(_numbered(text))


def _numbered(text: str) -> str:
    """A date in Korean writing with dashes, so that it means the same as one in any other."""
    text = text.removesuffix("까지").rstrip()
    korean = _KOREAN.match(text)
    if korean is None:
        return text
    day = "-".join(number for number in korean.groups() if number)
    return f"{day} {_clock(text[korean.end() :].strip())}".rstrip()


def _clock(text: str) -> str:
    """오후 3시 30분 as 3:30 pm; any other writing as it is."""
    found = _KOREAN_HOUR.fullmatch(text)
    if found is None:
        return text
    half, hour, *minutes = found.groups()
    return f"{hour}:{next(filter(None, minutes), '0'):0>2}{_HALF[half]}"
