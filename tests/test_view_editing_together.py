"""What one edit is made on at once: by kind, and only what the filters single out."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcore.graph import LAYERS, Graph
from memcore.memories import Memories
from memcore.view.editing_together import let_through, selected
from memcore.view.neighbourhood import Filters, passing


@pytest.fixture
def graph(sample_store: Path) -> Graph:
    return Memories.open(sample_store, embedder="none").scope("Harbour Street").snapshot().graph


def test_a_selection_is_grouped_by_kind_and_what_is_no_node_is_left_out(graph: Graph) -> None:
    c = graph.columns
    picked = [c.content_ids[0], c.cue_ids[1], "0" * 16, c.cue_ids[0]]
    assert selected(graph, picked) == {"cue": (c.cue_ids[1], c.cue_ids[0]), "content": (c.content_ids[0],)}


def test_a_kind_of_cue_singles_out_cues_and_no_memory(graph: Graph) -> None:
    c = graph.columns
    verbs = tuple(i for i, kind in zip(c.cue_ids, c.cue_kinds, strict=True) if kind == "verb")
    assert verbs and let_through(graph, Filters(kinds=["verb"])) == {"cue": verbs}


def test_a_layer_singles_out_memories_and_no_cue(graph: Graph) -> None:
    wanted = Filters(layers=["topic"])
    topics = tuple(passing(graph, graph.columns.content_ids, wanted))
    assert topics and let_through(graph, wanted) == {"content": topics}


def test_with_a_kind_of_cue_and_a_layer_a_relation_joins_what_is_let_through(graph: Graph) -> None:
    c = graph.columns
    found = let_through(graph, Filters(kinds=["verb"], layers=["turn"]))
    joined = [
        (c.cue_ids[cue], c.content_ids[content])
        for cue, content in zip(c.relation_cue.tolist(), c.relation_content.tolist(), strict=True)
        if c.cue_kinds[cue] == "verb" and LAYERS[graph.layer[content]] == "turn"
    ]
    assert set(found["cue"]) == {cue for cue, _ in joined}
    assert set(found["content"]) == {content for _, content in joined}
    assert len(found["content"]) < len(passing(graph, c.content_ids, Filters(layers=["turn"])))


def test_what_nothing_passes_is_no_group(graph: Graph) -> None:
    assert let_through(graph, Filters(kinds=["verb"], speakers=["nobody"])) == {}
