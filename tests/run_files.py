"""Small files of recorded runs, written as their programs write them, and how tests read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memcore.importing.runs import DraftRun, RunFileReport, read_runs

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


def state(total: int, *actions: str) -> dict[str, Any]:
    return {"total_step": total, "env_step": len(actions), "actions": list(actions), "info": {}, "count": {}}


def line(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **({"id": more.pop("id")} if "id" in more else {})}
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def use(id: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": tool, "input": given}


def came_back(id: str, text: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text, **more}]


def progress(uuid: str, parent: str, **data: Any) -> dict[str, Any]:
    return {"type": "progress", "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "data": data}


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
