"""From a text to clauses, and from a clause to noun phrases: a shallow chunker over word classes.

Every word gets one class letter (see `lexicon`, and `korean` for Hangul). A clause ends at a sentence
mark, at a comma or conjunction that has a clause's worth of words before it, or at a Korean connective
ending. A phrase is a run of content words, better when a determiner, preposition or verb opens it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memcore.llm.offline.korean import read_eojeol
from memcore.llm.offline.lexicon import (
    EVENTS,
    KIN,
    LIGHT_VERBS,
    NEVER_NOUNS,
    singular,
    verb_lemma,
    word_class,
)
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
_BE = word_set(
    """
    am is are was were be been being i'm you're he's she's it's we're they're that's there's isn't
    aren't wasn't weren't who's what's here's
    """
)
# Adjectives that make a phrase another thing ("high school", "new job") stay; praise does not.
_TELLING = word_set(
    """
    high new old first hot cold free short small big second final dark
    """
)
MOST_WORDS = 3
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


class Phrase(NamedTuple):
    """A noun phrase: its tokens, and how well it would serve as the tag of its clause."""

    tokens: tuple[Token, ...]
    score: float

    @property
    def name(self) -> str:
        """Lower case, the last word in the singular."""
        *modifiers, head = (t.low.removesuffix("'s").removesuffix("’s") for t in self.tokens)
        return " ".join([*modifiers, singular(head)])


Clause = list[Token]
_ASKING = frozenset(("what", "which", "whose"))
# Of the light verbs, those that are good nouns.
_WORTHY = word_set("work call change watch treat show pass")
_ABBREVIATIONS = word_set("mr mrs ms dr prof st vs etc jr sr")
_JAMO = re.compile(r"[\u1100-\u11ff\u3130-\u318f]")
_NOTHING = Token("", 0, 0, "B")
_PLURALS = word_set("children people men women folks police")


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


def phrases(clause: Clause) -> list[Phrase]:
    """The noun phrases of a clause in order of the text."""
    found: list[Phrase] = []
    run: list[Token] = []
    opener = "B"
    before: Token | None = None
    for i, token in enumerate(clause):
        following = clause[i + 1] if i + 1 < len(clause) else _NOTHING
        letter = _role(token, before, run, opener, following)
        if letter in "NJG":
            token = token if token.letter == letter else token._replace(letter=letter)
            run.append(token)
            if not (token.ends or token.low.endswith("'s")):
                before = token
                continue
        if run:
            found += _phrase(run, opener)
            run = []
        opener = "D" if token.low.endswith("'s") and letter == "N" else _opener(token, letter, opener)
        before = token if token.letter == letter else token._replace(letter=letter)
    if run:
        found += _phrase(run, opener)
    return found


def _opener(token: Token, letter: str, opener: str) -> str:
    """What a run that follows stands behind: adverbs and fillers do not change it."""
    if letter == "M" and token.low in _BE:
        return "E"
    return opener if letter in "AI" and opener == "E" else letter


def _role(token: Token, before: Token | None, run: list[Token], opener: str, following: Token) -> str:
    """The class of a word in its place: noun or verb is decided by what stands before it."""
    letter, low = token.letter, token.low
    if letter not in "VN" or not low.isascii():
        return letter
    previous = before.letter if before else "B"
    if run:
        return _inside(token, run, opener, following)
    if before is not None and (previous == "D" or before.low in _ASKING):
        return _determined(token, before) if letter == "V" else "N"
    if before is not None and before.low == "to":
        return "V" if letter == "V" or (following.letter in "DO" and not token.capital) else "N"
    gerund = low.endswith(("ing", "in'")) and len(low) > 4
    if previous == "S" or (
        previous == "M" and (before is None or before.low not in _BE or gerund or letter == "V")
    ):
        return "N" if token.capital and letter == "N" else "V"
    if letter == "V":
        if previous == "P" and not gerund:
            return "N" if low in (verb_lemma(low), f"{verb_lemma(low)}s") else "V"
        return "N" if gerund and _is_activity(low, previous, following) else "V"
    return "V" if low.endswith("ed") and not low.endswith("eed") and not token.capital else "N"


def _determined(token: Token, before: Token) -> str:
    """A verb form behind a determiner: "your painting", "a look" (general), "that stands", "we both know"."""
    lemma = verb_lemma(token.low)
    bare = token.low in (lemma, f"{lemma}s")
    if (bare and lemma in NEVER_NOUNS) or (before.low == "that" and token.low != lemma):
        return "V"
    if before.low in _ASKING and not bare:
        return "V"
    return "G" if bare and lemma in LIGHT_VERBS and lemma not in _WORTHY else "N"


def _is_activity(gerund: str, previous: str, following: Token) -> bool:
    """ "I love painting", "painting is fun", not "painting my room"."""
    if previous in "BCF":
        return following.letter in "MB" or (following.letter == "V" and following.low.endswith(("s", "ed")))
    return previous in "VP" and following.letter not in "OD" and verb_lemma(gerund) not in LIGHT_VERBS


def _inside(token: Token, run: list[Token], opener: str, following: Token) -> str:
    """A word behind content words: a verb form ends the run where the run can be its subject.

    A singular noun is never the subject of a bare verb form ("summer break"); "the woman painting" is
    a clause, "rock climbing" a noun.
    """
    low, last = token.low, run[-1]
    if token.letter != "V":
        participle = low.endswith("ing") and following.letter in "DPO" and following.low != "of"
        past = low.endswith("ed") and not low.endswith("eed")
        return "V" if (past or participle) and not token.capital else "N"
    if last.letter == "J" or following.low == "of":
        return "N"
    lemma = verb_lemma(low)
    if low.endswith("ing"):
        compound = following.letter == "N" and singular(following.low) == following.low
        return "V" if (opener == "D" and not compound) or lemma in LIGHT_VERBS else "N"
    plural = last.low in _PLURALS or singular(last.low) != last.low
    return (
        "N"
        if lemma == low and lemma not in NEVER_NOUNS and not plural and (opener == "D" or not last.capital)
        else "V"
    )


def _phrase(run: list[Token], opener: str) -> list[Phrase]:
    """The phrase of a run of content words: without leading praise, at most three words, the head last."""
    kept = list(run)
    while kept and kept[-1].letter == "J":
        kept.pop()
    while kept and kept[0].letter == "J" and (kept[0].low not in _TELLING or len(kept) == 1):
        kept.pop(0)
    kept = [t for t in kept if t.letter != "J" or t.low in _TELLING]
    if not any(t.letter == "N" for t in kept):
        return []
    if len(kept) > MOST_WORDS:
        kept = kept[-2:]
        if not any(t.letter == "N" for t in kept):
            return []
    if len(kept) == 1 and len(kept[0].low) < 3 and kept[0].low.isascii():
        return []
    return [Phrase(tuple(kept), _score(kept, opener))]


def _score(kept: list[Token], opener: str) -> float:
    """Two words before three before one; objects before predicates; no general word as the head."""
    score = (0.0, 1.0, 2.0, 1.9)[len(kept)]
    score += {"D": 0.4, "V": 0.4, "P": 0.2, "E": -0.7}.get(opener, 0.0)
    head = kept[-1].low
    if head in EVENTS or singular(head) in EVENTS:
        score += 0.3
    if kept[-1].letter == "G":
        score -= 1.1
    if len(kept) == 1 and head in KIN:
        score -= 0.3
    if any(t.capital and not t.initial for t in kept):
        score += 0.2
    return score + 0.02 * min(len(head), 8)
