"""What people did to memories that recur, and what must hold all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recurring_memory import (
    THETA,
    TOPICS,
    Topical,
    brought_in,
    everything,
    line,
    lines,
    opened,
    shown,
    sound,
)

from memcore.editing import Set, Who
from memcore.errors import InputError
from memcore.graph import Columns
from memcore.llm.offline.writer import ExtractiveWriter
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.writing import EpisodeDraft, Passage, Reply

ANN = Who("Ann")


def read_anew(memory: Memory) -> None:
    """The graph at hand is the one that the store gives."""
    at_hand, whole = memory.snapshot().graph.columns, memory._scope.columns()
    for name in (f.name for f in fields(Columns)):
        assert np.array_equal(getattr(at_hand, name), getattr(whole, name)), name


def test_a_graph_forgets_the_turns_of_a_merge_that_was_taken_back(tmp_path: Path) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(TOPICS[:2] * 4))
    brought_in(memory, tmp_path, lines(TOPICS[:2] * 2, "another", first=30))
    episode = memory.recurrence.episodes()[0].id
    graph = memory.snapshot().graph
    turns = graph.turns_of(graph.content_index[episode])
    memory.undo()
    graph = memory.snapshot().graph
    left = graph.turns_of(graph.content_index[episode])
    assert 0 < len(left) < len(turns) and len(memory.get(left)) == len(left)
    read_anew(memory)


def test_a_graph_knows_the_turns_that_a_generation_merged_into_a_corrected_episode(tmp_path: Path) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(TOPICS[:1] * 4))
    brought_in(memory, tmp_path, lines(TOPICS[1:2] * 2, "another", first=30))
    episode = memory.recurrence.episodes()[0]
    memory.edit(Set("content", (episode.id,), "text", f"{TOPICS[0]} and {TOPICS[1]} by hand"), ANN)
    read_anew(memory)
    *_, last = memory.recurrence.apply(THETA._replace(theta_count=9, merge=0.3))
    assert len(memory.recurrence.episodes()[0].units) == 6
    read_anew(memory)
    memory.undo(last.group)
    read_anew(memory)


@pytest.mark.parametrize(
    "wrong", [{"theta_sim": nan}, {"merge": nan}, {"merge": inf}, {"theta_count": 0}, {"collect": 0}]
)
def test_thresholds_that_nothing_can_be_measured_by_are_refused(tmp_path: Path, wrong: Any) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(TOPICS[:2] * 3))
    before = everything(memory)
    with pytest.raises(InputError):
        memory.recurrence.foresee(THETA._replace(**wrong))
    with pytest.raises(InputError):
        memory.recurrence.apply(THETA._replace(**wrong))
    assert everything(memory) == before and memory.recurrence.thresholds == THETA


@pytest.mark.parametrize("share", [-0.1, 1.5, nan])
def test_a_share_that_is_none_is_refused(tmp_path: Path, share: float) -> None:
    memory = opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(TOPICS[:2] * 3))
    with pytest.raises(InputError):
        memory.recurrence.calibrated(share)


@dataclass(frozen=True, slots=True)
class Asked(ExtractiveWriter):
    """While it writes, somebody asks the same memory."""

    memory: list[Memory] = field(default_factory=list[Memory])
    read: list[int] = field(default_factory=list[int])

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        asked = self.memory[0].events(Ask(TOPICS[0], 20, strategy="recmem"))
        self.read.append(sum(e.kind == "opened" for e in asked))
        return ExtractiveWriter.consolidate(self, passages)


def test_who_asks_while_others_import_changes_nothing_of_what_is_absorbed(tmp_path: Path) -> None:
    said = lines([TOPICS[i % 3] for i in range(30)])
    memory, alone = (opened(tmp_path / name, import_batch=8) for name in ("asked", "alone"))
    writer = memory._absorption.writer = Asked(memory=[memory])
    for each in (memory, alone):
        brought_in(each, tmp_path, said)
    assert len(writer.read) >= 3
    assert shown(memory) == shown(alone)
    sound(memory, tmp_path / "asked")


@dataclass(frozen=True)
class Counting(Topical):
    """Keeps what it embeds."""

    seen: list[str] = field(default_factory=list[str])

    def embed(self, texts: Sequence[str]) -> Any:
        self.seen.extend(texts)
        return Topical.embed(self, texts)


def test_an_episode_that_a_merge_leaves_as_it_was_is_not_embedded_again(tmp_path: Path) -> None:
    memory = opened(tmp_path / "store")
    embedder = memory._absorption.embedder = Counting()
    same = [line("Ann", f"I like {TOPICS[0]}.", "talk", str(i)) for i in range(80)]
    brought_in(memory, tmp_path, same)
    (episode,) = memory.recurrence.episodes()
    assert len(episode.units) == 40
    assert embedder.seen.count(episode.text) < 20
    sound(memory, tmp_path / "store")
