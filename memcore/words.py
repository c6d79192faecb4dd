"""Words as every part of the core sees them: one way to normalise a name, one way to cut a text.

English words are stemmed (Snowball) without stop words. Korean is written in eojeol, words with
particles attached, so an eojeol gives its stem and its character pairs: 메모리 is found in 메모리는.
Other scripts without spaces give character pairs, all others their folded words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

STOP = frozenset(
    """a about above after again against all am an and any are aren't as at be because been before being below
    between both but by can can't could couldn't did didn't do does doesn't doing don't down during each few for
    from further had hadn't has hasn't have haven't having he her here hers herself him himself his how i if in
    into is isn't it its itself just let's me more most my myself no nor not now of off on once only or other our
    ours ourselves out over own same she should shouldn't so some such than that the their theirs them themselves
    then there these they this those through to too under until up very was wasn't we were weren't what when where
    which while who whom why will with won't would wouldn't you your yours yourself yourselves also get got im ive
    dont didnt really yeah yes oh ok okay hey hi hello wow thanks thank""".split()
)

_TOKEN = re.compile(r"[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[^\W_]+(?:['’][^\W_]+)*")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_POSSESSIVE = re.compile(r"['’](s|ve|re|ll|d|m|t)$")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
# Longest first: a particle is cut only where at least two syllables are left.
_PARTICLES = (
    "에서부터 으로부터 에게서 한테서 이라고 에서는 에서도 까지는 까지도 으로는 으로도 이랑은 에게는 한테는 처럼은 "
    "에서 에게 한테 부터 까지 으로 라고 이랑 처럼 보다 마다 조차 마저 밖에 이나 하고 께서 에는 에도 와는 과는 로는 로도 "
    "은 는 이 가 을 를 에 의 도 만 와 과 로 랑 나 야 께"
).split()
_stemmer = snowballstemmer.stemmer("english")


def fold(text: str) -> str:
    """Compatibility-normalised and case-folded: names that differ only so are the same name."""
    return unicodedata.normalize("NFKC", text).casefold()


def normalise(name: str) -> str:
    """The key of a cue or tag: folded, without outer punctuation, articles, possessives, particles."""
    words = [_POSSESSIVE.sub("", w) for w in _EDGES.sub("", fold(name)).split()]
    if len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    return " ".join(strip_particle(w) for w in words if w)


def strip_particle(eojeol: str) -> str:
    """A Korean word without its trailing particle, when at least two syllables remain."""
    if not _HANGUL.fullmatch(eojeol):
        return eojeol
    for particle in _PARTICLES:
        if eojeol.endswith(particle) and len(eojeol) - len(particle) >= 2:
            return eojeol[: -len(particle)]
    return eojeol


def tokens(text: str) -> list[str]:
    """The folded words of a text in order, stop words included, nothing stemmed."""
    return [m.group() for m in _TOKEN.finditer(fold(text))]


def terms(text: str) -> list[str]:
    """What full-text scoring counts: stems, Korean stems and pairs; repeated as often as they occur."""
    return [t for token in tokens(text) for t in _terms_of(token)]


@lru_cache(maxsize=200_000)
def _terms_of(token: str) -> tuple[str, ...]:
    if _HANGUL.fullmatch(token):
        stem = strip_particle(token)
        return (stem, *_pairs(stem)) if len(stem) > 2 else (stem,)
    if _UNSPACED.fullmatch(token):
        return _pairs(token) or (token,)
    bare = _POSSESSIVE.sub("", token)
    return () if bare in STOP or token in STOP else (stem_word(bare),)


@lru_cache(maxsize=200_000)
def stem_word(word: str) -> str:
    """The Snowball stem of one folded English word; other words come back as they are."""
    return _stemmer.stemWord(word) if word.isascii() else word


def _pairs(word: str) -> tuple[str, ...]:
    return tuple(word[i : i + 2] for i in range(len(word) - 1))
