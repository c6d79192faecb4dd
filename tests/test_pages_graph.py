"""The page Graph, run as Streamlit runs it, on a small store."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_running import copied_store, labels, page, press, words
from streamlit.testing.v1 import AppTest

from memcore.editing import Delete, Who
from memcore.graph import Graph
from memcore.memories import Memories
from memcore.view.neighbourhood import PER_NODE, examples


@pytest.fixture
def memories(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return copied_store(sample_store, tmp_path, monkeypatch)


@pytest.fixture
def graph(memories: Memories) -> Graph:
    return memories.scope("Harbour Street").snapshot().graph


def shown(app: AppTest) -> str:
    """The line of the table that says how much is shown; the graph says it in its canvas."""
    return next(c.value for c in as_table(app).caption if c.value.startswith("Showing"))


def as_table(app: AppTest) -> AppTest:
    return app.segmented_control(key="graph:view").set_value("Table").run()


def names(app: AppTest) -> list[str]:
    return app.dataframe[0].value["name"].tolist()


def test_the_graph_opens_on_a_neighbourhood_with_searches_this_memory_can_answer(
    memories: Memories, graph: Graph
) -> None:
    app = page("graph")
    assert not app.exception and "nodes" in shown(app)
    tried = examples(graph)
    assert len(tried) == 6 and set(tried) <= set(labels(app))
    press(app, tried[0])
    assert app.text_input(key="graph:search").value == tried[0]
    assert tried[0] in names(as_table(app)) and tried[1] not in labels(app)


def test_a_search_that_finds_nothing_says_so_and_keeps_the_box(memories: Memories) -> None:
    app = page("graph")
    app.text_input(key="graph:search").set_value("zzzqqq").run()
    assert not app.exception
    assert "Nothing holds these words" in words(app) and "filters" not in words(app)
    assert app.text_input(key="graph:search").value == "zzzqqq"
    press(app, "Clear the search")
    assert "nodes" in shown(app)


def test_a_link_to_a_node_opens_its_panel_with_the_whole_source_chain(
    memories: Memories, graph: Graph
) -> None:
    app = page("graph", node=graph.columns.content_ids[0])
    assert not app.exception
    said = words(app)
    for stage in (
        "Where it comes from",
        "Memory",
        "Turn H1",
        "Conversation",
        "File",
        "Reached by",
        "Recorded",
    ):
        assert stage in said, stage
    assert "harbour_street.jsonl" in said


def test_a_link_to_two_nodes_draws_and_selects_both(memories: Memories, graph: Graph) -> None:
    pair = [graph.columns.cue_ids[0], graph.columns.cue_ids[-1]]
    app = page("graph", node=pair)
    assert not app.exception and not app.button(key="tool-merge").disabled
    assert {graph.columns.cue_names[0], graph.columns.cue_names[-1]} <= set(names(as_table(app)))


def test_a_link_to_a_node_that_is_gone_opens_the_graph_all_the_same(memories: Memories) -> None:
    app = page("graph", node="0000000000000000")
    assert not app.exception and "Nothing selected" in words(app) and "nodes" in shown(app)


@pytest.mark.parametrize(
    ("key", "chosen", "text"),
    [
        ("graph:kinds", "people", "Maren"),
        ("graph:layers", "topic", "barometer"),
        ("graph:speakers", "Idris", "barometer"),
    ],
)
def test_a_filter_greys_out_and_takes_nothing_away(
    memories: Memories, key: str, chosen: str, text: str
) -> None:
    app = as_table(page("graph"))
    app.text_input(key="graph:search").set_value(text).run()
    before = names(app)
    app.multiselect(key=key).set_value([chosen]).run()
    assert not app.exception
    assert set(before) <= set(names(app))
    assert "greyed out by the filters" in shown(app)
    passed = app.dataframe[0].value["passes the filters"]
    assert passed.any() and not passed.all()


def test_when_the_last_memory_is_deleted_that_is_said_and_can_be_undone(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    c = memory.snapshot().graph.columns
    app = page("graph")
    memory.edit(Delete("content", tuple(c.content_ids)), Who("Ann"))
    app.run()
    assert not app.exception and set(names(as_table(app))) <= set(c.cue_names)
    memory.edit((Delete("cue", tuple(c.cue_ids)), Delete("tag", tuple(c.tag_ids))), Who("Ann"))
    app.run()
    assert not app.exception and "No memory is left" in words(app)
    app.button(key="tool-undo").click().run()
    app.session_state["edit:turning"].job.wait(60)
    app.run()
    assert not app.exception and "No memory is left" not in words(app) and "Undone" in words(app)
    assert set(names(as_table(app))) <= set(c.cue_names)


def test_filters_that_match_nothing_are_told_apart_and_can_be_cleared(memories: Memories) -> None:
    app = page("graph")
    app.text_input(key="graph:search").set_value("barometer").run()
    app.multiselect(key="graph:kinds").set_value(["people"]).run()
    app.multiselect(key="graph:layers").set_value(["fact"]).run()
    assert not app.exception and "No memory matches these filters" in words(app)
    assert app.multiselect(key="graph:kinds").value == ["people"]
    press(app, "Clear the filters")
    assert "greyed" not in shown(app) and app.multiselect(key="graph:kinds").value == []


def test_following_a_neighbour_draws_it_and_undo_takes_only_that_back(
    memories: Memories, graph: Graph
) -> None:
    app = as_table(page("graph", node=rare_cue(graph)))
    before = names(app)
    app.pills[0].set_value(0).run()
    assert not app.exception
    assert set(before) < set(names(app)) and "The tag" in words(app)
    press(app, "Undo expand")
    assert names(app) == before and app.button(key="graph:undo").disabled


def test_the_table_has_the_actions_of_the_graph(memories: Memories, graph: Graph) -> None:
    app = as_table(page("graph", node=rare_cue(graph)))
    grow = app.button(key="graph:expand")
    assert grow.label == "All relations are shown" and grow.disabled
    app.pills[0].set_value(0).run()
    press(app, "Begin here")
    assert not app.exception and "The tag" in words(app) and app.button(key="graph:undo").disabled


def test_a_hub_is_expanded_until_all_of_its_relations_are_shown(memories: Memories, graph: Graph) -> None:
    hub = int(graph.cue_degrees.argmax())
    app = page("graph", node=graph.columns.cue_ids[hub])
    grow = app.button(key="graph:expand")
    assert grow.label == f"Expand: {graph.cue_degree(hub) - PER_NODE:,} more"
    grow.click().run()
    assert app.button(key="graph:expand").label == f"Expand: {graph.cue_degree(hub) - 2 * PER_NODE:,} more"


def rare_cue(graph: Graph) -> str:
    """A cue with a tag that leads on to more than the cue does."""
    for cue in range(len(graph.columns.cue_ids)):
        contents, tags = graph.contents_of_cue(cue)
        if len(contents) < PER_NODE and any(
            not set(graph.contents_of_tag(tag).tolist()) <= set(contents.tolist())
            for tag in tags.tolist()[:1]
        ):
            return graph.columns.cue_ids[cue]
    raise AssertionError("every tag belongs to one cue")
