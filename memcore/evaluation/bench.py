"""`memcore bench`: what is measured, and the rows it prints. Every figure of the README comes from here."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memcore.errors import InputError
from memcore.evaluation.clue_tree import as_lines, clue_tree
from memcore.evaluation.lanes import ABLATIONS, ACTIVE, BUDGETS, PASSIVE, Exam, Lane, exam, scores
from memcore.evaluation.metrics import Values, paired, recall
from memcore.evaluation.questions import locomo, longmemeval
from memcore.memory import Memories
from memcore.reconstruction import Ask, fold
from memcore.records import Turn

Row = dict[str, Any]
HELD_OUT = 3  # weights were chosen on the samples before this one
ANSWERABLE = ("multi-hop", "temporal", "open-domain", "single-hop")


def run(what: str, file: str, *, contents: int = 100_000, zero_model: bool = False) -> Iterator[Row]:
    """Rows of one benchmark. Raises InputError for a file that is missing or not of the benchmark."""
    embedder = "none" if zero_model else "multilingual"
    if what in ("locomo", "longmemeval", "speed") and not Path(file).is_file():
        raise InputError(f"bench {what} needs the benchmark's file: memcore bench {what} FILE.")
    return _BENCHES[what](file, contents, embedder)


def bench_locomo(file: str, contents: int, embedder: str) -> Iterator[Row]:
    """Evidence recall by strategy on the held-out conversations, and active against each, paired."""
    samples = _samples(Path(file))
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories.open(Path(folder) / "store", embedder=embedder)
        exams = [_locomo_exam(memories, Path(folder), s) for s in samples[HELD_OUT:] or samples]
        found: dict[str, dict[str, Values]] = {}
        for lane in (*PASSIVE, ACTIVE, *ABLATIONS):
            found[lane.name] = scores(exams, lane, memories.settings)
            yield from _table(lane, found[lane.name])
        for name, values in found.items():
            if name != ACTIVE.name:
                yield _against(name, _answerable(found[ACTIVE.name]), _answerable(values))
        yield _per_step(exams)


def bench_longmemeval(file: str, contents: int, embedder: str) -> Iterator[Row]:
    """All sessions pooled into one memory: how many evidence sessions are met within n turns read."""
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories.open(Path(folder) / "store", embedder=embedder)
        memory = memories.scope("pool", create=True)
        list(memory.import_path(file))
        ready = exam(memory, longmemeval(Path(file)), "session")
        found: dict[str, Values] = {}
        for lane in (*PASSIVE, ACTIVE):
            by_type = scores([ready], lane, memories.settings)
            found[lane.name] = np.concatenate(list(by_type.values()))
            yield _row(lane.name, "all", found[lane.name])
        for lane in PASSIVE:
            yield _against(lane.name, found[ACTIVE.name], found[lane.name])


def bench_clue_tree(file: str, contents: int, embedder: str) -> Iterator[Row]:
    """Share of the chain of clues that each strategy reads at a budget of 20 turns."""
    for depth in (2, 3, 4):
        found: dict[str, list[float]] = {}
        for seed in range(5):
            for name, share in _clue_shares(depth, seed, embedder):
                found.setdefault(name, []).append(share)
        yield {"hops": depth, **{name: f"{100 * float(np.mean(v)):.0f} %" for name, v in found.items()}}


def _clue_shares(depth: int, seed: int, embedder: str) -> Iterator[tuple[str, float]]:
    tree = clue_tree(depth=depth, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.jsonl"
        path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in as_lines(tree)), "utf-8")
        memory = Memories.open(Path(folder) / "store", embedder=embedder).scope("tree", create=True)
        list(memory.import_path(path))
        for strategy in ("active", "dense", "bm25", "fusion", "priors", "nhop", "graph"):
            state = fold(memory.events(Ask(tree.question, 20, strategy=strategy)))
            turns = [r.source for r in memory.get(state.turns).values() if isinstance(r, Turn)]
            yield strategy, recall(tree.evidence, turns, 20)


def _samples(file: Path) -> list[dict[str, Any]]:
    try:
        found: Any = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{file.name} is no JSON, so it is not the LoCoMo file.") from error
    if not isinstance(found, list) or not all(isinstance(s, dict) and "qa" in s for s in found):  # pyright: ignore
        raise InputError(f"{file.name} is not the LoCoMo file: a list of samples with questions is needed.")
    return found  # pyright: ignore[reportUnknownVariableType]


def _locomo_exam(memories: Memories, folder: Path, sample: dict[str, Any]) -> Exam:
    """One conversation into a memory of its own, by the way every file takes."""
    name = str(sample["sample_id"])
    path = folder / f"{name}.json"
    path.write_text(json.dumps([sample]), "utf-8")
    memory = memories.scope(name, create=True)
    list(memory.import_path(path))
    return exam(memory, locomo(sample), "turn")


def _answerable(found: dict[str, Values]) -> Values:
    return np.concatenate([found[c] for c in ANSWERABLE if c in found])


def _table(lane: Lane, found: dict[str, Values]) -> Iterator[Row]:
    yield _row(lane.name, "all but adversarial", _answerable(found))
    for category, values in sorted(found.items()):
        yield _row(lane.name, category, values)


def _row(name: str, category: str, values: Values) -> Row:
    means = {f"@{n}": round(100 * float(v), 1) for n, v in zip(BUDGETS, values.mean(axis=0), strict=True)}
    return {"strategy": name, "category": category, "questions": len(values), **means}


def _against(name: str, ours: Values, theirs: Values) -> Row:
    at = {f"@{n}": str(paired(ours[:, i], theirs[:, i])) for i, n in enumerate(BUDGETS)}
    return {"active minus": name, **at}


def _per_step(exams: Sequence[Exam]) -> Row:
    """Recall after each step at budget 20: the multi-turn curve."""
    curve: dict[int, list[float]] = {}
    for ready in exams:
        for asked, question in ready.questions:
            if asked.category in ANSWERABLE:
                state = fold(ready.memory.events(Ask(question.text, 20), question=question))
                for step in range(1, ready.memory.settings.steps + 1):
                    read = [ready.unit[t] for t, at in state.turns.items() if at <= step and t in ready.unit]
                    curve.setdefault(step, []).append(recall(asked.evidence, read, 20))
    return {"recall after step": {s: round(100 * float(np.mean(v)), 1) for s, v in curve.items()}}


def _speed(file: str, contents: int, embedder: str) -> Iterator[Row]:
    from memcore.evaluation.speed import bench_speed

    return bench_speed(Path(file))


def _scale(file: str, contents: int, embedder: str) -> Iterator[Row]:
    from memcore.evaluation.scale import bench_scale

    return bench_scale(contents)


_BENCHES: dict[str, Callable[[str, int, str], Iterator[Row]]] = {
    "locomo": bench_locomo,
    "longmemeval": bench_longmemeval,
    "clue-tree": bench_clue_tree,
    "speed": _speed,
    "scale": _scale,
}
