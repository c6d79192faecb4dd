"""A model reads two turns at once: what only one of them said is no handle of the other, in no case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from llm_server import Act, Server, model_at
from secrets_said import OFFICER, erased
from veiled_memory import contents_of, turn_of, viewer

from memcore.absorbing.handles import Handles
from memcore.editing import Set
from memcore.editing.corrections import Overlay
from memcore.erasure import Hit, Wanted
from memcore.events import Ran
from memcore.importing import DraftTurn
from memcore.llm.model_extractor import ModelExtractor
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.working import Work
from memcore.records import Content, Cue, Tag, new_id

TOLD = {
    "text": "Vexmar told Bo that she has lupuszine.",
    "cues": [{"name": "Vexmar", "kind": "people"}, {"name": "Bo", "kind": "people"}],
    "pairs": [
        {"cue": 0, "tag": "lupuszine diagnosis"},
        {"cue": 0, "tag": "sorry for a patient"},
        {"cue": 1, "tag": "comforted lupuszine patient"},
        {"cue": 1, "tag": "sorry friend"},
    ],
    "facts": [],
    "event": None,
}
BREAD = {
    "text": "They spoke of bread.",
    "cues": [{"name": "bread", "kind": "entity"}],
    "pairs": [{"cue": 0, "tag": "baking bread"}],
    "facts": [],
    "event": None,
}
SAID = [
    DraftTurn("Vexmar", "user", "The doctors say it is lupuszine."),
    DraftTurn("Bo", "assistant", "Oh Vexmar, I am so sorry, my friend."),
    DraftTurn("Bo", "assistant", "I am baking bread."),
    DraftTurn("Vexmar", "assistant", "Nice bread."),
]


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory that a model built, two turns at a time."""
    with Server() as server:
        server.script = [Act("ok", json.dumps(reply)) for reply in (TOLD, BREAD)]
        reader: Any = lambda _, rules: ModelExtractor(model_at(server), rules)  # noqa: E731
        monkeypatch.setattr(Work, "extractor", reader)
        memory = Memories.open(tmp_path, embedder="none").scope("ann", create=True)
        memory.absorb("chat", SAID, mode="eager")
    return memory


def tags(memory: Memory) -> set[str]:
    return {*memory.snapshot().graph.columns.tag_names}


def tags_of(memory: Memory, turn: str) -> set[str]:
    """The tags that lead to the turn itself."""
    columns = memory.snapshot().graph.columns
    names = dict(zip(columns.tag_ids, columns.tag_names, strict=True))
    contents = {c.id for c in memory.get(columns.content_ids).values() if isinstance(c, Content)}
    led = memory._scope.relations_of(turn, end="turn_id")
    retold = {i for i, c in memory.get(contents).items() if isinstance(c, Content) and c.layer == "episode"}
    return {names[r.tag_id] for r in led if r.content_id not in retold}


def everything_said(memory: Memory) -> str:
    graph = memory.snapshot().graph.columns
    contents = memory.texts(graph.content_ids).values()
    return " ".join((*graph.cue_names, *graph.tag_names, *contents)).lower()


def test_a_tag_leads_to_a_turn_that_says_a_word_of_it_and_none_of_its_neighbour_alone(memory: Memory) -> None:
    first, second = turn_of(memory, "doctors").id, turn_of(memory, "sorry").id
    assert "lupuszine diagnosis" in tags_of(memory, first)
    assert "sorry for a patient" not in tags_of(memory, first)
    assert {"sorry for a patient", "sorry friend"} == tags_of(memory, second)
    assert "comforted lupuszine patient" in tags(memory)


def test_nothing_that_only_an_erased_turn_said_is_left_at_its_neighbour(memory: Memory) -> None:
    secret = turn_of(memory, "doctors")
    assert "lupuszine" in everything_said(memory)
    receipt = erased(memory, [Hit(secret.id, "turn", "whole", "named")])
    assert receipt.ok and "lupuszine" not in everything_said(memory)
    assert {"sorry friend", "baking bread"} <= tags(memory) and "sorry for a patient" not in tags(memory)
    assert memory.erasure.find(Wanted(text="lupuszine")).hits == ()


def test_nor_is_it_left_at_a_fact_that_its_tag_was_handed_on_to(memory: Memory) -> None:
    secret, other = turn_of(memory, "doctors"), turn_of(memory, "sorry")
    said = next(c for c in contents_of(memory, other.id) if c.layer == "turn")
    fact = replace(said, id=new_id(), layer="fact", text="Vexmar is a friend.", made_by="rule", vector=None)
    read = [r for r in memory._scope.relations_of(other.id, end="turn_id") if r.content_id == said.id]
    found = memory.get({i for r in read for i in (r.cue_id, r.tag_id)})
    nodes = {i: n for i, n in found.items() if isinstance(n, Cue | Tag)}
    handed_on = Handles(Overlay(()), nodes).of(fact, read)
    assert "sorry for a patient" in {nodes[r.tag_id].name for r in handed_on}
    memory._scope.commit(Ran("", 2), inserts=[fact, *handed_on])
    erased(memory, [Hit(secret.id, "turn", "whole", "named")])
    assert fact.id in memory.get([fact.id]) and "patient" not in everything_said(memory)


def test_a_topic_goes_with_the_last_turn_that_says_its_name(memory: Memory) -> None:
    secret, other = turn_of(memory, "doctors"), turn_of(memory, "sorry")
    known = next(c for c in memory.get(memory.snapshot().graph.columns.content_ids).values())
    assert isinstance(known, Content)
    both = (secret.id, other.id)
    named, kept = (
        replace(known, id=new_id(), layer="topic", text=name, origin=both, made_by="rule", vector=None)
        for name in ("lupuszine", "Sorry friends")
    )
    memory._scope.commit(Ran("", 2), inserts=[named, kept])
    plan = memory.erasure.plan([Hit(secret.id, "turn", "whole", "named")])
    assert {t.id: t.what for t in plan.touched if t.id in (named.id, kept.id)} == {
        named.id: "erase", kept.id: "rebuild",
    }  # fmt: skip


def test_nothing_that_only_a_withheld_turn_said_is_seen_at_its_neighbour(memory: Memory) -> None:
    secret = turn_of(memory, "doctors")
    content = next(
        c
        for c in memory.get(memory.snapshot().graph.columns.content_ids).values()
        if isinstance(c, Content) and c.origin == (secret.id,)
    )
    memory.edit(Set("content", (content.id,), "sensitivity", 2), OFFICER)
    seen = memory.seen_by(viewer(0))
    assert "lupuszine" not in everything_said(seen) and "patient" not in everything_said(seen)
    assert {"sorry friend", "baking bread"} <= tags(seen)
    assert "patient" in everything_said(memory)
