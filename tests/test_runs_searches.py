"""Search trees keep their parents and backtracks, and trials of one task go back to the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_files import (
    read,
    save,
    save_lines,
    state,
)


def test_a_depth_first_search_keeps_parents_and_backtracks(tmp_path: Path) -> None:
    visited = [state(0, "a"), state(1, "a", "b"), state(2, "a", "c"), state(3, "d")]
    [run], _ = read(save(tmp_path / "dfs.json", [visited]))
    assert [(s.action, s.parent) for s in run.steps] == [("a", 0), ("b", 1), ("c", 1), ("d", 0)]
    assert [bool(s.signals) for s in run.steps] == [False, True, True, False]
    assert run.steps[1].signals == ("backtracked",)


def test_a_breadth_first_search_is_told_branch_by_branch_with_its_parents(tmp_path: Path) -> None:
    first = {"ys": [""], "new_ys": ["p\n", "q\n"], "values": [1, 9], "select_new_ys": ["q\n"]}
    second = {"ys": ["q\n"], "new_ys": ["q\nr\n", "q\ns\n"], "values": [3, 2], "select_new_ys": ["q\nr\n"]}
    steps = [{"step": n, "x": "1 2 3", **each} for n, each in enumerate((first, second))]
    [run], _ = read(save(tmp_path / "bfs.json", [{"idx": 900, "steps": steps, "infos": [{"r": 1}]}]))
    assert [(s.action, s.parent) for s in run.steps] == [("p\n", 0), ("q\n", 0), ("s\n", 2), ("r\n", 2)]
    assert (run.task, run.reward, run.source) == ("1 2 3", 1.0, "puzzle 900")


def test_each_reflexion_trial_is_a_step_and_a_failed_one_goes_back_to_the_start(tmp_path: Path) -> None:
    lines = [
        {
            "task_id": "H/1",
            "prompt": "def f",
            "is_solved": True,
            "reflections": ["Off by one."],
            "solution": "x",
        },
        {"task_id": "H/2", "prompt": "def g", "is_solved": False, "reflections": [], "solution": "y"},
    ]
    runs, _ = read(save_lines(tmp_path / "r.jsonl", lines))
    first, second = runs
    assert (first.steps[0].observation, first.steps[0].signals[0]) == ("Off by one.", "unsolved")
    assert (first.steps[1].action, first.steps[1].signals) == ("x", ())
    assert [(m.action, m.after, m.target) for m in first.marks] == [
        ("compress", 1, None), ("maintain", 1, 0), ("revise", 1, 0),
    ]  # fmt: skip
    assert first.marks[1].note == "Off by one." and not first.marks[1].passed
    assert second.steps[0].signals == ("unsolved", "reward_0")
    environments = [{"name": "env_0", "memory": ["m1", "m2"], "is_success": False}]
    [run], _ = read(save(tmp_path / "e.json", environments))
    assert len(run.steps) == 2


REACT = """
####
BEGIN TRIAL 1
Trial summary: Correct: 1, Incorrect: 1
------------- BEGIN CORRECT AGENTS -------------

Question: Who came first?
Thought 1: I look.
Action 1: Search[first]
Observation 1: One line.
Question 7 is another.
Action 2: Finish[Ada]
Observation 2: Answer is CORRECT
Correct answer: Ada

------------- BEGIN INCORRECT AGENTS -----------

Question: Where?
Thought 1: Hm.
Action 1: Finish[Rome]
Observation 1: Answer is INCORRECT
Correct answer: Oslo
########################################
BEGIN TRIAL 2
Question: Who came first?
Thought 1: I look.
Action 1: Search[first]
Observation 1: One line.
Question 7 is another.
Action 2: Finish[Ada]
Observation 2: Answer is CORRECT
Correct answer: Ada

Question: Where?You have attempted to answer following question before and failed. Use this:
Reflections:
- Not Rome.
Thought 1: Then Oslo.
Action 1: Search[Oslo]
Observation 1: A city.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_react_log_as_text_is_a_run_per_trial_and_question(tmp_path: Path, end: str) -> None:
    path = tmp_path / "trials.txt"
    path.write_bytes(REACT.replace("\n", end).encode())
    runs, report = read(path)
    assert [(r.task_id, r.trial, r.reward) for r in runs] == [
        ("Who came first?", 1, 1.0), ("Where?", 1, 0.0), ("Where?", 2, None),
    ]  # fmt: skip
    first, wrong, again = runs
    assert [(s.tool, s.action, s.thought) for s in first.steps] == [
        ("Search", "Search[first]", "I look."),
        ("Finish", "Finish[Ada]", ""),
    ]
    assert first.steps[0].observation == "One line.\nQuestion 7 is another."
    assert "Oslo" in wrong.outcome and wrong.steps[-1].signals == ("reward_0",)
    assert again.task.endswith("Reflections:\n- Not Rome.") and again.steps[-1].signals == ("aborted",)
    assert report.repeated == 2
