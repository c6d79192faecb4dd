"""Time expressions mean a span of days, seen from the day of the conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.llm.offline.times import MOST_TIMES, find_times
from memcore.records import UNKNOWN, Moment

# A Wednesday.
SAID = Moment(datetime(2024, 5, 15, 18, 30, tzinfo=UTC), datetime(2024, 5, 15, 18, 30, tzinfo=UTC), "instant")


def read(text: str, said: Moment = SAID) -> list[tuple[str, str, str, str]]:
    return [
        (text[f.start : f.end], f"{f.moment.start:%Y-%m-%d}", f"{f.moment.end:%Y-%m-%d}", f.moment.precision)
        for f in find_times(text, said)
    ]


DAYS = [
    ("We met on 2023-02-01.", "2023-02-01", "2023-02-01 day"),
    ("It opened 3/25/2022.", "3/25/2022", "2022-03-25 day"),
    ("It opened 25/3/2022.", "25/3/2022", "2022-03-25 day"),
    ("Born on 4th of July, 1990.", "4th of July, 1990", "1990-07-04 day"),
    ("Born July 4, 1990.", "July 4, 1990", "1990-07-04 day"),
    ("We moved in March 2021.", "March 2021", "2021-03-01 2021-03-31 month"),
    ("The party is on 2 June.", "2 June", "2024-06-02 day"),
    ("The party was on Dec 20th.", "Dec 20th", "2023-12-20 day"),
    ("In the summer of 2019 I sailed.", "summer of 2019", "2019-06-01 2019-08-31 day"),
    ("I saw her the day before yesterday.", "day before yesterday", "2024-05-13 day"),
    ("Back the day after tomorrow.", "day after tomorrow", "2024-05-17 day"),
    ("I baked yesterday.", "yesterday", "2024-05-14 day"),
    ("I baked this morning.", "this morning", "2024-05-15 day"),
    ("Let's bake tomorrow.", "tomorrow", "2024-05-16 day"),
    ("I sang last night.", "last night", "2024-05-14 day"),
    ("It was the week before last.", "week before last", "2024-04-29 2024-05-05 day"),
    ("It will be the month after next.", "month after next", "2024-07-01 2024-07-31 month"),
    ("I quit three weeks ago.", "three weeks ago", "2024-04-22 2024-04-28 day"),
    ("I quit 2 years ago.", "2 years ago", "2022-01-01 2022-12-31 year"),
    ("I sailed a couple of days ago.", "a couple of days ago", "2024-05-13 day"),
    ("I leave in two months.", "in two months", "2024-07-01 2024-07-31 month"),
    ("I leave ten days from now.", "ten days from now", "2024-05-25 day"),
    ("We talked Monday last week.", "Monday last week", "2024-05-06 day"),
    ("We ran last Friday.", "last Friday", "2024-05-10 day"),
    ("We run this Friday.", "this Friday", "2024-05-17 day"),
    ("We ran last weekend.", "last weekend", "2024-05-11 2024-05-12 day"),
    ("We ran last month.", "last month", "2024-04-01 2024-04-30 month"),
    ("We ran last November.", "last November", "2023-11-01 2023-11-30 month"),
    ("We sail next summer.", "next summer", "2024-06-01 2024-08-31 day"),
    ("We sailed last winter.", "last winter", "2023-12-01 2024-02-29 day"),
    ("I have been here for the past 4 years.", "past 4 years", "2020-01-01 2020-12-31 year"),
    ("I slept badly the last few nights.", "last few nights", "2024-05-11 2024-05-14 day"),
    ("We ran on Sunday.", "Sunday", "2024-05-12 day"),
    ("I will see you on Sunday.", "Sunday", "2024-05-19 day"),
    ("We ran on Tue.", "on Tue", "2024-05-14 day"),
    ("She was born in January.", "in January", "2024-01-01 2024-01-31 month"),
    ("She was here in December.", "in December", "2023-12-01 2023-12-31 month"),
    ("I have lived here since 2016.", "since 2016", "2016-01-01 2016-12-31 year"),
    ("We met last Christmas.", "last Christmas", "2023-12-25 day"),
    ("Happy New Year's Eve!", "New Year's Eve", "2023-12-31 day"),
    ("I met him the other day.", "other day", "2024-05-08 2024-05-14 day"),
    ("I have danced for six years.", "for six years", "2018-01-01 2018-12-31 year"),
    ("The test was on the 11th.", "on the 11th", "2024-05-11 day"),
    ("The test was on the 20th.", "on the 20th", "2024-04-20 day"),
    ("2021년 3월 5일에 만났어요.", "2021년 3월 5일", "2021-03-05 day"),
    ("2021년 3월에 만났어요.", "2021년 3월", "2021-03-01 2021-03-31 month"),
    ("2021년 여름에 만났어요.", "2021년 여름", "2021-06-01 2021-08-31 day"),
    ("2021년에 만났어요.", "2021년", "2021-01-01 2021-12-31 year"),
    ("작년 9월에 갔어요.", "작년 9월", "2023-09-01 2023-09-30 month"),
    ("6월 2일이 생일이에요.", "6월 2일", "2024-06-02 day"),
    ("12월 20일에 봤어요.", "12월 20일", "2023-12-20 day"),
    ("작년 여름에 갔어요.", "작년 여름", "2023-06-01 2023-08-31 day"),
    ("지난 겨울에 갔어요.", "지난 겨울", "2023-12-01 2024-02-29 day"),
    ("3일 전에 샀어요.", "3일 전", "2024-05-12 day"),
    ("두 달 전에 샀어요.", "두 달 전", "2024-03-01 2024-03-31 month"),
    ("이틀 전에 샀어요.", "이틀 전", "2024-05-13 day"),
    ("일주일 뒤에 만나요.", "일주일 뒤", "2024-05-22 day"),
    ("지난주에 갔어요.", "지난주", "2024-05-06 2024-05-12 day"),
    ("지난주 토요일에 갔어요.", "지난주 토요일", "2024-05-11 day"),
    ("다음 주말에 가요.", "다음 주말", "2024-05-25 2024-05-26 day"),
    ("다음 달에 가요.", "다음 달", "2024-06-01 2024-06-30 month"),
    ("지난 금요일에 갔어요.", "지난 금요일", "2024-05-10 day"),
    ("일요일에 봤어요.", "일요일", "2024-05-12 day"),
    ("그저께 왔어요.", "그저께", "2024-05-13 day"),
    ("어제 왔어요.", "어제", "2024-05-14 day"),
    ("오늘 왔어요.", "오늘", "2024-05-15 day"),
    ("내일 가요.", "내일", "2024-05-16 day"),
    ("모레 가요.", "모레", "2024-05-17 day"),
    ("며칠 전에 샀어요.", "며칠 전", "2024-05-08 2024-05-13 day"),
    ("내년에 가요.", "내년", "2025-01-01 2025-12-31 year"),
    ("12월에 갔어요.", "12월", "2023-12-01 2023-12-31 month"),
]


@pytest.mark.parametrize(("text", "words", "meant"), DAYS, ids=[words for _, words, _ in DAYS])
def test_an_expression_means_its_days(text: str, words: str, meant: str) -> None:
    *days, precision = meant.split()
    assert read(text) == [(words, days[0], days[-1], precision)]


def test_a_day_lasts_from_its_first_to_its_last_second() -> None:
    (found,) = find_times("I baked yesterday.", SAID)
    assert found.moment.start == datetime(2024, 5, 14, tzinfo=UTC)
    assert found.moment.end == datetime(2024, 5, 14, 23, 59, 59, tzinfo=UTC)


def test_whether_a_zone_was_given_comes_from_the_conversation() -> None:
    zoned = Moment(SAID.start, SAID.end, "instant", zoned=True)
    assert [find_times("yesterday", said)[0].moment.zoned for said in (SAID, zoned)] == [False, True]


def test_without_a_conversation_time_only_absolute_expressions_are_read() -> None:
    text = (
        "Yesterday, last week, 3 days ago, in June, on Friday; but on 4 July 1990. 어제, 지난주, 2021년 3월."
    )
    assert [words for words, *_ in read(text, UNKNOWN)] == ["4 July 1990", "2021년 3월"]


@pytest.mark.parametrize(
    "text",
    [
        "2023-13-45",
        "on 31 June",
        "0/0/2020",
        "13월 40일",
        "may I go?",
        "5/6/2022 could be either",
        "the daily weather for a week",
    ],
)
def test_what_means_no_existing_day_is_left_alone(text: str) -> None:
    assert read(text) == []


def test_an_impossible_day_of_a_month_still_names_the_month() -> None:
    assert read("31 February 2023") == [("February 2023", "2023-02-01", "2023-02-28", "month")]


@given(st.text(alphabet="0123456789/-. aginostweksymrfcuhl어제주년월일전", max_size=80), st.integers(1, 9999))
def test_no_text_and_no_year_breaks_it(text: str, year: int) -> None:
    said = Moment(datetime(year, 1, 1, tzinfo=UTC), datetime(year, 1, 1, tzinfo=UTC), "day")
    for found in find_times(text, said):
        assert 0 <= found.start < found.end <= len(text)
        assert found.moment.start is not None and found.moment.end is not None
        assert found.moment.start <= found.moment.end


def test_positions_hold_where_lower_case_is_longer() -> None:
    text = "İstanbul yesterday"
    assert [words for words, *_ in read(text)] == ["yesterday"]


def test_a_wall_of_dates_is_bounded() -> None:
    assert len(find_times("yesterday " * 100_000, SAID)) == MOST_TIMES
