"""The seam: a run's trace says how it ended, whatever ended it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, changed, own_lines, write_lines

from memcore.errors import InputError, ModelUnavailable, NotFound, ScopeError, StoreMismatch
from memcore.events import TraceEvent
from memcore.llm.offline.choose import DEFAULT, embedder_named
from memcore.memories import Memories
from memcore.memory import Memory, Run
from memcore.reconstruction import Ask
from memcore.run_state import fold

QUESTION = "What did Felix teach Ann?"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = Memories.open(tmp_path / "store", embedder="none").scope("town", create=True)
    list(made.import_path(write_lines(tmp_path / "town.jsonl", own_lines())))
    return made


@pytest.mark.parametrize("strategy", ["active", "graph", "dense", "bm25", "fusion", "priors", "nhop"])
def test_a_run_is_stored_as_it_happened(memory: Memory, strategy: Any) -> None:
    run = memory.ask(Ask(f"  {QUESTION} ", 4, strategy=strategy))
    events = list(run)
    header, stored = memory.trace(run.header.id)
    assert stored == events
    assert (header.status, header.strategy, header.question) == ("finished", strategy, QUESTION)
    assert header.ended is not None and header.events == len(events)
    assert header.seq == memory.snapshot().graph.seq
    assert len(fold(events).turns) <= 4


@pytest.mark.parametrize("budget", [4, 6])
def test_the_passive_graph_lookup_reads_its_whole_budget_in_one_step(memory: Memory, budget: int) -> None:
    state = fold(memory.ask(Ask(QUESTION, budget, strategy="graph")))
    assert state.step == 1
    assert len(state.turns) == budget


@pytest.mark.parametrize("strategy", ["active", "fusion"])
def test_an_automatic_budget_is_kept_to(memory: Memory, strategy: Any) -> None:
    state = fold(memory.ask(Ask(QUESTION, 4, strategy=strategy, auto_budget=True)))
    assert 0 < len(state.turns) <= state.budget <= 8


def test_a_run_that_is_closed_early_is_stored_as_stopped(memory: Memory) -> None:
    run = memory.ask(Ask(QUESTION, 8))
    going: Iterator[TraceEvent] = iter(run)
    seen = [next(going) for _ in range(5)]
    assert memory.trace(run.header.id)[0].status == "running"
    going.close()  # type: ignore[attr-defined]
    header, events = memory.trace(run.header.id)
    assert header.status == "stopped" and header.ended is not None
    assert events == seen


def test_a_run_that_fails_is_stored_as_failed(memory: Memory) -> None:
    run = memory.ask(Ask(QUESTION, 8))

    def broken(source: Iterator[TraceEvent]) -> Iterator[TraceEvent]:
        yield next(source)
        yield next(source)
        raise ModelUnavailable("no answer from the model")

    broken_run = Run(run.header, run.scope, broken(iter(run.source)))
    with pytest.raises(ModelUnavailable):
        list(broken_run)
    header, events = memory.trace(run.header.id)
    assert (header.status, [e.kind for e in events]) == ("failed", ["asked", "query_read"])


def test_a_cancelled_run_is_stored_as_stopped_with_its_evidence(memory: Memory) -> None:
    run = memory.ask(Ask(QUESTION, 8), cancelled=lambda: True)
    state = fold(run)
    assert state.limit == "cancelled"
    assert memory.trace(run.header.id)[0].status == "stopped"
    assert state.answer is not None


def test_past_runs_are_listed_newest_first(memory: Memory) -> None:
    asked = [memory.ask(Ask(f"{QUESTION} {i}", 3)) for i in range(4)]
    for run in asked:
        list(run)
    assert [h.id for h in memory.traces()] == [r.header.id for r in asked[::-1]]
    assert [h.id for h in memory.traces(limit=2, offset=1)] == [asked[2].header.id, asked[1].header.id]
    with pytest.raises(NotFound):
        memory.trace("0" * 16)


def test_asking_without_a_trace_leaves_none(memory: Memory) -> None:
    assert list(memory.events(Ask(QUESTION, 3)))
    assert memory.traces() == []


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (Ask("  \n", 5), "empty"),
        (Ask("why " * 1_100, 5), "longer"),
        (Ask("who is \udcff?", 5), "half a character"),
        (Ask(QUESTION, 0), "budget"),
        (Ask(QUESTION, -3), "budget"),
        (Ask(QUESTION, 5, strategy="guess"), "strategy"),  # type: ignore[arg-type]
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_before_anything_is_stored(
    memory: Memory, ask: Ask, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        memory.ask(ask)
    assert memory.traces() == []


@pytest.mark.parametrize(
    "question", ["사프란은 누구야?", "Где кошка?", "猫の名前は?", "؟", "🐈", "x" * 4_000]
)
def test_any_language_can_be_asked(memory: Memory, question: str) -> None:
    state = fold(memory.ask(Ask(question, 5)))
    assert state.limit is not None and state.answer is not None


def test_replaying_a_stored_run_asks_no_model(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    run = memory.ask(Ask(QUESTION, 6))
    live = fold(run)

    def forbidden(*_: Any) -> Any:
        raise AssertionError("a model was called")

    monkeypatch.setattr(type(memory._embedder), "embed", forbidden)
    monkeypatch.setattr("memcore.llm.offline.router.OfflineRouter.__init__", forbidden)
    _, events = memory.trace(run.header.id)
    assert [fold(events[:n]) for n in range(len(events) + 1)][-1] == live


def test_a_snapshot_is_kept_until_something_is_written(memory: Memory, tmp_path: Path) -> None:
    first = memory.snapshot()
    assert memory.snapshot() is first
    list(memory.ask(Ask(QUESTION, 3)))
    assert memory.snapshot() is first
    list(memory.import_path(write_lines(tmp_path / "b.jsonl", own_lines(TOWN, "other"))))
    assert len(memory.snapshot().graph) > len(first.graph)


def test_an_empty_memory_answers_with_nothing(tmp_path: Path) -> None:
    empty = Memories.open(tmp_path / "empty", embedder="none").scope("new", create=True)
    for strategy in ("active", "graph", "dense", "bm25", "fusion", "priors", "nhop"):
        state = fold(empty.ask(Ask(QUESTION, 5, strategy=strategy)))  # type: ignore[arg-type]
        assert (state.limit, state.evidence) == ("nothing_left", {})


def test_equal_memories_give_equal_runs_whatever_their_ids(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    read: list[list[str]] = []
    for name in ("a", "b"):
        memory = Memories.open(tmp_path / name, embedder="none").scope("town", create=True)
        list(memory.import_path(path))
        state = fold(memory.events(Ask(QUESTION, 8)))
        texts = memory.texts(state.opened)
        read.append([texts[c] for c in state.opened])
    assert read[0] == read[1]


def test_a_scope_has_to_be_named(tmp_path: Path) -> None:
    memories = Memories.open(tmp_path / "store", embedder="none")
    assert memories.only_scope() is None
    memories.scope("one", create=True)
    assert memories.only_scope() == "one"
    memories.scope("two", create=True)
    assert memories.only_scope() is None
    for name in (None, "", "three"):
        with pytest.raises(ScopeError):
            memories.scope(name)


def test_a_store_opens_with_the_embedder_it_was_written_with(tmp_path: Path) -> None:
    Memories.open(tmp_path / "store", embedder="none")
    assert Memories.open(tmp_path / "store").embedder.name == embedder_named(DEFAULT).name
    Memories.open(tmp_path / "store", embedder="none").scope("one", create=True)
    assert Memories.open(tmp_path / "store").embedder.name == "none"
    with pytest.raises(StoreMismatch):
        Memories.open(tmp_path / "store", embedder="multilingual")
    with pytest.raises(InputError, match="embedder"):
        embedder_named("word2vec")


def test_a_variant_of_the_settings_is_for_one_run_only(memory: Memory) -> None:
    state = fold(memory.ask(Ask(QUESTION, 12), settings=changed(steps=1)))
    assert (state.step, state.limit) == (1, "step_limit")
    assert fold(memory.ask(replace(Ask(QUESTION, 12)))).step > 1
