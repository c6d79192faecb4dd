"""What a page shows of editing, as plain values: times as typed, words that changed, names that are one."""

from __future__ import annotations

import pytest

from memcore.errors import InputError
from memcore.importing.times import moment
from memcore.records import UNKNOWN
from memcore.view.editing import as_typed, changed_words, deduplicated, distinct, typed_moment
from memcore.view.similar import like_typed


@pytest.mark.parametrize("text", ["2023-05-03", "2023-05", "2023", "2023-05-01 to 2023-05-07", ""])
def test_a_time_can_be_typed_again_as_it_is_shown(text: str) -> None:
    assert as_typed(typed_moment(text)) == text


def test_a_time_is_as_exact_as_it_was_typed() -> None:
    assert typed_moment("May 2023").precision == "month"
    assert typed_moment("unknown") == UNKNOWN
    week = typed_moment("2023-05-01 to 2023-05-07")
    assert (week.start, week.end) == (moment("2023-05-01").start, moment("2023-05-07").end)


@pytest.mark.parametrize("text", ["a while ago", "2023-05-01 to whenever", "13"])
def test_what_states_no_time_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Write a time like"):
        typed_moment(text)


def test_only_the_words_that_changed_are_marked() -> None:
    assert changed_words("the brass lamp is lit", "the oil lamp is lit") == [
        ("same", "the"),
        ("gone", "brass"),
        ("new", "oil"),
        ("same", "lamp is lit"),
    ]


def test_names_that_differ_only_in_case_or_form_are_one_written_as_the_known_one() -> None:
    names = ["Café", "CAFE\u0301", "walk"]
    assert deduplicated(names, {}) == ["Café", "walk"]
    known = {"walk": "Walk"}
    assert deduplicated(["WALK", "walk"], known) == ["Walk"]


def test_choices_that_read_the_same_are_told_apart() -> None:
    assert distinct({"a": "lamp", "b": "lamp", "c": "sea"}) == {"a": "lamp", "b": "lamp (2)", "c": "sea"}


def test_names_near_to_what_was_typed_come_nearest_first() -> None:
    names = ["brass barometer", "barometer home", "sea", "Brass Lamp"]
    assert like_typed(names, "brass baromter")[0] == "brass barometer"
    assert like_typed(names, "brass lamp")[0] == "Brass Lamp"
    assert "sea" not in like_typed(names, "barometer")
