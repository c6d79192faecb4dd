"""Boundary: the agent says that it is finished: a submit or finish call, the agreed last command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits

RULE = "finished"
_TOOLS = frozenset(
    ("finish", "submit", "submit_review_form", "attempt_completion", "complete", "done", "task_done", "exit")
)
_COMMAND = re.compile(
    r"\s*(?:submit\b|exit\s*$|echo\s+[\"']?COMPLETE_TASK_AND_SUBMIT)|MINI_SWE_AGENT_FINAL_OUTPUT"
)
_WORDS = re.compile(r"\s*(?:TERMINATE|FINAL ANSWER\b|Request satisfied\.)")


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """After each step that ends the task in so many words."""
    for act in acts:
        if act.step.tool.lower() in _TOOLS or _COMMAND.match(act.command) or _WORDS.match(act.step.action):
            yield Boundary(act.position, RULE, (act.position,), True)
