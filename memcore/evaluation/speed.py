"""Speed as ratios and budgets: importing against embedding alone, zero-model import, one reconstruction."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memcore.evaluation.absorbing import absorbing, spoken_units
from memcore.importing import FileReport
from memcore.llm.offline.choose import embedder_named
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Content
from memcore.settling import settle

Row = dict[str, Any]
QUESTIONS = 60
ROUNDS = 3  # the quickest of each counts: what else runs on the machine only ever adds


def bench_speed(file: Path) -> Iterator[Row]:
    """Import time over the time that embedding the same texts takes alone; turns/s; ms a reconstruction;
    what absorbing a unit costs beside embedding and storing it."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [_import_and_alone(Path(folder) / str(n), file) for n in range(ROUNDS)]
        memory, turns = runs[0].memory, runs[0].turns
        seconds, alone = min(r.seconds for r in runs), min(r.alone for r in runs)
        yield {
            "import": f"{turns / seconds:,.0f} turns/s",
            "embedding alone": f"{turns / alone:,.0f} turns/s",
            "ratio": round(seconds / alone, 2),
        }
        yield _reconstruction(memory, file)
        yield from absorbing(memory)
        _, seconds, turns = _timed_import(Path(folder) / "none", file, "none")
        yield {"import, zero-model": f"{turns / seconds:,.0f} turns/s"}


class Round(NamedTuple):
    """One import and, right after it, the embedding of its texts alone; seconds of each."""

    memory: Memory
    turns: int
    seconds: float
    alone: float


def _import_and_alone(folder: Path, file: Path) -> Round:
    memory, seconds, turns = _timed_import(folder, file, "multilingual")
    return Round(memory, turns, seconds, _embedding_alone(memory))


def _timed_import(folder: Path, file: Path, embedder: str) -> tuple[Memory, float, int]:
    memories = Memories.open(folder, embedder=embedder)
    if memories.embedder.dimension:
        memories.embedder.embed(["warm"])
    memory = memories.scope("bench", create=True)
    settle()
    start = time.perf_counter()
    reports = [step for step in memory.import_path(file) if isinstance(step, FileReport)]
    return memory, time.perf_counter() - start, sum(r.turns_written for r in reports)


def _embedding_alone(memory: Memory) -> float:
    """Seconds to embed the very texts that the import embedded: contents, units, cues but times, tags."""
    c = memory.snapshot().graph.columns
    found = memory.get(c.content_ids).values()
    texts = [r.spoken for r in found if isinstance(r, Content)]
    names = [n for n, kind in zip(c.cue_names, c.cue_kinds, strict=True) if kind != "time"]
    model = embedder_named("multilingual")
    model.embed(["warm"])
    start = time.perf_counter()
    for batch in (texts, spoken_units(memory, memory.recurrence.units()), names, c.tag_names):
        model.embed(batch)
    return time.perf_counter() - start


def _reconstruction(memory: Memory, file: Path) -> Row:
    """One reconstruction at budget 20, question prepared, over the whole file as one memory."""
    samples: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    texts = [str(q["question"]) for s in samples for q in s.get("qa", [])][:: max(1, QUESTIONS // 2)][
        :QUESTIONS
    ]
    asked = [(t, memory.prepared(t)) for t in texts]
    spent: list[float] = []
    for text, question in asked:
        start = time.perf_counter()
        list(memory.events(Ask(text, 20), question=question))
        spent.append((time.perf_counter() - start) * 1000)
    return {"reconstruction at budget 20": f"{np.median(spent):.1f} ms median, {max(spent):.1f} ms most"}
