"""What a cluster is called: the name a person gave it, else the words that tell it from the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memcore.view.clusters import Cluster
from memcore.view.text import neutral
from memcore.words import STOP, fold, normalise, strip_particle, word_set

WORDS = 3
READ = 24  # units of a cluster whose words are weighed
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DULL = word_set(
    """
    today yesterday tomorrow again still well good great nice think know like want going time thing things
    something maybe make made need said say one two even back last next much many lot little bit now
    오늘 어제 내일 정말 진짜 그냥 너무 많이 조금 다시 그래서 그런데 그리고 하지만 아주 이제 지금 요즘 오랜만
    """
)


def labels(found: Sequence[Cluster], names: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """By cluster id. `names` are those given to units, `texts` what each unit said.

    A word counts by how many units of the cluster say it, and less the more clusters it occurs in.
    """
    said = {c.id: _said(texts.get(i, "") for i in c.units[:READ]) for c in found}
    spread = Counter(key for words in said.values() for key in words)
    return {
        c.id: names.get(c.units[0]) or _telling(said[c.id], spread) or f"{len(c.units)} units" for c in found
    }


def _said(texts: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Words by their key: how many texts say them, and how they are written where they come first."""
    found: dict[str, tuple[int, str]] = {}
    for text in texts:
        here: dict[str, str] = {}
        for match in _WORD.finditer(neutral(text)):
            word = strip_particle(match.group())
            if len(word) > 1 and fold(word) not in STOP and fold(word) not in _DULL:
                here.setdefault(normalise(word), word)
        for key, word in here.items():
            count, first = found.get(key, (0, word))
            found[key] = (count + 1, first if first.islower() or not word.islower() else word)
    return found


def _telling(words: Mapping[str, tuple[int, str]], spread: Mapping[str, int]) -> str:
    def weight(key: str) -> tuple[float, int]:
        return words[key][0] / (1 + spread[key]) ** 0.5, len(key)

    best = sorted(words, key=lambda key: (*(-w for w in weight(key)), key))[:WORDS]
    return ", ".join(words[key][1] for key in best)
