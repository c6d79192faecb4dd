"""LoCoMo: evidence recall at equal n by strategy and category, ablations, and what a run costs.

The weights were chosen on the first three conversations of the file, so only the others count. Lanes
are shared out over a few processes: each opens the same store, the questions are prepared once.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from memcore.errors import InputError
from memcore.evaluation.lanes import ABLATIONS, ACTIVE, Exam, Found, Lane, exam, passive_lanes, scores
from memcore.evaluation.questions import locomo
from memcore.evaluation.reported import reported
from memcore.evaluation.rows import Row, against, joined, table
from memcore.evaluation.spending import spending
from memcore.memories import Memories
from memcore.memory import Memory

DEV = 3  # conversations on which every weight was chosen
ANSWERABLE = ("multi-hop", "temporal", "open-domain", "single-hop")
TOGETHER = "all but adversarial"
SHARES = 3  # of the lanes; what a run costs is the fourth task

Sample = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """Which conversations (`dev`, `held-out`, `all`), read with which embedder, in how many processes.

    `first` leaves only that many questions of each conversation; 0 leaves all.
    """

    split: str = "held-out"
    embedder: str = "multilingual"
    workers: int = 2
    first: int = 0


def bench_locomo(file: Path, plan: Plan) -> Iterator[Row]:
    """What was measured on what, the table, the paired differences, the costs, the paper's own figures.

    Raises InputError for another file or a split that holds nothing.
    """
    samples = samples_of(file)
    chosen = of_split(samples, plan.split)
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories.open(Path(folder) / "store", embedder=plan.embedder)
        exams = exams_of(memories, Path(folder), chosen, plan.first)
        yield _measured_on(samples, chosen, exams, plan)
        with ProcessPoolExecutor(plan.workers, mp_context=get_context("spawn")) as pool:
            store = str(Path(folder) / "store")
            passive = passive_lanes(plan.embedder)
            lanes = (*passive, ACTIVE, *ABLATIONS)
            parts = [pool.submit(_share, store, exams, lanes[i::SHARES]) for i in range(SHARES)]
            costs = pool.submit(_costs, store, exams)
            found = _together(parts)
            for lane in lanes:
                yield from table(lane.name, found[lane.name], TOGETHER, ANSWERABLE)
            yield from _differences(found, passive)
            yield from costs.result()
    yield from reported()


def _share(store: str, exams: Sequence[Exam], lanes: Sequence[Lane]) -> dict[str, Found]:
    """Some of the lanes, in a process of its own; questions come prepared, so nothing is embedded."""
    memories = Memories.open(store, create=False)
    return {lane.name: scores(memories, exams, lane) for lane in lanes}


def _costs(store: str, exams: Sequence[Exam]) -> list[Row]:
    return list(spending(Memories.open(store, create=False), exams, ANSWERABLE))


def _together(parts: Sequence[Future[dict[str, Found]]]) -> dict[str, Found]:
    return {name: found for part in parts for name, found in part.result().items()}


def _differences(found: Mapping[str, Found], passive: Sequence[Lane]) -> Iterator[Row]:
    """Active against everything else; against the passive ones also where the question is adversarial."""
    for category, members in ((TOGETHER, ANSWERABLE), ("adversarial", ("adversarial",))):
        ours = joined(found[ACTIVE.name], members)
        others = (*passive, *ABLATIONS) if members is ANSWERABLE else passive
        if len(ours):
            yield from (against(o.name, category, ours, joined(found[o.name], members)) for o in others)


def _measured_on(
    samples: Sequence[Sample], chosen: Sequence[Sample], exams: Sequence[Exam], plan: Plan
) -> Row:
    """Which conversations were dev and which held out, how many questions, and what evidence was unusable."""
    names = [str(s["sample_id"]) for s in samples]
    asked = [a.category for ready in exams for a, _ in ready.questions]
    return {
        "split": plan.split,
        "dev": names[:DEV],
        "held out": names[DEV:],
        "measured": [str(s["sample_id"]) for s in chosen],
        "answerable questions": sum(c in ANSWERABLE for c in asked),
        "adversarial questions": asked.count("adversarial"),
        "questions without usable evidence": sum(e.left_out for e in exams),
        "evidence references": sum(e.references for e in exams),
        "evidence references not resolved": sum(e.unresolved for e in exams),
        "embedder": plan.embedder,
    }


def samples_of(file: Path) -> list[Sample]:
    """The conversations of the file with their questions. Raises InputError for another file."""
    try:
        found: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file.name} is not JSON, so it is not the LoCoMo file.") from error
    if not isinstance(found, list) or not all(isinstance(s, dict) and "qa" in s for s in found):  # pyright: ignore
        raise InputError(f"{file.name} is not the LoCoMo file: a list of samples with questions is needed.")
    return found  # pyright: ignore[reportUnknownVariableType]


def of_split(samples: Sequence[Sample], split: str) -> Sequence[Sample]:
    """The conversations of a split. Raises InputError for one that is none, or that holds nothing."""
    parts = {"dev": samples[:DEV], "held-out": samples[DEV:], "all": samples}
    if split not in parts:
        raise InputError(f"There is no split {split!r}: choose dev, held-out or all.")
    if not parts[split]:
        raise InputError(f"The file holds no conversation of the split {split}: try --split all.")
    return parts[split]


def exams_of(memories: Memories, folder: Path, samples: Sequence[Sample], first: int = 0) -> list[Exam]:
    """Every conversation imported into a memory of its own, and its questions prepared."""
    return [_exam(memories, folder, sample, first) for sample in samples]


def _exam(memories: Memories, folder: Path, sample: Sample, first: int) -> Exam:
    memory = imported(memories, folder, sample)
    return exam(memory, locomo(sample)[: first or None], "turn")


def imported(memories: Memories, folder: Path, sample: Sample) -> Memory:
    """One conversation in a memory of its own, brought in by the way every file takes."""
    path = folder / f"{len(memories.scopes())}.json"
    path.write_text(json.dumps([sample]), "utf-8")
    memory = memories.scope(str(sample["sample_id"]), create=True)
    list(memory.import_path(path))
    return memory
