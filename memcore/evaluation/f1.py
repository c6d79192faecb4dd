"""Token F1 as LoCoMo's own evaluation counts it, by category (Maharana et al. 2024, arXiv 2402.17753).

Lower case, without commas, punctuation, articles and "and"; Porter stems; the F1 of the two bags of tokens.
Punctuation is that of ASCII, as there. The stemmer is Porter's own; LoCoMo uses NLTK's, which treats a few
words otherwise.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from statistics import mean
from typing import Any, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

NOT_MENTIONED = "not mentioned"
_ABSTAINS = (NOT_MENTIONED, "no information available")
_DROPPED = re.compile(r"\b(a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_porter: Any = cast(Any, snowballstemmer).stemmer("porter")


def scored(answer: str, gold: str, category: str) -> float:
    """What an answer is worth in its category, from 0 to 1.

    multi-hop: each part of the gold answer, cut at commas, by the part of the answer that is nearest to it.
    open-domain: only what stands before the first ";" of the gold answer. adversarial: 1 for saying that it
    is not mentioned, whatever the gold answer.
    """
    if category == "adversarial":
        return float(any(words in answer.lower() for words in _ABSTAINS))
    if category == "multi-hop":
        return mean(max(f1(ours, theirs) for ours in answer.split(",")) for theirs in gold.split(","))
    return f1(answer, gold.split(";")[0] if category == "open-domain" else gold)


def f1(answer: str, gold: str) -> float:
    """The harmonic mean of the shares of tokens that both have; 0 where they have none in common."""
    ours, theirs = Counter(_tokens(answer)), Counter(_tokens(gold))
    common = sum((ours & theirs).values())
    if not common:
        return 0.0
    precision, share = common / ours.total(), common / theirs.total()
    return 2 * precision * share / (precision + share)


def _tokens(text: str) -> list[str]:
    plain = _DROPPED.sub(" ", text.lower().translate(_PUNCTUATION))
    return _porter.stemWords(plain.split())
