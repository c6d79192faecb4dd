"""From a clause to noun phrases: a shallow chunker over word classes.

A phrase is a run of content words, better when a determiner, preposition or verb opens it. Whether a word is
noun or verb is decided by what stands before and behind it.
"""

from __future__ import annotations

from typing import NamedTuple

from memcore.llm.offline.clauses import Clause, Token
from memcore.llm.offline.lexicon import EVENTS, KIN, LIGHT_VERBS, NEVER_NOUNS, singular, verb_lemma
from memcore.words import word_set

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
_ASKING = frozenset(("what", "which", "whose"))
# Of the light verbs, those that are good nouns.
_WORTHY = word_set("work call change watch treat show pass")
_PLURALS = word_set("children people men women folks police")
MOST_WORDS = 3
_NOTHING = Token("", 0, 0, "B")


class Phrase(NamedTuple):
    """A noun phrase: its tokens, and how well it would serve as the tag of its clause."""

    tokens: tuple[Token, ...]
    score: float

    @property
    def name(self) -> str:
        """Lower case, the last word in the singular."""
        *modifiers, head = (t.low.removesuffix("'s").removesuffix("’s") for t in self.tokens)
        return " ".join([*modifiers, singular(head)])


def phrases(clause: Clause) -> list[Phrase]:
    """The noun phrases of a clause in order of the text."""
    found: list[Phrase] = []
    run: list[Token] = []
    opener, before = "B", _NOTHING
    for i, token in enumerate(clause):
        following = clause[i + 1] if i + 1 < len(clause) else _NOTHING
        letter = _role(token, before, run, opener, following)
        token = token if token.letter == letter else token._replace(letter=letter)
        if letter in "NJG":
            run.append(token)
            if not (token.ends or token.low.endswith("'s")):
                before = token
                continue
        if run:
            found += _phrase(run, opener)
            run = []
        opener = "D" if token.low.endswith("'s") and letter == "N" else _opener(token, opener)
        before = token
    if run:
        found += _phrase(run, opener)
    return found


def _opener(token: Token, opener: str) -> str:
    """What a run that follows stands behind: adverbs and fillers do not change it."""
    if token.letter == "M" and token.low in _BE:
        return "E"
    return opener if token.letter in "AI" and opener == "E" else token.letter


def _role(token: Token, before: Token, run: list[Token], opener: str, following: Token) -> str:
    """The class of a word in its place: noun or verb is decided by what stands before it."""
    verb = token.letter == "V"
    if token.letter not in "VN" or not token.low.isascii():
        return token.letter
    if run:
        return _inside(token, run, opener, following)
    if before.letter == "D" or before.low in _ASKING:
        return _determined(token, before) if verb else "N"
    if before.low == "to":
        return "V" if verb or (following.letter in "DO" and not token.capital) else "N"
    if _is_predicate(token, before):
        return "V" if verb or not token.capital else "N"
    if verb:
        return "N" if _is_noun_use(token.low, before.letter, following) else "V"
    return "V" if _is_past(token) else "N"


def _is_predicate(token: Token, before: Token) -> bool:
    """Whether a word says what a subject does: behind it, or behind its auxiliary ("I went", "can go")."""
    if before.letter != "M":
        return before.letter == "S"
    return before.low not in _BE or token.letter == "V" or _is_gerund(token.low)


def _is_noun_use(low: str, previous: str, following: Token) -> bool:
    """Whether a verb form without a determiner is a noun: "for work", "painting is fun"."""
    if _is_gerund(low):
        return _is_activity(low, previous, following)
    return previous == "P" and _is_bare(low)


def _is_gerund(low: str) -> bool:
    return low.endswith(("ing", "in'")) and len(low) > 4


def _is_past(token: Token) -> bool:
    return token.low.endswith("ed") and not token.low.endswith("eed") and not token.capital


def _is_bare(low: str) -> bool:
    """Whether it is a verb as a noun can look: its base form, or that with an s."""
    return low in (verb_lemma(low), f"{verb_lemma(low)}s")


def _determined(token: Token, before: Token) -> str:
    """A verb form behind a determiner: "your painting", "a look" (general), "that stands", "we both know"."""
    lemma = verb_lemma(token.low)
    bare = _is_bare(token.low)
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
        return "V" if _is_past(token) or (participle and not token.capital) else "N"
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
