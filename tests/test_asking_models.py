"""A question to a memory whose roles are done by models: as the settings say, on a budget, stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asked_memory import MODEL, asked_memory
from llm_server import Act, Server
from of_a_trace import failures, of
from scripted_model import playing

from memcore.configuration import Configuration
from memcore.errors import InputError
from memcore.forking import Override
from memcore.llm.budget import bills
from memcore.llm.listening import Listening
from memcore.llm.model_router import ROLES
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import fold

QUESTION = "What did Felix teach Ann?"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply=playing()) as started:
        yield started


@pytest.fixture
def memory(tmp_path: Path, server: Server) -> Memory:
    return asked_memory(tmp_path, server)


def test_the_bill_of_a_run_is_what_its_trace_says(memory: Memory, server: Server) -> None:
    run = memory.ask(Ask(QUESTION, 9))
    events = list(run)
    asked = of(events, "model_asked")
    assert {(e.role, e.model) for e in asked} == {(role, MODEL) for role in ROLES}
    entries = [e for e in memory.models.log.entries() if e.run == run.header.id]
    assert [(e.called.task, e.called.outcome) for e in entries] == [(e.role, e.outcome) for e in asked]
    by_task = bills(entries, ["task"])
    for role in ROLES:
        ours = [e for e in asked if e.role == role]
        bill = by_task[role,]
        assert (bill.usage.sent, bill.usage.received) == (
            sum(e.sent for e in ours),
            sum(e.received for e in ours),
        )
    assert memory.trace(run.header.id)[1] == events


def test_rules_alone_are_asked_for_by_name_and_nothing_is_sent(memory: Memory, server: Server) -> None:
    ours = list(memory.ask(Ask(QUESTION, 9, model="offline")))
    assert not server.asked and not of(ours, "model_asked")
    assert of(ours, "answered")[0].made_by == "rule"


def test_a_model_named_for_a_run_does_all_of_its_roles(tmp_path: Path, server: Server) -> None:
    memory = asked_memory(tmp_path, None)
    memory.models.configure(Configuration(addresses={"local": f"{server.url}/v1"}))
    events = list(memory.ask(Ask(QUESTION, 9, model="local/another")))
    assert {e.model for e in of(events, "model_asked")} == {"local/another"}
    assert events[0].kind == "asked" and events[0].model == "local/another"
    assert {a.body["model"] for a in server.asked} == {"another"}


def test_an_unknown_model_is_an_error_before_anything_is_stored(memory: Memory) -> None:
    with pytest.raises(InputError, match="named like"):
        memory.ask(Ask(QUESTION, 9, model="nobody"))
    assert not memory.traces()


def test_without_a_key_rules_answer_and_it_is_said(
    memory: Memory, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    events = list(memory.ask(Ask(QUESTION, 9, model="claude/claude-haiku-5-5")))
    assert failures(events) == [(role, "KeyRefused", "offline from here") for role in ROLES]
    assert not server.asked and of(events, "answered")[0].sentences
    assert fold(events).limit == "read_budget"


def test_with_the_network_down_rules_answer_and_it_is_said_once(tmp_path: Path) -> None:
    with Server() as gone:
        memory = asked_memory(tmp_path, gone)
    events = list(memory.ask(Ask(QUESTION, 9)))
    assert failures(events) == [("read", "Unreachable", "offline from here")]
    assert of(events, "answered")[0].made_by == "rule" and fold(events).evidence


def test_rules_after_an_outage_are_as_good_as_rules_alone(tmp_path: Path) -> None:
    with Server() as gone:
        memory = asked_memory(tmp_path, gone, steps=8, model_steps=2)
    down = list(memory.ask(Ask(QUESTION, 20)))
    alone = list(memory.ask(Ask(QUESTION, 20, model="offline")))
    theirs, ours = fold(down), fold(alone)
    assert (theirs.step, theirs.limit, theirs.evidence) == (ours.step, ours.limit, ours.evidence)
    assert theirs.step > 2 and theirs.turns == ours.turns


def test_a_model_that_goes_out_in_the_middle_leaves_rules_the_rest_of_their_steps(
    tmp_path: Path, server: Server
) -> None:
    memory = asked_memory(tmp_path, server, steps=8, model_steps=2, run_calls=3)
    run = memory.ask(Ask(QUESTION, 20))
    assert fold(run).step > 2 and len(server.asked) == 3
    server.asked.clear()
    fork = memory.fork(run.header.id, 1, Override(more=4))
    assert fold(fork).step > 2 and not server.asked, "what was out stays so in a fork"


def test_a_budget_that_is_used_up_leaves_the_rest_to_rules(tmp_path: Path, server: Server) -> None:
    memory = asked_memory(tmp_path, server, run_calls=3)
    events = list(memory.ask(Ask(QUESTION, 9)))
    assert len(server.asked) == 3
    assert [(e, w) for _, e, w in failures(events)] == [("BudgetExceeded", "offline from here")]
    refused = of(events, "model_asked")[-1]
    assert (refused.outcome, refused.attempts, refused.sent) == ("BudgetExceeded", 0, 0)
    list(memory.ask(Ask(QUESTION, 9)))
    assert len(server.asked) == 6, "each run has a budget of its own"


def test_a_run_stopped_while_a_model_talks_is_stored_as_stopped(memory: Memory, server: Server) -> None:
    server.script = [Act("alive", "{")]
    told: list[str] = []
    before = memory.snapshot().graph.seq
    listening = Listening(on_text=lambda role, text: told.append(role))
    run = memory.ask(Ask(QUESTION, 9), cancelled=lambda: bool(told), listening=listening)
    events = list(run)
    header, stored = memory.trace(run.header.id)
    assert (header.status, stored) == ("stopped", events)
    assert [e.kind for e in events] == ["asked", "model_asked", "stopped", "answered"]
    assert told and set(told) == {"read"} and memory.snapshot().graph.seq == before
    assert [e.called.outcome for e in memory.models.log.entries()] == ["Cancelled"]


@pytest.mark.parametrize("strategy", ["bm25", "fusion", "nhop"])
def test_what_passive_search_found_is_answered_by_the_model(
    memory: Memory, server: Server, strategy: Any
) -> None:
    events = list(memory.ask(Ask(QUESTION, 4, strategy=strategy)))
    assert [e.role for e in of(events, "model_asked")] == ["answer"]
    assert of(events, "answered")[0].made_by == "model" and len(server.asked) == 1


def test_benchmarks_and_what_if_never_ask_a_model(memory: Memory, server: Server) -> None:
    assert of(list(memory.events(Ask(QUESTION, 9))), "answered")[0].made_by == "rule"
    assert not server.asked


def test_a_model_takes_fewer_steps_than_rules_do(tmp_path: Path, server: Server) -> None:
    memory = asked_memory(tmp_path, server, steps=8, model_steps=2)
    assert fold(memory.ask(Ask(QUESTION, 20))).step == 2
    assert fold(memory.ask(Ask(QUESTION, 20, model="offline"))).step > 2


def test_the_same_settings_hold_in_another_memory_of_the_store(tmp_path: Path, server: Server) -> None:
    asked_memory(tmp_path, server)
    again = Memories.open(tmp_path / "store", create=False).scope("town")
    assert of(list(again.ask(Ask(QUESTION, 4))), "answered")[0].made_by == "model"
