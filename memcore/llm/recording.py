"""Replies of a model, recorded once and replayed without it: for comparisons, checks and demos.

The file is one JSON object a line:
    {"version": 1, "task": "merge", "model": "claude/...", "prompt": "<hash>", "value": {...},
     "sent": 900, "received": 80, "cached": 0, "milliseconds": 1200, "scripted": false}
`prompt` is a SHA-256 of the instructions and the data, the random word of the fence left out, so that equal
prompts meet. A reply that people wrote for a sample is marked as scripted. Of equal keys the last line
counts.

The file holds memory text: a reply retells what it was given, and the hash tells whoever guesses a prompt
that it was asked. It names no records, so erasing a memory means deleting the whole file; it is listed with
every other place that holds text (store/registry.py).
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcore.errors import ModelUnavailable, ReplyInvalid, StoreFull
from memcore.llm.asking import LLM, Check, OnText, Reply, Usage
from memcore.llm.lines import Lines
from memcore.llm.prompts import Prompt
from memcore.llm.strict_json import Schema, wrongs

FILE = "replies.jsonl"
VERSION = 1
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_LINE: Schema = {
    "type": "object",
    "properties": {
        "version": {"enum": [VERSION]},
        "task": {"type": "string"}, "model": {"type": "string"}, "prompt": {"type": "string"},
        "sent": _NUMBER, "received": _NUMBER, "cached": _NUMBER, "milliseconds": _NUMBER,
        "scripted": {"type": "boolean"},
    },
    "required": [
        "version", "task", "model", "prompt", "value", "sent", "received", "cached", "milliseconds",
        "scripted",
    ],
}  # fmt: skip
_FENCED = re.compile(r"\A=== ([a-z]+)\n(.*)\n=== \1(?=\n|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Recording:
    """A model whose replies are written down as they come. One that was refused is not."""

    llm: LLM
    path: Path

    @property
    def name(self) -> str:
        return self.llm.name

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """See LLM.ask. Raises StoreFull where the reply cannot be written down."""
        reply = self.llm.ask(task, prompt, schema, on_text, check)
        try:
            Lines(self.path).add(told(task, prompt, reply))
        except OSError as error:
            raise StoreFull("The model's reply cannot be recorded: free some space.") from error
        return reply


class Replay:
    """The recorded replies of one model, in its place. It costs nothing and asks nobody."""

    def __init__(self, path: Path, model: str) -> None:
        self.name = model
        self._path = path
        self._lines = Lines(path)
        self._known: dict[tuple[str, str, str], dict[str, Any]] = {}

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """The recorded value, checked like any other. Raises ModelUnavailable where there is none."""
        line = self._line(task, prompt)
        value = line["value"]
        for wrong in wrongs(value, schema):
            raise ReplyInvalid(f"The recorded reply does not have the asked form: {wrong}.")
        if check:
            check(value)
        if on_text:
            on_text(json.dumps(value, ensure_ascii=False))
        usage = Usage(line["sent"], line["received"], line["cached"])
        return Reply(value, usage, self.name, line["milliseconds"])

    def scripted(self, task: str, prompt: Prompt) -> bool:
        """Whether the reply to this was written by people and not by the model. Raises ModelUnavailable."""
        return bool(self._line(task, prompt)["scripted"])

    def _line(self, task: str, prompt: Prompt) -> dict[str, Any]:
        for line in self._lines.fresh():
            if not any(wrongs(line, _LINE)):
                self._known[(line["task"], line["model"], line["prompt"])] = line
        try:
            return self._known[(task, self.name, hashed(prompt))]
        except KeyError:
            raise ModelUnavailable(
                f"There is no recorded reply of {self.name} to this {task}: ask the model itself, or offline."
            ) from None


def told(task: str, prompt: Prompt, reply: Reply, scripted: bool = False) -> dict[str, Any]:
    """A reply as a line of the file."""
    return {
        "version": VERSION,
        "task": task,
        "model": reply.model,
        "prompt": hashed(prompt),
        "value": reply.value,
        **reply.usage._asdict(),
        "milliseconds": reply.milliseconds,
        "scripted": scripted,
    }


def hashed(prompt: Prompt) -> str:
    """What makes two prompts the same question: everything but the random word of the fence."""
    data = _FENCED.sub(lambda found: f"===\n{found[2]}\n===", prompt.data)
    return hashlib.sha256(f"{prompt.instructions}\0{data}".encode("utf-8", "replace")).hexdigest()
