"""Where a reconstruction starts: the cues and tags of the memory that the question touches.

By name (equal, one inside the other, or overlapping words), and by nearness: of the embedding where
there is one, else of rare words shared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from memcore.events import Activated, Match
from memcore.graph import Floats, Graph, Ints
from memcore.question import Question
from memcore.settings import Settings
from memcore.vectors import Vectors
from memcore.words import normalise, terms

SUBSETS_PER_CUE = 12
_NAMED: dict[str, Match] = {"people": "speaker", "time": "time"}


def matched_cues(graph: Graph, question: Question, settings: Settings) -> list[Activated]:
    """Cues whose name meets a cue of the question, best match first."""
    found: dict[int, Activated] = {}
    for cue in question.found.cues:
        for index, how, score in _by_name(graph, normalise(cue.name), settings.jaccard):
            if index not in found or found[index].score < score:
                named = _NAMED.get(cue.cue_kind, how) if how == "exact" else how
                found[index] = Activated(graph.columns.cue_ids[index], named, score)
    return sorted(found.values(), key=lambda a: -a.score)


def nearest_cues(graph: Graph, question: Question, count: int) -> list[Activated]:
    """The cues nearest to the whole question."""
    near = _near(graph.columns.cue_vectors, graph.cue_words, question, count)
    return [Activated(graph.columns.cue_ids[i], "nearest", score) for i, score in near]


def nearest_tags(graph: Graph, question: Question, settings: Settings) -> list[Activated]:
    """The tags nearest to the whole question, and beyond their number those that are very near."""
    near = _near(graph.columns.tag_vectors, graph.tag_words, question, settings.calls_per_step)
    beyond = [(i, score) for i, score in near[settings.nearest_tags :] if score >= settings.open_before_loop]
    chosen = near[: settings.nearest_tags] + beyond
    return [Activated(graph.columns.tag_ids[i], "nearest", score) for i, score in chosen]


def tag_nearness(graph: Graph, question: Question) -> Callable[[Ints], Floats]:
    """How near tags are to the question, about 0 to 1: worked out for all at once, then looked up."""
    if graph.dimension and question.vector.any():
        near: Floats = graph.columns.tag_vectors @ question.vector
    else:
        words = set(terms(question.text))
        near = np.zeros(len(graph.columns.tag_keys), dtype=np.float32)
        for index in {i for word in words for i in graph.tag_words.get(word, [])}:
            near[index] = _overlap(set(terms(graph.columns.tag_keys[index])), words)
    return near.__getitem__


def _by_name(graph: Graph, key: str, jaccard: float) -> list[tuple[int, Match, float]]:
    exact = graph.cue_keys.get(key)
    found: list[tuple[int, Match, float]] = [] if exact is None else [(exact, "exact", 1.0)]
    words = set(terms(key))
    partial: list[tuple[int, Match, float]] = []
    for index in dict.fromkeys(i for w in words for i in graph.cue_words.get(w, [])):
        other = set(terms(graph.columns.cue_keys[index]))
        share = len(words & other) / len(words | other)
        if words <= other or other <= words:
            partial.append((index, "subset", 0.5 + share / 2))
        elif share >= jaccard:
            partial.append((index, "jaccard", share))
    partial = [p for p in partial if p[0] != exact]
    return found + sorted(partial, key=lambda p: (-p[2], p[0]))[:SUBSETS_PER_CUE]


def _near(
    vectors: Vectors, words: dict[str, list[int]], question: Question, count: int
) -> list[tuple[int, float]]:
    if vectors.shape[1] and question.vector.any():
        scores = vectors @ question.vector
        best = np.argsort(-scores, kind="stable")[:count].tolist()
        return [(i, float(scores[i])) for i in best]
    shared: dict[int, float] = {}
    for word in dict.fromkeys(terms(question.text)):
        owners = words.get(word, [])
        for index in owners:
            shared[index] = shared.get(index, 0.0) + 1.0 / len(owners) ** 0.5
    return sorted(shared.items(), key=lambda p: (-p[1], p[0]))[:count]


def _overlap(words: set[str], asked: set[str]) -> float:
    return len(words & asked) / len(words) if words else 0.0
