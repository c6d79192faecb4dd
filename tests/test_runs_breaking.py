"""Runs that were still going when they were first imported, odd headers, and addresses that lead nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pages_running import empty_store, page, words

from memcore.cli import main
from memcore.editing import Add, Set, Who
from memcore.errors import InputError, NotFound
from memcore.execution_tree import fold
from memcore.importing.runs.report import RunFileReport
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import AgentRun, RunMark, RunStep, new_id
from memcore.view.tree_editing import move_boundary, remove_boundary, seen_of
from memcore.view.tree_graph import Source
from memcore.view.tree_outline import outline

ANN = Who("ann", "it was so")
HEAD = {"format": "memcore.run", "run": "r1", "task": "Mend a.py."}
BELOW = {"format": "memcore.run", "run": "sub", "parent_run": "r1", "parent_step": 2}


def step(number: int, **more: Any) -> dict[str, Any]:
    return {"step": number, "action": f"look {number}", "observation": f"seen {number}", **more}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memories.open(tmp_path / "store", embedder="none").scope("runs", create=True)


def brought_in(memory: Memory, folder: Path, *lines: dict[str, Any], name: str = "r.jsonl") -> RunFileReport:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    *_, report = memory.runs.import_path(path)
    assert isinstance(report, RunFileReport)
    return report


def steps_of(memory: Memory) -> list[RunStep]:
    (run,) = memory.runs.all()
    return memory.runs.get(run.id).steps


def test_a_later_export_brings_what_came_back_to_a_call_that_was_waiting(
    memory: Memory, tmp_path: Path
) -> None:
    brought_in(memory, tmp_path, HEAD, step(1), step(2, observation=None))
    assert steps_of(memory)[1].signals == ("no_result",)
    brought_in(memory, tmp_path, HEAD, step(1), step(2), step(3))
    assert [s.observation for s in steps_of(memory)] == ["seen 1", "seen 2", "seen 3"]
    assert steps_of(memory)[1].signals == ()
    memory.undo()
    assert [s.observation for s in steps_of(memory)] == ["seen 1", ""]
    brought_in(memory, tmp_path, HEAD, step(1), step(2), step(3))
    assert [s.observation for s in steps_of(memory)] == ["seen 1", "seen 2", "seen 3"]


def test_an_edit_that_was_taken_back_leaves_a_mark_to_be_detected_afresh(
    memory: Memory, tmp_path: Path
) -> None:
    brought_in(memory, tmp_path, HEAD, *(step(k) for k in range(1, 15)))
    (run,) = memory.runs.all()
    (mark, *_) = memory.runs.get(run.id).marks
    memory.edit(Set("mark", (mark.id,), "summary", "mine"), ANN)
    memory.undo()
    assert memory.runs.get(run.id).marks[0].made_by == "rule"
    brought_in(memory, tmp_path, HEAD, *(step(k) for k in range(1, 16)))
    assert mark.id not in [m.id for m in memory.runs.get(run.id).marks]


def test_the_answer_alone_is_news_without_a_further_step(memory: Memory, tmp_path: Path) -> None:
    brought_in(memory, tmp_path, HEAD, step(1), step(2, observation=None))
    brought_in(memory, tmp_path, HEAD, step(1), step(2))
    assert [s.observation for s in steps_of(memory)] == ["seen 1", "seen 2"]
    count = memory.count()
    brought_in(memory, tmp_path, HEAD, step(1), step(2))
    assert memory.count() == count


def test_a_step_that_another_export_tells_otherwise_is_not_written_over(
    memory: Memory, tmp_path: Path
) -> None:
    brought_in(memory, tmp_path, HEAD, step(1), step(2))
    brought_in(memory, tmp_path, HEAD, step(1), step(2, observation="another"), step(3))
    assert [s.observation for s in steps_of(memory)] == ["seen 1", "seen 2", "seen 3"]


def test_how_a_run_ended_is_known_after_a_later_export(memory: Memory, tmp_path: Path) -> None:
    brought_in(memory, tmp_path, HEAD, step(1))
    brought_in(memory, tmp_path, {**HEAD, "reward": 1, "outcome": "done"}, step(1))
    brought_in(memory, tmp_path, HEAD, step(1), step(2))
    (run,) = memory.runs.all()
    assert (run.reward, run.outcome, run.steps) == (1.0, "done", 2)


def test_a_subagent_that_started_since_hangs_below_the_run_as_it_is_stored(
    memory: Memory, tmp_path: Path
) -> None:
    brought_in(memory, tmp_path, HEAD, step(1))
    (run,) = memory.runs.all()
    brought_in(memory, tmp_path, HEAD, step(1), step(2), BELOW, step(1))
    (below,) = [r for r in memory.runs.all() if r.id != run.id]
    assert (below.parent_run, below.parent_step) == (run.id, 2)


def test_a_file_is_stored_once_where_only_known_runs_changed(memory: Memory, tmp_path: Path) -> None:
    many = [line for n in range(3) for line in ({**HEAD, "run": f"r{n}"}, *(step(k) for k in range(1, 300)))]
    ended = [{**line, "reward": 1} if "format" in line else line for line in many]
    brought_in(memory, tmp_path, *many)
    brought_in(memory, tmp_path, *ended)
    assert len(memory.files()) == 2 and len({f.id for f in memory.files()}) == 2
    assert {run.reward for run in memory.runs.all()} == {1.0}


@pytest.mark.parametrize("reward", ["1e999", "-Infinity", "NaN", "1" + "0" * 400], ids=str.lower)
def test_a_reward_that_no_number_holds_is_none(memory: Memory, tmp_path: Path, reward: str) -> None:
    path = tmp_path / "r.jsonl"
    head = json.dumps(HEAD)[:-1] + f', "reward": {reward}}}'
    path.write_text(f"{head}\n{json.dumps(step(1))}", "utf-8")
    list(memory.runs.import_path(path))
    (run,) = memory.runs.all()
    assert run.reward is None


def test_a_mark_takes_no_id_that_is_there_and_is_of_a_known_kind(memory: Memory, tmp_path: Path) -> None:
    brought_in(memory, tmp_path, HEAD, step(1), step(2))
    (run,) = memory.runs.all()
    mark = RunMark(new_id(), run.id, 1, "compress", summary="one")
    memory.edit(Add(mark), ANN)
    odd: Any = "bogus"
    for wrong in (mark, RunMark(run.id, run.id, 1, "compress"), RunMark(new_id(), run.id, 1, odd)):
        with pytest.raises(InputError, match="id of its own"):
            memory.edit(Add(wrong), ANN)
    assert isinstance(memory.runs.get(run.id).run, AgentRun)
    assert [m.summary for m in memory.runs.get(run.id).marks] == ["one"]


@pytest.mark.parametrize("move", [True, False], ids=["moved", "removed"])
def test_a_step_back_stays_when_the_boundary_it_led_to_is_moved_or_removed(
    memory: Memory, tmp_path: Path, move: bool
) -> None:
    back = [{"mark": "compress"}, {"mark": "revise", "target": 2}]
    brought_in(memory, tmp_path, HEAD, step(1), step(2), {"mark": "compress"}, step(3), *back, step(4))
    (run,) = memory.runs.all()
    whole = memory.runs.get(run.id)
    drawn = outline(whole.events())
    source = Source(drawn, {s.position: s for s in whole.steps}, {m.id: m for m in whole.marks}, {})
    mark = whole.marks[0]
    edits = move_boundary(source, mark, 1) if move else remove_boundary(source, mark)
    memory.edit(edits, ANN, seen_of(source, edits))
    tree = fold(memory.runs.get(run.id).events())
    assert tree.chain() == [0, 1, 2, 4]
    memory.undo()
    assert memory.runs.get(run.id).events() == whole.events()


def test_a_live_run_that_was_taken_back_is_not_stored_on_without_its_beginning(memory: Memory) -> None:
    log = memory.runs.live(AgentRun(new_id(), "", "Demo", "demo", "Buy a tent."))
    log.append(RunStep(new_id(), log.run.id, 1, "buy tent", "bought"))
    memory.undo()
    with pytest.raises(NotFound, match="undone"):
        log.append(RunStep(new_id(), log.run.id, 2, "buy lamp", "bought"))
    with pytest.raises(NotFound, match="undone"):
        log.finish("done")
    assert memory.runs.all() == []
    memory.redo()
    assert [run.steps for run in memory.runs.all()] == [1]


# the pages


@pytest.fixture
def only_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    memory = empty_store(tmp_path, monkeypatch).scope("Runs", create=True)
    brought_in(memory, tmp_path, HEAD, step(1), step(2), BELOW, step(1))
    return memory


@pytest.mark.parametrize(
    "query",
    [{"step": "9" * 5_000}, {"node": "s" + "9" * 5_000}, {"step": "²"}, {"node": "s²"}, {"node": "s77"}],
)
def test_an_address_that_names_no_event_or_node_shows_the_run(
    only_runs: Memory, query: dict[str, str]
) -> None:
    run = next(r for r in only_runs.runs.all() if not r.parent_run)
    app = page("state_tree", run=run.id, **query)
    assert not app.exception
    assert "of 3" in words(app)


def test_the_overview_counts_the_runs_of_a_memory_that_holds_nothing_else(only_runs: Memory) -> None:
    app = page("overview")
    assert not app.exception
    assert "2 agent runs" in words(app) and "3 steps" in words(app)
    assert "This memory holds no conversations." not in words(app)


def test_the_overview_counts_runs_beside_conversations(only_runs: Memory) -> None:
    from memcore import samples

    list(only_runs.import_path(samples.folder() / "harbour_street.jsonl"))
    app = page("overview")
    assert not app.exception
    assert "2 agent runs" in [link.label for link in app.get("page_link")]


def test_the_command_line_prints_no_control_code_of_a_terminal(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    brought_in(memory, tmp_path, {**HEAD, "title": "\x1b[31mred \u202eabc"}, step(1))
    assert main(["runs", "list", "--store", str(tmp_path / "store")]) == 0
    said = capsys.readouterr().out
    assert "red" in said and "\x1b" not in said and "\u202e" not in said
