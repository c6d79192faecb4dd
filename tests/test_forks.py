"""A run goes on otherwise from one of its steps: what a person decides stands, and both runs stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asked_memory import asked_memory
from llm_server import Server
from scripted_model import playing

from memcore.editing import Delete, Who
from memcore.errors import InputError, NotFound, Stale
from memcore.events import Opened, TraceEvent
from memcore.forking import Override, up_to
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import State, fold
from memcore.view.forks import decisions, family, forks_of

QUESTION = "What did Felix teach Ann?"


@pytest.fixture(params=["rules", "model"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    with Server(reply=playing()) as server:
        yield asked_memory(tmp_path, server if request.param == "model" else None)


def asked(memory: Memory, **switches: Any) -> tuple[str, list[TraceEvent]]:
    run = memory.ask(Ask(QUESTION, 9, **switches))
    return run.header.id, list(run)


def before(events: Sequence[TraceEvent], step: int) -> State:
    return fold(up_to(events, step))


def untimed(events: Sequence[TraceEvent]) -> list[Any]:
    return [{**vars_of(e), "milliseconds": 0, "reply": ""} for e in events]


def vars_of(event: TraceEvent) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def test_both_runs_stay_and_begin_alike(memory: Memory) -> None:
    parent, events = asked(memory)
    content = next(iter(before(events, 1).evidence))
    run = memory.fork(parent, 1, Override(pruned=(content,)))
    forked = list(run)
    header, stored = memory.trace(run.header.id)
    assert (header.parent, header.parent_step, header.status) == (parent, 1, "finished")
    assert stored == forked
    assert memory.trace(parent)[1] == events
    past = up_to(events, 1)
    assert forked[: len(past)] == past
    (decided,) = decisions(forked)
    assert forked[len(past)] == decided
    assert forked[-1].kind == "answered"


def test_a_decision_that_changes_nothing_leaves_the_rest_as_it_was(memory: Memory) -> None:
    parent, events = asked(memory)
    forked = list(memory.fork(parent, 1, Override()))
    past = len(up_to(events, 1))
    assert untimed(forked[past + 1 :]) == untimed(events[past:])


def test_what_was_pruned_by_hand_never_comes_back(memory: Memory) -> None:
    parent, events = asked(memory)
    state = before(events, 1)
    assert state.ranked
    waiting = next(c.content_id for c in state.ranked.candidates if c.content_id not in state.opened)
    evidence = next(iter(state.evidence))
    past = len(up_to(events, 1))
    forked = list(memory.fork(parent, 1, Override(pruned=(waiting, evidence), more=30)))
    end = fold(forked)
    assert not {waiting, evidence} & {*end.evidence}
    assert {end.pruned[i].why for i in (waiting, evidence)} == {"by_hand"}
    for event in forked[past:]:
        if event.kind == "ranked":
            assert not {waiting, evidence} & {c.content_id for c in event.candidates}
    assert len(end.turns) > len(fold(events).turns), "it went on beyond the budget that was added"
    answered = forked[-1]
    assert answered.kind == "answered"
    assert not {waiting, evidence} & {s.content_id for s in answered.sentences}


def test_what_was_kept_by_hand_is_evidence_is_paid_for_and_leads_on(memory: Memory) -> None:
    parent, events = asked(memory)
    state = before(events, 1)
    assert state.ranked
    waiting = next(c.content_id for c in state.ranked.candidates if c.content_id not in state.opened)
    forked = list(memory.fork(parent, 1, Override(kept=(waiting,))))
    (decided,) = decisions(forked)
    assert decided.turn_ids and waiting in fold(forked).evidence
    read = [e for e in forked if isinstance(e, Opened)]
    assert read[1].read == len(state.turns) + len(decided.turn_ids) + len(read[1].turn_ids)
    second = [e for e in forked if e.kind == "actions_chosen"][1]
    assert waiting in {a.content_id for a in second.actions}
    assert waiting not in read[1].content_ids, "it is not read twice"


@pytest.mark.parametrize("step", [0, 1])
def test_a_cue_added_by_hand_is_active_in_the_next_step(memory: Memory, step: int) -> None:
    parent, events = asked(memory)
    columns = memory.snapshot().graph.columns
    state = before(events, step)
    cue = next(i for i, n in zip(columns.cue_ids, columns.cue_names, strict=True) if n == "Kyoto")
    assert cue not in state.cues
    forked = list(memory.fork(parent, step, Override(cues=(cue,), more=4)))
    woken = [e for e in forked if e.kind == "woken"][step]
    assert next(a for a in woken.cues if a.id == cue).how == "by_hand"
    chosen = [e for e in forked if e.kind == "actions_chosen"][step]
    assert cue in {a.cue_id for a in chosen.actions}


def test_a_fork_of_a_sufficient_run_goes_on(tmp_path: Path) -> None:
    enough = {"enough": True, "missing": [], "follow": []}
    with Server(reply=playing(enough=lambda asked: enough)) as server:
        memory = asked_memory(tmp_path, server)
        parent, events = asked(memory)
        assert len([e for e in events if e.kind == "judged"]) == 1
        content = next(iter(before(events, 1).evidence))
        forked = list(memory.fork(parent, 1, Override(pruned=(content,))))
        assert len([e for e in forked if e.kind == "judged"]) == 2


def test_a_fork_can_be_forked_and_the_family_is_told_in_order(memory: Memory) -> None:
    parent, _ = asked(memory)
    first = memory.fork(parent, 1, Override())
    list(first)
    second = memory.fork(first.header.id, 2, Override(more=3))
    events = list(second)
    assert [e.step for e in decisions(events)] == [1, 2]
    other = memory.fork(parent, 0, Override())
    list(other)
    headers = memory.traces()
    assert [h.id for h in forks_of(headers, parent)] == [other.header.id, first.header.id]
    ids = [other.header.id, first.header.id, second.header.id]
    for one in (parent, *ids):
        told = [(b.header.id, b.depth) for b in family(headers, one)]
        assert told == [(parent, 0), (ids[0], 1), (ids[1], 1), (ids[2], 2)]


def test_a_fork_is_asked_as_its_parent_was(memory: Memory) -> None:
    parent, events = asked(memory, mode="cte", reverse=False, use_time=False, auto_budget=True)
    past = len(up_to(events, 1))
    forked = list(memory.fork(parent, 1, Override()))
    assert untimed(forked[past + 1 :]) == untimed(events[past:])


@pytest.mark.parametrize("n", range(1, 60, 7))
def test_a_prefix_of_a_fork_holds_the_decision_from_its_event_on(memory: Memory, n: int) -> None:
    parent, events = asked(memory)
    content = next(iter(before(events, 1).evidence))
    forked = list(memory.fork(parent, 1, Override(pruned=(content,), more=2)))
    assert (content in fold(forked[:n]).barred) == (decisions(forked)[0] in forked[:n])


def test_what_cannot_be_decided_is_refused_in_one_sentence(memory: Memory) -> None:
    parent, events = asked(memory)
    content = next(iter(before(events, 1).evidence))
    for override, step in (
        (Override(kept=("0" * 16,)), 1),
        (Override(kept=(content,), pruned=(content,)), 1),
        (Override(cues=("0" * 16,)), 1),
        (Override(), 9),
    ):
        with pytest.raises(InputError):
            memory.fork(parent, step, override)
    with pytest.raises(NotFound):
        memory.fork("0" * 16, 1, Override())
    passive = memory.ask(Ask(QUESTION, 4, strategy="bm25"))
    list(passive)
    with pytest.raises(InputError, match="active"):
        memory.fork(passive.header.id, 0, Override())
    assert len(memory.traces()) == 2


def test_a_run_whose_memories_are_gone_is_not_gone_on_with(memory: Memory) -> None:
    parent, events = asked(memory)
    content = next(iter(before(events, 1).evidence))
    memory.edit(Delete("content", (content,)), Who("ann"))
    with pytest.raises(Stale, match="ask the question again"):
        memory.fork(parent, 1, Override())
