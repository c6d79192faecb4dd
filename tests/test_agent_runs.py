"""Runs in a real store: imported once, grown by a longer export, logged live, marked by hand, undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memcore.access.permissions import OWNER
from memcore.agent_memory import AgentMemory
from memcore.agent_runs import AgentRuns
from memcore.editing import Add, Delete, Set, Who
from memcore.errors import InputError, NotFound, UnknownFormat
from memcore.execution_tree import fold
from memcore.importing.runs.report import RunFileReport
from memcore.llm.offline.summariser import ExtractiveSummariser
from memcore.llm.offline.verifier import RuleVerifier
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import AgentRun, RunMark, new_id
from memcore.store.doctor import examine

ANN = Who("ann", "it was done there")
STEPS: list[dict[str, Any]] = [
    {"step": 1, "action": "ls", "observation": "한글.txt 🙂 a.py"},
    {"step": 2, "action": "cat a.py", "observation": "<b>print(1)</b>\u202e"},
    {"step": 3, "action": "pytest", "observation": "1 failed", "signals": ["exit_code"]},
    {"mark": "compress", "after": 3, "summary": "Looked at a.py."},
    {"step": 4, "action": "edit a.py", "observation": ""},
    {"step": 5, "action": "pytest", "observation": "2 passed"},
]


def written(path: Path, lines: list[dict[str, Any]], **header: Any) -> Path:
    head = {"format": "memcore.run", "run": "r1", "task": "Mend a.py.", **header}
    path.write_text("\n".join(json.dumps(line) for line in (head, *lines)), "utf-8")
    return path


def report_of(runs: AgentRuns, path: Path) -> RunFileReport:
    *_, last = runs.import_path(path)
    assert isinstance(last, RunFileReport)
    return last


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memories.open(tmp_path / "store", embedder="none").scope("runs", create=True)


@pytest.fixture
def run(memory: Memory, tmp_path: Path) -> AgentRun:
    report_of(memory.runs, written(tmp_path / "r.jsonl", STEPS))
    (run,) = memory.runs.all()
    return run


def test_steps_come_back_verbatim_and_in_order(memory: Memory, run: AgentRun) -> None:
    whole = memory.runs.get(run.id)
    assert [(s.position, s.action, s.observation) for s in whole.steps] == [
        (s["step"], s["action"], s["observation"]) for s in STEPS if "step" in s
    ]
    assert whole.steps[2].signals == ("exit_code",)
    assert [(m.after, m.action, m.summary) for m in whole.marks] == [(3, "compress", "Looked at a.py.")]
    assert whole.run.steps == 5


def test_an_empty_action_and_observation_are_kept_apart(memory: Memory, tmp_path: Path) -> None:
    lines = [
        {"step": 1, "action": "", "observation": "orphan"},
        {"step": 2, "action": "x" * 9, "observation": ""},
    ]
    report_of(memory.runs, written(tmp_path / "e.jsonl", lines))
    (run,) = memory.runs.all()
    assert [(s.action, s.observation) for s in memory.runs.get(run.id).steps] == [
        ("", "orphan"),
        ("x" * 9, ""),
    ]


def test_a_run_imported_again_adds_nothing(memory: Memory, run: AgentRun, tmp_path: Path) -> None:
    before = memory.count()
    report = report_of(memory.runs, tmp_path / "r.jsonl")
    assert (report.steps_written, report.runs_known) == (0, 1)
    assert memory.count() == before


def test_a_longer_export_adds_its_new_steps_and_keeps_what_a_person_marked(
    memory: Memory, tmp_path: Path
) -> None:
    plain = [s for s in STEPS if "step" in s]
    report_of(memory.runs, written(tmp_path / "a.jsonl", plain))
    (run,) = memory.runs.all()
    mine = RunMark(new_id(), run.id, 2, "compress", summary="Read it.")
    memory.edit(Add(mine), ANN)
    more = [*plain, {"step": 6, "action": "git commit", "observation": "done"}]
    report = report_of(memory.runs, written(tmp_path / "b.jsonl", more))
    whole = memory.runs.get(run.id)
    assert (report.steps_written, report.runs_known) == (1, 1)
    assert [s.position for s in whole.steps] == [1, 2, 3, 4, 5, 6] and whole.run.steps == 6
    assert [m.summary for m in whole.marks if m.made_by == "person"] == ["Read it."]
    fold(whole.events())


def test_a_boundary_added_by_hand_is_in_the_tree_and_undone(memory: Memory, run: AgentRun) -> None:
    before = memory.runs.get(run.id).events()
    memory.edit(Add(RunMark(new_id(), run.id, 5, "compress", summary="Mended.")), ANN)
    whole = memory.runs.get(run.id)
    tree = fold(whole.events())
    assert [s.covers for n, s in sorted(tree.subgoals.items()) if n] == [(1, 2, 3), (4, 5)]
    (mark,) = [m for m in whole.marks if m.made_by == "person"]
    assert mark.rule == "person"
    memory.undo()
    assert memory.runs.get(run.id).events() == before
    memory.redo()
    assert memory.runs.get(run.id).events() == whole.events()


def test_a_branch_rolled_back_by_hand_stays_as_a_sibling_with_its_diagnosis(
    memory: Memory, run: AgentRun
) -> None:
    note = RunMark(
        new_id(), run.id, 3, "maintain", rank=1, note="The test was wrong.", passed=False, target=0
    )
    back = RunMark(new_id(), run.id, 3, "revise", rank=2, target=0)
    memory.edit([Add(note), Add(back)], ANN)
    tree = fold(memory.runs.get(run.id).events())
    assert tree.chain() == [0, 4, 5]
    assert tree.subgoals[1].passed is False
    assert len(memory.changes()) == 2  # the import, and both marks as one change


def test_a_detected_boundary_removed_by_hand_stays_away(memory: Memory, tmp_path: Path) -> None:
    long = [{"step": n, "action": f"look at {n}", "observation": f"seen {n}"} for n in range(1, 15)]
    report_of(memory.runs, written(tmp_path / "a.jsonl", long))
    (run,) = memory.runs.all()
    detected = memory.runs.get(run.id).marks
    assert detected, "the detectors find nothing in this run any more"
    gone = detected[0]
    memory.edit(Delete("mark", (gone.id,)), ANN)
    more = [*long, {"step": 15, "action": "look at 15", "observation": "seen 15"}]
    report_of(memory.runs, written(tmp_path / "b.jsonl", more))
    whole = memory.runs.get(run.id)
    shown = [m for m in whole.marks if not m.dropped]
    assert (gone.after, gone.action) not in [(m.after, m.action) for m in shown]


def test_a_summary_and_a_note_are_edited_and_others_see_a_stale_one(memory: Memory, run: AgentRun) -> None:
    (mark,) = memory.runs.get(run.id).marks
    memory.edit(Set("mark", (mark.id,), "summary", "a.py을 읽었다."), ANN, {mark.id: mark.revision})
    assert memory.runs.get(run.id).marks[0].summary == "a.py을 읽었다."
    with pytest.raises(InputError, match="changed"):
        memory.edit(Set("mark", (mark.id,), "summary", "Mine."), ANN, {mark.id: mark.revision})


@pytest.mark.parametrize(("after", "target"), [(9, None), (-1, None), (2, 3)])
def test_a_mark_at_no_step_of_the_run_is_refused(
    memory: Memory, run: AgentRun, after: int, target: Any
) -> None:
    with pytest.raises(InputError, match="steps"):
        memory.edit(Add(RunMark(new_id(), run.id, after, "revise", target=target)), ANN)


def test_an_undone_import_leaves_nothing_of_the_run(memory: Memory, run: AgentRun) -> None:
    memory.undo()
    assert memory.runs.all() == [] and set(memory.count()) == {"change"}
    with pytest.raises(NotFound):
        memory.runs.get(run.id)


def test_steps_are_found_by_their_words(memory: Memory, run: AgentRun) -> None:
    found = memory.search("failed", kinds=("step",))
    (step,) = memory.get(i for i, _ in found).values()
    assert step.kind == "step" and step.position == 3
    assert memory.search("한글", kinds=("step",))


def test_a_live_run_is_stored_step_by_step_and_replays_to_the_same_tree(
    memory: Memory, tmp_path: Path
) -> None:
    run = AgentRun(new_id(), "", "Demo", "demo", "Buy a tent and a lamp.")
    log = memory.runs.live(run)
    agent = AgentMemory(run.task, log, RuleVerifier(), ExtractiveSummariser(), run_id=run.id)
    agent.grow("buy tent", "bought")
    assert len(memory.runs.get(run.id).steps) == 1
    agent.subgoal_done("The tent is bought.")
    agent.grow("buy lamp", "bought")
    log.finish("done", 1.0)
    again = Memories.open(tmp_path / "store", create=False).scope("runs").runs.get(run.id)
    assert fold(again.events()) == agent.tree
    assert (again.run.steps, again.run.outcome, again.run.reward) == (2, "done", 1.0)
    memory.undo()
    assert memory.runs.all() == []


def test_what_is_no_run_is_refused_and_in_a_folder_reported(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    chat = tmp_path / "in" / "chat.jsonl"
    chat.write_text(json.dumps({"conversation": "c", "speaker": "Ann", "text": "Hi."}), "utf-8")
    with pytest.raises(UnknownFormat, match="conversation"):
        list(memory.runs.import_path(chat))
    written(tmp_path / "in" / "run.jsonl", STEPS)
    reports = [r for r in memory.runs.import_path(tmp_path / "in") if isinstance(r, RunFileReport)]
    assert [bool(r.format) for r in reports] == [False, True]
    assert reports[0].warnings


def test_a_step_without_its_run_is_found_by_the_doctor(memory: Memory, run: AgentRun, tmp_path: Path) -> None:
    from memcore.events import Repaired

    memories = Memories.open(tmp_path / "store", create=False)
    assert examine(memories.store) == []
    memories.store.scope("runs", OWNER).commit(Repaired(()), deletes=[run.id])
    assert {f.problem for f in examine(memories.store)} == {"lost_run"}
