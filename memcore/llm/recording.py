"""Replies of a model, recorded once and replayed without it: for comparisons, checks and demos.

The file is one JSON object a line:
    {"version": 1, "task": "merge", "model": "claude/...", "prompt": "<hash>", "value": {...},
     "sent": 900, "received": 80, "cached": 0, "milliseconds": 1200, "scripted": false, "id": "<random>"}
`prompt` is a SHA-256 of the instructions and the data, the random word of the fence left out, so that equal
prompts meet. A reply that people wrote for a sample is marked as scripted, and has no id. Of equal keys the
last line is given; by its id each can be looked up, so that an older run shows what was said in it.

The file holds memory text: a reply retells what it was given, and the hash tells whoever guesses a prompt
that it was asked. It names no records, so erasing a memory means deleting the whole file, whose first line
only tells it from the next one; it is listed with every other place that holds text (store/registry.py).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from memcore.errors import NotRecorded, ReplyInvalid, StoreFull
from memcore.llm.asking import LLM, Check, OnText, Reply, Usage
from memcore.llm.lines import Lines
from memcore.llm.prompts import Prompt
from memcore.llm.strict_json import Schema, wrongs
from memcore.records import new_id

VERSION = 1
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_LINE: Schema = {
    "type": "object",
    "properties": {
        "version": {"enum": [VERSION]},
        "task": {"type": "string"}, "model": {"type": "string"}, "prompt": {"type": "string"},
        "sent": _NUMBER, "received": _NUMBER, "cached": _NUMBER, "milliseconds": _NUMBER,
        "scripted": {"type": "boolean"}, "id": {"type": "string"},
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
        """See LLM.ask. Raises StoreFull where the reply cannot be written down.

        A reply that was under way while something was erased may retell it, and is not written down.
        """
        lines = Lines(self.path)
        with _room():
            beginning = lines.beginning()
        reply = self.llm.ask(task, prompt, schema, on_text, check)
        numbered = reply._replace(recorded=new_id())
        with _room():
            return numbered if lines.add(told(task, prompt, numbered), beginning) else reply


@contextmanager
def _room() -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        raise StoreFull("The model's reply cannot be recorded: free some space.") from error


class Replay:
    """The recorded replies of one model, in its place. It costs nothing and asks nobody."""

    def __init__(self, path: Path, model: str) -> None:
        self.name = model
        self._path = path
        self._lines = Lines(path)
        self._known: dict[tuple[str, str, str], dict[str, Any]] = {}
        self._by_id: dict[tuple[str, str, str], dict[str, Any]] = {}

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """The recorded value, checked like any other. Raises NotRecorded where there is none."""
        line = self._line(task, hashed(prompt))
        value = line["value"]
        for wrong in wrongs(value, schema):
            raise ReplyInvalid(f"The recorded reply does not have the asked form: {wrong}.")
        if check:
            check(value)
        if on_text:
            on_text(json.dumps(value, ensure_ascii=False))
        usage = Usage(line["sent"], line["received"], line["cached"])
        return Reply(value, usage, self.name, line["milliseconds"], line.get("id", ""))

    def scripted(self, task: str, prompt: Prompt) -> bool:
        """Whether the reply to this was written by people and not by the model. Raises NotRecorded."""
        return bool(self._line(task, hashed(prompt))["scripted"])

    def given(self, task: str, prompt: str, reply: str = "", known_as: Callable[[str], str] = str) -> Any:
        """The value of the reply of this id, or where there is none of the last one to the prompt of this
        hash; `known_as` makes of the hash of a prompt what it is named by here.

        Raises NotRecorded where it is not kept.
        """
        self._read()
        if reply:
            return self._there(self._by_id.get((task, self.name, reply)), task)["value"]
        lines = (line for (of, model, _), line in self._known.items() if (of, model) == (task, self.name))
        return self._there(next((x for x in lines if known_as(x["prompt"]) == prompt), None), task)["value"]

    def _line(self, task: str, prompt: str) -> dict[str, Any]:
        self._read()
        return self._there(self._known.get((task, self.name, prompt)), task)

    def _read(self) -> None:
        for line in self._lines.fresh():
            if not any(wrongs(line, _LINE)):
                self._known[(line["task"], line["model"], line["prompt"])] = line
                self._by_id[(line["task"], line["model"], line.get("id", ""))] = line

    def _there(self, line: dict[str, Any] | None, task: str) -> dict[str, Any]:
        if line is None:
            raise NotRecorded(
                f"There is no recorded reply of {self.name} to this {task}: ask the model itself, or offline."
            )
        return line


class Kept(NamedTuple):
    """The replies of one model in a file; `scripted` of them were written by people."""

    model: str
    replies: int
    scripted: int


def kept(path: Path) -> list[Kept]:
    """What is recorded in a file, by model. Lines that are damaged are left out."""
    known: dict[tuple[str, str, str], bool] = {}
    for line in Lines(path).fresh():
        if not any(wrongs(line, _LINE)):
            known[line["model"], line["task"], line["prompt"]] = line["scripted"]
    models = sorted({model for model, _, _ in known})
    parts = {m: [scripted for (model, _, _), scripted in known.items() if model == m] for m in models}
    return [Kept(model, len(its), sum(its)) for model, its in parts.items()]


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
        **({"id": reply.recorded} if reply.recorded else {}),
    }


def hashed(prompt: Prompt) -> str:
    """What makes two prompts the same question: everything but the random word of the fence."""
    data = _FENCED.sub(lambda found: f"===\n{found[2]}\n===", prompt.data)
    return hashlib.sha256(f"{prompt.instructions}\0{data}".encode("utf-8", "replace")).hexdigest()
