"""What stays of the texts of a memory: whether a word stands within them, and in what kind of place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from memcore.erasure.spelling import names, short
from memcore.words import fold, normalise

REWRITTEN = "rewritten"  # the place of a text that a record has only after the erasure
RECEIPT = "receipt"  # the place of what a receipt says of people
_TOLD: Mapping[str, str] = {
    "text": "what was said and is remembered",
    "name": "names and titles",
    "speaker": "who spoke",
    "speakers": "who spoke",
    "source": "what a record is called in its file",
    "session": "what a record is called in its file",
    "report": "reports of imports",
    "label": "names of clusters",
    "reason": "reasons for changes",
    "author": "names of authors",
    "earlier": "earlier versions",
    "trace": "past questions",
    RECEIPT: "who asked for an erasure, and why",
    REWRITTEN: "what is made again",
}
STILL_IN = "What was looked for still stands in records that remain"
PLACES = (*dict.fromkeys(_TOLD.values()), "other fields")


class Remaining:
    """The texts that remain, each with the place where it stands (see store.holdings)."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._folded = {text: fold(text) for text in places}
        self._together = "\0".join(self._folded.values())

    def says(self, word: str) -> bool:
        """Whether a word stands within any of them; a short one as a whole word."""
        folded = fold(word)
        return folded in self._together and (not short(word) or any(self._saying(word)))

    def where(self, words: Collection[str]) -> tuple[str, ...]:
        """In what kinds of places any of these words stands, in the words of a receipt."""
        found = {self._places[text].split()[0] for word in words for text in self._saying(word)}
        told = {_TOLD.get(place, PLACES[-1]) for place in found}
        return tuple(place for place in PLACES if place in told)

    def _saying(self, word: str) -> Iterable[str]:
        folded, key = fold(word), normalise(word) if short(word) else ""
        return (t for t, its in self._folded.items() if folded in its and (not key or names(t, key)))
