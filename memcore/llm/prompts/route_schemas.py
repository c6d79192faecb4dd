"""The forms of a model's replies in the roles of a reconstruction: numbers of what it was shown, and reasons.

A number that was not shown does not pass the schema; what a schema cannot say is checked beside it. So
whatever stands in a memory, a reply can do no more than choose among what was offered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memcore.errors import ReplyInvalid
from memcore.llm.strict_json import Schema

WHY = ("off_topic", "other_person", "other_time", "says_again")
"""Reasons a model may give for leaving a content behind: some of events.PrunedWhy."""


def record(**properties: Schema) -> Schema:
    """An object with exactly these members."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def several(items: Schema, most: int, least: int = 0) -> Schema:
    """From `least` to `most` of them."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def number(count: int) -> Schema:
    """One of `count` numbers, from 0."""
    return {"type": "integer", "minimum": 0, "maximum": count - 1}


def paths(count: int, most: int, least: int) -> Schema:
    """Which of `count` paths are taken."""
    return record(take=several(number(count), most, least))


def decisions(count: int) -> Schema:
    """Which of `count` memories are kept, and why the others are not."""
    left = record(memory=number(count), why={"enum": list(WHY)})
    return record(keep=several(number(count), count), prune=several(left, count))


def verdict(missing: int, follow: int) -> Schema:
    """Is it enough, and by which of the numbered cues does it go on?"""
    return record(
        enough={"type": "boolean"},
        missing=several(number(missing), missing),
        follow=several(number(follow), follow),
    )


def answer(count: int) -> Schema:
    """A text, and which of `count` memories it rests on."""
    return record(found={"type": "boolean"}, answer={"type": "string"}, cites=several(number(count), count))


def once(value: Any) -> None:
    """Raises ReplyInvalid where a path is taken twice."""
    if len(set(value["take"])) < len(value["take"]):
        raise ReplyInvalid("The model's reply takes a path twice.")


def each_of(count: int) -> Callable[[Any], None]:
    """The check that every memory was decided on, once."""

    def check(value: Any) -> None:
        decided = [*value["keep"], *(left["memory"] for left in value["prune"])]
        if sorted(decided) != list(range(count)):
            raise ReplyInvalid("The model's reply does not decide once on every memory.")

    return check


def grounded_in(chars: int) -> Callable[[Any], None]:
    """The check that an answer says something, of at most so many characters, and rests on something."""

    def check(value: Any) -> None:
        if not value["found"]:
            return
        if not value["answer"].strip() or not value["cites"]:
            raise ReplyInvalid("The model's reply has no answer, or cites nothing for it.")
        if len(set(value["cites"])) < len(value["cites"]):
            raise ReplyInvalid("The model's reply cites a memory twice.")
        if len(value["answer"]) > chars:
            raise ReplyInvalid(f"The model's answer is longer than {chars} characters.")

    return check
