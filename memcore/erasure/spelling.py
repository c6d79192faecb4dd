"""How texts spell a name: whether they do, and in which characters.

A name stands as whole words between spaces, or between what joins words in the names of files, in titles and
in addresses: Quillwyn-export.jsonl and mail/quillwyn@example.org name Quillwyn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcore.words import fold, normalise, strip_particle

SHORTEST = 6  # bytes of a word below which it stands within others, and in any bytes by chance

_OUTER = re.compile(r"^[\W_]+|[\W_]+$")
_POSSESSIVE = re.compile(r"['’]s?$")
_SPACED = re.compile(r"\S+")
_JOINED = re.compile(r"[^\s\-_.@/]+")
_BORDER = re.compile(r"[^\s\-_.@/][\-_.@/]+[^\s\-_.@/]")


def names(text: str, key: str) -> bool:
    """Whether a text names somebody: the normalised name as whole words."""
    return next(_standing(text, key), None) is not None


def short(word: str) -> bool:
    """Whether a word is so short that only a whole word says it."""
    return len(word.encode()) < SHORTEST


def saying(texts: Iterable[str], word: str) -> Iterator[str]:
    """Those of the texts that say a word, case apart; a short one as a whole word."""
    folded, key = fold(word), normalise(word) if short(word) else ""
    return (t for t in texts if folded in fold(t) and (not key or names(t, key)))


def spelled(text: str, key: str) -> tuple[str, ...]:
    """How a text spells the name that has this key, each way once."""
    return tuple(dict.fromkeys(alone(text[start:end]) for start, end in _standing(text, key)))


def alone(word: str) -> str:
    """A word without what joins it to its sentence: punctuation, a possessive, a Korean particle."""
    bare = _OUTER.sub("", _POSSESSIVE.sub("", _OUTER.sub("", word)))
    last = bare.split()[-1] if bare else ""
    return bare[: len(bare) - len(last)] + strip_particle(last)


def _standing(text: str, key: str) -> Iterator[tuple[int, int]]:
    """Where the name with this key stands, from its first word to the end of its last."""
    yield from _matching(text, _SPACED, key.split())
    if _BORDER.search(text):
        yield from _matching(text, _JOINED, normalise(" ".join(_JOINED.findall(key))).split())


def _matching(text: str, words: re.Pattern[str], keys: list[str]) -> Iterator[tuple[int, int]]:
    """Where words of this kind have these keys, one after the other."""
    if not keys or keys[0] not in map(normalise, words.findall(text)):
        return  # so for nearly all texts
    found = [(m.start(), m.end(), key) for m in words.finditer(text) if (key := normalise(m.group()))]
    for at in range(len(found) - len(keys) + 1):
        its = found[at : at + len(keys)]
        if [key for _, _, key in its] == keys:
            yield its[0][0], its[-1][1]
