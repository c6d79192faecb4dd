"""Passive retrieval over the same contents: everything fixed by the question, read in one order."""

from __future__ import annotations

from typing import Any

import numpy as np
from building import Town, town

from memcore.baselines import STRATEGIES, Search, fused, passive
from memcore.read_budget import within_budget
from memcore.reconstruction import Ask
from memcore.run_state import State, fold
from memcore.settings import DEFAULT

QUESTION = "Who runs the pottery studio?"


def search(made: Town, ask: Ask) -> Search:
    return Search(ask, made.prepare(QUESTION), made.graph, made.lexical, DEFAULT)


def asked(made: Town, budget: int, strategy: Any) -> State:
    ask = Ask(QUESTION, budget, strategy=strategy)
    ranking = STRATEGIES[strategy](search(made, ask))
    return fold(passive(ask, made.graph, ranking, made.router(ask)))


def test_reading_stops_at_the_budget_and_never_pays_a_turn_twice() -> None:
    graph = town().graph
    opened, turns = within_budget(graph, range(len(graph)), 5)
    assert len(turns) == len(set(turns)) == 5
    assert {t for c in opened for t in graph.turns_of(graph.content_index[c])} == set(turns)
    _, more = within_budget(graph, range(len(graph)), 5, turns)
    assert len(more) == 5 and not {*more} & {*turns}


def test_fusion_weighs_both_channels_to_one() -> None:
    made = town()
    parts = fused(search(made, Ask(QUESTION, 4)))
    assert 0 < float(np.sum(list(parts.values()), axis=0).max()) <= 1.0 + 1e-6


def test_every_passive_strategy_is_one_step_that_ends() -> None:
    made = town()
    for strategy in STRATEGIES:
        state = asked(made, 4, strategy)
        assert (state.step, len(state.turns), state.limit) == (1, 4, "read_budget")


def test_one_hop_gives_half_of_its_budget_to_seeds() -> None:
    made = town()
    fusion, hops = asked(made, 8, "fusion"), asked(made, 8, "nhop")
    assert list(hops.turns)[:4] == list(fusion.turns)[:4]
    assert list(hops.turns) != list(fusion.turns)


def test_the_best_match_is_read_first() -> None:
    made = town()
    first = next(iter(asked(made, 3, "bm25").opened))
    assert "pottery studio" in made.texts[first]
