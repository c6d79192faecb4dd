"""A model that follows the rules of construction, writing and the state tree, as replies of the fake server.

What it says follows from what it was shown, so that a test can tell what came of which call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from llm_server import Asked

TASKS = {
    "Rewrite the passage": "extract",
    "Decide whether": "merge",
    "These numbered passages": "consolidate",
    "List atomic facts": "refine",
    "Sum up these steps": "summarise",
    "Check the finished subgoal": "verify",
    'Answer {"ready"': "check",
}
_SPOKEN = re.compile(r"^(?:\((\d+)\) \[[^\]]*\] )?([A-Z]\w*): (.+)$", re.M)


def task_of(asked: Asked) -> str:
    """Which task a request is for, by its instructions; "" for one of another kind."""
    return next((task for start, task in TASKS.items() if asked.instructions.startswith(start)), "")


def obedient(asked: Asked) -> str:
    """A reply that follows the rules."""
    return json.dumps(_REPLIES[task_of(asked)](asked.data), ensure_ascii=False)


def but(**instead: Any) -> Callable[[Asked], str]:
    """The same model, which says something else for some tasks."""

    def reply(asked: Asked) -> str:
        said = instead.get(task_of(asked))
        return obedient(asked) if said is None else said if isinstance(said, str) else json.dumps(said)

    return reply


def _extract(data: str) -> dict[str, Any]:
    said = _SPOKEN.findall(data)
    people = list(dict.fromkeys(speaker for _, speaker, _ in said))
    things = list(dict.fromkeys(w for _, _, text in said for w in re.findall(r"\b[a-z]{6,}\b", text)))[:3]
    cues = [{"name": p, "kind": "people"} for p in people] + [{"name": t, "kind": "topic"} for t in things]
    return {
        "text": "Retold: " + " ".join(f"{who} said: {text}" for _, who, text in said),
        "cues": cues,
        "pairs": [{"cue": i, "tag": f"what is told of {c['name']}"} for i, c in enumerate(cues)],
        "facts": [{"person": p, "text": f"{p} spoke of {things[0]}."} for p in people if things],
        "event": ["2023-05-07", "2023-05-07"],
    }


def _passages(data: str) -> list[int]:
    return [int(n) for n in re.findall(r"^\((\d+)\) \[", data, re.M)] or [0]


def _consolidate(data: str) -> dict[str, Any]:
    return {"episodes": [{"text": "An episode by a model.", "passages": _passages(data)}]}


def _refine(data: str) -> dict[str, Any]:
    return {"facts": [{"text": f"A fact by a model, of {len(data)} characters.", "passages": [0]}]}


_REPLIES: dict[str, Callable[[str], dict[str, Any]]] = {
    "extract": _extract,
    "merge": lambda data: {"belongs": True, "text": "An episode by a model, told further."},
    "consolidate": _consolidate,
    "refine": _refine,
    "summarise": lambda data: {"summary": "A summary by a model."},
    "verify": lambda data: {"passed": True},
    "check": lambda data: {"ready": True},
}
