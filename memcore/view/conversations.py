"""What the page Conversations shows of turns: filters, handles, snippets, and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from memcore.graph import Graph
from memcore.records import Turn
from memcore.view.times import day
from memcore.words import fold, terms

PAGE = 25


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which turns are looked for; what is empty does not filter. Days are those of the reader's `zone`."""

    speakers: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    conversation: str = ""
    zone: str = ""

    def __bool__(self) -> bool:
        return bool(self.speakers or self.sessions or self.first or self.last or self.conversation)

    def matches(self, turn: Turn) -> bool:
        """A turn of unknown time matches no time filter."""
        if self.conversation and turn.conversation_id != self.conversation:
            return False
        if self.speakers and turn.speaker not in self.speakers:
            return False
        if self.sessions and turn.session not in self.sessions:
            return False
        if self.first is None and self.last is None:
            return True
        said = day(turn.said, self.zone)
        return said is not None and (self.first or said) <= said <= (self.last or said)


class Handles(NamedTuple):
    """By what a turn can be reached: the node that stands for it in the graph, its cues and tags."""

    node: str
    cues: tuple[str, ...]
    tags: tuple[str, ...]


class Snippet(NamedTuple):
    """A part of a text around the first word that was searched."""

    before: str
    hit: str
    after: str


def filtered(turns: Sequence[Turn], wanted: Wanted) -> list[Turn]:
    """The turns that match, in their order."""
    return [turn for turn in turns if wanted.matches(turn)]


def page_holding(turns: Sequence[Turn], turn_id: str, size: int = PAGE) -> int:
    """The page (from 1) on which a turn stands; 1 where it is not among them."""
    return next((i // size + 1 for i, turn in enumerate(turns) if turn.id == turn_id), 1)


def pages_of(count: int, size: int = PAGE) -> int:
    """How many pages so many turns take; at least one."""
    return max(1, -(-count // size))


def handles_of_turn(graph: Graph, turn_id: str) -> Handles | None:
    """Cues and tags of everything that rests on this turn alone or on it and others; None for none."""
    contents = graph.contents_of_turn(turn_id)
    if not contents:
        return None
    c = graph.columns
    own = [i for i in contents if c.layers[i] != "topic"] or contents
    pairs = [graph.handles_of(i) for i in own]
    cues = dict.fromkeys(c.cue_names[int(q)] for found, _ in pairs for q in found)
    tags = dict.fromkeys(c.tag_names[int(g)] for _, found in pairs for g in found)
    return Handles(c.content_ids[contents[0]], tuple(cues), tuple(tags))


def aside(turn: Turn) -> str:
    """Why a turn is no part of the dialogue as it went on; "" where it is."""
    if turn.folded:
        return "Folded: not said aloud (thoughts, tool output or hidden text); no memory is built from it"
    if turn.branch != "main":
        return f"Alternative reply ({turn.branch}): edited or regenerated, not the one that was kept"
    return ""


def session_words(session: str) -> str:
    """How a session is called beside a turn; formats name them "3", "session_3" or by a title."""
    name = session.replace("_", " ")
    return f"session {name}" if name and not name.lower().startswith("session") else name


def snippet(text: str, query: str, around: int = 110) -> Snippet:
    """The neighbourhood of the first searched word, or the beginning where none stands literally."""
    start, end = _first_hit(text, query)
    if start == end:
        return Snippet("", "", text[: 2 * around] + ("…" if len(text) > 2 * around else ""))
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return Snippet(
        ("…" if start > around else "") + before,
        text[start:end],
        after + ("…" if end + around < len(text) else ""),
    )


def _first_hit(text: str, query: str) -> tuple[int, int]:
    low = text.lower()
    if len(low) != len(text):
        return 0, 0
    words = [w for w in (*query.lower().split(), *terms(fold(query))) if len(w) > 1 or not w.isascii()]
    found = [(low.find(word), -len(word)) for word in words if word in low]
    if not found:
        return 0, 0
    start, length = min(found)
    return start, start - length
