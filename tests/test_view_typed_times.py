"""Times as a person types them: as exact as they were typed, in both languages, and typed again as shown."""

from __future__ import annotations

import pytest

from memcore.errors import InputError
from memcore.importing.times import moment
from memcore.records import UNKNOWN
from memcore.view.typed_times import as_typed, typed_moment


@pytest.mark.parametrize(
    "text",
    ["2023-05-03", "2023-05", "2023", "2023-05-01 to 2023-05-07",
     "2023-05-03 10:00:00 to 2023-05-03 11:00:00", "2023-05-03 10:00:00Z to 2023-05-04 11:30:00Z",
     "0001-01-01", "0001-02", "0001", "0001-01-01 09:05:00", ""],
)  # fmt: skip
def test_a_time_can_be_typed_again_as_it_is_shown(text: str) -> None:
    assert as_typed(typed_moment(text)) == text


def test_a_time_is_as_exact_as_it_was_typed() -> None:
    assert typed_moment("May 2023").precision == "month"
    assert typed_moment("unknown") == UNKNOWN
    week = typed_moment("2023-05-01 to 2023-05-07")
    assert (week.start, week.end) == (moment("2023-05-01").start, moment("2023-05-07").end)
    assert week == typed_moment("2023-05-01 – 2023-05-07") == typed_moment("2023-05-01–2023-05-07")


@pytest.mark.parametrize(
    "text",
    [
        "a while ago",
        "2023-05-01 to whenever",
        "13",
        "2023년 13월",
        "5월 3일",
        "2023년 5월 3일쯤",
        "1700000000",
        "2023년 5월 3일 오후 25시",
    ],
)
def test_what_states_no_time_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Write a time like"):
        typed_moment(text)


@pytest.mark.parametrize(
    ("korean", "same"),
    [
        ("2023년 5월 3일", "2023-05-03"),
        ("2023년5월3일", "2023-05-03"),
        ("2023. 5. 3.", "2023-05-03"),
        ("2023.5.3", "2023-05-03"),
        ("2023년 5월", "2023-05"),
        ("2023. 5.", "2023-05"),
        ("2023년", "2023"),
        ("2023년 5월 3일 13:56", "2023-05-03 13:56"),
        ("2023년 5월 3일 오후 3시", "2023-05-03 15:00"),
        ("2023년 5월 3일 오전 9시 30분", "2023-05-03 09:30"),
        ("2023년 5월 3일 15시", "2023-05-03 15:00"),
        ("2023년 5월 1일 ~ 2023년 5월 7일", "2023-05-01 to 2023-05-07"),
        ("2023년 5월 1일부터 2023년 5월 7일까지", "2023-05-01 to 2023-05-07"),
    ],
)
def test_a_date_in_korean_means_the_same_as_in_any_other_writing(korean: str, same: str) -> None:
    assert typed_moment(korean) == typed_moment(same) != UNKNOWN
