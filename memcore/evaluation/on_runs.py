"""Recorded agent runs measured: what their agents would have read, failing steps, trials as clusters.

Nothing is stored: files are read, steps detected and the trees replayed. Where several runs of a task are
there, each run is taken as one unit of RecMem (its steps, without the task that was given) and clustered by
recurrence alone, and so are the attempts inside runs where each task has one run: purity and completeness
say how far clusters agree with the tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memcore.absorbing.foresight import calibrated
from memcore.detecting import detect
from memcore.errors import InputError
from memcore.evaluation.on_mistakes import labelled_runs, measure
from memcore.evaluation.on_tree import reading_rows
from memcore.evaluation.rows import Row
from memcore.importing import find_files
from memcore.importing.runs import flat, read_runs, records_of
from memcore.importing.runs.records import RunRecords
from memcore.llm.protocols import Embedder
from memcore.records import UNKNOWN, RunStep, Unit, new_id
from memcore.settings import DEFAULT
from memcore.tiers import thresholds_of

READ = 4_000  # characters of a run that are embedded
SHARES = (0.3, 0.5, 0.7)
RECUR = 3  # runs of a task that make a cluster; most tasks have four trials or so
NOT_PURE = 0.8


class Agreement(NamedTuple):
    """Clusters against tasks. `purity`: share of clustered runs that belong to the task most of their
    cluster belongs to. `completeness`: share of a task's runs that are together, over all runs."""

    clusters: int
    clustered: int
    purity: float
    completeness: float
    mixed: tuple[str, ...]


def bench_runs(path: Path, embedder: Embedder | None) -> Iterator[Row]:
    """Rows of tokens, then of labelled mistakes and of clusters where the runs allow them.

    Raises InputError when no file holds a run.
    """
    found = list(_records(path))
    if not found:
        raise InputError(f"No file in {path.name} holds agent runs.")
    titled = [(r.run.title, r.steps, detect(r.run, r.steps, r.marks)) for r in found]
    yield from reading_rows(titled)
    labelled = list(labelled_runs(path))
    for row in measure(labelled) if labelled else ():
        yield {
            "pointed at": row.most,
            "labelled runs": row.runs,
            "within two steps %": round(100 * row.found, 1),
            "chance %": round(100 * row.chance, 1),
        }
    if embedder is not None:
        yield from _clustered(found, embedder)


def _records(path: Path) -> Iterator[RunRecords]:
    for file in find_files(path):
        try:
            for draft in read_runs(file).runs:
                yield from flat(records_of(draft, ""))
        except InputError:
            continue  # not every file below a folder holds runs


def _clustered(found: Sequence[RunRecords], embedder: Embedder) -> Iterator[Row]:
    """Three thresholds over the trials of tasks that have at least as many as make a cluster."""
    told = _trials(found)
    if not told:
        return
    vectors = embedder.embed([text for _, text in told])
    units = [Unit(new_id(), "", i, (), i + 1, UNKNOWN, vector=v) for i, v in enumerate(vectors)]
    tasks = {u.id: task for u, (task, _) in zip(units, told, strict=True)}
    like = thresholds_of(DEFAULT)._replace(theta_count=RECUR)
    for share in SHARES:
        seen = calibrated(units, share, like)
        agreement = agrees(seen.episodes.values(), tasks)
        yield {
            "theta_sim": seen.thresholds.theta_sim,
            "trials": len(units),
            "tasks": len(set(tasks.values())),
            "clusters": agreement.clusters,
            "clustered trials": agreement.clustered,
            "purity": round(agreement.purity, 2),
            "completeness": round(agreement.completeness, 2),
            "mixed clusters join": list(agreement.mixed) if agreement.purity < NOT_PURE else [],
        }


def agrees(clusters: Iterable[Sequence[str]], tasks: dict[str, str]) -> Agreement:
    """Clusters of run ids against the task of each run; runs in no cluster count against completeness."""
    sizes = Counter(tasks.values())
    together: dict[str, int] = {}
    clustered = pure = 0
    mixed: list[str] = []
    count = 0
    for cluster in clusters:
        count += 1
        inside = Counter(tasks[i] for i in cluster)
        most = max(inside.values())
        clustered, pure = clustered + len(cluster), pure + most
        for name, number in inside.items():
            together[name] = max(together.get(name, 1), number)
        if most < len(cluster):
            mixed.append(" + ".join(f"{n} of task {name[:40]}" for name, n in inside.most_common(3)))
    complete = [together.get(task, 1) / size for task, size in sizes.items()]
    weights = list(sizes.values())
    completeness = float(np.average(complete, weights=weights)) if complete else 0.0
    return Agreement(count, clustered, pure / clustered if clustered else 0.0, completeness, tuple(mixed[:5]))


def _trials(found: Sequence[RunRecords]) -> list[tuple[str, str]]:
    """(task, what was done) of every trial of a task tried often enough; attempts where runs were not."""
    runs = [(_task(r), _told(r.steps)) for r in found if _task(r)]
    steps = [(r.run.id, _told([s])) for r in found for s in r.steps]
    for trials in (runs, steps):
        often = Counter(task for task, _ in trials)
        if kept := [trial for trial in trials if often[trial[0]] >= RECUR]:
            return kept
    return []


def _task(records: RunRecords) -> str:
    return records.run.task_id or records.run.task


def _told(steps: Sequence[RunStep]) -> str:
    return "\n".join(f"{s.action}\n{s.observation}" for s in steps)[:READ]
