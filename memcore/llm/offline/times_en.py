"""English time expressions, one rule each; the order is the precedence (see `times`).

A weekday alone is the last one, unless the words before it look ahead ("see you on Friday"). A month
or day without a year is the nearest that is not far ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta

from memcore.llm.offline import spans
from memcore.llm.offline.spans import Rule, Span

_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip
_SHORT_WEEKDAYS = {
    "mon": 0, "tues": 1, "tue": 1, "wed": 2, "thurs": 3, "thur": 3, "thu": 3, "fri": 4, "sat": 5,
}  # fmt: skip
_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_SHORT_MONTHS = {m[:3]: i for m, i in _MONTHS.items() if m != "may"} | {"sept": 9}
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "several": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 14)}
_HOLIDAYS = {
    "christmas eve": (12, 24), "christmas": (12, 25), "halloween": (10, 31), "new year's eve": (12, 31),
    "new year's day": (1, 1), "new year's": (1, 1), "valentine's day": (2, 14), "valentine's": (2, 14),
}  # fmt: skip
_DIRECTIONS = {"last": -1, "past": -1, "previous": -1, "this past": -1, "this": 0, "next": 1, "coming": 1,
               "this coming": 1, "this last": -1, "the following": 1}  # fmt: skip
_AHEAD = re.compile(
    r"(?:\b(?:will|gonna|going to|plan(?:ning|s)?|upcoming|see you|let's|next|looking forward|can't wait|"
    r"by|until|scheduled)\b|'ll\b)[^.!?]*$"
)


def _any(words: Iterable[str]) -> str:
    return "(" + "|".join(sorted(words, key=len, reverse=True)) + ")"


_M = _any([*_MONTHS, *_SHORT_MONTHS])
_W = _any(_WEEKDAYS)
_WS = _any([*_WEEKDAYS, *_SHORT_WEEKDAYS])
_N = r"(\d{1,3}|a couple of|a couple|a few|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_D = _any(_DIRECTIONS)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"


def _month_number(name: str) -> int:
    return _MONTHS.get(name) or _SHORT_MONTHS[name]


def _weekday_number(name: str) -> int:
    return _WEEKDAYS[name] if name in _WEEKDAYS else _SHORT_WEEKDAYS[name]


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.removeprefix("a ").removesuffix(" of")]


def _looks_ahead(match: re.Match[str]) -> bool:
    return _AHEAD.search(match.string[max(0, match.start() - 60) : match.start()]) is not None


def _numeric(match: re.Match[str], today: date) -> Span | None:
    """ "5/20/2023" or "20/5/2023"; one that could be both is left alone."""
    first, second, year = (int(g) for g in match.groups())
    if first <= 12 and second <= 12 and first != second:
        return None
    return spans.day(date(year, *((first, second) if first <= 12 else (second, first))))


def _weekday(match: re.Match[str], today: date) -> Span:
    number = _WEEKDAYS[match[1]]
    if _looks_ahead(match):
        return spans.weekday_after(today, number)
    return spans.weekday_before(today, number)


def _weekday_of_week(match: re.Match[str], today: date) -> Span:
    monday = spans.week(today, _DIRECTIONS[match[2]]).first
    return spans.days_from(monday, _WEEKDAYS[match[1]])


def _directed(match: re.Match[str], today: date) -> Span:
    """ "last Friday", "this month", "next spring"."""
    direction, name = _DIRECTIONS[match[1]], match[2]
    if name in _WEEKDAYS or name in _SHORT_WEEKDAYS:
        number = _weekday_number(name)
        return spans.weekday_before(today, number) if direction < 0 else spans.weekday_after(today, number)
    if name in _MONTHS or name in _SHORT_MONTHS:
        number = _month_number(name)
        return spans.month(today.year + _turn_of_year(direction, number, today), number)
    if name in _SEASONS:
        first, last = _SEASONS[name]
        return spans.months(today.year + _turn_of_year(direction, first, today), first, last)
    if name == "weekend" and direction < 0:
        return spans.weekend(today, -1 if today.weekday() < 6 else 0)
    return spans.unit(today, direction, name)


def _turn_of_year(direction: int, month_number: int, today: date) -> int:
    if direction < 0:
        return -1 if month_number >= today.month else 0
    return 1 if direction > 0 and month_number <= today.month else 0


def _season(match: re.Match[str], today: date) -> Span:
    return spans.months(int(match[2]), *_SEASONS[match[1]])


def _holiday(match: re.Match[str], today: date) -> Span:
    month, number = _HOLIDAYS[match[2].replace("’", "'")]
    span = spans.nearest_day(today, month, number)
    if (match[1] or "").strip() == "next" and span.first <= today:
        return spans.day(date(span.first.year + 1, month, number))
    if (match[1] or "").strip() == "last" and span.first > today:
        return spans.day(date(span.first.year - 1, month, number))
    return span


def _ordinal(match: re.Match[str], today: date) -> Span | None:
    """ "on the 11th": this month's, or the last that there was."""
    for back in range(3):
        first = spans.month(today.year, today.month - back).first
        try:
            meant = first.replace(day=int(match[1]))
        except ValueError:
            continue
        if meant <= today:
            return spans.day(meant)
    return None


def _some_days(today: date, first: int, last: int) -> Span:
    return Span(today + timedelta(days=first), today + timedelta(days=last), "day")


