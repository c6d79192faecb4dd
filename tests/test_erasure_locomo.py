"""Erasing one person of a real conversation leaves the other's memories, and what is known of the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memcore.editing import Who
from memcore.erasure import Receipt, Wanted
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import fold

BUDGET = 20


@pytest.fixture(scope="module")
def sample(shared_data: Path) -> dict[str, Any]:
    samples = shared_data / "locomo" / "locomo6.json"
    if not samples.is_file():
        pytest.skip("locomo/locomo6.json is not among the shared real-world files")
    return json.loads(samples.read_text("utf-8"))[0]


@pytest.fixture(scope="module")
def memory(sample: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("locomo")
    file = folder / "one.json"
    file.write_text(json.dumps([sample]), "utf-8")
    memory = Memories.open(folder / "store", embedder="none").scope("one", create=True)
    list(memory.import_path(file, mode="eager"))
    return memory


def spoken(memory: Memory) -> dict[str, tuple[str, str]]:
    """Source -> who said it, and what."""
    turns = [t for talk in memory.conversations() for t in memory.turns(talk.id)]
    return {t.source: (t.speaker, t.text) for t in turns}


def read_for(memory: Memory, question: str) -> set[str]:
    """The sources of the turns that a reconstruction reads."""
    state = fold(memory.events(Ask(question, BUDGET)))
    return {getattr(t, "source", "") for t in memory.get(state.turns).values()}


def about(sample: Mapping[str, Any], speakers: Mapping[str, str], who: str) -> Iterator[tuple[str, set[str]]]:
    """Questions whose whole evidence this person said."""
    for qa in sample["qa"]:
        gold = {e for e in qa["evidence"] if e in speakers}
        if gold and all(speakers[e] == who for e in gold) and who in qa["question"]:
            yield qa["question"], gold


def test_one_person_goes_and_the_other_is_still_known(sample: dict[str, Any], memory: Memory) -> None:
    gone, stays = sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]
    before = spoken(memory)
    asked = list(about(sample, {s: who for s, (who, _) in before.items()}, stays))[:25]
    found = {q: read_for(memory, q) & gold for q, gold in asked}
    receipt = _erased(memory, gone)
    assert receipt.ok, [c for c in receipt.checks if not c.ok]
    assert spoken(memory) == {s: said for s, said in before.items() if said[0] == stays}
    assert receipt.counts["rebuild"]["content"] > 0  # episodes of both are written again
    derived = memory.erasure.scope.derived()
    assert derived and not [c for c in derived if f"{gone}:" in c.text]
    again = {q: read_for(memory, q) & gold for q, gold in asked}
    lost = sum(len(found[q] - again[q]) for q in found)
    assert sum(map(len, again.values())) >= sum(map(len, found.values()))
    assert lost <= 0.05 * sum(map(len, found.values()))


def _erased(memory: Memory, person: str) -> Receipt:
    planned = memory.erasure.plan(memory.erasure.find(Wanted(person=person)).hits)
    *_, last = memory.erasure.erase(planned, Who("officer", "a request"))
    assert last.receipt is not None
    return last.receipt
