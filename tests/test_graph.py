"""The Cue-Tag-Content graph against a model of it that knows only lists of triples."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pytest
from building import columns, nodes, town
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.construction import Built
from memcore.graph import LAYERS, Graph
from memcore.grouped import ordered
from memcore.records import UNKNOWN, Content, Cue, Moment, Relation, Tag, new_id

DAY_ZERO = datetime(2024, 1, 1, tzinfo=UTC)


class Small(NamedTuple):
    """A graph, and the records it was made of, in its own order."""

    graph: Graph
    cues: list[Cue]
    tags: list[Tag]
    contents: list[Content]
    triples: set[tuple[int, int, int]]


def _moment(first: int, last: int) -> Moment:
    if not first:
        return UNKNOWN
    a, b = sorted((first, last))
    return Moment(DAY_ZERO + timedelta(days=a), DAY_ZERO + timedelta(days=b), "day")


@st.composite
def graphs(draw: st.DrawFn) -> Small:
    cues, tags = nodes(draw(st.integers(0, 4)), Cue), nodes(draw(st.integers(0, 4)), Tag)
    talks = sorted([new_id(), new_id()])
    turn_ids = [new_id() for _ in range(5)]
    contents: list[Content] = []
    small, days = st.integers(0, 4), st.integers(0, 6)
    for position in range(draw(st.integers(0, 8))):
        origin = draw(st.lists(st.sampled_from(turn_ids), min_size=1, max_size=3, unique=True))
        contents.append(
            Content(
                new_id(),
                draw(st.sampled_from(LAYERS)),
                "",
                tuple(origin),
                draw(st.sampled_from(talks)),
                position,
                draw(st.sampled_from(["Ann", "Bo", ""])),
                _moment(said := draw(days), said),
                _moment(draw(days), draw(days) + 1),
                session=draw(st.sampled_from("12")),
            )
        )
    contents.sort(key=lambda c: (c.conversation_id, c.position))
    triples: set[tuple[int, int, int]] = set()
    if cues and tags and contents:
        index = st.tuples(small, small, st.integers(0, 7))
        wanted = draw(st.lists(index, max_size=20))
        triples = {(c % len(cues), t % len(tags), v % len(contents)) for c, t, v in wanted}
    relations = [
        Relation(new_id(), cues[c].id, tags[t].id, contents[v].id, contents[v].origin[0])
        for c, t, v in triples
    ]
    graph = Graph(columns(Built(contents, cues, tags, relations)))
    assert graph.columns.content_ids == [c.id for c in contents]
    return Small(graph, cues, tags, contents, triples)


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_forward_and_reverse_traversals_follow_the_triples(small: Small) -> None:
    graph, triples = small.graph, small.triples
    for cue in range(len(small.cues)):
        tags = {t for c, t, _ in triples if c == cue}
        assert graph.tags_of(cue).tolist() == sorted(tags)
        for tag in range(len(small.tags)):
            behind = sorted(v for c, t, v in triples if (c, t) == (cue, tag))
            assert sorted(graph.contents_of(cue, tag).tolist()) == behind
        every = zip(*map(np.ndarray.tolist, graph.contents_of_cue(cue)), strict=True)
        assert sorted(every) == sorted((v, t) for c, t, v in triples if c == cue)
        assert graph.cue_degree(cue) == graph.cue_degrees[cue] == sum(c == cue for c, _, _ in triples)
    for tag in range(len(small.tags)):
        assert graph.contents_of_tag(tag).tolist() == sorted({v for _, t, v in triples if t == tag})
    for content in range(len(small.contents)):
        handles = zip(*map(np.ndarray.tolist, graph.handles_of(content)), strict=True)
        assert sorted(handles) == sorted((c, t) for c, t, v in triples if v == content)


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_tags_of_several_contents_keep_their_owner(small: Small) -> None:
    every = np.arange(len(small.contents), dtype=np.int32)[::-1]
    tags, owner = small.graph.tags_of_all(every)
    found = sorted((int(every[o]), t) for t, o in zip(tags.tolist(), owner.tolist(), strict=True))
    assert found == sorted((v, t) for _, t, v in small.triples)


@given(graphs(), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_neighbours_are_the_turns_beside_in_the_same_session(small: Small, reach: int) -> None:
    for here, content in enumerate(small.contents):
        beside = [
            i
            for i, c in enumerate(small.contents)
            if (c.layer, c.conversation_id, c.session) == ("turn", content.conversation_id, content.session)
        ]
        expected = set[tuple[int, int]]()
        if content.layer == "turn":
            at = beside.index(here)
            expected = {(i, k - at) for k, i in enumerate(beside) if 0 < abs(k - at) <= reach}
        assert set(small.graph.neighbours_of(here, reach)) == expected


@given(graphs(), st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted))
@settings(max_examples=60, deadline=None)
def test_a_window_finds_what_happened_or_was_said_in_it(small: Small, days: list[int]) -> None:
    lo, hi = (DAY_ZERO.toordinal() + d for d in days)

    def meets(moment: Moment) -> bool:
        if moment.start is None or moment.end is None:
            return False
        return moment.start.toordinal() <= hi and moment.end.toordinal() >= lo

    expected = [
        i
        for i, c in enumerate(small.contents)
        if meets(c.event) or (c.said.start is not None and lo <= c.said.start.toordinal() <= hi)
    ]
    assert small.graph.contents_in(lo, hi).tolist() == expected


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_layers_meet_where_they_rest_on_the_same_turns(small: Small) -> None:
    for here, content in enumerate(small.contents):
        assert small.graph.turns_of(here) == list(content.origin)
        for layer in LAYERS:
            shared = [
                i
                for i, c in enumerate(small.contents)
                if c.layer == layer and set(c.origin) & set(content.origin)
            ]
            assert small.graph.contents_from(here, layer).tolist() == shared


def test_every_content_of_a_dialogue_can_be_reached_by_a_cue_and_a_tag() -> None:
    graph = town().graph
    assert all(len(graph.handles_of(i)[0]) for i in range(len(graph)))
    assert graph.speakers == {"Ann", "Bo"}
    assert graph.cue_keys["felix"] in graph.cue_words["felix"]


def test_an_empty_memory_is_a_graph_too() -> None:
    graph = Graph(columns(Built([], [], [], [])))
    assert (len(graph), graph.dimension, graph.speakers) == (0, 0, frozenset())
    assert graph.contents_in(1, 10**6).tolist() == []
    assert graph.tags_of_all(np.zeros(0, np.int32))[0].tolist() == []
    assert graph.joined_length.tolist() == []


def test_the_joined_length_is_that_of_both_vectors_together() -> None:
    base = town().graph.columns
    drawn: Any = np.random.default_rng(3).normal(size=(len(base.content_ids), 5)).astype(np.float32)
    graph = Graph(replace(base, content_vectors=drawn))
    for i, before in enumerate(graph.previous.tolist()):
        alone = 1.0 if before < 0 else float(np.linalg.norm(drawn[i] + drawn[before]))
        assert graph.joined_length[i] == pytest.approx(alone, rel=1e-5)


def test_rows_are_ordered_by_key_and_within_one_as_they_stand() -> None:
    rng = np.random.default_rng(3)
    for most in (1, 7, 65_536, 65_537, 300_000, 2**32 - 1):
        keys = rng.integers(0, most, 5_000, dtype=np.uint32)
        assert ordered(keys).tolist() == sorted(range(len(keys)), key=lambda i: int(keys[i]))
    assert ordered(np.array([0, 2, 2, 5], np.int32)).tolist() == [0, 1, 2, 3]
    assert ordered(np.zeros(0, np.int32)).tolist() == []
