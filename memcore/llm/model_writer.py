"""The writer of RecMem's episodes and facts, by a model: merge, consolidate, refine over `LLM.ask`.

The model names passages by the numbers it was shown, and a number that nobody gave it is refused like any
other wrong form. What it writes is checked once more where it is stored (writing.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memcore.errors import ReplyInvalid
from memcore.llm import prompts
from memcore.llm.asking import LLM
from memcore.llm.strict_json import Schema
from memcore.records import MadeBy
from memcore.writing import MOST_EPISODES, MOST_FACTS, EpisodeDraft, FactDraft, Passage, Reply

_TEXT: Schema = {"type": "string", "minLength": 1}
_BELONGS: Schema = {
    "type": "object",
    "properties": {"belongs": {"type": "boolean"}, "text": {"type": "string"}},
    "required": ["belongs"],
    "additionalProperties": False,
}


@dataclass(slots=True)
class ModelWriter:
    """Each method is one question to the model. Raises ModelError, Cancelled."""

    llm: LLM
    made_by: MadeBy = "model"

    def merge(self, episode: str, passages: Sequence[Passage]) -> Reply[str | None]:
        """See Writer.merge."""
        reply = self.llm.ask("merge", prompts.merge(episode, passages), _BELONGS, check=_tells)
        text = reply.value["text"].strip() if reply.value["belongs"] else None
        return Reply(text, reply.usage.sent, reply.usage.received)

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        """See Writer.consolidate."""
        schema = _drafts("episodes", len(passages), 1, MOST_EPISODES)
        reply = self.llm.ask("consolidate", prompts.consolidate(passages), schema)
        drafts = [EpisodeDraft(d["text"].strip(), tuple(d["passages"])) for d in reply.value["episodes"]]
        return Reply(drafts, reply.usage.sent, reply.usage.received)

    def refine(
        self, episode: str, passages: Sequence[Passage], known: Sequence[str]
    ) -> Reply[list[FactDraft]]:
        """See Writer.refine."""
        schema = _drafts("facts", len(passages), 0, MOST_FACTS)
        reply = self.llm.ask("refine", prompts.refine(episode, passages, known), schema)
        drafts = [FactDraft(d["text"].strip(), tuple(d["passages"])) for d in reply.value["facts"]]
        return Reply(drafts, reply.usage.sent, reply.usage.received)


def _tells(value: Any) -> None:
    """What belongs is told: an episode is never rewritten to nothing."""
    if value["belongs"] and not value.get("text", "").strip():
        raise ReplyInvalid("The model's reply says that the passages belong, and holds no text.")


def _drafts(name: str, passages: int, least: int, most: int) -> Schema:
    """Texts with the numbers of the passages they tell of, from 0 to `passages` - 1."""
    number: Schema = {"type": "integer", "minimum": 0, "maximum": passages - 1}
    draft: Schema = {
        "type": "object",
        "properties": {"text": _TEXT, "passages": {"type": "array", "items": number, "minItems": 1}},
        "required": ["text", "passages"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": draft, "minItems": least, "maxItems": most}},
        "required": [name],
        "additionalProperties": False,
    }
