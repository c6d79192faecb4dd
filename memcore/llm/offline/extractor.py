"""Construction's extractor by rules (MRAgent, section 3, without a model): deterministic and fast.

`RuleExtractor` reads turns one by one: times, then cues and tags clause by clause, then facts.
`extract_query` reads a question the same way, so that its cues meet those of the turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from memcore.extraction import Extraction, FoundCue, FoundTopic
from memcore.llm.offline.cues import Reading, read, time_cues
from memcore.llm.offline.facts import find_facts
from memcore.llm.offline.kiwi import KiwiNouns
from memcore.llm.offline.names import Speakers
from memcore.llm.offline.times import find_times
from memcore.llm.offline.topics import find_topics
from memcore.records import Moment, Turn

CUES_PER_TURN = 256
_HANGUL = re.compile(r"[\uac00-\ud7a3]")


class RuleExtractor:
    """Reads by rules. `speakers`: the known people; those of the turns given, when None.

    `cues_per_turn` bounds what a huge turn can add to the graph. `korean` adds the exact nouns of
    Korean text as cues (see `kiwi`); without it the rules alone find them.
    """

    def __init__(
        self,
        speakers: frozenset[str] | None = None,
        cues_per_turn: int = CUES_PER_TURN,
        korean: KiwiNouns | None = None,
    ) -> None:
        self._speakers = speakers
        self._cap = cues_per_turn
        self._korean = korean

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """One extraction per turn, in order. A folded turn is no utterance: nothing is read from it."""
        known = {turn.speaker for turn in turns} if self._speakers is None else self._speakers
        speakers = Speakers(known)
        return [self._extract(turn, speakers) for turn in turns]

    def topics(self, turns: Sequence[Turn], extractions: Sequence[Extraction]) -> list[FoundTopic]:
        """At most ten topics of a session, each of at least two turns."""
        return find_topics(extractions)

    def _extract(self, turn: Turn, speakers: Speakers) -> Extraction:
        if turn.folded:
            return Extraction((), (), ())
        reading = Reading(speakers, find_times(turn.text, turn.said), self._cap, self._nouns(turn.text))
        extraction = read(turn.text, reading, list(_implied(turn)))
        facts = find_facts(turn.text, turn.speaker) if turn.role != "assistant" else ()
        return extraction._replace(facts=tuple(facts))

    def _nouns(self, text: str) -> list[FoundCue]:
        if self._korean is None or _HANGUL.search(text) is None:
            return []
        return [
            FoundCue(noun.name, "entity" if noun.proper else "topic", noun.start, noun.end)
            for noun in self._korean.nouns(text)
        ]


def _implied(turn: Turn) -> Iterator[FoundCue]:
    """The speaker, and the day and month of the conversation."""
    if turn.speaker.strip():
        yield FoundCue(turn.speaker, "people", 0, 0)
    if turn.said.start is not None:
        day = Moment(turn.said.start, turn.said.start, turn.said.precision)
        yield from time_cues(day, 0, 0)


def extract_query(question: str, asked: Moment, speakers: Collection[str]) -> Extraction:
    """A question read like a turn that nobody said: its cues, tags and times; speakers are people cues.

    Relative times are resolved against `asked`, and left alone when that is unknown.
    """
    reading = Reading(Speakers(speakers), find_times(question, asked), CUES_PER_TURN)
    return read(question, reading)
