"""A step of an agent run is erased: what retells it loses its words too, what tells of others keeps them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from secrets_said import OFFICER, erased, opened
from veiled_memory import run_of, stored_run

from memcore.erasure import Wanted
from memcore.erasure.retelling import retelling
from memcore.events import Ran
from memcore.memory import Memory
from memcore.records import AgentRun, RunMark, RunStep, new_id

FOUND = "zorkmid 4471 in the vault"


def run_with(
    memory: Memory, *marks: RunMark, steps: int = 6
) -> tuple[AgentRun, list[RunStep], list[RunMark]]:
    """A run of so many steps with these marks, stored."""
    run = AgentRun(new_id(), "", "a run", "", "open the vault", steps=steps)
    done = [RunStep(new_id(), run.id, n, f"do {n}", f"saw {n}") for n in range(1, steps + 1)]
    made = [replace(m, run_id=run.id) for m in marks]
    memory._scope.commit(Ran(run.id, steps), inserts=[run, *done, *made])
    return run, done, made


def mark(after: int, action: Literal["compress", "maintain", "revise"], says: str, **more: Any) -> RunMark:
    part = {"summary" if action == "compress" else "note": says}
    return RunMark(new_id(), "", after, action, rank="cmr".index(action[0]), **part, **more)


def test_the_summary_of_its_subgoal_goes_with_a_step(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    run = stored_run(memory, run_of("a run", FOUND))
    step = memory.runs.get(run).steps[1]
    plan = memory.erasure.plan(memory.erasure.find(Wanted(ids=(step.id,))).hits)
    assert {(t.kind, t.what, t.why) for t in plan.touched} == {
        ("step", "blank", "chosen"), ("mark", "blank", "retells"),
    }  # fmt: skip
    *_, last = memory.erasure.erase(plan, OFFICER, wanted=[FOUND])
    assert last.receipt is not None and last.receipt.ok
    assert memory.runs.get(run).marks[0].summary == ""
    assert all(FOUND not in held.text for held in memory._scope.holdings())


@pytest.mark.parametrize(
    ("position", "gone"),
    [(2, {"first", "first failed", "seen before"}), (3, {"second", "back"}), (5, {"third", "seen before"})],
)
def test_only_the_marks_that_are_about_a_step_lose_their_words(
    tmp_path: Path, position: int, gone: set[str]
) -> None:
    memory = opened(tmp_path)
    run, steps, _ = run_with(
        memory,
        mark(2, "compress", "first"),
        mark(2, "maintain", "first failed", passed=False, target=0),
        mark(4, "compress", "second"),
        mark(4, "revise", "back", target=2),
        mark(6, "compress", "third"),
        mark(6, "maintain", "seen before", evidence=(2,)),
    )
    assert erased(memory, memory.erasure.find(Wanted(ids=(steps[position - 1].id,))).hits).ok
    left = {m.summary + m.note for m in memory.runs.get(run.id).marks}
    assert left == {"first", "first failed", "second", "back", "third", "seen before", ""} - gone


def test_a_mark_that_cannot_be_carried_out_tells_of_the_last_subgoal(tmp_path: Path) -> None:
    said = mark(2, "compress", "first"), mark(2, "revise", "back to where nobody was", target=9)
    _, steps, marks = run_with(opened(tmp_path), *said, steps=3)
    assert retelling(steps, marks, [2]) == marks
    assert retelling(steps, marks, [3]) == []


def test_words_that_a_person_dropped_go_as_well(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    run, steps, _ = run_with(memory, mark(3, "compress", "it was Quillwyn", dropped=True), steps=3)
    assert erased(memory, memory.erasure.find(Wanted(ids=(steps[1].id,))).hits).ok
    assert memory.runs.get(run.id).marks[0].summary == ""
