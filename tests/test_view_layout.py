"""Layouts: the same data gives the same picture, and what is added later moves nothing."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.view.layout import (
    BAND_ROWS,
    COLUMN,
    ROW,
    Stand,
    band_areas,
    lane_areas,
    neighbourhood,
    trace_bands,
)
from memcore.view.network import Edge, Node, Point


def graph(size: int, seed: int = 3) -> tuple[list[Node], list[Edge]]:
    rng = random.Random(seed)
    cues, tags = max(size // 5, 1), max(2 * size // 5, 1)
    contents = max(size - cues - tags, 1)
    nodes = [Node(f"c{i}", "cue", "") for i in range(cues)] + [Node(f"t{i}", "tag", "") for i in range(tags)]
    nodes += [Node(f"m{i}", ("turn", "fact", "episode")[i % 3], "") for i in range(contents)]
    edges = [Edge(f"c{rng.randrange(cues)}", f"t{i}") for i in range(tags)]
    return nodes, edges + [Edge(f"t{rng.randrange(tags)}", f"m{i}", "tag_content") for i in range(contents)]


def crossings(edges: list[Edge], places: dict[str, Point]) -> int:
    lines = [(places[e.source], places[e.target]) for e in edges if e.kind == "cue_tag"]
    return sum((a.y - c.y) * (b.y - d.y) < 0 for i, (a, b) in enumerate(lines) for c, d in lines[i + 1 :])


def test_lanes_run_from_cues_over_tags_to_contents() -> None:
    nodes, edges = graph(300)
    places = neighbourhood(nodes, edges)
    x = {lane: [places[n.id].x for n in nodes if n.id[0] == lane] for lane in "ctm"}
    assert max(x["c"]) < min(x["t"])
    assert max(x["t"]) < min(x["m"])


def test_the_same_graph_gives_the_same_picture_whatever_order_its_edges_come_in() -> None:
    nodes, edges = graph(200)
    assert neighbourhood(nodes, edges) == neighbourhood(nodes, edges[::-1])


def test_ordering_by_barycentre_crosses_less_than_the_order_of_the_input() -> None:
    nodes, edges = graph(100)
    unordered = {n.id: Point(0, i) for i, n in enumerate(nodes)}
    assert crossings(edges, neighbourhood(nodes, edges)) < 0.5 * crossings(edges, unordered)


def test_a_long_lane_is_wrapped_so_that_a_thousand_nodes_keep_the_screen_s_shape() -> None:
    nodes, edges = graph(1000)
    places = neighbourhood(nodes, edges)
    width = max(p.x for p in places.values()) - min(p.x for p in places.values())
    height = max(p.y for p in places.values()) - min(p.y for p in places.values())
    assert 1.0 < width / height < 2.2


@given(size=st.integers(1, 120), seed=st.integers(0, 50))
@settings(max_examples=40, deadline=None)
def test_no_two_nodes_stand_on_the_same_place(size: int, seed: int) -> None:
    nodes, edges = graph(size, seed)
    places = neighbourhood(nodes, edges)
    assert len(set(places.values())) == len(nodes)


@given(size=st.integers(3, 120), shown=st.integers(1, 119), seed=st.integers(0, 50))
@settings(max_examples=60, deadline=None)
def test_expanding_moves_nothing_that_stands_and_overlaps_nothing(size: int, shown: int, seed: int) -> None:
    nodes, edges = graph(size, seed)
    random.Random(seed).shuffle(nodes)
    before = neighbourhood(nodes[:shown], edges)
    after = neighbourhood(nodes, edges, fixed=before)
    assert all(after[id_] == at for id_, at in before.items())
    assert len(set(after.values())) == len(nodes)


def test_an_expanded_node_joins_its_lane_beside_its_neighbour() -> None:
    nodes, edges = graph(60)
    before = neighbourhood(nodes, edges)
    added = [Node("new", "turn", "")]
    after = neighbourhood(nodes + added, [*edges, Edge("t4", "new", "tag_content")], fixed=before)
    assert after["new"].x >= min(before[n.id].x for n in nodes if n.id[0] == "m")
    assert abs(after["new"].y - before["t4"].y) <= 4 * ROW


def stands(steps: int) -> list[Stand]:
    rng = random.Random(5)
    return [
        Stand(f"{lane}{step}.{i}", lane, step, pruned=lane != "cue" and rng.random() < 0.4)
        for step in range(steps)
        for lane in ("cue", "tag", "content")
        for i in range(rng.randrange(1, 40))
    ]


def test_time_runs_to_the_right_one_band_after_the_other() -> None:
    nodes = stands(5)
    places = trace_bands(nodes, [])
    for step in range(4):
        last = max(places[s.id].x for s in nodes if s.step == step)
        assert last + COLUMN / 2 < min(places[s.id].x for s in nodes if s.step == step + 1)


def test_pruned_candidates_hang_below_everything_kept_in_their_band() -> None:
    nodes = stands(5)
    places = trace_bands(nodes, [])
    for step in range(5):
        kept = [places[s.id].y for s in nodes if s.step == step and not s.pruned]
        pruned = [places[s.id].y for s in nodes if s.step == step and s.pruned]
        assert max(kept) < min(pruned)


def test_a_step_appended_to_a_trace_moves_no_earlier_node() -> None:
    nodes = stands(6)
    whole = trace_bands(nodes, [])
    for steps in range(1, 6):
        prefix = trace_bands([s for s in nodes if s.step < steps], [])
        assert all(whole[id_] == at for id_, at in prefix.items())


def test_a_band_wraps_and_no_two_nodes_share_a_place() -> None:
    nodes = [Stand(f"t{i}", "tag", 1) for i in range(100)]
    places = trace_bands(nodes, [])
    assert len({p.x for p in places.values()}) == -(-100 // BAND_ROWS)
    assert len(set(places.values())) == 100


def test_areas_enclose_their_steps_and_caption_the_lanes() -> None:
    nodes = stands(3)
    places = trace_bands(nodes, [])
    areas = band_areas(nodes, places)
    assert [a.label for a in areas] == ["Question", "Step 1", "Step 2"]
    assert all(a.x < places[s.id].x < a.x + a.width for a, step in zip(areas, range(3), strict=True)
               for s in nodes if s.step == step)  # fmt: skip
    drawn, edges = graph(30)
    assert [a.label for a in lane_areas(drawn, neighbourhood(drawn, edges))] == ["Cues", "Tags", "Memories"]


def test_a_band_has_a_caption_that_fits_where_the_whole_one_does_not() -> None:
    stands = [Stand("q", "content", 0), Stand("a", "content", 1)]
    areas = band_areas(stands, trace_bands(stands, []))
    assert [(area.label, area.short) for area in areas] == [("Question", ""), ("Step 1", "1")]


def test_nothing_to_lay_out_gives_nothing() -> None:
    assert neighbourhood([], []) == {}
    assert trace_bands([], []) == {}
    assert band_areas([], {}) == []
    assert lane_areas([], {}) == []
