"""What a page shows of editing, as plain values: names that are one, told apart, or near."""

from __future__ import annotations

from memcore.view.editing import deduplicated, distinct
from memcore.view.similar import like_typed


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
