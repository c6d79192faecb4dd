"""The extractive answer: sentences of the evidence, verbatim, and nothing written.

A sentence is preferred for the words it shares with the question, weighted by their length, and for
the score of the memory it stands in; of each memory at most one sentence is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memcore.events import KeptNode, Sentence
from memcore.question import Question
from memcore.words import terms

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def best_sentences(
    question: Question, evidence: Sequence[KeptNode], texts: Mapping[str, str], count: int
) -> tuple[Sentence, ...]:
    """Up to `count` sentences, best first. Evidence whose text is gone gives none."""
    asked = set(terms(question.text))
    found: list[Sentence] = []
    for kept in evidence:
        text = texts.get(kept.content_id, "")
        spans = [m.span() for m in _SENTENCE.finditer(text) if m.group().strip()]
        if spans:
            shares = [_share(text[a:b], asked) for a, b in spans]
            best = max(range(len(spans)), key=lambda i: (shares[i], -i))
            start, end = spans[best]
            start += len(text[start:end]) - len(text[start:end].lstrip())
            found.append(Sentence(kept.content_id, start, end, round(kept.score + shares[best], 4)))
    return tuple(sorted(found, key=lambda s: -s.score)[:count])


def _share(sentence: str, asked: set[str]) -> float:
    words = set(terms(sentence))
    return len(words & asked) / len(asked) if asked else 0.0
