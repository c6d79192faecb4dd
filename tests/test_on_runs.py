"""Recorded runs measured: what agents would have read, and whether clusters of trials agree with tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcore.errors import InputError
from memcore.evaluation.on_runs import agrees, bench_runs
from memcore.llm.offline.embedder import MultilingualEmbedder

TASKS = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "b3": "b"}


def test_clusters_that_are_the_tasks_are_pure_and_complete() -> None:
    found = agrees([("a1", "a2", "a3"), ("b1", "b2", "b3")], TASKS)
    assert (found.clusters, found.clustered, found.purity, found.completeness) == (2, 6, 1.0, 1.0)
    assert found.mixed == ()


def test_a_mixed_cluster_costs_purity_and_is_named() -> None:
    found = agrees([("a1", "a2", "b1")], TASKS)
    assert (found.clustered, round(found.purity, 3)) == (3, 0.667)
    assert found.mixed == ("2 of task a + 1 of task b",)


def test_what_stands_in_no_cluster_costs_completeness() -> None:
    assert agrees([("a1", "a2")], TASKS).completeness == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert agrees([], TASKS).purity == 0.0


def written(folder: Path, name: str, task: str, said: str, steps: int = 2) -> None:
    lines = [{"format": "memcore.run", "run": name, "task": task, "task_id": task}]
    lines += [
        {"step": n, "action": f"{said} {n}", "observation": f"{said}, done"} for n in range(1, steps + 1)
    ]
    (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


def test_trials_of_a_task_cluster_and_runs_of_more_than_20_steps_stand_apart(
    tmp_path: Path,
) -> None:
    for trial in range(3):
        written(tmp_path, f"t{trial}", "travel", "book a train ticket to Busan")
        written(tmp_path, f"c{trial}", "cook", "simmer the onion soup with thyme")
    written(tmp_path, "long", "walk", "take a step", steps=25)
    rows = list(bench_runs(tmp_path, MultilingualEmbedder()))
    summed = {row["run"]: row for row in rows if "run" in row}
    assert summed["all runs"]["runs"] == 7 and summed["all runs"]["steps"] == 6 * 2 + 25
    assert summed["runs of more than 20 steps"]["runs"] == 1
    assert (
        0
        < summed["runs of more than 20 steps"]["state"]
        < summed["runs of more than 20 steps"]["long context"]
    )
    clusters = [row for row in rows if "purity" in row]
    assert {row["trials"] for row in clusters} == {6} and {row["tasks"] for row in clusters} == {2}
    assert max(row["completeness"] for row in clusters) == 1.0
    assert all(row["purity"] == 1.0 for row in clusters if row["clusters"])


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("nothing", "utf-8")
    with pytest.raises(InputError, match="agent runs"):
        list(bench_runs(tmp_path, None))
