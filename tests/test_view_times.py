"""Times as a person reads them: converted where a zone was named, as written where none was."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from memcore.records import UNKNOWN, Moment
from memcore.view.times import brief, day, exactness, instant, midnight, shown

AT = datetime(2023, 5, 3, 22, 56, tzinfo=UTC)
ZONED = Moment(AT, AT, "instant", True)
WRITTEN = Moment(AT, AT, "instant", False)


def test_an_instant_whose_zone_was_named_is_shown_in_the_zone_of_the_reader() -> None:
    assert shown(ZONED, "Asia/Seoul") == "4 May 2023, 07:56 KST"
    assert day(ZONED, "Asia/Seoul") == date(2023, 5, 4)
    assert instant(AT, "Europe/Berlin") == "4 May 2023, 00:56 CEST"


def test_a_wall_clock_without_a_zone_is_never_converted_and_says_so() -> None:
    assert shown(WRITTEN, "Asia/Seoul") == "3 May 2023, 22:56 (as written, no zone named)"
    assert day(WRITTEN, "Asia/Seoul") == date(2023, 5, 3)


def test_where_there_is_no_room_it_is_the_same_time_without_a_word_on_the_zone() -> None:
    assert brief(ZONED, "Asia/Seoul") == shown(ZONED, "Asia/Seoul")
    assert brief(WRITTEN, "Asia/Seoul") == "3 May 2023, 22:56"


def test_an_unknown_zone_is_utc() -> None:
    assert {shown(ZONED, zone) for zone in ("", "Nowhere/Atlantis", "../etc/passwd", "x" * 5000)} == {
        "3 May 2023, 22:56 UTC"
    }


def test_a_day_a_month_and_an_unknown_time_have_no_clock() -> None:
    assert shown(Moment(AT, AT, "day", True), "Asia/Seoul") == "3 May 2023"
    assert shown(Moment(AT, AT + timedelta(2), "day"), "Asia/Seoul") == "3 May 2023 to 5 May 2023"
    assert shown(Moment(AT, AT, "month")) == "May 2023"
    assert shown(UNKNOWN) == "unknown" and day(UNKNOWN) is None


def test_a_time_says_how_exactly_it_is_known() -> None:
    assert exactness(ZONED) == "2023-05-03 22:56:00: UTC; the source named a zone."
    assert "only the month is known; wall clock as written" in exactness(Moment(AT, AT, "month"))
    assert exactness(UNKNOWN) == "The source states no time."


def test_a_day_begins_at_the_midnight_of_the_reader() -> None:
    assert midnight(date(2024, 5, 3), "Asia/Seoul") == datetime(2024, 5, 2, 15, tzinfo=UTC)
    assert midnight(date(2024, 5, 3)) == datetime(2024, 5, 3, tzinfo=UTC)
