"""Times as the files write them: exactly as exact as they are, and never the present."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memcore.importing import moment
from memcore.records import UNKNOWN, Moment


def at(*parts: int, zoned: bool = False) -> Moment:
    when = datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type]
    return Moment(when, when, "instant", zoned)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1714585031.25, at(2024, 5, 1, 17, 37, 11, 250_000, zoned=True)),
        (1714585031, at(2024, 5, 1, 17, 37, 11, zoned=True)),
        (1714585031250, at(2024, 5, 1, 17, 37, 11, 250_000, zoned=True)),
        ("1454945284.000207", at(2016, 2, 8, 15, 28, 4, 207, zoned=True)),
        ("1714585031", at(2024, 5, 1, 17, 37, 11, zoned=True)),
        ("2024-10-29T15:59:38.340028Z", at(2024, 10, 29, 15, 59, 38, 340_028, zoned=True)),
        ("2024-10-29T15:59:38+00:00", at(2024, 10, 29, 15, 59, 38, zoned=True)),
        ("2024-10-29T15:59:38.123456789+09:00", at(2024, 10, 29, 6, 59, 38, 123_456, zoned=True)),
        ("2024-10-29T15:59:38-0330", at(2024, 10, 29, 19, 29, 38, zoned=True)),
        ("2024-10-29T15:59:38", at(2024, 10, 29, 15, 59, 38)),
        ("2025-06-01 10:00:00", at(2025, 6, 1, 10)),
        ("1:56 pm on 8 May, 2023", at(2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", at(2023, 9, 13, 0, 9)),
        ("12:30 p.m. on 1 Jan, 2023", at(2023, 1, 1, 12, 30)),
        ("11:25\u202fAM on 1 Jan, 2023", at(2023, 1, 1, 11, 25)),
        ("2023/05/30 (Tue) 23:40", at(2023, 5, 30, 23, 40)),
        ("March 15, 2024, 1:56 PM", at(2024, 3, 15, 13, 56)),
    ],
)
def test_a_stated_time_is_read(value: object, expected: Moment) -> None:
    assert moment(value) == expected


@pytest.mark.parametrize(
    ("value", "precision", "first", "last"),
    [
        ("March-15-2024", "day", datetime(2024, 3, 15), datetime(2024, 3, 15, 23, 59, 59, 999_999)),
        ("2024-03-15", "day", datetime(2024, 3, 15), datetime(2024, 3, 15, 23, 59, 59, 999_999)),
        ("8 May, 2023", "day", datetime(2023, 5, 8), datetime(2023, 5, 8, 23, 59, 59, 999_999)),
        ("2024-02", "month", datetime(2024, 2, 1), datetime(2024, 2, 29, 23, 59, 59, 999_999)),
        ("December 2023", "month", datetime(2023, 12, 1), datetime(2023, 12, 31, 23, 59, 59, 999_999)),
        ("2024", "year", datetime(2024, 1, 1), datetime(2024, 12, 31, 23, 59, 59, 999_999)),
    ],
)
def test_a_day_month_or_year_is_a_span(value: str, precision: str, first: datetime, last: datetime) -> None:
    found = moment(value)
    assert (found.start, found.end) == (first.replace(tzinfo=UTC), last.replace(tzinfo=UTC))
    assert (found.precision, found.zoned) == (precision, False)


@pytest.mark.parametrize(
    "value",
    [
        None, "", "soon", "yesterday", 0, -1, 5, True, float("nan"), float("inf"), 10**400, 1e300, [], {},
        "25:00 pm on 8 May, 2023", "2024-13-01", "2024-02-30", "0000-01-01", "9999", "8 Foo, 2023",
        "x" * 10_000, "0001-01-01T00:00:00+23:59", "٢٠٢٤-٠١-٠١",
    ],
)  # fmt: skip
def test_what_is_not_stated_is_unknown_and_never_now(value: object) -> None:
    assert moment(value) == UNKNOWN
