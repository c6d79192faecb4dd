"""Session topics by rules: the tags and words that several turns of a session share.

A name that stands in many turns, but not in nearly all, sums up the session best; two words say more
than one. A topic whose turns another topic already covers is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from memcore.extraction import Extraction, FoundTopic
from memcore.llm.offline.cues import NO_TAG
from memcore.words import normalise

MOST_TOPICS = 10
_NAMES = frozenset(("entity", "location", "event"))


def find_topics(extractions: Sequence[Extraction]) -> list[FoundTopic]:
    """At most ten topics of a session, best first; each names at least two of its turns."""
    heads = {tag.split()[-1] for extraction in extractions for tag in extraction.tags}
    shown: dict[str, str] = {}
    turns: dict[str, list[int]] = defaultdict(list)
    for i, extraction in enumerate(extractions):
        for name in _names(extraction, heads):
            key = normalise(name)
            shown.setdefault(key, name)
            if key and (not turns[key] or turns[key][-1] != i):
                turns[key].append(i)
    shared = {key: tuple(where) for key, where in turns.items() if len(where) >= 2}
    ranked = sorted(shared, key=lambda key: (-_weight(key, shared[key], len(extractions)), key))
    return [FoundTopic(shown[key], shared[key]) for key in _distinct(ranked, shared)]


def _names(extraction: Extraction, heads: set[str]) -> list[str]:
    """Tags, names, and of the other words those that head a tag somewhere in the session."""
    tags = [tag for tag in extraction.tags if tag != NO_TAG]
    return tags + [
        cue.name
        for cue in extraction.cues
        if cue.cue_kind in _NAMES or (cue.cue_kind == "topic" and cue.name.split()[-1] in heads)
    ]


def _weight(key: str, where: Sequence[int], turns: int) -> float:
    words = key.count(" ") + 1
    rare = log(1 + turns / len(where))
    return len(where) * rare * (1.0, 1.6, 1.8)[min(words, 3) - 1]


def _distinct(ranked: Sequence[str], shared: dict[str, tuple[int, ...]]) -> list[str]:
    chosen: list[str] = []
    for key in ranked:
        if len(chosen) == MOST_TOPICS:
            break
        if not any(_overlaps(key, other) and set(shared[key]) <= set(shared[other]) for other in chosen):
            chosen = [c for c in chosen if not (_overlaps(key, c) and set(shared[c]) <= set(shared[key]))]
            chosen.append(key)
    return chosen


def _overlaps(one: str, other: str) -> bool:
    return not set(one.split()).isdisjoint(other.split())
