"""Recorded vectors open the first sample quickly, and change nothing about what is stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memcore import samples
from memcore.llm.offline.choose import embedder_named
from memcore.llm.protocols import Embedder
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.samples.recorded import Recorded, Recorder, Rows

FIRST = samples.SAMPLES[0]


class Counting:
    """The default embedder's name over rows that tell how often it was asked."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.fingerprint, self.dimension = embedder.name, embedder.fingerprint, embedder.dimension
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> Rows:
        self.asked += texts
        return np.full((len(texts), self.dimension), self.dimension**-0.5, dtype=np.float32)

    def covers(self, text: str) -> bool:
        return bool(text)


@pytest.fixture(scope="module")
def default() -> Embedder:
    return embedder_named("multilingual")


def test_the_recording_was_made_with_the_default_embedder_and_holds_nearly_every_text(
    default: Embedder, tmp_path: Path
) -> None:
    counting = Counting(default)
    opened = Memories.open(tmp_path)
    recorded = Recorded(counting, samples.vectors(FIRST))  # type: ignore[arg-type]
    memory = Memory(opened.store.create_scope(FIRST.name), recorded, opened.settings)
    list(memory.import_path(samples.folder() / f"{FIRST.stem}.jsonl"))
    graph = memory.snapshot().graph
    vectors = sum(map(len, (graph.columns.cue_ids, graph.columns.tag_ids, graph.columns.content_ids)))
    assert len(counting.asked) < 0.1 * vectors, "make it again: python -m memcore.samples"


def test_a_recorded_row_is_what_the_embedder_gives(default: Embedder) -> None:
    recorded = Recorded(default, samples.vectors(FIRST))
    text = "barometer"
    assert recorded.holds(text)
    row = recorded.embed([text])[0]
    assert np.linalg.norm(row) == pytest.approx(1)
    assert float(row @ default.embed([text])[0]) == pytest.approx(1, abs=1e-5)


def test_a_text_that_was_not_recorded_goes_to_the_embedder(default: Embedder, tmp_path: Path) -> None:
    counting = Counting(default)
    recorder = Recorder(counting)  # type: ignore[arg-type]
    recorder.embed(["one", "two"])
    recorder.save(tmp_path / "own.npz")
    recorded = Recorded(counting, tmp_path / "own.npz")  # type: ignore[arg-type]
    counting.asked.clear()
    assert recorded.embed(["two", "three", "one"]).shape == (3, default.dimension)
    assert counting.asked == ["three"]


def test_a_recording_of_another_embedder_is_not_used(default: Embedder, tmp_path: Path) -> None:
    counting = Counting(default)
    recorder = Recorder(counting)  # type: ignore[arg-type]
    recorder.embed(["one"])
    recorder.save(tmp_path / "own.npz")
    counting.fingerprint = "other weights"
    assert not Recorded(counting, tmp_path / "own.npz").holds("one")  # type: ignore[arg-type]
    assert not Recorded(counting, tmp_path / "absent.npz").holds("one")  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", samples.RECORDED[1:], ids=lambda s: s.stem)
def test_topics_recur_in_the_samples_written_for_it_and_single_mentions_stay_raw(
    default: Embedder, tmp_path: Path, sample: samples.Sample
) -> None:
    opened = Memories.open(tmp_path)
    recorded = Recorded(default, samples.vectors(sample))
    memory = Memory(opened.store.create_scope(sample.name), recorded, opened.settings)
    list(memory.import_path(samples.folder() / f"{sample.stem}.jsonl"))
    units = memory.recurrence.units()
    outcomes = [u.decision.outcome for u in units if u.decision]
    assert outcomes.count("consolidated") >= 3 and outcomes.count("merged") >= 2
    assert sum(u.state == "live" for u in units) > len(units) / 2
    assert memory.recurrence.facts()
    assert all(recorded.holds(c.text) for c in memory.recurrence.episodes()), "python -m memcore.samples"
