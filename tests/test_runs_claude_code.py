"""A Claude Code session is one run: lines merged, compactions bridged, subagents below their steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_files import (
    came_back,
    line,
    main_session,
    progress,
    read,
    save_lines,
    subagent,
    use,
)


def test_lines_of_one_message_are_merged_and_progress_is_dropped(tmp_path: Path) -> None:
    lines = [
        line("user", "u1", None, "Fix it."),
        line("assistant", "a1", "u1", [{"type": "thinking", "thinking": "Hm."}], id="m1"),
        line("assistant", "a2", "a1", [{"type": "text", "text": "I look."}], id="m1"),
        line("assistant", "a3", "a2", [use("t1", "Bash", command="ls")], id="m1"),
        progress("p1", "a3", type="bash_progress"),
        line("user", "u2", "p1", came_back("t1", "Exit code 2\nboom", is_error=True)),
        line("assistant", "a4", "u2", [{"type": "text", "text": "Done."}], id="m2"),
    ]
    [run], report = read(save_lines(tmp_path / "s1.jsonl", lines))
    assert [(s.tool, s.thought) for s in run.steps] == [("Bash", "Hm.\n\nI look."), ("", "")]
    assert run.steps[0].signals == ("is_error", "exit_code")
    assert (run.task, report.steps_read) == ("Fix it.", 2)


def test_a_compaction_is_a_boundary_and_the_run_goes_on(tmp_path: Path) -> None:
    lines = [
        line("user", "u1", None, "Fix it."),
        line("assistant", "a1", "u1", [{"type": "text", "text": "Half."}], id="m1"),
        {"type": "system", "subtype": "compact_boundary", "uuid": "c1", "parentUuid": None,
         "logicalParentUuid": "a1", "sessionId": "s1"},
        line("user", "u2", "c1", "The summary so far.", isCompactSummary=True),
        line("assistant", "a2", "u2", [{"type": "text", "text": "Whole."}], id="m2"),
    ]  # fmt: skip
    [run], _ = read(save_lines(tmp_path / "s1.jsonl", lines))
    assert [s.action for s in run.steps] == ["Half.", "Whole."]
    assert [(m.after, m.action, m.summary, m.rule) for m in run.marks] == [
        (1, "compress", "The summary so far.", "compaction")
    ]


def test_a_prompt_asked_again_from_the_same_place_is_a_branch(tmp_path: Path) -> None:
    lines = [
        line("user", "u1", None, "Hello"),
        line("assistant", "a1", "u1", "Hi.", id="m1"),
        line("user", "u2", "a1", "Make it red."),
        line("assistant", "a2", "u2", "Red.", id="m2"),
        line("user", "u3", "a1", "Make it blue."),
        line("assistant", "a3", "u3", "Blue.", id="m3"),
    ]
    [run], _ = read(save_lines(tmp_path / "s1.jsonl", lines))
    assert [(s.action, s.observation, s.parent) for s in run.steps] == [
        ("Hi.", "Make it red.", None), ("Red.", "", None), ("", "Make it blue.", 1), ("Blue.", "", None),
    ]  # fmt: skip


@pytest.mark.parametrize("where", ["file", "side lines", "progress"])
def test_a_subagent_is_a_run_below_the_step_that_started_it(tmp_path: Path, where: str) -> None:
    lines = main_session()
    if where == "file":
        folder = tmp_path / "s1" / "subagents"
        folder.mkdir(parents=True)
        save_lines(folder / "agent-ag1.jsonl", subagent("ag1"))
    elif where == "side lines":
        lines += subagent("ag1")
    else:
        lines += [
            progress(f"p{n}", "a1", type="agent_progress", agentId="ag1", message=each)
            | {"parentToolUseID": "t1"}
            for n, each in enumerate(subagent("ag1"))
        ]
    [run], report = read(save_lines(tmp_path / "s1.jsonl", lines))
    [nested] = run.nested
    assert (nested.agent, nested.parent_step, nested.source) == ("ag1", 1, "s1/ag1")
    assert [(s.tool, s.observation) for s in nested.steps] == [("Grep", "hit")]
    assert (report.runs, report.nested, report.steps_read) == (1, 1, 2)


def test_agents_of_a_workflow_hang_below_the_call_that_launched_it(tmp_path: Path) -> None:
    folder = tmp_path / "s1" / "subagents" / "workflows" / "wf1"
    folder.mkdir(parents=True)
    save_lines(folder / "agent-ag1.jsonl", subagent("ag1"))
    lines = [
        line("user", "u1", None, "Sweep."),
        line("assistant", "a1", "u1", [use("t1", "Workflow", scriptPath="x.js")], id="m1"),
        line("user", "u2", "a1", came_back("t1", "launched"), toolUseResult={"runId": "wf1"}),
    ]
    [run], _ = read(save_lines(tmp_path / "s1.jsonl", lines))
    assert [(nested.agent, nested.parent_step) for nested in run.nested] == [("ag1", 1)]


def test_the_agent_id_on_a_result_does_not_rename_the_session(tmp_path: Path) -> None:
    lines = main_session()
    del lines[2]["toolUseResult"]
    lines[2]["agentId"] = "ag1"
    [run], _ = read(save_lines(tmp_path / "s1.jsonl", [*lines, *subagent("ag1")]))
    assert run.source == "s1"
    assert [(nested.source, nested.parent_step) for nested in run.nested] == [("s1/ag1", 1)]


def test_a_subagent_read_alone_is_the_same_run(tmp_path: Path) -> None:
    folder = tmp_path / "s1" / "subagents"
    folder.mkdir(parents=True)
    alone = save_lines(folder / "agent-ag1.jsonl", subagent("ag1"))
    whole = save_lines(tmp_path / "s1.jsonl", main_session())
    assert read(alone)[0][0].identity == read(whole)[0][0].nested[0].identity


def test_an_interrupted_turn_and_a_lost_result_are_marked_as_aborted(tmp_path: Path) -> None:
    lines = [
        line("user", "u1", None, "Fix it."),
        line("assistant", "a1", "u1", [use("t1", "Bash", command="sleep 9")], id="m1"),
        line("user", "u2", "a1", [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
    ]
    [run], _ = read(save_lines(tmp_path / "s1.jsonl", lines))
    assert run.steps[0].signals == ("aborted", "no_result")
