"""Every way in which the files write a time, as one Moment.

Epoch seconds, milliseconds, microseconds or nanoseconds as a number or a string of digits
("1454945284.000207"); ISO 8601 with any fraction, with or without a zone; "1:56 pm on 8 May, 2023";
"2023/05/30 (Tue) 23:40"; "March-15-2024"; a day, a month or a year alone. A time that is not stated
or not understood is unknown: never the current one. Without a zone the wall clock is kept.
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta

from memcore.records import UNKNOWN, Moment, Precision

EARLIEST_EPOCH = 1e8  # 1973: smaller numbers are counters or "not set", no times of a conversation
_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_NUMBER = re.compile(r"\d{9,19}(\.\d+)?", re.ASCII)
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,12}))?)?"
_ZONE = r"(?P<zone>[Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?"
_MERIDIEM = r"\s*(?P<half>[ap]\.?\s?m\.?)?"
_NAME = r"(?P<name>[A-Za-z]{3,9})\.?"
_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        # 2025-06-01T10:00:00.123456789Z, 2025-06-01 10:00, 2023/05/30 (Tue) 23:40, 2024-03-15
        r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
        rf"(?:(?:[T\s]|\s*\(\w+\)\s*|,\s*){_CLOCK}{_MERIDIEM}\s*{_ZONE})?",
        # 1:56 pm on 8 May, 2023
        rf"{_CLOCK}{_MERIDIEM}\s*{_ZONE}\s*(?:on|,)?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+{_NAME},?\s+(?P<year>\d{{4}})",
        # 8 May 2023, 8 May, 2023 13:56
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-\s]{_NAME},?[-\s]\s*(?P<year>\d{{4}})(?:,?\s+(?:at\s+)?{_CLOCK}{_MERIDIEM}\s*{_ZONE})?",
        # March-15-2024, March 15, 2024, 1:56 PM
        rf"{_NAME}[-\s](?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?[-\s]\s*(?P<year>\d{{4}})(?:,?\s+(?:at\s+)?{_CLOCK}{_MERIDIEM}\s*{_ZONE})?",
        # 2023-05, May 2023, 2023
        r"(?P<year>\d{4})[-/](?P<month>\d{1,2})",
        rf"{_NAME},?[-\s](?P<year>\d{{4}})",
        r"(?P<year>\d{4})",
    )
)


def moment(value: object) -> Moment:
    """The time that `value` states; UNKNOWN where it states none that can be understood."""
    try:
        if isinstance(value, bool) or value is None:
            return UNKNOWN
        if isinstance(value, int | float):
            return _from_epoch(float(value))
        return _from_text(" ".join(value.split())) if isinstance(value, str) else UNKNOWN
    except (ValueError, OverflowError):
        return UNKNOWN


def _from_epoch(number: float) -> Moment:
    """The unit is told by the size: a time between 1973 and 5138 has it unambiguously."""
    for limit, unit in ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9)):
        if EARLIEST_EPOCH * unit <= number < limit:
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number / unit)
            return Moment(at, at, "instant", True)
    return UNKNOWN


def _from_text(text: str) -> Moment:
    if len(text) > 64:
        return UNKNOWN
    if _NUMBER.fullmatch(text):
        return _from_epoch(float(text))
    for form in _FORMS:
        if found := form.fullmatch(text):
            return _from_parts({key: part for key, part in found.groupdict().items() if part})
    return UNKNOWN


def _from_parts(parts: dict[str, str]) -> Moment:
    year = int(parts["year"])
    month = _month(parts)
    if "day" not in parts:
        return _year(year) if month is None else _month_span(year, month)
    if month is None:
        return UNKNOWN
    midnight = datetime(year, month, int(parts["day"]), tzinfo=UTC)
    if "hour" not in parts:
        return _span(midnight, midnight + timedelta(days=1), "day")
    at = midnight + _clock(parts)
    if zone := parts.get("zone"):
        return _instant(at - _offset(zone), zoned=True)
    return _instant(at, zoned=False)


def _month(parts: dict[str, str]) -> int | None:
    if "name" in parts:
        return _MONTHS.get(parts["name"].lower())
    return int(parts["month"]) if "month" in parts else None


def _year(year: int) -> Moment:
    return _span(datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC), "year")


def _month_span(year: int, month: int) -> Moment:
    first = datetime(year, month, 1, tzinfo=UTC)
    return _span(first, (first + timedelta(days=31)).replace(day=1), "month")


def _span(start: datetime, after: datetime, precision: Precision) -> Moment:
    return Moment(start, after - timedelta(microseconds=1), precision, False)


def _instant(at: datetime, zoned: bool) -> Moment:
    return Moment(at, at, "instant", zoned)


def _clock(parts: dict[str, str]) -> timedelta:
    """The time of day; 12-hour clocks know no hour above twelve and no hour zero is an error."""
    hour, minute, second = int(parts["hour"]), int(parts["minute"]), int(parts.get("second", 0))
    half = parts.get("half", "").lower()
    if half:
        if hour > 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError("no such time of day")
    micro = int(parts.get("fraction", "0")[:6].ljust(6, "0"))
    return timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micro)


def _offset(zone: str) -> timedelta:
    if zone[0] not in "+-":
        return timedelta()
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return offset if zone[0] == "+" else -offset
