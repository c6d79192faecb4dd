"""Recorded runs become steps: one per action, verbatim, whatever the format and whatever is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memcore.errors import UnknownFormat
from memcore.importing import read_file
from memcore.importing.runs import DraftRun, RunFileReport, all_runs, read_runs, records_of
from memcore.importing.runs.signals import observed

Read = tuple[list[DraftRun], RunFileReport]


def read(path: Path) -> Read:
    reading = read_runs(path)
    runs = list(reading.runs)
    return runs, reading.report.freeze_runs()


def save(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def save_lines(path: Path, lines: list[Any], end: str = "\n") -> Path:
    path.write_bytes((end.join(json.dumps(line) for line in lines) + end).encode())
    return path


def called(id: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}


def acting(*calls: dict[str, Any], content: Any = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(id: str, text: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text}


USER = {"role": "user", "content": "Book two seats."}
SYSTEM = {"role": "system", "content": "Be kind."}


# --- messages with tool calls ---------------------------------------------------------------------


def test_a_call_and_its_result_are_one_step_and_a_reply_is_the_observation_of_a_message(
    tmp_path: Path,
) -> None:
    asks = [{"role": "assistant", "content": "Window or aisle?"}, {"role": "user", "content": "Aisle."}]
    looks = acting(called("a", "search", seats=2), content="I look.")
    chat = [SYSTEM, USER, looks, result("a", "3 free"), *asks]
    [run], report = read(save(tmp_path / "chat.json", chat))
    assert run.task == "Book two seats."
    first, second = run.steps
    assert (first.tool, first.action, first.observation) == ("search", 'search({"seats": 2})', "3 free")
    assert first.thought == "I look."
    assert (second.tool, second.action, second.observation) == ("", "Window or aisle?", "Aisle.")
    assert any("system prompt" in warning for warning in report.warnings)


def test_parallel_calls_are_steps_of_their_own_with_their_own_results(tmp_path: Path) -> None:
    chat = [
        USER,
        acting(called("a", "f"), called("b", "g"), content="Both."),
        result("b", "two"),
        result("a", "one"),
    ]
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert [(s.tool, s.observation, s.thought) for s in run.steps] == [
        ("f", "one", "Both."),
        ("g", "two", ""),
    ]


def test_an_id_that_is_used_again_answers_the_open_call(tmp_path: Path) -> None:
    chat = [USER, acting(called("a", "f")), result("a", "one"), acting(called("a", "f")), result("a", "two")]
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert [step.observation for step in run.steps] == ["one", "two"]


def test_an_orphan_result_is_kept_and_a_call_without_result_says_so(tmp_path: Path) -> None:
    chat = [USER, acting(called("a", "f")), result("lost", "nobody asked")]
    [run], report = read(save(tmp_path / "chat.json", chat))
    assert [(s.action, s.observation, s.signals) for s in run.steps] == [
        ("f({})", "", ("no_result",)),
        ("", "nobody asked", ()),
    ]
    assert any("answers no call" in warning for warning in report.warnings)


def test_null_content_parts_and_pictures_are_read(tmp_path: Path) -> None:
    picture = [
        {"type": "text", "text": "seen"},
        {"type": "image_url", "image_url": {"url": "https://x.invalid/a"}},
    ]
    chat = [
        USER,
        acting(called("a", "look")),
        result("a", picture),
        acting(called("b", "f")),
        result("b", None),
    ]
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert run.steps[0].observation == "seen\n\n[image]"
    assert run.steps[1].observation == ""


def test_calls_written_into_the_text_are_calls(tmp_path: Path) -> None:
    said = "I look.\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>"
    chat = [
        USER,
        {"role": "assistant", "content": said},
        {"role": "user", "content": "EXECUTION RESULT: a.txt"},
    ]
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert [(s.tool, s.action, s.observation) for s in run.steps] == [
        ("terminal", said, "EXECUTION RESULT: a.txt")
    ]


def test_a_log_that_repeats_its_history_is_read_once(tmp_path: Path) -> None:
    begun = [USER, acting(called("a", "f")), result("a", "1")]
    longer = [*begun, acting(called("b", "g")), result("b", "2")]
    lines = [{"messages": begun}, {"messages": longer}, {"messages": begun}]
    [run], report = read(save_lines(tmp_path / "log.jsonl", lines))
    assert len(run.steps) == 2
    assert report.repeated == 6


def test_a_chat_with_tool_calls_may_be_imported_either_way_and_one_without_is_no_run(tmp_path: Path) -> None:
    both = save(tmp_path / "both.json", [USER, acting(called("a", "f")), result("a", "1")])
    assert read_runs(both).format == "tool-call messages"
    assert read_file(both).format == "message list"
    chat = save(tmp_path / "chat.json", [USER, {"role": "assistant", "content": "Gladly."}])
    with pytest.raises(UnknownFormat, match="is a conversation and no agent run"):
        read_runs(chat)


# --- tau-bench, SWE-agent, mini-swe-agent, Who&When -----------------------------------------------


def test_tau_bench_keeps_task_trial_and_reward(tmp_path: Path) -> None:
    def run(trial: int, reward: float) -> dict[str, Any]:
        traj = [SYSTEM, USER, acting(called("a", "book")), result("a", "Error: seat taken")]
        info = {"task": {"instruction": "You want two seats."}}
        return {"task_id": 4, "trial": trial, "reward": reward, "info": info, "traj": traj}

    runs, report = read(save(tmp_path / "tau.json", [run(0, 0.0), run(1, 1.0)]))
    assert [(r.task_id, r.trial, r.reward, r.outcome) for r in runs] == [
        ("4", 0, 0.0, "not solved"),
        ("4", 1, 1.0, "solved"),
    ]
    assert runs[0].task == "You want two seats.\n\nBook two seats."
    assert runs[0].steps[0].signals == ("error_text", "reward_0")
    assert runs[1].steps[0].signals == ("error_text",)
    assert report.runs == 2


def test_swe_agent_steps_are_the_trajectory_and_a_demonstration_is_none(tmp_path: Path) -> None:
    history = [
        {"role": "system", "content": "Shell."},
        {"role": "user", "content": "A demonstration", "is_demo": True},
        {"role": "user", "content": "Fix the colon."},
    ]
    steps = [
        {"action": "open a.py\n", "observation": "1:x", "thought": "Look.", "response": "r", "state": "{}\n"},
        {
            "action": "python a.py",
            "observation": "Traceback (most recent call last):\n boom",
            "response": "Run.",
        },
    ]
    value = {
        "environment": "e",
        "trajectory": steps,
        "history": history,
        "info": {"exit_status": "exit_cost"},
    }
    [run], report = read(save(tmp_path / "a.traj", value))
    assert run.task == "Fix the colon."
    assert [(s.tool, s.thought) for s in run.steps] == [("open", "Look."), ("python", "Run.")]
    assert run.steps[1].signals == ("aborted", "error_text")
    assert any("demonstration" in warning for warning in report.warnings)


@pytest.mark.parametrize("fence", ["mswea_bash_command", "bash"])
def test_mini_swe_agent_steps_are_its_messages(tmp_path: Path, fence: str) -> None:
    chat = [
        {"role": "system", "content": "One command."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": f"Look first.\n\n```{fence}\nls -la\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\nno\n</output>"},
        {"role": "assistant", "content": "I forgot the command."},
        {"role": "user", "content": "Give exactly one command."},
    ]
    [run], _ = read(save(tmp_path / "m.traj.json", chat))
    assert [(s.action, s.thought) for s in run.steps] == [
        ("ls -la", "Look first."),
        ("I forgot the command.", ""),
    ]
    assert run.steps[0].signals == ("exit_code",)
    assert run.steps[1].observation == "Give exactly one command."


def test_newer_mini_swe_agent_calls_tools_and_says_how_it_ended(tmp_path: Path) -> None:
    chat = [
        SYSTEM,
        USER,
        acting(called("a", "bash", command="ls")) | {"extra": {"timestamp": 1775786369.2}},
        result("a", "<returncode>0</returncode>"),
    ]
    value = {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {"exit_status": "LimitsExceeded"},
        "messages": chat,
    }
    [run], _ = read(save(tmp_path / "m.json", value))
    assert run.outcome == "LimitsExceeded"
    assert [(s.tool, s.signals, s.said.known) for s in run.steps] == [("bash", ("aborted",), True)]


def test_the_last_command_of_mini_swe_agent_is_answered_by_the_exit(tmp_path: Path) -> None:
    chat = [
        USER,
        acting(called("a", "bash", command="echo COMPLETE")),
        {"role": "exit", "content": "the patch"},
    ]
    value = {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {"exit_status": "Submitted"},
        "messages": chat,
    }
    [run], _ = read(save(tmp_path / "m.json", value))
    assert [(s.observation, s.signals) for s in run.steps] == [("the patch", ())]


def test_the_labelled_mistake_of_who_and_when_is_the_step_after_its_index(tmp_path: Path) -> None:
    history = [
        {"role": "human", "content": "How many?"},
        {"role": "Orchestrator (-> Coder)", "content": "Count them."},
        {"role": "user", "name": "Computer_terminal", "content": "exitcode: 1 (execution failed)"},
    ]
    label = {"mistake_step": "1", "mistake_agent": "Orchestrator", "mistake_reason": "Wrong order."}
    value = {"question": "How many?", "history": history, **label, "ground_truth": "7", "question_ID": "q1"}
    [run], _ = read(save(tmp_path / "1.json", value))
    assert run.wrong_step == 2
    assert [step.signals for step in run.steps] == [(), ("labelled_mistake",), ("exit_code",)]
    assert (run.steps[2].action, run.steps[2].tool) == ("", "Computer_terminal")
    assert "Wrong order." in run.outcome and "7" in run.outcome


def test_a_label_that_names_no_message_is_noted(tmp_path: Path) -> None:
    value = {"history": [{"role": "human", "content": "?"}], "mistake_step": "nine", "mistake_agent": ""}
    [run], report = read(save(tmp_path / "1.json", value))
    assert run.wrong_step is None
    assert "a label names no message of its history" in report.warnings


# --- searches and trials ----------------------------------------------------------------------------


def state(total: int, *actions: str) -> dict[str, Any]:
    return {"total_step": total, "env_step": len(actions), "actions": list(actions), "info": {}, "count": {}}


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


# --- Claude Code -------------------------------------------------------------------------------------


def line(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **({"id": more.pop("id")} if "id" in more else {})}
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def use(id: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": tool, "input": given}


def came_back(id: str, text: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text, **more}]


def progress(uuid: str, parent: str, **data: Any) -> dict[str, Any]:
    return {"type": "progress", "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "data": data}


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


def subagent(agent: str, **more: Any) -> list[dict[str, Any]]:
    return [
        line("user", "b1", None, "Search.", isSidechain=True, agentId=agent, **more),
        line(
            "assistant",
            "b2",
            "b1",
            [use("x1", "Grep", pattern="a")],
            id="n1",
            isSidechain=True,
            agentId=agent,
        ),
        line("user", "b3", "b2", came_back("x1", "hit"), isSidechain=True, agentId=agent),
    ]


def main_session() -> list[dict[str, Any]]:
    return [
        line("user", "u1", None, "Fix it."),
        line("assistant", "a1", "u1", [use("t1", "Task", prompt="Search.")], id="m1"),
        line("user", "u2", "a1", came_back("t1", "found"), toolUseResult={"agentId": "ag1"}),
    ]


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


# --- our own ------------------------------------------------------------------------------------------

OWN: list[dict[str, Any]] = [
    {"format": "memcore.run", "run": "r1", "task": "Book.", "reward": 1, "trial": 2},
    {
        "step": 1,
        "action": "search(seats)",
        "observation": "3 free",
        "tool": "search",
        "at": "2025-03-01T10:00:00Z",
    },
    {"step": 2, "action": "book(7A)", "observation": "taken", "signals": ["is_error"]},
    {"mark": "compress", "after": 2, "summary": "7A is taken."},
    {"mark": "revise", "target": 0, "note": "Look first.", "evidence": [1, 2]},
    {"format": "memcore.run", "run": "r2", "parent_run": "r1", "parent_step": 1},
    {"action": "look", "observation": "seen"},
]


def test_our_own_lines_carry_steps_marks_and_nested_runs(tmp_path: Path) -> None:
    [run], report = read(save_lines(tmp_path / "own.jsonl", OWN))
    assert [(s.action, s.signals) for s in run.steps] == [("search(seats)", ()), ("book(7A)", ("is_error",))]
    assert [(m.action, m.after, m.rank, m.target, m.evidence) for m in run.marks] == [
        ("compress", 2, 0, None, ()),
        ("revise", 2, 1, 0, (1, 2)),
    ]
    assert (run.reward, run.trial, run.started.zoned) == (1.0, 2, True)
    assert (run.nested[0].source, run.nested[0].parent_step) == ("r2", 1)
    assert (report.steps_read, report.marks) == (3, 2)


def test_bad_lines_of_our_own_are_reported_and_the_others_read(tmp_path: Path) -> None:
    lines = [
        {"action": "too early"},
        *OWN[:2],
        7,
        {"mark": "dance"},
        {"mark": "revise", "target": 9},
        {"x": 1},
    ]
    [run], report = read(save_lines(tmp_path / "own.jsonl", lines))
    assert len(run.steps) == 1
    assert {kind.why: kind.count for kind in report.skipped} == {
        "a line stands before the first header": 1,
        "a line is no record": 1,
        "a mark is of no known kind, or names a step that is not there": 2,
        'a line has neither "action" nor "mark"': 1,
    }


# --- what any file may do ------------------------------------------------------------------------------


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    plain = save_lines(tmp_path / "a.jsonl", OWN)
    marked = tmp_path / "b.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + save_lines(tmp_path / "c.jsonl", OWN, "\r\n").read_bytes())
    assert read(plain)[0] == read(marked)[0]


def test_a_file_cut_off_in_the_middle_is_read_up_to_there(tmp_path: Path) -> None:
    whole = save_lines(tmp_path / "a.jsonl", OWN[:3]).read_text("utf-8")
    cut = tmp_path / "cut.jsonl"
    cut.write_text(whole[:-40], "utf-8")
    [run], report = read(cut)
    assert len(run.steps) == 1
    assert [(kind.why, kind.first_where) for kind in report.skipped] == [("a line is no JSON", "line 3")]


@pytest.mark.parametrize(
    "text", ["", "no JSON at all", '{"truncated": [1, 2', "\x00\x01\x02", '{"a": 1}', "[]"]
)
def test_other_files_are_refused_with_what_was_looked_for(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UnknownFormat, match="Looked for: our own JSONL of runs"):
        read_runs(path)


def test_a_megabyte_terminal_codes_and_binary_output_stay_as_they_are(tmp_path: Path) -> None:
    long, colour = "x" * 1_000_000 + "the end", "\x1b[31mred\x1b[0m \ufffd\x07"
    chat = [USER, *(m for n, text in enumerate([long, colour, "a\x00b"])
                    for m in (acting(called(str(n), "f")), result(str(n), text)))]  # fmt: skip
    [run], report = read(save(tmp_path / "chat.json", chat))
    assert [step.observation for step in run.steps] == [long, colour, "ab"]
    assert any("NUL" in warning for warning in report.warnings)


def test_two_runs_with_one_id_are_both_kept_and_a_run_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    other = [{"format": "memcore.run", "run": "r1", "task": "Book."}, *OWN[1:2], {"action": "else"}]
    runs, report = read(save_lines(tmp_path / "own.jsonl", [*OWN[:3], *other, *OWN[:3]]))
    assert [len(run.steps) for run in runs] == [2, 2]
    assert len({run.identity for run in runs}) == 2
    assert report.repeated == 2
    assert any("same id" in text for text in report.warnings)


def test_records_carry_positions_random_ids_and_the_run_above(tmp_path: Path) -> None:
    [draft], _ = read(save_lines(tmp_path / "own.jsonl", OWN))
    found = records_of(draft, "file-1")
    assert [step.position for step in found.steps] == [1, 2]
    assert {step.run_id for step in found.steps} == {mark.run_id for mark in found.marks} == {found.run.id}
    assert (found.run.steps, found.run.file_id) == (2, "file-1")
    [nested] = found.nested
    assert (nested.run.parent_run, nested.run.parent_step) == (found.run.id, 1)
    assert found.run.id != records_of(draft, "file-1").run.id
    assert [run.source for run in all_runs(draft)] == ["r1", "r2"]


def test_an_action_done_again_after_failing_and_an_edit_put_back_are_signals(tmp_path: Path) -> None:
    chat = [
        USER,
        acting(called("1", "run", x=1)), result("1", "Error: no"),
        acting(called("2", "run", x=1)), result("2", "ok"),
        acting(called("3", "edit", path="a", old_str="x", new_str="y")), result("3", "ok"),
        acting(called("4", "edit", path="a", old_str="y", new_str="x")), result("4", "ok"),
    ]  # fmt: skip
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert [step.signals for step in run.steps] == [("error_text", "retried"), (), ("undone_edit",), ()]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Exit code 1\nboom", ("exit_code",)),
        ("exitcode: 0 (execution succeeded)\nError: printed", ()),
        ("<returncode>127</returncode>", ("exit_code",)),
        ("x\n[The command completed with exit code 0.]", ()),
        ("x\n[Command finished with exit code 3]", ("exit_code",)),
        ('{"output": "", "metadata": {"exit_code": 2}}', ("exit_code",)),
        ('{"status": "cancelled"}', ("status_error",)),
        ("Error: gift card balance is not enough", ("error_text",)),
        ("cat: x.py: No such file or directory", ("error_text",)),
        ("All errors were fixed.", ()),
        ("The exit code is documented in chapter 3", ()),
        ("", ()),
    ],
)
def test_an_observation_shows_whether_its_step_failed(text: str, codes: tuple[str, ...]) -> None:
    assert observed(text) == codes
