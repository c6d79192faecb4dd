"""Words as every part of the core sees them: one way to normalise a name, one way to cut a text.

English words are stemmed (Snowball) without stop words. Korean is written in eojeol, words with
particles attached, so an eojeol gives its stem and its character pairs: 메모리 is found in 메모리는.
Other scripts without spaces give character pairs, all others their folded words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]


def word_set(words: str) -> frozenset[str]:
    """A set of words that is written as one text, for lists in source code."""
    return frozenset(words.split())


STOP = word_set(
    """
    a about above after again against all am an and any are aren't as at be because been before being
    below between both but by can can't could couldn't did didn't do does doesn't doing don't down
    during each few for from further had hadn't has hasn't have haven't having he her here hers herself
    him himself his how i if in into is isn't it its itself just let's me more most my myself no nor not
    now of off on once only or other our ours ourselves out over own same she should shouldn't so some
    such than that the their theirs them themselves then there these they this those through to too
    under until up very was wasn't we were weren't what when where which while who whom why will with
    won't would wouldn't you your yours yourself yourselves also get got im ive dont didnt really yeah
    yes oh ok okay hey hi hello wow thanks thank
    """
)

LONGEST_WORD = 64  # longer ones are no words: kept whole, and out of the caches

# No letter bears more marks than thirty (the limit of Unicode's stream-safe text); ordering a longer pile,
# which only a hostile text has, takes quadratic time.
_MARK = (
    r"[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u06d6-\u06ed\u1ab0-\u1aff"
    r"\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]"
)
_PILED = re.compile(f"({_MARK}{{30}}){_MARK}+")
_EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
# Default ignorables; not the Hangul fillers, which are as wide as a letter, nor what makes one emoji of two.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
    "\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    f"|(?<!{_EMOJI})(?<!{_EMOJI}\ufe0f)\u200d|\u200d(?!{_EMOJI})"
)
_TOKEN = re.compile(r"[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[^\W_]+(?:['’][^\W_]+)*")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_ATTACHED = re.compile(r"(?<=[a-z0-9])(?=[\uac00-\ud7a3])")
_POSSESSIVE = re.compile(r"['’](s|ve|re|ll|d|m|t)$")
# A word without its outer punctuation. # and + belong to a single letter, which is another name without
# them (C#, C++), and to no longer word (LGBTQ+ and LGBTQ are one).
_CORE = re.compile(r"[^\W_](?:.*[^\W_]|(?<=[^\W\d_])[#+]+)?")
# A particle and what it attaches to: "closed" after a final consonant, "open" after none, "liquid"
# after none or ㄹ.
_PARTICLES: dict[str, str] = {
    **dict.fromkeys(
        word_set("은 이 을 과 으로 이나 이랑 이라고 이란 으로는 으로도 으로서 으로부터"), "closed"
    ),
    **dict.fromkeys(word_set("는 가 를 와 나 랑 라고 란 야"), "open"),
    **dict.fromkeys(word_set("로 로는 로도 로서 로부터"), "liquid"),
    **dict.fromkeys(
        word_set(
            """
        에서부터 에게서 한테서 에서는 에서도 에서의 까지는 까지도 부터는 에게는 에게도 한테는 한테도
        처럼은 에서 에게 한테 부터 까지 처럼 보다 마다 조차 마저 밖에 하고 께서 께서는 에는 에도 와는 과는
        와도 과도 만은 에 의 도 만 께
    """
        ),
        "any",
    ),
}
_LONGEST_PARTICLE = max(map(len, _PARTICLES))
# Common words that end like a word with a particle and are none.
_WHOLE = word_set(
    """
    고양이 호랑이 어린이 젊은이 늙은이 원숭이 지팡이 떡볶이 목걸이 귀걸이 손잡이 나들이 집들이 달팽이
    거북이 바나나 제주도 경기도 강원도 충청도 전라도 경상도 고속도로 민주주의 자본주의 사회주의 정형외과
    산부인과 이비인후과 소아과 그러나 우리나라 아이디어 스케이트 카페라테 아르바이트 피아노 발레리나
    오로라 코로나 오케스트라 드라마 시나리오 리비아 캐나다 사하라 캘리포니아 멜로디
    """
)
_stemmer: Any = cast(Any, snowballstemmer).stemmer("english")


def fold(text: str) -> str:
    """Compatibility-normalised and case-folded, without what is not seen: names that differ only so are the
    same name."""
    if text.isascii():
        return text.lower()
    text = _PILED.sub(r"\1", seen(text))
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def seen(text: str) -> str:
    """Without soft hyphens, joiners, marks of direction and the like, which would hide a name."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def normalise(name: str) -> str:
    """The key of a cue or tag: folded stems, without outer punctuation, articles, possessives, particles.

    "The Dogs" and "dog", 고양이가 and 고양이 have the same key; the name that is shown keeps its own form.
    A name of symbols alone, such as an emoji, is its own key; one of punctuation has none.
    """
    return _short_key(name) if len(name) <= LONGEST_WORD else _key(name)


