"""What a model was asked and what it said, looked up again: a trace holds ids and hashes, never text.

The prompt is made anew from its template and from what is kept under the ids that were shown; its hash tells
whether that is word for word what the model read, or whether something was changed or erased since. A prompt
retells memories, so that the hash is one under the store's key: a trace outlives an erasure, and nobody can
test guesses against it. What the model wrote stands with the recorded replies, which go with any erasure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from memcore.events import Answered, ModelAsked, Shown, TraceEvent
from memcore.graph import Graph
from memcore.llm.prompts import Prompt
from memcore.llm.prompts.route import Sheet, prompt_of
from memcore.llm.recording import hashed
from memcore.llm.shown_names import GraphNames


class Seen(Protocol):
    """A snapshot of a memory (see asking.Snapshot)."""

    @property
    def graph(self) -> Graph: ...


class Replies(Protocol):
    """Where replies are kept (see models.Models)."""

    def replied(
        self, task: str, model: str, prompt: str, reply: str = "", known_as: Callable[[str], str] = str
    ) -> Any | None: ...


class Kept(Protocol):
    """What is looked up in a memory (see memory.Memory)."""

    def snapshot(self) -> Seen: ...

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]: ...

    def hash(self, text: str) -> str: ...

    @property
    def models(self) -> Replies: ...


class Prompted(NamedTuple):
    """A prompt as it is made today; `verbatim` says that it is what was sent."""

    prompt: Prompt
    verbatim: bool


def shown(memory: Kept, question: str, event: ModelAsked) -> Prompted:
    """The prompt of this event in a run that asked `question`, the random word of its fence apart.

    What is no longer kept is named so in it.
    """
    texts = memory.texts([line.content_id for line in event.shown if _read(line)])
    names = GraphNames(memory.snapshot().graph, texts)
    prompt = prompt_of(event.role, Sheet(question, event.shown, names, event.chars))
    return Prompted(prompt, named(hashed(prompt), memory.hash) == event.prompt)


def named(prompt: str, hashing: Callable[[str], str]) -> str:
    """How a trace names the prompt of this hash; `hashing` is the store's keyed hash."""
    return hashing(f"prompt\n{prompt}")


def as_kept(event: TraceEvent, hashing: Callable[[str], str]) -> TraceEvent:
    """An event as a trace keeps it."""
    if (event.kind == "model_asked" or event.kind == "answered") and event.prompt:
        return replace(event, prompt=named(event.prompt, hashing))
    return event


def replied(memory: Kept, event: ModelAsked | Answered) -> Any | None:
    """The value of the model's reply; None where it is no longer kept, or never was."""
    role = event.role if event.kind == "model_asked" else "answer"
    if not event.prompt:
        return None
    return memory.models.replied(
        role, event.model, event.prompt, event.reply, lambda prompt: named(prompt, memory.hash)
    )


def answer_text(memory: Kept, event: Answered) -> str | None:
    """What a model wrote as its answer, "" where it found none; None where it is no longer kept, or rules
    answered."""
    value = replied(memory, event) if event.made_by == "model" else None
    return None if value is None else str(value["answer"]).strip() if event.found else ""


def _read(line: Shown) -> bool:
    return line.part in ("content", "evidence")
