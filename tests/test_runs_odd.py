"""No reader of runs trips over a value that is something else than it should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from run_files import (
    OWN,
    USER,
    acting,
    called,
    main_session,
    progress,
    read,
    result,
    save_lines,
    state,
    subagent,
)

from memcore.errors import UnknownFormat
from memcore.importing.runs import flat, records_of

ODD: list[Any] = [None, 7, "x", [], {}, [None], {"type": "tool_use"}, [{"type": ["text"]}], "\ud800\x00"]
SAMPLES: dict[str, list[Any]] = {
    "messages": [[USER, acting(called("a", "f", x=1)), result("a", [{"type": "text", "text": "t"}])]],
    "tau": [[{"task_id": 1, "trial": 0, "reward": 0.0, "info": {"task": {"instruction": "i"}},
              "traj": [USER, acting(called("a", "f")), result("a", "1")]}]],
    "swe": [{"environment": "e", "trajectory": [{"action": "ls", "observation": "a", "thought": "t"}],
             "history": [{"role": "user", "content": "task"}], "info": {"exit_status": "x"}}],
    "mini": [{"trajectory_format": "mini-swe-agent-1", "info": {"exit_status": "Submitted"}, "messages": [
        USER, {"role": "assistant", "content": "```bash\nls\n```", "extra": {"timestamp": 1.0}},
        {"role": "exit", "content": "done"}]}],
    "who": [{"history": [{"role": "human", "content": "?"}], "mistake_step": "0", "question": "?"}],
    "dfs": [[[state(0, "a"), state(1, "a", "b"), state(2, "c")]]],
    "bfs": [[{"idx": 1, "infos": [{"r": 1}], "steps": [
        {"x": "1", "ys": [""], "new_ys": ["p", "q"], "values": [1, 2], "select_new_ys": ["q"]}]}]],
    "reflexion": [[{"task_id": "1", "is_solved": False, "reflections": ["r"], "solution": "s"}]],
    "claude": [*main_session(), *subagent("ag1"), progress("p1", "a1", type="agent_progress", agentId="ag2")],
    "own": OWN,
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value stands inside another."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, below in inside for place in places(below, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], odd)
    return copy


@pytest.mark.parametrize("sample", SAMPLES)
def test_an_odd_value_anywhere_breaks_no_reader(tmp_path: Path, sample: str) -> None:
    path = tmp_path / "odd.jsonl"
    read(save_lines(path, SAMPLES[sample]))
    for place in places(SAMPLES[sample])[1:]:
        for odd in ODD:
            save_lines(path, replaced(SAMPLES[sample], place, odd))
            try:
                runs, report = read(path)
            except UnknownFormat:
                continue
            json.dumps(report.as_dict())
            for found in (each for run in runs for each in flat(records_of(run, "f"))):
                "".join(f"{s.action}{s.observation}{s.thought}{s.tool}" for s in found.steps).encode()
