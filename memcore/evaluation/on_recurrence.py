"""What RecMem costs and keeps: calls and tokens against an eager system, and recall, at several thresholds.

Each conversation of LoCoMo is a memory of its own, imported once; every setting is applied to it as a new
generation. Thresholds are calibrated per memory to a share of its units, as the app does. Other files give
the costs alone. Tokens are counted on the prompts a model would be sent: none is called.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from memcore.absorbing.ledger import Ledger, ledger
from memcore.errors import InputError
from memcore.evaluation.lanes import ACTIVE, PASSIVE, TIERED, Exam, Found, Lane, scores
from memcore.evaluation.metrics import paired
from memcore.evaluation.on_locomo import ANSWERABLE, TOGETHER, exams_of, samples_of
from memcore.evaluation.rows import Row, joined, recalls
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Thresholds, Unit

FUSION = next(lane for lane in PASSIVE if lane.name == "fusion")
NO_MERGE = 2.0  # above every cosine
REPORTED = {
    "construction tokens, thousands (LoCoMo, GPT-4.1-mini)": {
        "RecMem": 193.2,
        "Mem0": 1520.8,
        "A-Mem": 1459.9,
    },
    "accuracy": {"RecMem": 81.10, "A-Mem": 68.83, "MemoryOS": 67.60, "Mem0": 62.92},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A line of the table: the share to calibrate to, whether units are merged, how many by one call."""

    name: str
    share: float
    merging: bool = True
    collect: int = 1

    def thresholds(self, memory: Memory) -> Thresholds:
        found = memory.recurrence.calibrated(self.share).thresholds
        return found._replace(merge=found.merge if self.merging else NO_MERGE, collect=self.collect)


SETTINGS = (
    Setting("15 % moved", 0.15),
    Setting("30 % moved", 0.30),
    Setting("45 % moved", 0.45),
    Setting("as 30 %, without merging", 0.30, merging=False),
    Setting("as 30 %, five units by one merge call", 0.30, collect=5),
)


def bench_recurrence(file: Path, embedder: str, first: int = 0, workers: int = 2) -> Iterator[Row]:
    """A row of costs for each setting, and of recall where the file is LoCoMo, with paired differences.

    Raises InputError without an embedder, or for a file that holds no conversation.
    """
    if embedder == "none":
        raise InputError("Without an embedder nothing recurs: there is nothing to measure.")
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store")
        memories = Memories.open(store, embedder=embedder)
        exams = _exams(memories, Path(folder), file, first)
        if not exams:
            memory = memories.scope("file", create=True)
            list(memory.import_path(file))
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield from _rows(memories, exams, partial(_recalls, pool, store, exams))
    yield {"reported by the paper, not measured here": REPORTED}


def _rows(memories: Memories, exams: Sequence[Exam], ask: partial[dict[str, Found]]) -> Iterator[Row]:
    plain = ask([FUSION])[FUSION.name] if exams else {}
    for setting in SETTINGS:
        used = [_applied(memories.scope(name), setting) for name in memories.scopes()]
        yield _costs(
            setting, used, [u for n in memories.scopes() for u in memories.scope(n).recurrence.units()]
        )
        for name, found in (ask([ACTIVE, TIERED]) if exams else {}).items():
            ours, theirs = joined(found, ANSWERABLE), joined(plain, ANSWERABLE)
            differences = {
                f"minus fusion @{n}": str(paired(ours[:, i], theirs[:, i]))
                for i, n in enumerate((5, 10, 20, 50))
            }
            yield {"setting": setting.name, **recalls(name, TOGETHER, ours), **differences}
    if exams:
        yield recalls(FUSION.name, TOGETHER, joined(plain, ANSWERABLE))


def _applied(memory: Memory, setting: Setting) -> Thresholds:
    thresholds = setting.thresholds(memory)
    list(memory.recurrence.apply(thresholds))
    return thresholds


def _costs(setting: Setting, used: Sequence[Thresholds], units: Sequence[Unit]) -> Row:
    spent: Ledger = ledger(units)
    thetas = [t.theta_sim for t in used]
    return {
        "setting": setting.name,
        "theta_sim": f"{min(thetas):.3f} to {max(thetas):.3f}",
        "units": spent.units,
        "left raw %": round(100 * spent.raw, 1),
        "needed no call %": round(100 * spent.untouched, 1),
        "calls": spent.calls,
        "eager calls": sum(line.calls for line in spent.eager),
        "tokens": spent.tokens,
        "eager tokens": spent.eager_tokens,
        "tokens % of eager": round(100 * (spent.ratio or 0.0), 1),
        "tokens by operation": {line.operation: line.tokens for line in spent.lines},
    }


def _exams(memories: Memories, folder: Path, file: Path, first: int) -> list[Exam]:
    try:
        samples = samples_of(file)
    except InputError:
        return []
    return exams_of(memories, folder, samples, first)


def _recalls(
    pool: ProcessPoolExecutor, store: str, exams: Sequence[Exam], lanes: Sequence[Lane]
) -> dict[str, Found]:
    """Recall by lane, the conversations shared out over the processes."""
    jobs = [pool.submit(_share, store, exam, lanes) for exam in exams]
    found: dict[str, Found] = {}
    for job in jobs:
        for name, by_category in job.result().items():
            known = found.setdefault(name, {})
            for category, values in by_category.items():
                known[category] = np.concatenate([known[category], values]) if category in known else values
    return found


def _share(store: str, exam: Exam, lanes: Sequence[Lane]) -> dict[str, Found]:
    memories = Memories.open(store, create=False)
    return {lane.name: scores(memories, [exam], lane) for lane in lanes}
