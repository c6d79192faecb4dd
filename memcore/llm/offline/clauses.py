"""From a text to clauses of words, every word with one class letter (see `lexicon`, `korean` for Hangul).

A clause ends at a sentence mark, at a comma or conjunction that has a clause's worth of words before it, or
at a Korean connective ending.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memcore.llm.offline.korean import read_eojeol
from memcore.llm.offline.lexicon import word_class
from memcore.words import LONGEST_WORD, fold, word_set

_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(
    r"(?P<link>https?://\S+|www\.\S+)"
    r"|(?P<number>\d+(?:[.,:]\d+)+)"
    r"|(?P<hangul>[\uac00-\ud7a3]+)"
    rf"|(?P<unspaced>[\u30a0-\u30ff]+|[\u4e00-\u9fff\u3400-\u4dbf]+|[{_UNSPACED}])"
    rf"|(?P<word>[^\W_\uac00-\ud7a3{_UNSPACED}]+(?:['’&-][^\W_\uac00-\ud7a3{_UNSPACED}]+)*\+?)"
    r"|(?P<and>&)"
    r"|(?P<hard>[.!?…。！？\n;:]+)"
    r"|(?P<soft>[,，、()\[\]{}–—\"“”/|]| - )"
)
_SPLITTING = word_set(
    """
    because but cause cuz when while if since though although which until unless
    """
)
_ABBREVIATIONS = word_set("mr mrs ms dr prof st vs etc jr sr")
_JAMO = re.compile(r"[\u1100-\u11ff\u3130-\u318f]")
# A clause without an end is cut here, so that the work on one clause stays bounded.
LONGEST_CLAUSE = 150


class Token(NamedTuple):
    """A word: its folded form, its span in the text, its class letter and what its writing tells."""

    low: str
    start: int
    end: int
    letter: str
    capital: bool = False
    initial: bool = False
    ends: bool = False
    particle: str = ""


Clause = list[Token]


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text, in order, as lists of at least one token; commas stay as letter "B"."""
    clause: Clause = []
    initial = True
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "hard":
            if clause and clause[-1].low in _ABBREVIATIONS and match.group() == ".":
                continue
            if clause:
                yield clause
            clause, initial = [], True
            continue
        token, breaks = _token(match, initial)
        if token.letter == "B" and len(clause) >= 3:
            yield clause
            clause = []
            continue
        head, clause = _split(clause, token)
        if head:
            yield head
        clause.append(token)
        if (breaks and len(clause) >= 2) or len(clause) == LONGEST_CLAUSE:
            yield clause
            clause = []
        initial = initial and token.letter in "BF"
    if clause:
        yield clause


def _token(match: re.Match[str], initial: bool) -> tuple[Token, bool]:
    """The token of a match, and whether a clause ends behind it."""
    start, end = match.span()
    kind = match.lastgroup
    if kind in ("soft", "link") or end - start > LONGEST_WORD:
        return Token("", start, end, "B"), False
    word = match.group()
    if kind == "hangul":
        eojeol = read_eojeol(word)
        stem = eojeol.stem
        return (
            Token(
                stem, start, start + len(stem), eojeol.letter, False, initial, eojeol.ends, eojeol.particle
            ),
            eojeol.breaks,
        )
    if kind == "unspaced":
        return Token(word, start, end, "N" if len(word) > 1 else "F"), False
    if kind == "and":
        return Token("and", start, end, "C"), False
    low, letter, capital = _read_word(word)
    return Token(low, start, end, letter, capital, initial), False


@lru_cache(maxsize=100_000)
def _read_word(word: str) -> tuple[str, str, bool]:
    """(folded form, class letter, capitalised); a number opens a phrase as a determiner does."""
    low = fold(word).replace("’", "'")
    if _JAMO.match(low):
        return low, "F", False
    if low[0].isdigit():
        return low, "D" if low.isdigit() else "T", False
    return low, word_class(low), word[0].isupper()


def _split(clause: Clause, token: Token) -> tuple[Clause, Clause]:
    """(finished clause, what goes on): a conjunction begins a new clause when words enough precede it."""
    if len(clause) >= 3 and token.low in _SPLITTING:
        return clause, []
    if len(clause) >= 4 and clause[-1].low in ("and", "or", "then", "so") and token.letter in "SMV":
        return clause[:-1], []
    return [], clause
