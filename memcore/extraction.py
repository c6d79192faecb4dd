"""What construction is told of a dialogue: cues, tags and their pairs, times, facts and topics, with spans.

`Extractor` is the role behind it, offline by rules (see llm.offline.extractor); a model may stand there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memcore.records import CueKind, MadeBy, Moment, Turn


class FoundCue(NamedTuple):
    """A cue of a text: the name to show, its kind, and the span [start, end) where it stands.

    The span is (0, 0) for a cue that is implied, such as the speaker or the conversation's day.
    """

    name: str
    cue_kind: CueKind
    start: int
    end: int


class FoundTime(NamedTuple):
    """A time expression: where it stands, and the absolute time it means."""

    start: int
    end: int
    moment: Moment


class FoundFact(NamedTuple):
    """A stable statement about a person: "likes", "works as" ... with the span it was read from."""

    person: str
    aspect: str
    start: int
    end: int


class FoundTopic(NamedTuple):
    """A topic of a session: its name, and the indexes of the turns it sums up."""

    name: str
    turns: tuple[int, ...]


class Rewriting(NamedTuple):
    """A turn and the `turns` - 1 after it in a model's own words, and what leads to these words.

    `pairs` index into `cues` and `tags`; the spans of cues mean nothing here. `facts` are sentences.
    """

    text: str
    turns: int
    cues: tuple[FoundCue, ...]
    tags: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    facts: tuple[str, ...]
    event: Moment


class Extraction(NamedTuple):
    """What the extractor says of one turn. `pairs` index into `cues` and `tags`.

    A cue is paired with the tag of the clause it stands in, never with every tag of the turn. A `rewriting`
    begins with this turn; the turn itself is kept beside it, verbatim.
    """

    cues: tuple[FoundCue, ...]
    tags: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    times: tuple[FoundTime, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    rewriting: Rewriting | None = None
    made_by: MadeBy = "rule"


class Extractor(Protocol):
    """Construction's role. Offline by rules; a model may stand in its place."""

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """One extraction per turn, in order. The turns are consecutive turns of a conversation."""
        ...

    def topics(self, turns: Sequence[Turn], extractions: Sequence[Extraction]) -> list[FoundTopic]:
        """Topics of one session."""
        ...
