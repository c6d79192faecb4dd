"""Boundaries and steps back are read from the steps by rules, and only possible ones are kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.detecting import Limits, detect, failing_steps, possible
from memcore.records import AgentRun, RunMark, RunStep, new_id

RUN = AgentRun(id="r", file_id="f", title="", source="", task="")
EDIT = {"file_path": "a.py", "old_string": "one", "new_string": "two"}
BACK = {"file_path": "a.py", "old_string": "two", "new_string": "one"}


def call(
    tool: str, observation: str = "ok", *, thought: str = "", fails: bool = False, **given: Any
) -> RunStep:
    signals = ("is_error",) if fails else ()
    return RunStep("", "r", 0, f"{tool}({json.dumps(given)})", observation, thought, tool, signals=signals)


def bash(command: str, observation: str = "", **more: Any) -> RunStep:
    return call("Bash", observation, command=command, **more)


def say(text: str) -> RunStep:
    return RunStep("", "r", 0, text, "")


def numbered(*steps: RunStep) -> list[RunStep]:
    return [
        RunStep(new_id(), "r", n, s.action, s.observation, s.thought, s.tool, s.parent, s.signals)
        for n, s in enumerate(steps, start=1)
    ]


def marks(*steps: RunStep, declared: tuple[RunMark, ...] = ()) -> list[RunMark]:
    return detect(RUN, numbered(*steps), declared)


def told(found: list[RunMark]) -> list[tuple[int, str, str, int | None]]:
    return [(mark.after, mark.action, mark.rule, mark.target) for mark in found]


def looks(count: int) -> list[RunStep]:
    return [call("Read", f"text {n}", file_path=f"{n}.py") for n in range(count)]


# --- boundaries -----------------------------------------------------------------------------------------


def test_an_item_of_the_plan_that_is_done_is_a_boundary_with_its_words() -> None:
    def plan(first: str, second: str) -> RunStep:
        todos = [{"content": "Read it", "status": first}, {"content": "Mend it", "status": second}]
        return call("TodoWrite", todos=todos)

    found = marks(
        plan("pending", "pending"), bash("ls"), plan("completed", "pending"), plan("completed", "completed")
    )
    assert told(found) == [(3, "compress", "plan_item_done", None), (4, "compress", "plan_item_done", None)]
    assert found[0].summary.startswith("done: Read it")
    assert found[0].evidence == (3,)


def test_tasks_that_are_updated_one_by_one_are_boundaries() -> None:
    found = marks(bash("ls"), call("TaskUpdate", taskId="4", status="completed"), bash("ls"))
    assert told(found) == [(2, "compress", "plan_item_done", None)]


def test_finishing_committing_and_passing_tests_are_boundaries() -> None:
    green, red = "5 passed in 0.1s", "1 failed, 4 passed"
    found = marks(
        *looks(3), bash("pytest -q", green), *looks(3), bash("git add . && git commit -m x"), bash("submit")
    )
    assert [(m.after, m.rule) for m in found] == [(4, "tests_passed"), (8, "committed"), (9, "finished")]
    assert not [m for m in marks(*looks(3), bash("pytest -q", red)) if m.rule == "tests_passed"]


def test_a_report_after_deeds_is_a_boundary_and_talk_alone_is_none() -> None:
    assert told(marks(*looks(3), say("Done."), say("Anything else?"))) == [(4, "compress", "reported", None)]
    assert told(marks(say("Hello"), say("What?"), say("Yes."), say("Bye."))) == []


def test_work_of_another_kind_and_on_another_file_are_boundaries() -> None:
    edits = [call("Edit", file_path="a.py", old_string=str(n), new_string=f"{n}!") for n in range(3)]
    others = [call("Edit", file_path="b.py", old_string=str(n), new_string=f"{n}!") for n in range(2)]
    found = marks(*looks(4), *edits, *others)
    assert [(m.after, m.rule) for m in found] == [(4, "other_kind_of_work"), (7, "other_file")]
    assert found[0].evidence == (4, 5)
    assert "a.py" in found[1].summary


def test_a_segment_ends_when_it_is_too_long_in_steps_or_characters() -> None:
    assert [(m.after, m.rule) for m in marks(*looks(15))] == [(12, "length")]
    big = [call("Read", "x" * 5_000, file_path=f"{n}.py") for n in range(4)]
    assert [(m.after, m.rule) for m in marks(*big)] == [(3, "length")]


def test_an_inferred_boundary_gives_way_to_a_declared_one_close_behind() -> None:
    found = marks(*looks(3), bash("pytest", "3 passed"), bash("git commit -m x"))
    assert [(m.after, m.rule) for m in found] == [(5, "committed")]


def test_a_summary_is_short_and_made_of_the_agents_own_words() -> None:
    steps = [
        call("Edit", "done", thought="I mend the colon. Then more.", **EDIT),
        bash("submit", "x" * 9_000),
    ]
    [mark] = marks(*steps)
    assert mark.summary.startswith("I mend the colon. · changed a.py · ended with: x")
    assert len(mark.summary) <= 240
    assert mark.made_by == "rule"


# --- going back -----------------------------------------------------------------------------------------


def test_a_failed_action_done_again_rolls_back_the_failed_one_with_its_reason() -> None:
    wrong = call("Edit", "String to replace not found", fails=True, **EDIT)
    found = marks(*looks(2), wrong, call("Read", file_path="a.py"), call("Edit", **EDIT))
    assert told(found) == [
        (2, "compress", "returned_to", None),
        (4, "compress", "retried", None),
        (4, "maintain", "retried", 2),
        (4, "revise", "retried", 2),
    ]
    assert [mark.rank for mark in found] == [0, 0, 1, 2]
    assert found[2].note == "step 3 failed: String to replace not found"
    assert not found[2].passed and found[3].evidence == (3, 5)


def test_a_chain_of_retries_goes_back_to_the_same_place_each_time() -> None:
    failing = [call("book", "Error: taken", fails=True, seat=n) for n in range(3)]
    found = marks(call("look"), *failing, call("book", seat=9))
    assert [(m.after, m.target) for m in found if m.action == "revise"] == [(2, 1), (3, 1), (4, 1)]


def test_other_deeds_in_between_make_no_retry() -> None:
    assert not [
        m for m in marks(bash("make", fails=True), say("Shall I?"), bash("make")) if m.action == "revise"
    ]


def test_another_approach_after_a_failure_goes_back_before_it() -> None:
    found = marks(
        bash("make", "boom", fails=True), bash("ls"), call("Write", thought="I try a different approach.")
    )
    assert told(found)[-1] == (2, "revise", "other_approach", 0)


def test_an_edit_put_back_is_a_return_to_before_it() -> None:
    found = marks(
        *looks(2), call("Edit", **EDIT), bash("pytest", "1 failed"), call("Edit", **BACK), *looks(1)
    )
    assert told(found)[-1] == (5, "revise", "edit_undone", 2)
    assert found[-1].evidence == (3, 5)


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -- a.py",
        "cd /x && git checkout .",
        "git restore a.py",
        "git reset --hard HEAD~1",
        "git stash",
    ],
)
def test_git_taking_edits_back_is_a_return(command: str) -> None:
    found = marks(*looks(1), call("Edit", **EDIT), bash("pytest"), bash(command), *looks(1))
    assert told(found)[-1] == (4, "revise", "reverted", 1)


@pytest.mark.parametrize(
    "command", ["git checkout -b new", "git checkout main", "git restore --staged a.py", "git log"]
)
def test_git_commands_that_lose_nothing_are_none(command: str) -> None:
    assert not [m for m in marks(*looks(1), call("Edit", **EDIT), bash(command)) if m.action == "revise"]


def test_undo_takes_back_the_last_edit_only() -> None:
    editor = "str_replace_editor"
    edits = [
        call(editor, command="str_replace", path="a.py", old_str=f"{n}", new_str=f"{n}!") for n in range(2)
    ]
    found = marks(*looks(1), *edits, call(editor, command="undo_edit", path="a.py"), *looks(1))
    assert told(found)[-1] == (4, "revise", "reverted", 2)


def test_a_commit_is_not_gone_back_behind() -> None:
    found = marks(call("Edit", **EDIT), bash("git commit -am x"), bash("git checkout ."))
    assert not [m for m in found if m.action == "revise"]


def test_a_new_plan_rolls_back_the_old_one() -> None:
    def thought(text: str) -> RunStep:
        return RunStep("", "r", 0, text, "", tool="Orchestrator (thought)")

    found = marks(
        say("task"), thought("Initial plan:\n\nlook"), *looks(2), thought("New plan:\n\nask"), *looks(1)
    )
    assert told(found)[-1] == (4, "revise", "plan_restarted", 1)


def test_a_search_returns_to_the_parents_of_its_log() -> None:
    parents = [0, 1, 2, 2, 1, 0]
    steps = [
        RunStep("", "r", 0, f"a{n}", "", tool="thought", parent=parent) for n, parent in enumerate(parents)
    ]
    found = marks(*steps)
    assert [(m.after, m.target) for m in found if m.action == "revise"] == [(3, 2), (4, 1), (5, 0)]
    assert [m.after for m in found if m.action == "compress"] == [1, 2]


# --- what cannot have happened -----------------------------------------------------------------------------


def mark(after: int, action: Any, **more: Any) -> RunMark:
    return RunMark(new_id(), "r", after, action, **more)


def test_marks_that_the_file_states_are_kept_and_nothing_is_inferred_beside_them() -> None:
    stated = (mark(2, "compress", summary="Looked."), mark(3, "revise", target=2))
    assert marks(*looks(15), declared=stated) == list(stated)


def test_impossible_marks_are_dropped() -> None:
    stated = [
        mark(1, "compress"),
        mark(1, "compress", rank=1),
        mark(3, "revise", target=2),
        mark(3, "compress"),
        mark(4, "revise", target=1),
        mark(5, "revise", target=3),
        mark(9, "compress"),
    ]
    assert [stated.index(kept) for kept in possible(numbered(*looks(5)), stated)] == [0, 3, 4]


def test_the_summary_of_a_compaction_is_a_boundary_among_the_detected_ones() -> None:
    stated = mark(4, "compress", summary="All that was said.", rule="compaction")
    found = marks(*looks(3), bash("git commit -m x"), *looks(1), bash("submit"), declared=(stated,))
    assert (found[0].after, found[0].rule, found[0].summary) == (4, "compaction", "All that was said.")
    assert found[0].id == stated.id and found[-1].rule == "finished"


KINDS = st.sampled_from(["look", "edit", "back", "fail", "commit", "stash", "say", "undo", "plan"])


def made(kind: str) -> RunStep:
    return {
        "look": call("Read", file_path="a.py"),
        "edit": call("Edit", **EDIT),
        "back": call("Edit", **BACK),
        "fail": call("Edit", "not found", fails=True, **EDIT),
        "commit": bash("git commit -m x"),
        "stash": bash("git stash"),
        "say": say("Done."),
        "undo": call("edit_file", command="undo_edit", path="a.py"),
        "plan": call("TodoWrite", todos=[{"content": "x", "status": "completed"}]),
    }[kind]


@given(st.lists(KINDS, max_size=40), st.lists(st.none() | st.integers(0, 40), max_size=40))
def test_whatever_is_found_is_a_possible_history(kinds: list[str], parents: list[int | None]) -> None:
    steps = [
        RunStep(
            s.id, "r", s.position, s.action, s.observation, s.thought, s.tool, _parent(parents, s), s.signals
        )
        for s in numbered(*map(made, kinds))
    ]
    found = detect(RUN, steps)
    assert possible(steps, found) == found
    assert [(m.after, m.rank) for m in found] == sorted((m.after, m.rank) for m in found)
    assert all(len(m.summary) <= 240 and m.rule and m.evidence for m in found)


def _parent(parents: list[int | None], step: RunStep) -> int | None:
    at = parents[step.position - 1] if step.position <= len(parents) else None
    return None if at is None or at >= step.position else at


def test_limits_can_be_changed() -> None:
    steps = numbered(*looks(6))
    assert [m.after for m in detect(RUN, steps, limits=Limits(longest=3))] == [3, 6]


def test_the_failing_step_rules_name_admissions_then_the_conclusion_then_failures() -> None:
    steps = numbered(
        say("Task"), bash("make", fails=True), say("I could not find it, so I assume 7."), say("It is 7.")
    )
    assert [(s.position, s.rule) for s in failing_steps(steps)] == [
        (3, "admits_a_gap"),
        (4, "concluded"),
        (2, "failed_itself"),
    ]
    assert len(failing_steps(steps, most=1)) == 1
    assert failing_steps([]) == []
