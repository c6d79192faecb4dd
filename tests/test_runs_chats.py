"""Chat logs, trajectories and labelled runs become one step per action, verbatim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_files import (
    SYSTEM,
    USER,
    acting,
    called,
    read,
    result,
    save,
    save_lines,
)

from memcore.errors import UnknownFormat
from memcore.importing import read_file
from memcore.importing.runs import read_runs


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
