"""A memory of 100,000 contents, made up but shaped like a real one, written and asked through the product.

Cue degrees follow Zipf's law, a few hubs lead to a fifth of everything, vectors are random unit
vectors around topic centres. Only the time of store and router is measured, not of an embedder.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from memcore.events import Imported
from memcore.extraction import Extraction, FoundCue
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.records import Content, Cue, CueKind, Moment, Record, Relation, Tag, Turn, new_id

Row = dict[str, Any]
BATCH = 2_000
PAIRS = 8  # relations of a content
HUBS = 3
HUB_SHARE = 0.2
ASKED = 30


def bench_scale(contents: int) -> Iterator[Row]:
    """Writing, opening, memory, the first and the later steps at `contents` and at a tenth of it."""
    small = _measured(max(1_000, contents // 10))
    yield small
    large = _measured(contents)
    yield large
    growth = large["first step ms"] / max(small["first step ms"], 1e-9)
    yield {"growth of the first step for ten times the contents": round(growth, 2)}


def _measured(contents: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        written = write(path, contents)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            served = fresh.submit(_served, path).result()
        return {"contents": contents, "written contents/s": round(contents / written), **served}


def _served(path: Path) -> Row:
    """What a process that only opens and asks needs; run in a fresh one, so that its memory is its own."""
    start = time.perf_counter()
    memory = Memories.open(path).scope("scale")
    memory.snapshot()
    opened = time.perf_counter() - start
    first, later, capped = _asked(memory)
    return {
        "opens in s": round(opened, 2),
        "first step ms": round(float(np.median(first)), 1),
        "later steps ms": round(float(np.median(later)), 1),
        "later steps ms, 95 %": round(float(np.percentile(later, 95)), 1),
        "hub cues capped": capped,
        "peak memory MB": peak_memory(),
    }


def peak_memory() -> int | None:
    """Megabytes this process held at most; None on Windows, which does not count it so."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1 << 20) if sys.platform == "darwin" else peak // 1024


def _asked(memory: Memory) -> tuple[list[float], list[float], int]:
    """Milliseconds of first and later steps over questions that name a hub, a common and a rare cue."""
    graph = memory.snapshot().graph
    names = graph.columns.cue_names
    order = np.argsort(-graph.cue_degrees, kind="stable")
    rng = np.random.default_rng(3)
    first: list[float] = []
    later: list[float] = []
    capped = 0
    for turn in range(ASKED):
        chosen = [names[int(order[i % len(order)])] for i in (turn % HUBS, 50 + turn, 600 + turn)]
        cues = tuple(FoundCue(name, "topic", 0, 1) for name in chosen)
        vector = rng.standard_normal(graph.dimension, dtype=np.float32)
        terms = memory.term_hashes(chosen)
        vector /= np.linalg.norm(vector)
        question = Question(" ".join(chosen), vector, terms, Extraction(cues, (), ()), ())
        start = time.perf_counter()
        for event in memory.events(Ask(question.text, 20), question=question):
            if event.kind == "traversed":
                capped += len(event.capped)
            if event.kind == "judged":
                spent = (time.perf_counter() - start) * 1000
                (first if event.step == 1 else later).append(spent)
                start = time.perf_counter()
    return first[1:], later, capped


def write(path: Path, contents: int) -> float:
    """Seconds to write it. The first question's word index is part of opening, not of this."""
    memories = Memories.open(path)
    scope = memories.store.create_scope("scale")
    rng = np.random.default_rng(7)
    cues, tags = _names(rng, contents // 5 * 2, contents // 5 * 3, memories.embedder.dimension)
    start = time.perf_counter()
    group = new_id()
    scope.commit(Imported(group, 0), inserts=[*cues, *tags], group=group)
    for at in range(0, contents, BATCH):
        count = min(BATCH, contents - at)
        scope.commit(Imported(group, count), inserts=_batch(rng, at, count, cues, tags), group=group)
    scope.tidy()
    return time.perf_counter() - start


def _names(rng: np.random.Generator, cues: int, tags: int, dimension: int) -> tuple[list[Cue], list[Tag]]:
    kinds: tuple[CueKind, ...] = ("people", "entity", "location", "topic")
    vectors = _vectors(rng, cues + tags, dimension)
    made = [Cue(new_id(), f"cue{i}", f"cue{i}", kinds[i % 4], vectors[i]) for i in range(cues)]
    return made, [Tag(new_id(), f"tag{i}", f"tag{i}", vectors[cues + i]) for i in range(tags)]


def _batch(rng: np.random.Generator, at: int, count: int, cues: list[Cue], tags: list[Tag]) -> list[Record]:
    """Turns, their contents and relations; every fifth content hangs on each hub."""
    vectors = _vectors(rng, count, len(cues[0].vector if cues[0].vector is not None else ()))
    ranks = np.minimum(rng.zipf(1.15, (count, PAIRS)) + HUBS, len(cues) - 1)
    bridges = rng.integers(0, len(tags), (count, PAIRS))
    talk, began = new_id(), datetime(2024, 1, 1, tzinfo=UTC)
    records: list[Record] = []
    for i in range(count):
        said = began + timedelta(minutes=3 * (at + i))
        when = Moment(said, said, "instant", True)
        words = " ".join(cues[int(r)].name for r in ranks[i])
        turn = Turn(new_id(), talk, at + i, f"speaker{i % 2}", "", words, when, session=str((at + i) // 20))
        content = Content(
            new_id(), "turn", words, (turn.id,), talk, at + i, turn.speaker, when,
            session=turn.session, vector=vectors[i],
        )  # fmt: skip
        pairs = {(int(c), int(t)) for c, t in zip(ranks[i], bridges[i], strict=True)}
        if rng.random() < HUB_SHARE:
            pairs |= {(hub, int(bridges[i, 0])) for hub in range(HUBS)}
        records += [turn, content]
        records += [Relation(new_id(), cues[c].id, tags[t].id, content.id, turn.id) for c, t in sorted(pairs)]
    return records


def _vectors(rng: np.random.Generator, count: int, dimension: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Unit vectors around 200 centres, as texts of a few topics give."""
    centres = np.random.default_rng(1).standard_normal((200, dimension), dtype=np.float32)
    rows = centres[rng.integers(0, 200, count)] + 1.5 * rng.standard_normal(
        (count, dimension), dtype=np.float32
    )
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
