"""What a service sends in a stream, looked at before it is believed: a member may be missing, never strange.

A form here is an event with the members that are read. Whatever else stands in it does not count.
"""

from __future__ import annotations

from typing import Any, cast

from memcore.llm import faults
from memcore.llm.strict_json import Schema, wrongs

TEXT: Schema = {"type": ["string", "null"]}
NUMBER: Schema = {"type": ["integer", "null"]}


def members(**properties: Schema) -> Schema:
    """An object; each of its members may be missing."""
    return {"type": "object", "properties": properties}


def maybe(form: Schema) -> Schema:
    """The same, or null."""
    return {**form, "type": [form["type"], "null"]}


def event(told: Any, form: Schema, service: str) -> dict[str, Any]:
    """An event in its form. Raises Unreachable for anything else: the reply ends there."""
    if not isinstance(told, dict) or any(wrongs(told, form)):
        raise faults.broken_off(service)
    return cast(dict[str, Any], told)
