"""Two runs side by side, and a decision by hand: read from the events of both, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asked_memory import asked_memory

from memcore.events import TraceEvent
from memcore.forking import Override, up_to
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import State, fold
from memcore.view.beside import difference, fate, moved, told
from memcore.view.decided import choices, cues_named
from memcore.view.steps import step_cards
from memcore.view.trace import marks_at, trace_graph

QUESTION = "What did Felix teach Ann?"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    yield asked_memory(tmp_path_factory.mktemp("folder"), None)


@pytest.fixture(scope="module")
def parent(memory: Memory) -> tuple[str, list[TraceEvent]]:
    run = memory.ask(Ask(QUESTION, 9))
    return run.header.id, list(run)


def at(events: list[TraceEvent], step: int) -> State:
    return fold(up_to(events, step))


def forked(memory: Memory, parent: tuple[str, list[TraceEvent]], override: Override) -> list[TraceEvent]:
    return list(memory.fork(parent[0], 1, override))


def test_a_run_beside_itself_differs_in_nothing(parent: tuple[str, list[TraceEvent]]) -> None:
    between = difference(parent[1], parent[1], ("a", "a"))
    assert between.evidence.same and between.turns.same and between.parted is None
    assert told(between)[-1] == "The answer is the same."
    assert "did not move the route, and the answer is the same" in moved(between)


def test_a_fork_parts_at_the_step_of_the_decision_and_what_was_left_is_only_in_the_other(
    memory: Memory, parent: tuple[str, list[TraceEvent]]
) -> None:
    left = next(iter(at(parent[1], 1).evidence))
    fork = forked(memory, parent, Override(pruned=(left,), more=3))
    between = difference(parent[1], fork, ("one", "another"))
    assert between.parted == 1 and left in between.evidence.here
    assert fate(fold(fork), left).said == "left by hand"
    assert fate(fold(parent[1]), left).said == "kept, step 1"
    way, evidence, answer = told(between)
    assert way.startswith("They part at step 1: ") and "only in this run" in evidence
    assert answer == "The answers differ."


def test_what_was_left_out_does_not_count_as_a_difference(parent: tuple[str, list[TraceEvent]]) -> None:
    events = parent[1]
    content = next(iter(fold(events).evidence))
    gone = [e for e in events if not (e.kind == "opened" and content in e.content_ids)]
    assert not difference(events, gone, ("a", "a")).turns.same
    aside = {content, *(i for e in events if e.kind == "opened" and content in e.content_ids
                        for i in (*e.content_ids, *e.turn_ids))}  # fmt: skip
    assert difference(events, gone, ("a", "b"), aside).turns.same


def test_evidence_and_candidates_can_be_decided_on_each_once(parent: tuple[str, list[TraceEvent]]) -> None:
    state = at(parent[1], 1)
    rows = choices(state)
    assert len({r.content_id for r in rows}) == len(rows)
    assert {r.content_id for r in rows if r.kept} == set(state.evidence)
    assert state.ranked and {r.content_id for r in rows} >= {c.content_id for c in state.ranked.candidates}
    assert {r.fate for r in rows if r.kept} == {"kept, step 1"}


def test_a_cue_is_named_however_it_is_written_and_what_is_none_is_said(memory: Memory) -> None:
    graph = memory.snapshot().graph
    ids, unknown = cues_named(["  felix ", "Nobody"], graph)
    assert [graph.columns.cue_names[graph.cue_index[i]] for i in ids] == ["Felix"]
    assert unknown == ["Nobody"]


def test_the_graph_marks_what_was_kept_by_hand_as_evidence_and_no_longer_what_was_left(
    memory: Memory, parent: tuple[str, list[TraceEvent]]
) -> None:
    state = at(parent[1], 1)
    waiting = next(r.content_id for r in choices(state) if r.fate == "not read")
    left = next(iter(state.evidence))
    fork = forked(memory, parent, Override((waiting,), (left,)))
    graph = memory.snapshot().graph
    drawn = trace_graph(fork, graph, {})
    for step in range(1, fold(fork).step + 1):
        nodes = marks_at(fork, graph, drawn, step).nodes
        assert "evidence" in nodes[waiting] and "evidence" not in nodes.get(left, [])
    card = step_cards(fork, graph)[0]
    assert "By hand: kept 1 memory, left 1 memory behind." in card.sentence
