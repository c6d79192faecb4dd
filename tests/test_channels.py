"""The lexical and the dense channel against the formulas, written out plainly."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from building import columns, hashed, town, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.channels import K1, B, Lexical, blended, dense, dense_blended, spread
from memcore.construction import Built
from memcore.graph import Graph
from memcore.records import Content, new_id

ALONE = 1 / 3
WORDS = ("lake", "boat", "tree", "bowl", "parrot")
docs = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=8)


def graph_of(said: list[list[str]], per_session: int) -> Graph:
    talk = new_id()
    rows = [
        Content(
            new_id(),
            "turn",
            " ".join(words),
            (new_id(),),
            talk,
            i,
            "",
            turns()[0].said,
            session=str(i // per_session),
        )
        for i, words in enumerate(said)
    ]
    return Graph(columns(Built(rows, [], [], [])))


def plain_bm25(said: list[list[str]], query: list[str], per_session: int, joined: bool) -> list[float]:
    """Robertson's formula; a joined turn counts its words and those of the turn before it."""
    before = [said[i - 1] if joined and i % per_session else [] for i in range(len(said))]
    counted = [Counter([*words, *more]) for words, more in zip(said, before, strict=True)]
    mean = max(sum(c.total() for c in counted) / len(said), 1.0)
    scores = [0.0] * len(said)
    for word in set(query):
        holders = sum(word in words for words in said)
        idf = math.log(1 + (len(said) - holders + 0.5) / (holders + 0.5))
        for i, counts in enumerate(counted):
            norm = K1 * (1 - B + B * counts.total() / mean)
            scores[i] += idf * counts[word] * (K1 + 1) / (counts[word] + norm) if counts[word] else 0.0
    return scores


@given(docs, st.lists(st.sampled_from((*WORDS, "moon")), max_size=4), st.integers(1, 4), st.booleans())
@settings(max_examples=80, deadline=None)
def test_bm25_is_the_formula(said: list[list[str]], query: list[str], per_session: int, joined: bool) -> None:
    lexical = Lexical(graph_of(said, per_session))
    found = lexical.scores(hashed(query), joined=joined)
    np.testing.assert_allclose(found, plain_bm25(said, query, per_session, joined), rtol=1e-4, atol=1e-5)


@given(docs, st.lists(st.sampled_from(WORDS), max_size=4))
@settings(max_examples=30, deadline=None)
def test_the_blend_lies_between_nothing_and_one(said: list[list[str]], query: list[str]) -> None:
    found = blended(Lexical(graph_of(said, 3)), hashed(query), ALONE)
    assert found.shape == (len(said),)
    assert ((found >= 0) & (found <= 1 + 1e-6)).all()


def test_a_word_said_once_says_most() -> None:
    lexical = Lexical(graph_of([["lake"], ["boat"], ["boat"], ["tree", "boat"]], 4))
    lake, boat, moon = (lexical.rarity(t) for t in hashed(["lake", "boat", "moon"]))
    assert (lake, moon) == (1.0, 0.0)
    assert 0 < boat < lake


@pytest.mark.parametrize("term", [0, 2**32 - 1])
def test_the_smallest_and_the_largest_hash_are_found(term: int) -> None:
    base = graph_of([["lake"], ["boat"]], 2).columns
    lexical = Lexical(Graph(replace(base, terms=np.array([term, 5], np.uint32))))
    assert lexical.scores([term], joined=False).tolist() == [pytest.approx(math.log(2), rel=1e-5), 0.0]


def test_an_empty_memory_scores_nothing() -> None:
    graph = Graph(columns(Built([], [], [], [])))
    assert Lexical(graph).scores([1, 2]).tolist() == blended(Lexical(graph), [1], ALONE).tolist() == []


def test_the_dense_channel_is_the_cosine_and_its_blend_that_of_both_turns() -> None:
    base = town().graph.columns
    drawn: Any = np.random.default_rng(1).normal(size=(len(base.content_ids), 6)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    graph, query = Graph(replace(base, content_vectors=drawn)), drawn[0]
    np.testing.assert_allclose(dense(graph, query), drawn @ query, rtol=1e-5)
    rows = np.array([3, 1], np.int32)
    for i, found in zip(rows.tolist(), dense_blended(graph, query, ALONE, rows).tolist(), strict=True):
        before = int(graph.previous[i])
        pair = drawn[i] if before < 0 else drawn[i] + drawn[before]
        joined = float(pair @ query / np.linalg.norm(pair))
        assert found == pytest.approx(ALONE * float(drawn[i] @ query) + (1 - ALONE) * joined, abs=1e-5)


def test_both_channels_give_a_turn_by_itself_the_share_that_is_asked_for() -> None:
    graph = graph_of([["lake"], ["boat"]], 2)
    lexical, query = Lexical(graph), hashed(["lake"])
    assert blended(lexical, query, 1.0).tolist() == [1.0, 0.0]
    assert blended(lexical, query, 0.0)[1] > 0


def test_without_a_model_nothing_is_near() -> None:
    graph = town().graph
    assert not dense(graph, np.zeros(0, np.float32)).any()
    assert not dense_blended(graph, np.zeros(0, np.float32), ALONE).any()


def test_spread_is_min_max_and_flat_values_are_zero() -> None:
    assert spread(np.array([2, 4, 3], np.float32)).tolist() == [0.0, 1.0, 0.5]
    assert spread(np.array([2, 2], np.float32)).tolist() == [0.0, 0.0]
    assert spread(np.zeros(0, np.float32)).tolist() == []
