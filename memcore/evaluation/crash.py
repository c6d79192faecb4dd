"""kill -9 during imports and reconstructions, and what must hold afterwards.

After every kill the store opens, the doctor is content once harmless leftovers are repaired, what was
committed is still there, and doing the same again completes it with nothing doubled. The kills are
aimed in turn at every stage: opening, commits, compactions, trace steps, and between them.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcore.evaluation.clue_tree import ClueTree, as_lines, clue_tree
from memcore.evaluation.killing import Work, kill_in, opened, rehearse
from memcore.evaluation.rows import Row
from memcore.importing import FileReport
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.run_state import fold
from memcore.store.doctor import examine, repair

IMPORTING = ("commit", "compaction", "between", "opening", "commit")
ASKING = ("trace append", "compaction", "trace end", "between", "trace append")
RUNS = 12  # questions of one process: enough for the traces to be compacted
LEFTOVERS = {"running_trace", "leftover_file", "orphan_table", "missing_index"}
NEWEST = 20  # traces read again after each kill


@dataclass(frozen=True, slots=True)
class Killed:
    """One kill: in which stage it fell, what it left to repair, and what was wrong (nothing may be)."""

    work: str
    during: str
    left: tuple[str, ...]
    wrong: tuple[str, ...]


def bench_crash(kills: int) -> Iterator[Row]:
    """Half of the kills fall into imports, half into reconstructions: one row each, and one that sums up."""
    found: list[Killed] = []
    with tempfile.TemporaryDirectory() as folder:
        for work in (killed_imports, killed_runs):
            share = kills // 2 if work is killed_runs else kills - kills // 2
            killed = list(work(Path(folder) / work.__name__, share))
            found += killed
            yield _summary(killed)
    wrong = [sentence for one in found for sentence in one.wrong]
    yield {"kills": len(found), "with something wrong": sum(bool(k.wrong) for k in found), "what": wrong[:5]}


def killed_imports(folder: Path, kills: int, seed: int = 1) -> Iterator[Killed]:
    """Import one file into a new store, kill that, look, and import again to complete it."""
    folder.mkdir(parents=True, exist_ok=True)
    tree, rng = clue_tree(depth=2, seed=seed, turns=0), random.Random(seed)
    file = _written(tree, folder / "story.jsonl")
    work = Work("import", str(file))
    marks = rehearse(folder / "rehearsal", work)
    for number in range(kills):
        store = folder / f"store {number}"
        during = kill_in(IMPORTING[number % len(IMPORTING)], store, work, marks, rng)
        left, wrong = looked_over(store)
        yield Killed("import", during, left, (*wrong, *completed(opened(store), file, tree), *_clean(store)))


def killed_runs(folder: Path, kills: int, seed: int = 2) -> Iterator[Killed]:
    """Ask one memory again and again, and kill that: the traces tell how far each run came."""
    folder.mkdir(parents=True, exist_ok=True)
    tree, rng = clue_tree(depth=2, seed=seed, turns=0), random.Random(seed)
    store = folder / "store"
    list(opened(store).import_path(_written(tree, folder / "story.jsonl")))
    before = opened(store).count()
    work = Work("ask", tree.question, RUNS)
    marks = rehearse(store, work)
    for number in range(kills):
        during = kill_in(ASKING[number % len(ASKING)], store, work, marks, rng)
        left, wrong = looked_over(store)
        memory = opened(store)
        if memory.count() != before:
            wrong = (*wrong, "a reconstruction changed the memory")
        yield Killed("ask", during, left, (*wrong, *_traces(memory), *_clean(store)))


def _written(tree: ClueTree, path: Path) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in as_lines(tree)), "utf-8")
    return path


def looked_over(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the kill left and was repaired, and whatever is more than a harmless leftover."""
    opened(folder)
    store = Memories.open(folder, embedder="none").store
    found = [f.problem for f in examine(store) if not f.harmless]
    remaining = [f.problem for f in repair(store) if not f.harmless]
    wrong = [f"found {p}" for p in found if p not in LEFTOVERS] + [f"not repaired: {p}" for p in remaining]
    return tuple(found), tuple(wrong)


def _clean(folder: Path) -> list[str]:
    store = Memories.open(folder, embedder="none").store
    return [f"in the end {f.problem}" for f in examine(store) if not f.harmless]


def completed(memory: Memory, file: Path, tree: ClueTree) -> Iterator[str]:
    """What is wrong after a second import."""
    before = memory.count().get("turn", 0)
    report = next(s for s in memory.import_path(file) if isinstance(s, FileReport))
    if report.turns_known != before:
        yield f"{before} turns were there, {report.turns_known} were recognised"
    talks = memory.conversations()
    sources = [turn.source for talk in talks for turn in memory.turns(talk.id)]
    if sorted(sources) != sorted(turn.id for turn in tree.turns):
        yield f"{len(sources)} turns instead of {len(tree.turns)}, {len(set(sources))} different ones"
    if [talk.turns for talk in talks] != [len(tree.turns)]:
        yield f"{len(talks)} conversations instead of one, or one with a wrong count"
    yield from _doubled(memory)


def _doubled(memory: Memory) -> Iterator[str]:
    columns = memory.snapshot().graph.columns
    for kind, keys in (("cues", columns.cue_keys), ("tags", columns.tag_keys)):
        if len(keys) != len(set(keys)):
            yield f"{kind} are doubled"
    relations = list(zip(*(r.tolist() for r in _ends(memory)), strict=True))
    if len(relations) != len(set(relations)):
        yield "relations are doubled"
    if len(columns.content_ids) < memory.count().get("turn", 0):
        yield "a turn has no content"


def _ends(memory: Memory) -> tuple[Any, Any, Any]:
    columns = memory.snapshot().graph.columns
    return columns.relation_cue, columns.relation_tag, columns.relation_content


def _traces(memory: Memory) -> Iterator[str]:
    """Runs say how they ended, and what was stored of them is a whole prefix of their events."""
    for header in memory.traces(NEWEST):
        _, events = memory.trace(header.id)
        if header.status not in ("finished", "stopped"):
            yield f"a run is still {header.status}"
        if events and events[0].kind != "asked":
            yield "the beginning of a trace is missing"
        if header.status == "finished" and (not events or events[-1].kind != "answered"):
            yield "a finished run has no answer"
        fold(events)


def _summary(killed: Sequence[Killed]) -> Row:
    return {
        "killed": killed[0].work if killed else "nothing",
        "kills": len(killed),
        "during": dict(Counter(k.during for k in killed)),
        "left to repair": dict(Counter(p for k in killed for p in k.left)),
        "with something wrong": sum(bool(k.wrong) for k in killed),
    }
