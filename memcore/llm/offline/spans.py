"""Spans of the calendar: from "two weeks before this day" to a first and a last day.

Used by the English and Korean rules of `times`. Everything raises ValueError or OverflowError for a
day that does not exist; `times` takes that for "no time stated".
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from memcore.records import Precision


class Span(NamedTuple):
    """The closed range of days a text means; a week, a weekend and a season have the precision "day"."""

    first: date
    last: date
    precision: Precision


class Rule(NamedTuple):
    """One kind of expression. It is tried where one of `anchors` occurs: cheap for texts without times.

    `resolve` gets the match and the day of the conversation; a rule that is not `relative` must not
    look at that day. Anchors of English rules are words ("0" for any digit), of Korean ones substrings.
    """

    anchors: frozenset[str]
    pattern: re.Pattern[str]
    resolve: Callable[[re.Match[str], date], Span | None]
    relative: bool = True


def day(when: date) -> Span:
    """One day."""
    return Span(when, when, "day")


def days_from(when: date, count: int) -> Span:
    """The day `count` days later, earlier when negative."""
    return day(when + timedelta(days=count))


def week(when: date, count: int = 0) -> Span:
    """Monday to Sunday of the week of `when`, `count` weeks later."""
    monday = when + timedelta(days=7 * count - when.weekday())
    return Span(monday, monday + timedelta(days=6), "day")


def weekend(when: date, count: int = 0) -> Span:
    """Saturday and Sunday of the week of `when`, `count` weeks later."""
    saturday = week(when, count).first + timedelta(days=5)
    return Span(saturday, saturday + timedelta(days=1), "day")


def month(year: int, number: int) -> Span:
    """A month; numbers outside 1 to 12 run into the neighbouring years."""
    year, number = year + (number - 1) // 12, (number - 1) % 12 + 1
    last = calendar.monthrange(date(year, number, 1).year, number)[1]
    return Span(date(year, number, 1), date(year, number, last), "month")


def year(number: int) -> Span:
    """A whole year."""
    return Span(date(number, 1, 1), date(number, 12, 31), "year")


def months(year_number: int, first: int, last: int) -> Span:
    """From the first day of one month to the last of another, as a span of days: a season."""
    return Span(month(year_number, first).first, month(year_number, last).last, "day")


def unit(when: date, count: int, name: str) -> Span:
    """`count` days, weeks, weekends, months or years after `when` (before, when negative)."""
    if name in ("day", "night"):
        return days_from(when, count)
    if name == "week":
        return week(when, count)
    if name == "weekend":
        return weekend(when, count)
    if name == "month":
        return month(when.year, when.month + count)
    return year(when.year + count)


def weekday_before(when: date, weekday: int) -> Span:
    """The last such weekday before `when`, Monday being 0."""
    return days_from(when, -((when.weekday() - weekday) % 7 or 7))


def weekday_after(when: date, weekday: int) -> Span:
    """The next such weekday after `when`."""
    return days_from(when, (weekday - when.weekday()) % 7 or 7)


# A date without a year that lies further ahead than this is meant as last year's.
FAR_AHEAD = 183


def nearest_day(when: date, month_number: int, number: int) -> Span:
    """The day of a month without a year: this year's, or last year's when that is far ahead."""
    meant = date(when.year, month_number, number)
    return day(meant if (meant - when).days <= FAR_AHEAD else date(when.year - 1, month_number, number))


def nearest_month(when: date, month_number: int) -> Span:
    """A month without a year, by the same rule."""
    meant = month(when.year, month_number)
    return meant if (meant.first - when).days <= FAR_AHEAD else month(when.year - 1, month_number)