def _key(name: str) -> str:
    """Repeated until nothing changes, so that a key is its own key."""
    shorter = _bare(name)
    while shorter != name:
        name, shorter = shorter, _bare(shorter)
    return name


def _bare(name: str) -> str:
    folded = fold(name)
    words = [_POSSESSIVE.sub("", core.group()) for w in folded.split() if (core := _CORE.search(w))]
    if len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    return " ".join(_stem_of(w) for w in words if w) or _symbols(folded)


def _symbols(folded: str) -> str:
    """The symbols of a folded name: emoji, arrows, signs of currencies."""
    return "".join(c for c in folded if unicodedata.category(c).startswith("S"))


_short_key = lru_cache(maxsize=200_000)(_key)


def _stem_of(word: str) -> str:
    return stem_word(strip_particle(word)) if len(word) <= LONGEST_WORD else word


def strip_particle(eojeol: str) -> str:
    """A Korean word without its trailing particle, when at least two syllables remain.

    A particle must fit the sound before it: 이 follows a final consonant and 가 none, so that 휴가 and
    전문가 stay whole. Other words come back as they are.
    """
    if not _HANGUL.fullmatch(eojeol) or eojeol in _WHOLE:
        return eojeol
    for length in range(min(_LONGEST_PARTICLE, len(eojeol) - 2), 0, -1):
        stem = eojeol[:-length]
        if _fits(_PARTICLES.get(eojeol[-length:]), stem[-1]):
            return stem
    return eojeol


def _fits(attaches: str | None, syllable: str) -> bool:
    """Hangul syllables are numbered by their 28 finals: 0 is none, 8 is ㄹ."""
    final = (ord(syllable) - 0xAC00) % 28
    return (
        attaches == "any"
        or (attaches == "closed" and final != 0)
        or (attaches == "open" and final == 0)
        or (attaches == "liquid" and final in (0, 8))
    )


def tokens(text: str) -> list[str]:
    """The folded words of a text in order, stop words included, nothing stemmed."""
    return [m.group() for m in _TOKEN.finditer(fold(text))]


def terms(text: str) -> list[str]:
    """What full-text scoring counts: stems, Korean stems and pairs; repeated as often as they occur."""
    return [
        t for token in tokens(text) for t in (_terms_of(token) if len(token) <= LONGEST_WORD else _cut(token))
    ]


def says(text: str, name: str) -> bool:
    """Whether every word of a name that means something stands in the text, in whatever form.

    Of a name of stop words all must; a name without words, such as an emoji, must stand as it is.
    """
    folded, words = _apart(text), tokens(_apart(name))
    if not words:
        return fold(name) in folded
    there = {*tokens(folded), *terms(folded)}
    return all(_stands(word, folded, there) for word in [w for w in words if terms(w)] or words)


def _apart(text: str) -> str:
    """A folded text with a foreign word apart from its Korean particle: HIV는."""
    return _ATTACHED.sub(" ", fold(text))


def _stands(word: str, folded: str, there: set[str]) -> bool:
    """Whether a word is one of a text, or in a script of no spaces, or of particles, a part of one."""
    within = _HANGUL.fullmatch(word) or _UNSPACED.fullmatch(word)
    meant = {*terms(word)}
    return word in there or bool(within and word in folded) or (bool(meant) and meant <= there)


def _cut(token: str) -> tuple[str, ...]:
    """A text without spaces gives its pairs; an overlong word of another script is one term."""
    return (token,) if token[0].isascii() else _pairs(token)


@lru_cache(maxsize=200_000)
def _terms_of(token: str) -> tuple[str, ...]:
    if _HANGUL.fullmatch(token):
        stem = strip_particle(token)
        return (stem, *_pairs(stem)) if len(stem) > 2 else (stem,)
    if _UNSPACED.fullmatch(token):
        return _pairs(token) or (token,)
    bare = _POSSESSIVE.sub("", token)
    return () if bare in STOP or token in STOP else (stem_word(bare),)


def stem_word(word: str) -> str:
    """The Snowball stem of one folded English word; other words come back as they are."""
    return _stem(word) if word.isascii() and len(word) <= LONGEST_WORD else word


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return _stemmer.stemWord(word)


def _pairs(word: str) -> tuple[str, ...]:
    return tuple(word[i : i + 2] for i in range(len(word) - 1))
