"""How long a correction takes in a large memory: single edits, a bulk edit, merging a hub, each undone.

The memory is that of `scale`. `seen again` is the time until the graph of the changed memory can be drawn.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from memcore.editing import Edit, Merge, Set, Who
from memcore.evaluation.limits import limit
from memcore.evaluation.scale import peak_memory, write
from memcore.memories import Memories
from memcore.memory import Memory

Row = dict[str, Any]
SCOPE = "scale"
TIMES = 25  # with their undos a whole cycle from one compaction to the next, by the settings
BULK = 5_000
SINGLE_MOST, BULK_MOST = 150, 5.0  # milliseconds for one edit or its undo, seconds for 5,000 relations
WHO = Who("bench")


def bench_edits(contents: int) -> Iterator[Row]:
    """A row per kind of edit, over a new memory of so many contents, and one for each limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        write(path, contents)
        yield from measured(Memories.open(path).scope(SCOPE))


def measured(memory: Memory) -> Iterator[Row]:
    """The same over a memory that is there; every edit is undone."""
    c = memory.snapshot().graph.columns
    degrees = memory.snapshot().graph.cue_degrees
    middle: list[int] = np.argsort(degrees, kind="stable")[len(degrees) // 2 :][: TIMES + 1].tolist()
    rare = [c.cue_ids[i] for i in middle]
    relation = memory.relations(rare[0])[0].id
    single: Mapping[str, Callable[[int], Edit]] = {
        "rename a cue": lambda n: Set("cue", (rare[n],), "name", f"a new name {n}"),
        "tag one relation": lambda n: Set("relation", (relation,), "tag", f"a new tag {n}"),
        "edit a text": lambda n: Set("content", (c.content_ids[n],), "text", f"Other words, {n}."),
    }
    for name, edit in single.items():
        yield (row := _single(memory, name, edit))
        yield limit(f"{name}, or its undo, in ms", max(row["edit ms"], row["undo ms"]), SINGLE_MOST)
    yield from _bulk(memory)


def _single(memory: Memory, name: str, edit: Callable[[int], Edit]) -> Row:
    """Medians, and what nine of ten edits stay under; the first, which loads the model that embeds, is not
    counted."""
    spent: list[list[float]] = []
    for n in range(TIMES + 1):
        steps = [lambda n=n: memory.edit(edit(n), WHO), memory.snapshot, memory.undo, memory.snapshot]
        spent.append([1000 * _seconds(step) for step in steps])
    names = ("edit ms", "seen again ms", "undo ms", "seen again after undo ms")
    medians, most = np.quantile(np.array(spent[1:]), (0.5, 0.9), axis=0)
    row = {of: round(float(ms)) for of, ms in zip(names, medians, strict=True)}
    return {"edit": name, **row, "nine of ten edits ms": round(float(most[0]))}


def _bulk(memory: Memory) -> Iterator[Row]:
    graph = memory.snapshot().graph
    order = np.argsort(-graph.cue_degrees, kind="stable")
    ids = graph.columns.cue_ids
    hub, other = (ids[int(i)] for i in order[:2])
    some = tuple(r.id for r in memory.relations(hub)[:BULK])
    name = f"tag {len(some):,} relations"
    yield (row := _long(memory, name, Set("relation", some, "tag", "a tag for all")))
    yield limit(f"{name}, or its undo, in s", max(row["edit s"], row["undo s"]), BULK_MOST)
    degree = int(graph.cue_degrees[order[0]])
    yield _long(memory, f"merge a hub of {degree:,} relations", Merge("cue", (hub,), other))


def _long(memory: Memory, name: str, edit: Edit) -> Row:
    steps: list[tuple[int, int]] = []
    spent = _seconds(lambda: steps.extend(memory.editor.apply(edit, WHO)))
    undone = _seconds(memory.undo)
    return {
        "edit": name,
        "edit s": round(spent, 2),
        "undo s": round(undone, 2),
        "commits": len(steps),
        "peak memory MB": peak_memory(),
    }


def _seconds(do: Callable[[], Any]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start
