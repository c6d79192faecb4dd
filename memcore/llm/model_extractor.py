"""MRAgent's construction by a model: two turns at a time are rewritten, and their cues, tags, facts and
dates found (section 3).

The turns stay as they were said, beside their rewriting, and the same pairs of cue and tag lead to both, as
far as a turn says them: what only its neighbour said is no handle of it, so that it goes, or is withheld,
with the neighbour. A unit that the model fails at is read by rules, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from memcore.errors import ModelError, ReplyInvalid
from memcore.extraction import Extraction, Extractor, FoundCue, FoundTopic, Rewriting
from memcore.llm import prompts
from memcore.llm.asking import LLM
from memcore.llm.offline import spans
from memcore.llm.offline.spans import Span
from memcore.llm.offline.times import moment_of
from memcore.llm.strict_json import Schema
from memcore.passages import paired, passage
from memcore.records import UNKNOWN, CueKind, Moment, Turn
from memcore.words import normalise, terms

_NAME: Schema = {"type": "string", "minLength": 1}
FOUND: Schema = {
    "type": "object",
    "properties": {
        "text": _NAME,
        "cues": {
            "type": "array",
            "maxItems": 60,
            "items": {
                "type": "object",
                "properties": {"name": _NAME, "kind": {"type": "string", "enum": [*get_args(CueKind)]}},
                "required": ["name", "kind"],
                "additionalProperties": False,
            },
        },
        "pairs": {
            "type": "array",
            "maxItems": 200,
            "items": {
                "type": "object",
                "properties": {"cue": {"type": "integer", "minimum": 0}, "tag": _NAME},
                "required": ["cue", "tag"],
                "additionalProperties": False,
            },
        },
        "facts": {
            "type": "array",
            "maxItems": 30,
            "items": {
                "type": "object",
                "properties": {"person": {"type": "string"}, "text": _NAME},
                "required": ["person", "text"],
                "additionalProperties": False,
            },
        },
        "event": {"type": ["array", "null"], "items": {"type": "string"}},
    },
    "required": ["text", "cues", "pairs", "facts"],
    "additionalProperties": False,
}
LONGEST_NAME = 120  # characters of a cue or tag: what is longer is a sentence and no handle


@dataclass(slots=True)
class ModelExtractor:
    """One question for two turns. `rules` read what the model cannot; `by_rules` counts those turns.

    Raises Cancelled; a model that fails is no error here.
    """

    llm: LLM
    rules: Extractor
    by_rules: int = 0

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """See Extractor.extract."""
        found = {t.id: e for t, e in zip(turns, self.rules.extract(turns), strict=True)}
        for unit in paired(turns):
            try:
                value = self._asked(unit)
            except ModelError:
                self.by_rules += len(unit)
            else:
                words = _rewriting(value, len(unit))
                for turn in unit:
                    found[turn.id] = _of_turn(turn, unit, words, found[turn.id])
                found[unit[0].id] = found[unit[0].id]._replace(rewriting=words)
        return [found[t.id] for t in turns]

    def topics(self, turns: Sequence[Turn], extractions: Sequence[Extraction]) -> list[FoundTopic]:
        """Topics are read off the cues, by rules."""
        return self.rules.topics(turns, extractions)

    def _asked(self, unit: Sequence[Turn]) -> Any:
        prompt = prompts.extract([passage("", unit)])
        return self.llm.ask("extract", prompt, FOUND, check=_holds_together).value


def _holds_together(value: Any) -> None:
    """Pairs are of the cues that were named, handles are short and have a word in them, dates are dates."""
    if any(pair["cue"] >= len(value["cues"]) for pair in value["pairs"]):
        raise ReplyInvalid("The model's reply pairs a tag with a cue that it did not name.")
    handles = [*(cue["name"] for cue in value["cues"]), *(pair["tag"] for pair in value["pairs"])]
    if any(len(name) > LONGEST_NAME for name in handles):
        raise ReplyInvalid("The model's reply names a cue or a tag that is a whole sentence.")
    if not all(map(normalise, handles)):
        raise ReplyInvalid("The model's reply names a cue or a tag without a word in it.")
    _event(value)


def _rewriting(value: Any, turns: int) -> Rewriting:
    tags = tuple(dict.fromkeys(_line(pair["tag"]) for pair in value["pairs"]))
    return Rewriting(
        text=value["text"].strip(),
        turns=turns,
        cues=tuple(FoundCue(_line(c["name"]), c["kind"], 0, 0) for c in value["cues"]),
        tags=tags,
        pairs=tuple((pair["cue"], tags.index(_line(pair["tag"]))) for pair in value["pairs"]),
        facts=tuple(dict.fromkeys(fact["text"].strip() for fact in value["facts"])),
        event=_event(value),
    )


def _line(name: str) -> str:
    return " ".join(name.split())


def _of_turn(turn: Turn, unit: Sequence[Turn], words: Rewriting, by_rules: Extraction) -> Extraction:
    """The pairs whose cue stands in the turn, or is who says it, and whose tag tells of it; those of the
    rules where there are none, so that every turn can be reached."""
    spoken = {i: cue for i, cue in enumerate(map(_standing(turn), words.cues)) if cue is not None}
    told = {i for i, tag in enumerate(words.tags) if _tells_of(turn, unit, tag)}
    pairs = [(cue, tag) for cue, tag in words.pairs if cue in spoken and tag in told]
    if not pairs:
        return by_rules
    cues, tags = [*dict.fromkeys(c for c, _ in pairs)], [*dict.fromkeys(t for _, t in pairs)]
    return Extraction(
        cues=tuple(spoken[c] for c in cues),
        tags=tuple(words.tags[t] for t in tags),
        pairs=tuple((cues.index(c), tags.index(t)) for c, t in pairs),
        times=by_rules.times,
        made_by="model",
    )


def _standing(turn: Turn) -> Callable[[FoundCue], FoundCue | None]:
    """A cue with the place where it stands in the turn; None where it does not."""

    def of(cue: FoundCue) -> FoundCue | None:
        if cue.name.casefold() == turn.speaker.casefold():
            return cue
        place = re.search(re.escape(cue.name), turn.text, re.IGNORECASE)
        return cue._replace(start=place.start(), end=place.end()) if place else None

    return of


def _tells_of(turn: Turn, unit: Sequence[Turn], tag: str) -> bool:
    """Whether a tag says a word of this turn and none that only the rest of its unit says. One that says
    neither sums up the unit, and leads to the rewriting alone."""
    said, own = {*terms(tag)}, _words(turn)
    others = {word for other in unit if other is not turn for word in _words(other)} - own
    return len(unit) == 1 or not (said.isdisjoint(own) or said & others)


def _words(turn: Turn) -> set[str]:
    return {*terms(f"{turn.speaker} {turn.text}")}


def _event(value: Any) -> Moment:
    """When it happened: a year, a month or days, as the two dates say. Raises ReplyInvalid."""
    told = value.get("event")
    if not told:
        return UNKNOWN
    try:
        first, last = map(date.fromisoformat, told)
    except ValueError:
        raise ReplyInvalid("The model's reply gives a date that does not exist.") from None
    if last < first:
        raise ReplyInvalid("The model's reply gives an event that ends before it begins.")
    days = Span(first, last, "day")
    whole = (spans.year(first.year), spans.month(first.year, first.month))
    return moment_of(next((s for s in whole if s[:2] == days[:2]), days), zoned=False)
