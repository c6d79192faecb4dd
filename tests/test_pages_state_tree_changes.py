"""The page State tree, run as Streamlit runs it: edits, the demo, the import."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_running import empty_store, eventually, labels, page, press, settled, words
from streamlit.testing.v1 import AppTest
from tree_pages import (
    SCOPE,
    asked,
    covers,
    mark_of,
    opened,
    plainly,
    run_of,
    with_runs,
)

from memcore import samples
from memcore.editing import Set, Who
from memcore.memories import Memories
from memcore.memory import Memory

ANOTHER = Who("another")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return empty_store(tmp_path, monkeypatch)


@pytest.fixture
def memory(store: Memories) -> Memory:
    return with_runs(store)


# edits


def editing(memory: Memory, node: str) -> AppTest:
    app = opened(memory, node=node)
    app.segmented_control(key="tree:mode").set_value("Edit").run()
    assert not app.exception
    return app


def test_a_summary_and_a_diagnosis_are_changed_and_taken_back(memory: Memory) -> None:
    flawed = mark_of(memory, "13:10 ferry held")
    app = editing(memory, flawed)
    app.text_area(key="tree:edit:summary").set_value("A ferry that is too small.")
    app.text_area(key="tree:edit:note").set_value("Too short.")
    app.text_input(key="edit:reason").set_value("clearer")
    press(app, "Save")
    marks = {m.id: m for m in memory.runs.get(run_of(memory).id).marks}
    assert marks[flawed].summary == "A ferry that is too small."
    assert "Too short." in {m.note for m in marks.values()}
    assert "Saved" in words(app)
    assert memory.changes(1)[0].events[0].reason == "clearer"
    app.button(key="edit:turn").click().run()
    assert memory.runs.get(run_of(memory).id).marks == sorted(
        memory.runs.get(run_of(memory).id).marks, key=lambda m: (m.after, m.rank, m.id)
    )
    assert mark_of(memory, "13:10 ferry held") == flawed and "Undone" in words(app)
    app.button(key="tool-redo").click().run()
    assert mark_of(memory, "A ferry that is too small") == flawed
    app.button(key="tool-undo").click().run()
    assert mark_of(memory, "13:10 ferry held") == flawed


def test_a_boundary_is_added_moved_and_removed_by_hand(memory: Memory) -> None:
    before = covers(memory)
    app = editing(memory, "s2")
    app.text_input(key="tree:edit:end").set_value("measured")
    press(app, "Add a boundary here")
    assert covers(memory)[:2] == [(1, 2), (3,)]
    app = editing(memory, mark_of(memory, "measured"))
    press(app, "Remove this boundary")
    assert covers(memory) == before
    app = editing(memory, "s2")
    press(app, "Move it here")
    assert covers(memory)[0] == (1, 2) and len(covers(memory)) == len(before)
    app.button(key="edit:turn").click().run()
    assert covers(memory) == before


def test_a_branch_is_marked_as_rolled_back_by_hand(memory: Memory) -> None:
    last = mark_of(memory, "All booked")
    app = editing(memory, last)
    app.text_area(key="tree:edit:rolled").set_value("It should have waited.")
    press(app, "Mark as rolled back")
    tree = memory.runs.get(run_of(memory).id).events()[-1]
    assert tree.kind == "revised" and tree.target == 11
    assert "Rolled back to step 11" in words(app)
    app = editing(memory, last)
    press(app, "The agent did not go back")
    assert memory.runs.get(run_of(memory).id).events()[-1].kind == "maintained"


def test_an_edit_of_what_somebody_else_changed_since_is_refused_with_a_reason(memory: Memory) -> None:
    flawed = mark_of(memory, "13:10 ferry held")
    app = editing(memory, flawed)
    memory.edit(Set("mark", (flawed,), "summary", "theirs"), ANOTHER)
    app.text_area(key="tree:edit:summary").set_value("mine")
    press(app, "Save")
    assert "Somebody changed this" in words(app)
    assert mark_of(memory, "theirs") == flawed
    assert app.text_area(key="tree:edit:summary").value == "mine" and "theirs" in words(app)
    press(app, "Save mine over it")
    assert not app.exception and mark_of(memory, "mine") == flawed
    memory.edit(Set("mark", (flawed,), "summary", "theirs again"), ANOTHER)
    app.text_area(key="tree:edit:summary").set_value("mine again").run()
    assert "while you were typing" in words(app)
    press(app, "Take what is there now")
    assert app.text_area(key="tree:edit:summary").value == "theirs again"
    memory.edit(Set("mark", (flawed,), "summary", "the last word"), ANOTHER)
    assert app.run().text_area(key="tree:edit:summary").value == "the last word"


def test_what_was_typed_stays_in_its_box_when_it_could_not_be_saved(memory: Memory) -> None:
    app = editing(memory, "s2")
    app.text_input(key="tree:edit:end").set_value("measured")
    app.text_input(key="edit:reason").set_value("r" * 600)
    app.session_state["edit:author"] = "a" * 3_000
    press(app, "Add a boundary here")
    assert "The author has at most" in words(app)
    assert app.text_input(key="tree:edit:end").value == "measured"


def test_the_history_tells_edits_of_marks_in_words(memory: Memory) -> None:
    app = editing(memory, "s2")
    press(app, "Add a boundary here")
    told = page("history")
    assert not told.exception
    assert "Added" in plainly(told)


# the demo


def test_the_demo_runs_to_its_end_and_is_stored_like_any_other_run(store: Memories) -> None:
    app = page("state_tree")
    app.session_state["tree:demo:pace"] = 0.0
    press(app, "Play the demo agent")
    eventually(app, lambda: "Play" in labels(app), "the demo did not end")
    (run,) = store.scope("Agent runs").runs.all()
    assert run.outcome == "accepted" and run.reward == 1
    assert asked(app, "run") == run.id


def test_the_demo_is_paused_resumed_and_stopped(memory: Memory) -> None:
    app = page("state_tree")
    app.session_state["tree:demo:pace"] = 1.5
    press(app, "Play the demo agent")
    settled(app, "Pause")
    press(app, "Pause")
    assert "Paused" in words(app)
    press(app, "Resume")
    press(app, "Stop")
    eventually(app, lambda: "Play" in labels(app), "the demo did not stop")
    run = memory.runs.get(asked(app, "run")).run
    assert run.outcome == "stopped" and run.steps < 18


def test_without_revise_the_demo_does_not_go_back(memory: Memory) -> None:
    app = page("state_tree")
    app.toggle(key="tree:demo:tree_revise").set_value(False)
    app.session_state["tree:demo:pace"] = 0.0
    press(app, "Play the demo agent")
    eventually(app, lambda: "Play" in labels(app), "the demo did not end")
    events = memory.runs.get(asked(app, "run")).events()
    assert not any(e.kind == "revised" for e in events)


# import


def test_a_file_of_runs_is_previewed_imported_and_reported(store: Memories) -> None:
    memory = store.scope(SCOPE, create=True)
    app = press(page("state_tree"), "Import agent runs")
    app.text_input(key="runs:path").set_value(str(samples.folder() / "quartet_runs.jsonl")).run()
    press(app, "Preview")
    settled(app, "Import")
    assert "2 runs with 20 steps" in words(app) and memory.runs.all() == []
    press(app, "Import")
    settled(app, "Look at the runs")
    assert "20 steps written" in words(app) and len(memory.runs.all()) == 2
    press(app, "Look at the runs")
    assert len(app.dataframe[0].value) == 2


def test_the_list_of_files_shows_the_report_of_a_file_of_runs(memory: Memory) -> None:
    list(memory.import_path(samples.folder() / "study_assistant.jsonl"))
    told = plainly(page("conversations", view="Files"))
    assert "quartet_runs.jsonl** · memcore run JSONL · 2 runs · 20 steps read" in told


def test_a_file_that_is_no_run_is_refused_with_a_reason(store: Memories, tmp_path: Path) -> None:
    store.scope(SCOPE, create=True)
    path = tmp_path / "notes.txt"
    path.write_text("just a note")
    app = press(page("state_tree"), "Import agent runs")
    app.text_input(key="runs:path").set_value(str(path)).run()
    press(app, "Preview")
    settled(app, "Choose other files")
    assert app.button(key="runs:start").disabled
    assert "Looked for" in app.warning[0].value
