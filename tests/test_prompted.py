"""A prompt is looked up again from the ids that were shown, and what a model wrote from the replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asked_memory import MODEL, asked_memory
from llm_server import Asked, Server
from scripted_model import playing

from memcore.editing import Who
from memcore.erasure import Hit
from memcore.events import TraceEvent, dump
from memcore.llm.prompts.route import NO_LONGER_KEPT
from memcore.llm.recording import hashed
from memcore.prompted import answer_text, replied, shown
from memcore.reconstruction import Ask
from memcore.records import Content

QUESTION = "What did Felix teach Ann?"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply=playing()) as started:
        yield started


def asked_of(events: list[TraceEvent]) -> list[Any]:
    return [e for e in events if e.kind == "model_asked"]


def answered(events: list[TraceEvent]) -> Any:
    return next(e for e in events if e.kind == "answered")


def test_every_prompt_of_a_stored_run_is_made_again_word_for_word(tmp_path: Path, server: Server) -> None:
    memory = asked_memory(tmp_path, server)
    run = memory.ask(Ask(QUESTION, 9))
    list(run)
    header, events = memory.trace(run.header.id)
    told = asked_of(events)
    assert len(told) == len(server.asked) > 5
    for event, sent in zip(told, server.asked, strict=True):
        again = shown(memory, header.question, event)
        assert again.verbatim
        assert again.prompt.instructions == sent.instructions
        assert again.prompt.data.splitlines()[1:-1] == sent.data.splitlines()[1:-1]


def test_a_trace_holds_no_text_of_prompt_or_answer(tmp_path: Path, server: Server) -> None:
    memory = asked_memory(tmp_path, server)
    events = list(memory.ask(Ask(QUESTION, 9)))
    stored = json.dumps([dump(e) for e in events])
    texts = memory.texts(memory.snapshot().graph.columns.content_ids).values()
    assert not [t for t in (*texts, "glaze a bowl", "Felix", "Saffron", "pottery") if t in stored]


def test_each_run_shows_what_was_answered_in_it_though_the_same_prompt_was_answered_again(
    tmp_path: Path, server: Server
) -> None:
    memory = asked_memory(tmp_path, server)
    first = list(memory.ask(Ask(QUESTION, 9)))
    server.reply = playing(answer=lambda asked: {"found": True, "answer": "To sail.", "cites": [1]})
    second = list(memory.ask(Ask(QUESTION, 9)))
    server.reply = playing(answer=lambda asked: {"found": False, "answer": "It is 42.", "cites": [0]})
    third = list(memory.ask(Ask(QUESTION, 9)))
    runs = [answered(events) for events in (first, second, third)]
    assert len({a.prompt for a in runs}) == 1
    assert [answer_text(memory, a) for a in runs] == ["To glaze a bowl.", "To sail.", ""]
    assert [len(a.sentences) for a in runs] == [1, 1, 0]
    old = replace(runs[0], reply="")  # of a trace that named no reply: the last one
    assert replied(memory, old) == {"found": False, "answer": "It is 42.", "cites": [0]}


def test_an_answer_that_was_under_way_during_an_erasure_is_not_written_down(
    tmp_path: Path, server: Server
) -> None:
    memory = asked_memory(tmp_path, server)
    retold = answered(list(memory.ask(Ask(QUESTION, 9)))).sentences[0].content_id
    content = memory.get([retold])[retold]
    assert isinstance(content, Content)
    plan = memory.erasure.plan([Hit(content.origin[0], "turn", "whole", "turn")])

    def answering(asked: Asked) -> Any:
        list(memory.erasure.erase(plan, Who("officer")))
        return {"found": True, "answer": "Felix glazed the quillbowl.", "cites": [0]}

    server.reply = playing(answer=answering)
    last = answered(list(memory.ask(Ask(QUESTION, 9))))
    assert (last.made_by, last.reply, answer_text(memory, last)) == ("model", "", None)
    files = [p for p in (tmp_path / "store").rglob("*") if p.is_file()]
    assert not [p for p in files if b"quillbowl" in p.read_bytes()]
    server.reply = playing()
    later = answered(list(memory.ask(Ask(QUESTION, 9))))
    assert answer_text(memory, later) == "To glaze a bowl."


def test_the_answer_is_kept_with_the_replies_and_gone_after_an_erasure(
    tmp_path: Path, server: Server
) -> None:
    memory = asked_memory(tmp_path, server)
    events = list(memory.ask(Ask(QUESTION, 9)))
    last = answered(events)
    assert (last.made_by, last.model) == ("model", MODEL)
    assert answer_text(memory, last) == "To glaze a bowl."
    assert replied(memory, asked_of(events)[-1]) == {
        "found": True, "answer": "To glaze a bowl.", "cites": [0],
    }  # fmt: skip
    assert replied(memory, asked_of(events)[0]) is None, "other replies are recorded only on request"
    erased = last.sentences[0].content_id
    content = memory.get([erased])[erased]
    assert isinstance(content, Content)
    plan = memory.erasure.plan([Hit(content.origin[0], "turn", "whole", "turn")])
    list(memory.erasure.erase(plan, Who("officer")))
    assert answer_text(memory, last) is None
    again = shown(memory, QUESTION, asked_of(events)[-1])
    assert not again.verbatim and NO_LONGER_KEPT in again.prompt.data


def test_a_trace_names_prompts_under_the_stores_key_so_that_nobody_can_test_guesses(
    tmp_path: Path, server: Server
) -> None:
    names = list[list[str]]()
    for place in ("one", "other"):
        memory = asked_memory(tmp_path / place, server)
        events = list(memory.ask(Ask(QUESTION, 9)))
        told = [*asked_of(events), answered(events)]
        stored = json.dumps([dump(e) for e in events])
        assert not [e for e in asked_of(events) if hashed(shown(memory, QUESTION, e).prompt) in stored]
        names.append([e.prompt for e in told])
    assert names[0] and {*names[0]}.isdisjoint(names[1])
