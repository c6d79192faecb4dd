"""Words within a text replaced by a mark: only their own characters, whatever their case or form.

A word is looked for as everywhere in the core, folded (see words.fold). Folding can change how long a text
is (ﬁ, 한글 in single letters, a soft hyphen), so it is done piece by piece, each piece a character with what
belongs to it, and a match is as many whole pieces. Spans into the old text lead on into the new one.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memcore.errors import InputError
from memcore.words import fold, seen

LONGEST_MARK = 40


class Masked(NamedTuple):
    """A text with its words replaced; `cuts` are the spans [start, end) of the old text that went."""

    text: str
    cuts: tuple[tuple[int, int], ...]
    put: int

    def moved(self, span: tuple[int, int]) -> tuple[int, int]:
        """Where a span of the old text lies in the new one; an end within a mark takes the whole mark."""
        return self._at(span[0], first=True), self._at(span[1], first=False)

    def _at(self, place: int, first: bool) -> int:
        shift = 0
        for start, end in self.cuts:
            if place <= start or (place < end and first):
                return min(place, start) + shift
            if place < end:
                return start + shift + self.put
            shift += self.put - (end - start)
        return place + shift


@dataclass(frozen=True, slots=True)
class Mask:
    """These words, folded, and what is put in their place."""

    words: tuple[str, ...]
    put: str

    @classmethod
    def of(cls, words: Collection[str], put: str) -> Mask:
        """Raises InputError when there is no word, or the mark is none or holds one of them."""
        said = {fold(w) for w in words}
        folded = tuple(sorted((w for w in said if w.strip()), key=lambda w: (-len(w), w)))
        if not folded:
            raise InputError("Say which words are to be replaced: look for a text, an expression, a person.")
        if not 0 < len(put.strip()) <= LONGEST_MARK or not put.isprintable():
            raise InputError(f"The mark is a short text of up to {LONGEST_MARK} characters.")
        if any(w in fold(put) for w in folded):
            raise InputError("The mark says what it is to hide: choose another.")
        return cls(folded, put)

    def within(self, text: str) -> bool:
        """Whether any of the words stands in a text."""
        folded = fold(text)
        return any(w in folded for w in self.words)

    def on(self, text: str) -> Masked:
        """The text without the words. One in which they cannot be told apart from the rest goes whole."""
        if not self.within(text):
            return Masked(text, (), len(self.put))
        cuts = tuple(_joined(spans(text, self.words)))
        masked = Masked(_cut(text, cuts, self.put), cuts, len(self.put))
        return Masked(self.put, ((0, len(text)),), len(self.put)) if self.within(masked.text) else masked

    def text(self, text: str) -> str:
        """The text without the words."""
        return self.on(text).text


def spans(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the words, folded, stand in a text, overlapping ones too."""
    starts, folded = _pieces(text)
    ends = [0]
    for piece in folded:
        ends.append(ends[-1] + len(piece))
    whole = "".join(folded)
    for word in words:
        at = whole.find(word)
        while at >= 0:
            first, last = bisect_right(ends, at) - 1, bisect_right(ends, at + len(word) - 1) - 1
            yield starts[first], starts[last + 1]
            at = whole.find(word, at + 1)


def _pieces(text: str) -> tuple[list[int], list[str]]:
    """Where each piece of a text begins, and the end of the last; and the pieces, folded."""
    if text.isascii():
        return list(range(len(text) + 1)), list(text.lower())
    starts, folded = [0], list[str]()
    for i in range(1, len(text) + 1):
        if i == len(text) or _begins(text, starts[-1], i):
            folded.append(fold(text[starts[-1] : i]))
            starts.append(i)
    return starts, folded


def _begins(text: str, start: int, at: int) -> bool:
    """Whether a character begins a piece, and does not join what stands before it."""
    character = text[at]
    if character.isascii():
        return True
    if unicodedata.combining(character) or not seen(character):
        return False
    before, both = (unicodedata.normalize("NFKC", seen(text[start:end])) for end in (at, at + 1))
    return both == before + unicodedata.normalize("NFKC", character)


def _joined(spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans in their order; those that touch are one."""
    start = end = -1
    for a, b in sorted(spans):
        if a > end:
            if end > start:
                yield start, end
            start, end = a, b
        end = max(end, b)
    if end > start:
        yield start, end


def _cut(text: str, cuts: Sequence[tuple[int, int]], put: str) -> str:
    parts, at = list[str](), 0
    for start, end in cuts:
        parts += [text[at:start], put]
        at = end
    return "".join([*parts, text[at:]])
