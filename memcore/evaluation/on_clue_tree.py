"""The clue tree (clue_tree.py): how much of the chain each strategy reads, seed by seed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from memcore.evaluation.clue_tree import as_lines, clue_tree
from memcore.evaluation.metrics import recall
from memcore.evaluation.rows import Row
from memcore.memories import Memories
from memcore.reconstruction import Ask
from memcore.records import Turn
from memcore.run_state import fold

DEPTHS = (2, 3, 4)
BUDGET = 20
STRATEGIES = ("active", "dense", "bm25", "fusion", "priors", "nhop", "graph")


def bench_clue_tree(seeds: int, embedder: str) -> Iterator[Row]:
    """Percent of the chain read within 20 turns: a row per depth and seed, then their means."""
    for depth in DEPTHS:
        found = [shares(depth, seed, embedder) for seed in range(seeds)]
        for seed, by_strategy in enumerate(found):
            yield {"hops": depth, "seed": seed, **_percent(by_strategy)}
        means = {name: float(np.mean([f[name] for f in found])) for name in STRATEGIES}
        whole = sum(f["active"] == 1.0 for f in found)
        yield {"hops": depth, "seed": "mean", **_percent(means), "active reads it all": f"{whole} of {seeds}"}


def shares(depth: int, seed: int, embedder: str) -> dict[str, float]:
    """Share of the chain that each strategy reads in one tree."""
    tree = clue_tree(depth=depth, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.jsonl"
        path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in as_lines(tree)), "utf-8")
        memory = Memories.open(Path(folder) / "store", embedder=embedder).scope("tree", create=True)
        list(memory.import_path(path))
        found: dict[str, float] = {}
        for strategy in STRATEGIES:
            state = fold(memory.events(Ask(tree.question, BUDGET, strategy=strategy)))
            turns = [r.source for r in memory.get(state.turns).values() if isinstance(r, Turn)]
            found[strategy] = recall(tree.evidence, turns, BUDGET)
    return found


def _percent(found: dict[str, float]) -> Row:
    return {name: round(100 * share) for name, share in found.items()}
