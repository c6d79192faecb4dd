"""The local graph: begun from what was searched or from well connected cues, grown on demand, never filtered
into something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memcore import samples
from memcore.graph import Graph
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.view.neighbourhood import (
    CUE_KINDS,
    PER_NODE,
    Filters,
    around,
    examples,
    hubs,
    matching,
    passing,
    unseen,
)
from memcore.view.node_panel import needed, panel


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    found = Memories.open(tmp_path_factory.mktemp("store"), embedder="none").scope("Street", create=True)
    list(found.import_path(samples.folder() / "harbour_street.jsonl"))
    yield found


@pytest.fixture(scope="module")
def graph(memory: Memory) -> Graph:
    return memory.snapshot().graph


@pytest.fixture(scope="module")
def maren(graph: Graph) -> str:
    return matching(graph, "Maren")[0]


def test_a_neighbourhood_is_cut_at_its_limit_and_counts_the_rest(graph: Graph) -> None:
    local = around(graph, hubs(graph), Filters(), limit=20)
    assert len(local.nodes) == 20 < local.total
    shown = {n.id for n in local.nodes}
    assert all({e.source, e.target} <= shown for e in local.edges)


def test_expanding_keeps_what_stood_and_undoing_takes_only_what_it_brought(graph: Graph) -> None:
    seeds = hubs(graph)
    before = around(graph, seeds, Filters(), 160)
    content = next(n.id for n in before.nodes if n.kind == "turn")
    grown = around(graph, [*seeds, content], Filters(), 160)
    assert {n.id for n in before.nodes} < {n.id for n in grown.nodes}
    assert around(graph, seeds, Filters(), 160).nodes == before.nodes


def test_a_node_named_again_shows_more_of_its_relations_until_none_is_left(graph: Graph, maren: str) -> None:
    degree = graph.cue_degree(graph.cue_index[maren])
    assert degree > 2 * PER_NODE
    for times in (1, 2):
        local = around(graph, [maren] * times, Filters(), 1000)
        assert unseen(graph, local, maren) == degree - times * PER_NODE
    whole = around(graph, [maren] * (degree // PER_NODE + 1), Filters(), 1000)
    assert unseen(graph, whole, maren) == 0 and unseen(graph, whole, "0" * 16) == 0


@pytest.mark.parametrize(
    "wanted", [Filters(speakers=["Idris"]), Filters(layers=["topic"]), Filters(kinds=["people"])]
)
def test_a_filter_greys_out_and_takes_nothing_away(graph: Graph, wanted: Filters) -> None:
    seeds = matching(graph, "barometer") + matching(graph, "Maren")
    plain = around(graph, seeds, Filters(), 160)
    local = around(graph, seeds, wanted, 160)
    assert {n.id for n in plain.nodes} <= {n.id for n in local.nodes}
    assert plain.grey == 0 and 0 < local.grey < len(local.nodes)
    assert local.grey == sum("dim" in n.marks for n in local.nodes)


def test_what_passes_a_filter_is_drawn_although_it_was_not_before(graph: Graph, maren: str) -> None:
    last = int(graph.columns.said_days.max())
    before = {n.id for n in around(graph, [maren], Filters(), 160).nodes}
    local = around(graph, [maren], Filters(first=last), 160)
    bright = [n.id for n in local.nodes if "dim" not in n.marks and n.id in graph.content_index]
    assert bright and not set(bright) & before
    assert all(graph.columns.said_days[graph.content_index[i]] == last for i in bright)


def test_every_bright_memory_passes_every_filter(graph: Graph, maren: str) -> None:
    wanted = Filters(speakers=["Maren"], kinds=["people"])
    local = around(graph, [maren, *matching(graph, "cart")], wanted, 160)
    bright = {node.id for node in local.nodes if "dim" not in node.marks}
    contents = [graph.content_index[i] for i in bright if i in graph.content_index]
    cues = [graph.cue_index[i] for i in bright if i in graph.cue_index]
    assert {graph.columns.speakers[i] for i in contents} == {"Maren"}
    assert {graph.columns.cue_kinds[i] for i in cues} == {"people"}
    assert len(bright) < len(local.nodes)


def test_examples_are_cues_of_this_memory_of_several_kinds(graph: Graph) -> None:
    names = examples(graph)
    kinds = {graph.columns.cue_kinds[graph.columns.cue_names.index(name)] for name in names}
    assert len(names) == len(set(names)) == 6 and len(kinds) > 3 and kinds <= set(CUE_KINDS)
    assert all(
        name in {n.label for n in around(graph, matching(graph, name), Filters()).nodes} for name in names
    )


def test_one_may_begin_with_a_kind_even_where_all_of_it_are_hubs_of_everything(graph: Graph) -> None:
    kinds = {kind: hubs(graph, kinds=[kind]) for kind in ("people", "time")}
    assert all(kinds.values())
    for kind, found in kinds.items():
        assert {graph.columns.cue_kinds[graph.cue_index[i]] for i in found} == {kind}


def test_passing_keeps_the_order_and_drops_what_is_gone(graph: Graph) -> None:
    ids = graph.columns.content_ids
    assert passing(graph, [ids[5], "0" * 16, ids[2]], Filters()) == [ids[5], ids[2]]


def test_a_part_of_a_name_finds_the_cue_whatever_its_case(graph: Graph) -> None:
    found = matching(graph, "BICYC")
    assert any(
        "bicycle" in graph.columns.cue_names[graph.cue_index[i]] for i in found if i in graph.cue_index
    )
    assert matching(graph, "  ") == []


def test_the_panel_of_a_memory_leads_down_to_its_file(memory: Memory, graph: Graph) -> None:
    node = graph.columns.content_ids[0]
    records = memory.get(needed(graph, node))
    records |= memory.get([r.conversation_id for r in records.values() if r.kind == "content"])
    records |= memory.get([r.file_id for r in records.values() if r.kind == "conversation"])
    found = panel(graph, node, records, "Asia/Seoul")
    assert found is not None
    assert [link.label.split(" ")[0] for link in found.chain] == ["Memory", "Turn", "Conversation", "File"]
    assert found.chain[1].turn in graph.columns.turn_ids and "harbour_street.jsonl" in found.chain[3].text
    assert ("Said", "9 March 2024, 19:12 KST") in found.rows
    assert found.near and all(link.id in graph.cue_index for link in found.near)


def test_the_panels_of_a_cue_and_a_tag_lead_on_and_a_gone_node_has_none(graph: Graph, maren: str) -> None:
    cue = panel(graph, maren, {})
    assert cue is not None and cue.more > 0 and all(link.id in graph.tag_index for link in cue.near)
    tag = panel(graph, cue.near[0].id, {})
    assert tag is not None and all(link.id in graph.content_index for link in tag.near)
    assert panel(graph, "0" * 16, {}) is None
