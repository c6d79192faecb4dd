"""Every recorded run that lies beside the checkout: as many steps as counting by hand gives, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memcore.detecting import detect, failing_steps, possible
from memcore.errors import UnknownFormat
from memcore.evaluation.on_mistakes import chance, labelled_runs, measure
from memcore.importing.runs import DraftRun, all_runs, read_runs, records_of
from memcore.state_tree import replay

Count = Callable[[Path], int]


def values(path: Path) -> list[Any]:
    """The JSON values of a file, one or one a line."""
    text = path.read_text("utf-8-sig")
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def spoken(message: dict[str, Any]) -> bool:
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    return any((part.get("text") if isinstance(part, dict) else part) for part in parts)


def actions(messages: list[dict[str, Any]]) -> int:
    """Tool calls, and messages of the agent without one."""
    said = [m for m in messages if m["role"] == "assistant"]
    return sum(len(m.get("tool_calls") or []) or spoken(m) for m in said)


def in_tau_bench(path: Path) -> int:
    return sum(actions(run["traj"]) for run in values(path)[0])


def in_messages(path: Path) -> int:
    [value] = values(path)
    if isinstance(value, list):
        return actions(value)
    logged = value.get("raw_messages") or value["messages"]
    return actions([*logged, value["response"]["choices"][0]["message"]])


def in_claude_code(path: Path) -> int:
    """By message id: its tool calls, or one for its text; and results that answer no call."""
    entries = values(path)
    if isinstance(entries[0], dict) and "loglines" in entries[0]:
        entries = entries[0]["loglines"]
    lines = [e for e in entries if isinstance(e, dict) and isinstance(e.get("message"), dict)]
    if any(not line.get("isSidechain") for line in lines):
        lines = [line for line in lines if not line.get("isSidechain")]
    replies: dict[str, list[Any]] = {}
    for number, line in enumerate(lines):
        if line["type"] == "assistant":
            content = line["message"].get("content") or []
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            replies.setdefault(line["message"].get("id") or str(number), []).extend(blocks)
    steps = 0
    for blocks in replies.values():
        calls = sum(block["type"] == "tool_use" for block in blocks)
        steps += calls or any((block.get("text") or block.get("thinking") or "").strip() for block in blocks)
    return steps


def in_swe_agent(path: Path) -> int:
    return len(values(path)[0]["trajectory"])


def in_mini_swe_agent(path: Path) -> int:
    return sum(message["role"] == "assistant" for message in values(path)[0])


def in_who_and_when(path: Path) -> int:
    return len(values(path)[0]["history"])


def in_search(path: Path) -> int:
    return sum(len(states) for states in values(path)[0])


def in_reflexion(path: Path) -> int:
    found = values(path)
    if "memory" in (records := found[0] if len(found) == 1 else found)[0]:
        return sum(len(entry["memory"]) + entry["is_success"] for entry in records)
    return sum(len(entry["reflections"]) + 1 for entry in records)


FAMILIES: dict[str, tuple[str, str, Count]] = {
    "traj-tau-bench": ("*.json", "tau-bench log", in_tau_bench),
    "openai-messages": ("**/*.json", "tool-call messages", in_messages),
    "claude-code": ("**/*.json*", "Claude Code session", in_claude_code),
    "traj-swe-agent": ("*.traj", "SWE-agent trajectory", in_swe_agent),
    "traj-mini-swe-agent": ("*.json", "mini-swe-agent trajectory", in_mini_swe_agent),
    "traj-who-and-when": ("**/*.json", "Who&When run", in_who_and_when),
    "traj-tree-of-thought": ("infoss*.json", "tree-of-thought search", in_search),
    "traj-reflexion": ("*.json*", "Reflexion trials", in_reflexion),
}
CONVERSATIONS = (
    "chatgpt-export",
    "claude-ai-export",
    "gemini-takeout",
    "locomo",
    "messengers",
    "hermes-session",
)


def files(shared_data: Path, family: str) -> Iterator[Path]:
    found = [path for path in sorted((shared_data / family).glob(FAMILIES[family][0])) if path.is_file()]
    assert found, f"no file of {family}"
    yield from found


def read(path: Path) -> list[DraftRun]:
    return list(read_runs(path).runs)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_has_as_many_steps_as_counting_gives(shared_data: Path, family: str) -> None:
    _, name, count = FAMILIES[family]
    for path in files(shared_data, family):
        reading = read_runs(path)
        steps = sum(len(run.steps) for run in reading.runs)
        assert (path.name, reading.format, steps) == (path.name, name, count(path))


@pytest.mark.parametrize("family", CONVERSATIONS)
def test_files_that_are_no_runs_are_refused_with_a_reason(shared_data: Path, family: str) -> None:
    found = sorted(p for p in (shared_data / family).rglob("*") if p.suffix in (".json", ".txt", ".md"))
    assert found, f"no file of {family}"
    for path in found:
        with pytest.raises(UnknownFormat, match="Looked for"):
            read_runs(path)


def test_the_subagents_of_a_session_hang_below_their_steps(shared_data: Path) -> None:
    for path in files(shared_data, "claude-code"):
        beside = list((path.with_suffix("") / "subagents").glob("agent-*.jsonl"))
        [run] = read(path)
        assert len(run.nested) == len(beside)
        assert all(nested.parent_step for nested in run.nested)


def test_a_search_has_the_parents_and_backtracks_of_its_log(shared_data: Path) -> None:
    for path in files(shared_data, "traj-tree-of-thought"):
        for run, states in zip(read(path), values(path)[0], strict=True):
            places = {(): 0}
            for position, (step, state) in enumerate(zip(run.steps, states, strict=True), start=1):
                assert step.parent == places[tuple(state["actions"][:-1])]
                places[tuple(state["actions"])] = position
            depths = [state["env_step"] for state in states]
            drops = [n for n in range(1, len(depths)) if depths[n] <= depths[n - 1]]
            assert [n for n, step in enumerate(run.steps, start=1) if "backtracked" in step.signals] == drops


@pytest.mark.parametrize("family", FAMILIES)
def test_all_detected_marks_are_possible_and_name_rule_and_evidence(shared_data: Path, family: str) -> None:
    for path in files(shared_data, family):
        for draft in (nested for run in read(path) for nested in all_runs(run)):
            found = records_of(draft, "file")
            marks = detect(found.run, found.steps, found.marks)
            assert possible(found.steps, marks) == marks
            places = {step.position for step in found.steps}
            for mark in marks:
                assert mark.rule and mark.evidence and set(mark.evidence) <= places


def test_replayed_with_its_marks_a_search_goes_where_its_log_went(shared_data: Path) -> None:
    for path in files(shared_data, "traj-tree-of-thought"):
        for draft in read(path):
            found = records_of(draft, "file")
            back = {m.after: m.target for m in detect(found.run, found.steps) if m.action == "revise"}
            at = 0
            for step in found.steps:
                assert step.parent == at
                at = back.get(step.position, step.position)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_tree_refuses_no_detected_mark(shared_data: Path, family: str) -> None:
    for path in files(shared_data, family):
        for draft in (nested for run in read(path) for nested in all_runs(run)):
            found = records_of(draft, "file")
            events = list(replay(found.steps, detect(found.run, found.steps, found.marks)))
            assert not [event for event in events if event.kind == "refused"]
            assert sum(event.kind in ("grown", "known_path") for event in events) == len(found.steps)


def test_no_observation_is_cut(shared_data: Path) -> None:
    for path in files(shared_data, "traj-swe-agent"):
        told = [step["observation"] for step in values(path)[0]["trajectory"]]
        assert [step.observation for step in read(path)[0].steps] == told


def test_the_failing_step_rules_are_measured_against_labels_and_chance(shared_data: Path) -> None:
    runs = list(labelled_runs(shared_data / "traj-who-and-when"))
    assert len(runs) == len(list(files(shared_data, "traj-who-and-when")))
    assert all("labelled_mistake" in run.steps[(run.wrong_step or 0) - 1].signals for run in runs)
    for row in measure(runs):
        assert row.runs == len(runs)
        assert row.found > row.chance


def test_the_label_is_no_part_of_the_rules(shared_data: Path) -> None:
    for run in labelled_runs(shared_data / "traj-who-and-when"):
        bare = [
            step._replace(signals=tuple(s for s in step.signals if s != "labelled_mistake"))
            for step in run.steps
        ]
        assert failing_steps(bare) == failing_steps(run.steps)


def test_chance_is_counted_exactly() -> None:
    assert chance(steps=5, wrong=3, pointed=1) == 1.0
    assert chance(steps=10, wrong=1, pointed=1) == pytest.approx(3 / 10)
    assert chance(steps=10, wrong=5, pointed=2) == pytest.approx(1 - (5 / 10) * (4 / 9))
    assert chance(steps=100, wrong=50, pointed=0) == 0.0
