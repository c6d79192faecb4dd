"""Names in a clause: capitalised spans, known speakers and how they are called for short.

A capital at the head of a sentence proves nothing, so a single word there is a name only when it is
written like one (LGBTQ, McRae) or a speaker's. What stands before the span decides its kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from memcore.llm.offline.clauses import Clause, Token
from memcore.llm.offline.lexicon import KIN
from memcore.records import CueKind
from memcore.words import fold, word_set

_PLACE_WORDS = word_set(
    """
    in to from near visit visited visiting around across through toward towards
    """
)
_LINKS = word_set("of the and de la du von van")
_ROLES = word_set("user assistant human ai system bot model tool me you unknown")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
MOST_NAME_WORDS = 5
MOST_CAPITALS = 6


class Speakers:
    """The known people of a conversation: found by full name, first name or a short form of it.

    Names of roles ("user") are no names of people. Korean full names are also known without the
    family name.
    """

    def __init__(self, names: Collection[str]) -> None:
        full = {fold(name).strip(): name for name in sorted(names)}
        self._known = {low: name for low, name in full.items() if low and low not in _ROLES}
        self._first: dict[str, str] = {}
        for low, name in self._known.items():
            korean = len(low) == 3 and _HANGUL.fullmatch(low)
            self._first.setdefault(low[1:] if korean else low.split()[0], name)
        self._meant: dict[str, str | None] = {}

    def find(self, token: Token) -> str | None:
        """The speaker a word names: "Caroline", "Caroline's", "Mel" for the only Melanie; else None."""
        if not token.capital and token.low.isascii():
            return None
        if token.letter not in "NVG" and (token.initial or not token.capital):
            return None
        low = token.low.removesuffix("'s")
        if low not in self._meant:
            self._meant[low] = self._find(low)
        return self._meant[low]

    def _find(self, low: str) -> str | None:
        known = self._known.get(low) or self._first.get(low)
        if known or len(low) < 3:
            return known
        meant = [name for first, name in self._first.items() if first.startswith(low)]
        return meant[0] if len(meant) == 1 else None


class Name(NamedTuple):
    """A span of a name, as it is written, and the kind of cue it makes."""

    text: str
    kind: CueKind
    start: int
    end: int


def names(clause: Clause, text: str, speakers: Speakers) -> Iterator[Name]:
    """The names of a clause in order of the text; a speaker's under the speaker's full name.

    Somebody who is only addressed ("Thanks, Anna!") is not what the clause is about: no name of it.
    """
    i = 0
    while i < len(clause):
        speaker = speakers.find(clause[i])
        if speaker is not None and is_address(clause, i):
            i += 1
            continue
        if speaker is not None:
            yield Name(speaker, "people", clause[i].start, clause[i].end)
            i += 1
            continue
        end = _span_end(clause, i)
        if end > i and _is_name(clause[i:end], speakers):
            name = _named(clause, i, end, text)
            if not _is_shouted(name.text):
                yield name
        i = max(end, i + 1)


def is_address(clause: Clause, at: int) -> bool:
    """Whether the word stands apart from the clause, between its edges, commas and fillers."""
    before = clause[at - 1].letter if at else "B"
    after = clause[at + 1].letter if at + 1 < len(clause) else "B"
    return before in "BF" and after == "B"


def _span_end(clause: Clause, start: int) -> int:
    """Behind the last capitalised word of the span that begins at `start`; `start` when there is none.

    A preposition at the head of a sentence is no part of the name behind it: "In Madrid".
    """
    if clause[start].initial and clause[start].letter == "P":
        return start
    end = i = start
    while i < len(clause) and i - start < MOST_NAME_WORDS:
        token = clause[i]
        if token.capital and token.letter not in "SMFTCOIB" and token.low != "i":
            end = i + 1
            if token.low.endswith("'s"):
                break
        elif not (end > start and token.low in _LINKS and i + 1 < len(clause) and clause[i + 1].capital):
            break
        i += 1
    return end


def _is_name(span: Clause, speakers: Speakers) -> bool:
    content = [t for t in span if t.letter == "N" and speakers.find(t) is None]
    if not content or (len(span) == 1 and len(span[0].low) < 2):
        return False
    return len(span) > 1 or not span[0].initial


def _is_shouted(written: str) -> bool:
    """ "INTENSE" is loud, "LGBTQ" a name."""
    return written.isupper() and len(written) > MOST_CAPITALS and " " not in written


def _named(clause: Clause, start: int, end: int, text: str) -> Name:
    first, last = clause[start], clause[end - 1]
    written = text[first.start : last.end].removesuffix("'s").removesuffix("’s")
    before = [t.low for t in clause[max(0, start - 2) : start]]
    kind: CueKind = "entity"
    if before and before[-1] in _PLACE_WORDS:
        kind = "location"
    elif any(word in KIN for word in before):
        kind = "people"
    return Name(written, kind, first.start, first.start + len(written))
