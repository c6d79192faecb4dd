"""The replies that ship with the first sample memory: written by people, marked so, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcore import samples
from memcore.llm.recording import kept
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.at_work import SCRIPTED
from memcore.prompted import replied
from memcore.reconstruction import Ask
from memcore.run_state import State, fold
from memcore.samples.recorded import Recorded
from memcore.samples.replies import SCRIPTS, Script
from memcore.store.folder import REPLIES

FILE = samples.folder() / REPLIES


def filled(folder: Path, embedder: str) -> Memory:
    memories = Memories.open(folder, embedder=embedder)
    sample = samples.SAMPLES[0]
    scope = memories.store.create_scope(sample.name)
    reads = Recorded(memories.embedder, samples.vectors(sample)) if embedder != "none" else memories.embedder
    list(Memory(scope, reads, memories.settings).import_path(samples.folder() / f"{sample.stem}.jsonl"))
    return memories.scope(sample.name)


@pytest.fixture(scope="module", params=["none", "multilingual"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return filled(tmp_path_factory.mktemp("sample"), request.param)


def replayed(memory: Memory, script: Script) -> State:
    return fold(memory.ask(Ask(script.question, memory.settings.budget, model=f"recorded/{SCRIPTED}")))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.question[:30])
def test_a_sample_question_is_answered_out_of_the_recorded_replies(memory: Memory, script: Script) -> None:
    state = replayed(memory, script)
    assert {asked.outcome for asked in state.models} == {"ok"}
    assert {asked.model for asked in state.models} == {SCRIPTED}
    texts = memory.texts(state.evidence)
    assert all(any(words in text for text in texts.values()) for words in script.evidence)
    if script.answer:
        (asked,) = [a for a in state.models if a.role == "answer"]
        told = replied(memory, asked)
        assert told is not None
        assert told["answer"] == script.answer
    assert memory.models.log.entries() == []


def test_every_reply_is_marked_as_written_by_people() -> None:
    (of,) = kept(FILE)
    assert (of.model, of.scripted) == (SCRIPTED, of.replies)


def test_what_the_scripts_say_is_in_the_questions_of_the_sample() -> None:
    known = {q["question"] for q in samples.questions(samples.SAMPLES[0].name)}
    assert {script.question for script in SCRIPTS} <= known
