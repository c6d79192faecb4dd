"""What people did to memories that recur, and what must hold all the same."""

from __future__ import annotations

from dataclasses import fields
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recurring_memory import THETA, TOPICS, brought_in, everything, lines, opened

from memcore.editing import Set, Who
from memcore.errors import InputError
from memcore.graph import Columns
from memcore.memory import Memory

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
