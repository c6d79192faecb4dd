"""A run is told, drawn and compared from its stored events alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memcore import samples
from memcore.events import (
    Activated,
    Answered,
    PrunedNode,
    Routed,
    Stopped,
    TraceEvent,
    Traversed,
    Woken,
    dump,
    load,
)
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Turn
from memcore.run_state import State, fold
from memcore.view.answer import EXTRACTIVE, NOTHING, answer_lines
from memcore.view.comparison import default_lanes, lane_view
from memcore.view.naming import ERASED, REASONS, cue_phrase, share
from memcore.view.steps import capped_rows, pruned_rows, sentences, step_cards, whole_steps
from memcore.view.times import shown
from memcore.view.trace import grown, marks_at, trace_graph, trace_payload, trace_places

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
    assert trace_places(whole) == trace_places(again)


@pytest.mark.parametrize("number", range(6))
def test_a_later_step_moves_no_node_of_an_earlier_one(memory: Memory, number: int) -> None:
    """What stood while the run was under way stands at the same spot in the finished picture."""
    graph = memory.snapshot().graph
    run = list(memory.events(Ask(samples.questions("Harbour Street")[number]["question"], 12)))
    places = trace_places(trace_graph(run, graph, {}))
    cuts = [i + 1 for i, e in enumerate(run) if e.kind == "judged"]
    assert cuts
    for cut in cuts:
        before = trace_places(trace_graph(run[:cut], graph, {}))
        assert {id_: places[id_] for id_ in before} == before


def test_the_parts_that_steps_add_are_together_the_whole_graph_and_overlap_nowhere(
    memory: Memory, events: list[TraceEvent]
) -> None:
    graph = memory.snapshot().graph
    whole = trace_payload(trace_graph(events, graph, {}))
    sent = [
        item["id"] for kind in ("nodes", "edges") for item in trace_payload(trace_graph([], graph, {}))[kind]
    ]
    for cut in [i + 1 for i, e in enumerate(events) if e.kind == "judged"]:
        part = grown(trace_payload(trace_graph(events[:cut], graph, {})), set(sent))
        sent += [item["id"] for kind in ("nodes", "edges") for item in part[kind]]
    assert len(sent) == len(set(sent))
    assert set(sent) == {item["id"] for kind in ("nodes", "edges") for item in whole[kind]}


def test_a_run_under_way_is_shown_up_to_its_last_whole_step(events: list[TraceEvent]) -> None:
    second = next(i for i, e in enumerate(events) if e.kind == "judged" and e.step == 2)
    shown = whole_steps(events[: second + 4])
    assert shown == events[: second + 1]
    assert [e.kind for e in whole_steps(events[:3])] == ["asked", "query_read"]
    assert whole_steps(events) == events


def test_a_step_tells_the_share_of_the_memory_that_was_touched_so_far(
    memory: Memory, events: list[TraceEvent]
) -> None:
    graph = memory.snapshot().graph
    reached = {e.step: e.reached for e in events if e.kind == "traversed"}
    for card in step_cards(events, graph):
        assert f"({share(reached[card.step], len(graph))} of this memory so far)" in card.sentence
    assert [share(*pair) for pair in ((0, 5), (1, 500), (1, 3), (5, 5), (1, 0))] == [
        "0 %", "under 1 %", "33 %", "100 %", "",
    ]  # fmt: skip


def test_what_a_step_did_and_what_it_left_are_two_sentences(memory: Memory, events: list[TraceEvent]) -> None:
    graph = memory.snapshot().graph
    card = next(c for c in step_cards(events, graph) if c.pruned)
    did, left = card.sentence.split(". ")
    assert f"kept {len(card.kept)}" in did and "pruned" not in did and "pruned" in left


def test_the_cues_of_the_step_that_is_shown_are_marked(memory: Memory, events: list[TraceEvent]) -> None:
    """They are what its sentence names, so they are labelled before the others."""
    graph = memory.snapshot().graph
    drawn = trace_graph(events, graph, {})
    for card in step_cards(events, graph):
        marks = marks_at(events, graph, drawn, card.step).nodes
        assert all("new" in marks[a.id] for a in card.cues if drawn.first.get(a.id) == card.step)


def test_a_step_tells_which_cues_were_capped_and_why_each_branch_was_pruned(memory: Memory) -> None:
    graph = memory.snapshot().graph
    cue, tag, content = (
        ids[0] for ids in (graph.columns.cue_ids, graph.columns.tag_ids, graph.columns.content_ids)
    )
    left = (
        PrunedNode(tag, "tag", "by_hand", 0.1),
        PrunedNode(content, "content", "fine", 0.7),
        PrunedNode(content, "content", "withheld", 0.2),
        PrunedNode("gone", "cue", "off_topic", 0.3),
    )
    run = [Traversed(1, 3, 5, 5, ((cue, 20_000, 400), (cue, 900, 400))), Routed(1, (), left)]
    (card,) = step_cards(run, graph)
    name = cue_phrase(graph, cue)
    assert f"{name} leads to 20,000 memories, the nearest 400 were taken; 1 more cue capped" in card.sentence
    for why in ("by_hand", "fine", "withheld", "off_topic"):
        assert f"pruned: {REASONS[why]}" in card.sentence
    assert len(capped_rows(card, graph)) == 2
    rows = pruned_rows(card, graph)
    assert [r.score for r in rows] == [0.7, 0.3, 0.2, 0.1]
    assert [(r.kind, r.why) for r in rows][1] == ("cue", REASONS["off_topic"]) and rows[1].name == ERASED


def test_a_run_of_another_version_opens_though_its_codes_are_not_known_here(memory: Memory) -> None:
    graph = memory.snapshot().graph
    saved = [
        dump(Routed(1, (), (PrunedNode(graph.columns.cue_ids[0], "cue", "hub_cap", 0.1),))),  # type: ignore[arg-type]
        dump(Stopped(1, "token_budget", 3)),  # type: ignore[arg-type]
    ]
    pruned, stopped = sentences([load(of) for of in saved], graph)
    assert "1 cue pruned: for a reason that only another version knows" in pruned
    assert "for a reason that only another version knows" in stopped


def test_a_cue_that_is_only_a_date_is_told_as_a_date(memory: Memory) -> None:
    graph = memory.snapshot().graph
    told = {
        name: cue_phrase(graph, id_)
        for id_, name in zip(graph.columns.cue_ids, graph.columns.cue_names, strict=True)
    }
    assert told["19 May 2024"] == "the day 19 May 2024"
    assert told["2025"] == "the year 2025"
    assert told["Maren"] == "Maren"


def test_cues_of_one_step_are_told_with_the_place_they_were_really_found_in(memory: Memory) -> None:
    graph = memory.snapshot().graph
    c = graph.columns
    here = next(i for i, s in enumerate(c.sessions) if s != c.sessions[0])
    woken = Woken(2, (
        Activated(c.cue_ids[0], "reverse", 0.9, c.content_ids[0]),
        Activated(c.cue_ids[1], "reverse", 0.8, c.content_ids[here]),
    ), ())  # fmt: skip
    (card,) = step_cards([woken], graph)
    assert cue_phrase(graph, c.cue_ids[0]) in card.sentence
    assert cue_phrase(graph, c.cue_ids[1]) not in card.sentence.split("found in")[0]


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


def test_a_turn_has_one_clock_in_the_answer_in_the_evidence_and_in_the_comparison(
    memory: Memory, events: list[TraceEvent]
) -> None:
    state = fold(events)
    records = memory.get([*state.evidence, *state.turns])
    said = {shown(r.said, "Asia/Seoul") for r in records.values() if isinstance(r, Turn)}
    view = answer_lines(state, records, zone="Asia/Seoul")
    told = {q.said for q in (*view.sentences, *view.evidence)}
    told |= {row.said for row in lane_view("active", events, records, (), "Asia/Seoul").rows}
    assert told and told <= said and all(when.endswith("KST") for when in told)


def test_no_evidence_is_said_to_be_no_answer() -> None:
    state = State(budget=5, answer=Answered((), "rule"))
    assert answer_lines(state, {}).as_text()[0] == NOTHING


def test_recall_of_a_lane_is_over_the_turns_that_were_marked(memory: Memory) -> None:
    run = list(memory.events(Ask(QUESTION, 12, strategy="fusion")))
    records = memory.get(fold(run).turns)
    read = [r.source for r in records.values() if r.kind == "turn"]
    assert lane_view("fusion", run, records, [read[0], "not read"]).recall == 0.5
    assert lane_view("fusion", run, records, []).recall is None
    turn = next(iter(fold(run).turns))
    by_id = lane_view("fusion", run, records, [turn])
    assert by_id.recall == 1.0 and [r.expected for r in by_id.rows].count(True) == 1


def test_the_lanes_shown_unasked_are_the_run_itself_and_the_three_of_the_comparison() -> None:
    assert default_lanes("active") == ["active", "fusion", "nhop"]
    assert default_lanes("bm25") == ["bm25", "active", "fusion", "nhop"]
