"""A run is told, drawn and compared from its stored events alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memcore import samples
from memcore.events import Answered, TraceEvent
from memcore.memory import Memories, Memory
from memcore.reconstruction import Ask, State, fold
from memcore.view.answer import EXTRACTIVE, NOTHING, answer_lines
from memcore.view.comparison import lane_view
from memcore.view.layout import trace_bands
from memcore.view.neighbourhood import Filters, around, hubs, matching
from memcore.view.steps import sentences, step_cards
from memcore.view.trace import marks_at, trace_graph

QUESTION = "What did the person who repaired Maren's bicycle give her in spring?"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    memories = Memories.open(tmp_path_factory.mktemp("store"), embedder="none")
    found = memories.scope("Harbour Street", create=True)
    list(found.import_path(samples.folder() / "harbour_street.jsonl"))
    yield found


@pytest.fixture(scope="module")
def events(memory: Memory) -> list[TraceEvent]:
    return list(memory.events(Ask(QUESTION, 12)))


def test_every_step_has_one_sentence_and_no_id_in_it(memory: Memory, events: list[TraceEvent]) -> None:
    graph = memory.snapshot().graph
    told = sentences(events, graph)
    cards = step_cards(events, graph)
    assert len(cards) == fold(events).step and all(c.sentence for c in cards)
    c = graph.columns
    ids = {*c.cue_ids, *c.tag_ids, *c.content_ids, *c.turn_ids}
    assert not [i for i in ids if any(i in line for line in told)]


def test_evidence_is_marked_from_the_step_that_kept_it_and_what_is_to_come_is_hidden(
    memory: Memory, events: list[TraceEvent]
) -> None:
    graph = memory.snapshot().graph
    drawn = trace_graph(events, graph, {})
    last = fold(events).step
    kept = {k.content_id: e.step for e in events if e.kind == "routed" for k in e.kept}
    for step in range(1, last + 1):
        marks = marks_at(events, graph, drawn, step)
        assert {i for i, m in marks.nodes.items() if "evidence" in m} == {
            i for i, at in kept.items() if at <= step
        }
        assert {i for i, m in marks.nodes.items() if m == ["later"]} == {
            i for i, at in drawn.first.items() if at > step
        }


def test_the_path_to_evidence_runs_back_to_the_question(memory: Memory, events: list[TraceEvent]) -> None:
    graph = memory.snapshot().graph
    drawn = trace_graph(events, graph, {})
    marks = marks_at(events, graph, drawn, fold(events).step)
    path = [e for e in drawn.edges if marks.edges.get(e.id) == ["path"]]
    assert "question" in {e.source for e in path}
    assert fold(events).evidence.keys() <= {e.target for e in path}


def test_a_slider_moves_no_node(memory: Memory, events: list[TraceEvent]) -> None:
    """Places follow from the whole run; what a step changes is marks only."""
    graph = memory.snapshot().graph
    whole = trace_graph(events, graph, {})
    again = trace_graph(list(events), graph, {})
    assert trace_bands(whole.stands, whole.edges) == trace_bands(again.stands, again.edges)


def test_a_trace_of_a_memory_that_was_erased_still_opens(tmp_path: Path, events: list[TraceEvent]) -> None:
    empty = Memories.open(tmp_path, embedder="none").scope("emptied", create=True).snapshot().graph
    drawn = trace_graph(events, empty, {})
    assert drawn.nodes and sentences(events, empty)
    assert marks_at(events, empty, drawn, 1).nodes
    assert answer_lines(fold(events), {}).evidence == ()


def test_an_answer_quotes_its_sources_and_says_that_it_is_extractive(
    memory: Memory, events: list[TraceEvent]
) -> None:
    state = fold(events)
    records = memory.get([*state.evidence, *state.turns])
    view = answer_lines(state, records)
    texts = [r.text for r in records.values() if r.kind == "content"]
    assert view.sentences and all(any(q.text in t for t in texts) for q in view.sentences)
    assert all(q.source and q.who for q in view.sentences)
    assert EXTRACTIVE in "\n".join(view.as_text())


def test_no_evidence_is_said_to_be_no_answer() -> None:
    state = State(budget=5, answer=Answered((), "rule"))
    assert answer_lines(state, {}).as_text()[0] == NOTHING


def test_recall_of_a_lane_is_over_the_turns_that_were_marked(memory: Memory) -> None:
    run = list(memory.events(Ask(QUESTION, 12, strategy="fusion")))
    records = memory.get(fold(run).turns)
    read = [r.source for r in records.values() if r.kind == "turn"]
    assert lane_view("fusion", run, records, [read[0], "not read"]).recall == 0.5
    assert lane_view("fusion", run, records, []).recall is None


def test_a_neighbourhood_is_cut_at_its_limit_and_counts_the_rest(memory: Memory) -> None:
    graph = memory.snapshot().graph
    local = around(graph, hubs(graph), Filters(), limit=20)
    assert len(local.nodes) == 20 < local.total
    shown = {n.id for n in local.nodes}
    assert all({e.source, e.target} <= shown for e in local.edges)


def test_expanding_keeps_what_stood_and_undoing_takes_only_what_it_brought(memory: Memory) -> None:
    graph = memory.snapshot().graph
    seeds = hubs(graph)
    before = around(graph, seeds, Filters(), 160)
    content = next(n.id for n in before.nodes if n.kind == "turn")
    grown = around(graph, [*seeds, content], Filters(), 160)
    assert {n.id for n in before.nodes} < {n.id for n in grown.nodes}
    assert around(graph, seeds, Filters(), 160).nodes == before.nodes


def test_a_filter_by_speaker_leaves_only_that_persons_memories(memory: Memory) -> None:
    graph = memory.snapshot().graph
    local = around(graph, hubs(graph), Filters(speakers=["Maren"]), 160)
    rows = [graph.content_index[n.id] for n in local.nodes if n.id in graph.content_index]
    assert rows and {graph.columns.speakers[i] for i in rows} == {"Maren"}


def test_a_part_of_a_name_finds_the_cue_whatever_its_case(memory: Memory) -> None:
    graph = memory.snapshot().graph
    found = matching(graph, "BICYC")
    assert any(
        "bicycle" in graph.columns.cue_names[graph.cue_index[i]] for i in found if i in graph.cue_index
    )
    assert matching(graph, "  ") == []
