"""RecMem at query time: one embedding, three searches, one list (arXiv 2605.16045).

Live units of the subconscious tier, episodes, and the facts that came of them, each tier with its own
number of hits. All hits are read in the order of their nearness until the budget of origin turns is
used, so that a long episode is not read at the price of one turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from memcore.errors import InputError
from memcore.graph import LAYERS, Floats, Graph, Ints
from memcore.nearest import Scored
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.settings import Settings
from memcore.tiers import Tiers

Hit = tuple[str, float]


def tiered(
    ask: Ask, question: Question, graph: Graph, tiers: Tiers, settings: Settings
) -> tuple[Ints, dict[str, Floats]]:
    """Contents in reading order, and their scores as `baselines` hands them on.

    Raises InputError without an embedder: recurrence is off then.
    """
    if not graph.dimension:
        raise InputError("This memory has no embedder, so nothing recurs in it: ask by another strategy.")
    hits: list[Hit] = []
    if not question.vector.any():  # a question that the embedder does not cover is near to nothing
        return np.zeros(0, np.int32), {"dense": np.zeros(len(graph), np.float32)}
    if "subconscious" in ask.tiers:
        hits += _turns(graph, tiers, tiers.live.to(question.vector, settings.tier_subconscious))
    if "episodic" in ask.tiers:
        hits += tiers.episodic.to(question.vector, settings.tier_episodic)
    if "semantic" in ask.tiers:
        hits += tiers.semantic.to(question.vector, settings.tier_semantic)
    scores = np.zeros(len(graph), np.float32)
    order: dict[int, None] = {}
    for content_id, score in sorted(hits, key=lambda hit: -hit[1]):
        at = graph.content_index.get(content_id)
        if at is not None and at not in order:
            order[at], scores[at] = None, score
    return np.array(list(order), np.int32), {"dense": scores}


def _turns(graph: Graph, tiers: Tiers, units: Iterable[Scored]) -> Iterator[Hit]:
    """The contents of units as they were said: turns, and segments of long ones."""
    turn = LAYERS.index("turn")
    for id_, score in units:
        for turn_id in tiers.units[id_].origin:
            for content in graph.contents_of_turn(turn_id):
                if graph.layer[content] == turn:
                    yield graph.columns.content_ids[content], score
