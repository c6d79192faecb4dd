"""A store whose embedder is Gemini's service: a space of its own, on the bill, whole after every failure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from building import own_lines, write_lines
from llm_server import Act, Server

from memcore.configuration import Configuration
from memcore.errors import BudgetExceeded, KeyRefused, ModelError, StoreMismatch
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import fold

GEMINI = "gemini/gemini-embedding-2"
SAID = [("Ada", "I keep bees in the garden."), ("Bo", "How many hives do you have?")]


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(vector=[1.0] + [0.0] * 767) as made:
        yield made


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "MEMCORE_GEMINI_KEY"):
        monkeypatch.delenv(name, raising=False)


def opened(folder: Path, server: Server | None = None) -> Memory:
    """The store, at this server from now on; no key is needed to look into it."""
    memories = Memories.open(folder / "store", embedder="" if (folder / "store").exists() else GEMINI)
    if server is not None:
        memories.configure(Configuration({}, {"gemini": server.url}, {"model_retries": 1}))
    return memories.scope("mine", create=True)


def imported(memory: Memory, folder: Path) -> None:
    list(memory.import_path(write_lines(folder / "said.jsonl", own_lines(SAID))))


def test_it_is_written_and_asked_through_the_service_and_found_again_by_its_name(
    tmp_path: Path, server: Server
) -> None:
    memory = opened(tmp_path, server)
    imported(memory, tmp_path)
    assert all(a.path.endswith("batchEmbedContents") for a in server.asked)
    again = opened(tmp_path)
    assert again.embedder == "gemini:gemini-embedding-2"
    vectors = again.snapshot().graph.columns.content_vectors
    assert np.asarray(vectors).shape[1] == 768
    assert fold(again.ask(Ask("Who keeps bees?", 5))).evidence
    for other in ("none", "multilingual", "gemini/gemini-embedding-001"):
        with pytest.raises(StoreMismatch):
            Memories.open(tmp_path / "store", embedder=other)


def test_what_is_embedded_is_on_the_bill(tmp_path: Path, server: Server) -> None:
    memory = opened(tmp_path, server)
    path = write_lines(tmp_path / "said.jsonl", own_lines(SAID))
    (foreseen,) = memory.would_cost.importing(path).lines
    imported(memory, tmp_path)
    entries = memory.models.log.entries()
    assert {(e.called.task, e.called.model, e.called.outcome) for e in entries} == {("embed", GEMINI, "ok")}
    sent = sum(e.called.usage.sent for e in entries)
    assert 0 < sent < 4 * foreseen.sent and foreseen.task == "embed"
    assert sum(e.dollars or 0 for e in entries) == pytest.approx(0.2 * sent / 1e6)


@pytest.mark.parametrize("fails_at", range(4))
def test_an_outage_at_any_call_leaves_the_store_whole_and_importing_again_completes(
    tmp_path: Path, server: Server, fails_at: int
) -> None:
    memory = opened(tmp_path, server)
    server.script = [Act()] * fails_at + [Act("status", status=401, words="no")]
    try:
        imported(memory, tmp_path)
    except KeyRefused as error:
        assert "does not accept the key" in str(error)
        assert memory.count().get("turn", 0) == memory.count().get("content", 0) == 0
        server.script = []
        imported(memory, tmp_path)
    assert memory.count()["turn"] == 2


def test_without_a_key_it_can_be_looked_into_and_says_so_when_it_would_embed(
    tmp_path: Path, server: Server
) -> None:
    imported(opened(tmp_path, server), tmp_path)
    memories = Memories.open(tmp_path / "store")
    memories.configure(Configuration())
    memory = memories.scope("mine")
    assert memory.search("bees") and memory.conversations()
    with pytest.raises(ModelError, match="There is no key for Gemini"):
        memory.ask(Ask("Who keeps bees?", 5))


def test_the_budget_of_the_day_holds_for_embedding_too(tmp_path: Path, server: Server) -> None:
    memory = opened(tmp_path, server)
    now = memory.models.configuration
    memory.models.configure(Configuration({}, now.addresses, {"day_tokens": 1}))
    with pytest.raises(BudgetExceeded, match="budget of this day"):
        imported(memory, tmp_path)
    assert (server.asked, memory.count().get("turn", 0)) == ([], 0)
