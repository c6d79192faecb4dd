"""How texts spell a name: whether they do, and in which characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcore.words import fold, normalise, strip_particle

SHORTEST = 6  # bytes of a word below which it stands within others, and in any bytes by chance

_OUTER = re.compile(r"^[\W_]+|[\W_]+$")
_POSSESSIVE = re.compile(r"['’]s?$")


def names(text: str, key: str) -> bool:
    """Whether a text names somebody: the normalised name as whole words."""
    return f" {key} " in f" {' '.join(normalise(w) for w in text.split())} "


def short(word: str) -> bool:
    """Whether a word is so short that only a whole word says it."""
    return len(word.encode()) < SHORTEST


def saying(texts: Iterable[str], word: str) -> Iterator[str]:
    """Those of the texts that say a word, case apart; a short one as a whole word."""
    folded, key = fold(word), normalise(word) if short(word) else ""
    return (t for t in texts if folded in fold(t) and (not key or names(t, key)))


def spelled(text: str, key: str) -> tuple[str, ...]:
    """How a text spells the name that has this key, each way once."""
    words = text.split()
    keys = [normalise(w) for w in words]
    length = len(key.split())
    found = [words[i : i + length] for i in range(len(words)) if " ".join(keys[i : i + length]) == key]
    return tuple(dict.fromkeys(alone(" ".join(its)) for its in found))


def alone(word: str) -> str:
    """A word without what joins it to its sentence: punctuation, a possessive, a Korean particle."""
    bare = _OUTER.sub("", _POSSESSIVE.sub("", _OUTER.sub("", word)))
    first, space, last = bare.rpartition(" ")
    return first + space + strip_particle(last)