def _rule(
    anchors: Iterable[str],
    pattern: str,
    resolve: Callable[[re.Match[str], date], Span | None],
    relative: bool = True,
) -> Rule:
    return Rule(frozenset(anchors), re.compile(pattern, re.ASCII), resolve, relative)


_MONTH_NAMES = (*_MONTHS, *_SHORT_MONTHS)

ENGLISH: tuple[Rule, ...] = (
    _rule("0", r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b",
          lambda m, _: spans.day(date(int(m[1]), int(m[2]), int(m[3]))), False),
    _rule("0", r"\b(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)\b", _numeric, False),
    _rule(_MONTH_NAMES, rf"\b{_DAY}(?: of)? {_M}\.?,? {_YEAR}\b",
          lambda m, _: spans.day(date(int(m[3]), _month_number(m[2]), int(m[1]))), False),
    _rule(_MONTH_NAMES, rf"\b{_M}\.? {_DAY},? {_YEAR}\b",
          lambda m, _: spans.day(date(int(m[3]), _month_number(m[1]), int(m[2]))), False),
    _rule(_MONTH_NAMES, rf"\b{_M}\.?,?(?: of)? {_YEAR}\b",
          lambda m, _: spans.month(int(m[2]), _month_number(m[1])), False),
    _rule(_MONTH_NAMES, rf"\b{_DAY}(?: of)? {_M}\b",
          lambda m, today: spans.nearest_day(today, _month_number(m[2]), int(m[1]))),
    _rule(_MONTH_NAMES, rf"\b{_M}\.? {_DAY}\b(?![:\d])",
          lambda m, today: spans.nearest_day(today, _month_number(m[1]), int(m[2]))),
    _rule(_SEASONS, rf"\b{_any(_SEASONS)},?(?: of| in)? {_YEAR}\b", _season, False),
    _rule(["yesterday"], r"\bday before yesterday\b", lambda m, today: spans.days_from(today, -2)),
    _rule(["tomorrow"], r"\bday after tomorrow\b", lambda m, today: spans.days_from(today, 2)),
    _rule(["yesterday"], r"\byesterday\b", lambda m, today: spans.days_from(today, -1)),
    _rule(["today", "tonight", "this", "just"],
          r"\b(?:today|tonight|this (?:morning|afternoon|evening)|just now)\b",
          lambda m, today: spans.day(today)),
    _rule(["tomorrow"], r"\btomorrow\b", lambda m, today: spans.days_from(today, 1)),
    _rule(["last"], r"\b(?:last night|last evening)\b", lambda m, today: spans.days_from(today, -1)),
    _rule(["before"], r"\b(week|weekend|month|year) before last\b",
          lambda m, today: spans.unit(today, -2, m[1])),
    _rule(["after"], r"\b(week|weekend|month|year) after next\b",
          lambda m, today: spans.unit(today, 2, m[1])),
    _rule(["ago", "back", "earlier"], rf"\b{_N} (day|week|weekend|month|year|night)s? (?:ago|back|earlier)\b",
          lambda m, today: spans.unit(today, -_count(m[1]), m[2])),
    _rule(["in", "within"],
          rf"\b(?:with)?in (?:about |just |the next )?{_N} (day|week|month|year)s?\b(?! of)",
          lambda m, today: spans.unit(today, _count(m[1]), m[2])),
    _rule(["now", "today"], rf"\b{_N} (day|week|month|year)s? from (?:now|today)\b",
          lambda m, today: spans.unit(today, _count(m[1]), m[2])),
    _rule(["week"], rf"\b{_W} (last|this|next) week\b", _weekday_of_week),
    _rule(["last", "past", "previous", "next", "coming", "this", "following"],
          rf"\b{_D} (weekend|week|month|year|spring|summer|fall|autumn|winter|{_WS[1:-1]}|{_M[1:-1]})\b",
          _directed),
    _rule(["last", "past"], rf"\b(?:last|past) {_N} (week|month|year)s?\b",
          lambda m, today: spans.unit(today, -_count(m[1]), m[2])),
    _rule(["last", "past"], r"\b(?:last|past) (?:few|couple(?: of)?|several) (day|night)s\b",
          lambda m, today: _some_days(today, -4, -1)),
    _rule(_WEEKDAYS, rf"\b{_W}\b", _weekday),
    _rule(_SHORT_WEEKDAYS, rf"\bon {_any(_SHORT_WEEKDAYS)}\b",
          lambda m, today: spans.weekday_before(today, _weekday_number(m[1]))),
    _rule(_MONTH_NAMES, rf"\b(?:in|since|during|from|by|until|early|late|mid|for)[ -]{_M}\b",
          lambda m, today: spans.nearest_month(today, _month_number(m[1]))),
    _rule("0", rf"\b(?:in|since|from|during|until|early|late|mid|of|year)[ -]{_YEAR}\b",
          lambda m, _: spans.year(int(m[1])), False),
    _rule(["christmas", "halloween", "new", "valentine"],
          r"\b((?:last |this |next )?)(" + "|".join(h.replace("'", "['’]") for h in _HOLIDAYS) + r")\b",
          _holiday),
    _rule(["other"], r"\bother day\b", lambda m, today: _some_days(today, -7, -1)),
    _rule(["for", "after", "about", "over", "almost", "nearly"],
          rf"\b(?:for|after|about|over|almost|nearly) {_N} (year|month)s?\b(?! old)",
          lambda m, today: spans.unit(today, -_count(m[1]), m[2])),
    _rule(["on"], r"\bon the (\d{1,2})(?:st|nd|rd|th)\b", _ordinal),
)  # fmt: skip
