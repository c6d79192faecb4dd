"""Nodes that are like another one, and names that are like what somebody typed.

By their vectors where the store has any; else cues and tags by the pairs of letters of their names
(Dice, 1945), contents by the handles they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from memcore.graph import Graph
from memcore.vectors import Vectors
from memcore.words import fold, normalise

LEAST_ALIKE = 0.25  # of the pairs of letters: below it names only share an ending


class Alike(NamedTuple):
    """A node and how much it is like the one asked for, up to 1."""

    id: str
    score: float


def similar(graph: Graph, id_: str, limit: int = 8) -> list[Alike]:
    """The nodes of the same kind that are most like this one, best first; none for what is no node."""
    c = graph.columns
    if id_ in graph.cue_index:
        at = graph.cue_index[id_]
        return _nearest(c.cue_vectors, at, c.cue_ids, limit) or _by_name(c.cue_names, at, c.cue_ids, limit)
    if id_ in graph.tag_index:
        at = graph.tag_index[id_]
        return _nearest(c.tag_vectors, at, c.tag_ids, limit) or _by_name(c.tag_names, at, c.tag_ids, limit)
    if id_ not in graph.content_index:
        return []
    at = graph.content_index[id_]
    return _nearest(c.content_vectors, at, c.content_ids, limit) or _by_handles(graph, at, limit)


def like_typed(names: Sequence[str], typed: str, limit: int = 6) -> list[str]:
    """Existing names near to a typed one, the nearest first; a name that differs only in case is first."""
    key, letters = normalise(typed), _pairs(typed)
    scores = [(1.0 if normalise(n) == key else 0.99 * _dice(letters, _pairs(n)), n) for n in names]
    best = sorted((s for s in scores if s[0] >= LEAST_ALIKE), key=lambda s: (-s[0], s[1]))
    return [name for _, name in best[:limit]]


def _nearest(vectors: Vectors, at: int, ids: Sequence[str], limit: int) -> list[Alike]:
    if not all(vectors.shape) or not np.any(vectors[at]):
        return []
    lengths = np.linalg.norm(np.asarray(vectors), axis=1) * np.linalg.norm(vectors[at])
    scores = vectors @ vectors[at] / np.where(lengths > 0, lengths, 1.0)
    scores[at] = -1.0
    order: list[int] = np.argsort(-scores, kind="stable")[:limit].tolist()
    return [Alike(ids[i], float(scores[i])) for i in order if scores[i] > 0]


def _by_name(names: Sequence[str], at: int, ids: Sequence[str], limit: int) -> list[Alike]:
    letters = _pairs(names[at])
    scores = [(_dice(letters, _pairs(name)), i) for i, name in enumerate(names) if i != at]
    best = sorted((s for s in scores if s[0] >= LEAST_ALIKE), key=lambda s: (-s[0], s[1]))[:limit]
    return [Alike(ids[i], score) for score, i in best]


def _by_handles(graph: Graph, at: int, limit: int) -> list[Alike]:
    cues, tags = graph.handles_of(at)
    wanted = set(cues.tolist())
    shared = Counter(row for tag in set(tags.tolist()) for row in graph.contents_of_tag(tag).tolist())
    for cue in wanted:
        shared.update(set(graph.contents_of_cue(cue)[0].tolist()))
    shared.pop(at, None)
    most = max(1, len(wanted) + len(set(tags.tolist())))
    return [Alike(graph.columns.content_ids[i], n / most) for i, n in shared.most_common(limit)]


def _pairs(name: str) -> Counter[str]:
    text = f" {fold(name)} "
    return Counter(text[i : i + 2] for i in range(len(text) - 1))


def _dice(a: Counter[str], b: Counter[str]) -> float:
    both = sum((a & b).values())
    return 2 * both / max(1, a.total() + b.total())
