"""A reply is one JSON value of the asked form, or it is refused without a word of it being quoted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.errors import ReplyInvalid
from memcore.llm.strict_json import Schema, read, sendable, wrongs

SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "do": {"enum": ["add", "none"]},
        "at": {"type": ["integer", "null"], "minimum": 0, "maximum": 5},
        "share": {"type": "number"},
        "texts": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "minLength": 1}},
        "done": {"type": "boolean"},
    },
    "required": ["do"],
    "additionalProperties": False,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
STORABLE = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip)
GIVEN = st.fixed_dictionaries(
    {"do": st.sampled_from(["add", "none"])},
    optional={
        "at": st.none() | st.integers(0, 5),
        "share": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
        "texts": st.lists(STORABLE, min_size=1, max_size=2),
        "done": st.booleans(),
    },
)


@given(GIVEN)
def test_what_has_the_form_is_read_as_it_is(value: Any) -> None:
    assert read(json.dumps(value), SCHEMA) == value
    assert read(json.dumps(value, ensure_ascii=False, indent=1), SCHEMA) == value


@given(st.text() | JSON.map(json.dumps))
def test_anything_else_is_refused_and_never_crashes(text: str) -> None:
    try:
        value = read(text, SCHEMA)
    except ReplyInvalid:
        return
    assert not list(wrongs(value, SCHEMA))
    assert value["do"] in ("add", "none")


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({}, "the reply has no do"),
        ([], "the reply must be object"),
        ({"do": "delete"}, "do is none of the values"),
        ({"do": "add", "at": 6}, "at is a number that was not given"),
        ({"do": "add", "at": True}, "at must be integer or null"),
        ({"do": "add", "at": 1.0}, "at must be integer or null"),
        ({"do": "add", "share": False}, "share must be number"),
        ({"do": "add", "texts": []}, "texts holds too few or too many"),
        ({"do": "add", "texts": ["a", "b", "c"]}, "texts holds too few or too many"),
        ({"do": "add", "texts": ["a", " "]}, r"texts\[1\] is empty"),
        ({"do": "add", "done": 1}, "done must be boolean"),
        ({"do": "add", "secret plan": 1}, "the reply holds something that was not asked for"),
    ],
)
def test_what_is_wrong_is_said_by_its_place(value: Any, wrong: str) -> None:
    with pytest.raises(ReplyInvalid, match=wrong) as failed:
        read(json.dumps(value), SCHEMA)
    assert "secret" not in str(failed.value)


def test_true_is_not_one_of_the_numbers_to_choose_from() -> None:
    assert list(wrongs(True, {"enum": [1, 2]}))
    assert not list(wrongs(1, {"enum": [1, 2]}))


@pytest.mark.parametrize("digits", [5_000, 400])
def test_numbers_beyond_all_bounds_are_refused(digits: int) -> None:
    with pytest.raises(ReplyInvalid):
        read('{"do": "add", "at": ' + "9" * digits + "}", SCHEMA)


def test_a_number_that_becomes_infinite_is_refused() -> None:
    with pytest.raises(ReplyInvalid):
        read('{"do": "add", "share": 1e999}', SCHEMA)


def test_bounds_are_checked_here_and_not_sent() -> None:
    sent = sendable(SCHEMA)
    assert sent["properties"]["at"] == {"type": "integer"}
    assert sent["properties"]["texts"] == {"type": "array", "items": {"type": "string"}}
    assert sent["properties"]["do"] == {"enum": ["add", "none"]}
    assert (sent["required"], sent["additionalProperties"]) == (["do"], False)
    assert SCHEMA["properties"]["at"]["maximum"] == 5


def test_a_property_may_be_called_like_a_bound() -> None:
    schema: Schema = {"type": "object", "properties": {"minimum": {"type": "integer", "minimum": 1}}}
    assert sendable(schema) == {"type": "object", "properties": {"minimum": {"type": "integer"}}}


def test_text_that_cannot_be_stored_is_refused_and_what_only_looks_like_it_is_not() -> None:
    with pytest.raises(ReplyInvalid, match="cannot be stored"):
        read(json.dumps({"do": "add", "texts": ["a\0"]}), SCHEMA)
    value = {"do": "add", "texts": ["\\u0000"]}
    assert read(json.dumps(value), SCHEMA) == value
