"""What an action does, read from the tool's name and its arguments: a look, an edit, a command, a reply.

Nothing is run. An action is "tool(arguments)" where the arguments are JSON, or a command as the agent
typed it. Everything here is a guess from words that many tools share; where they say nothing, the action
is a deed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, cast

Family = Literal["look", "edit", "run", "web", "plan", "say", "do"]

_FAMILIES: tuple[tuple[Family, re.Pattern[str]], ...] = (
    ("plan", re.compile(r"todo|plan|task_?(create|update|list|tracker)|think|ledger|orchestrator", re.I)),
    ("web", re.compile(r"web|fetch|browse|url|google|http", re.I)),
    ("edit", re.compile(r"edit|write|create_file|apply_patch|str_replace|insert|patch|^create$|undo", re.I)),
    (
        "look",
        re.compile(r"read|view|open|grep|glob|^ls$|list|find|search|get_|cat|show|scroll|goto|calc", re.I),
    ),
    ("run", re.compile(r"bash|shell|terminal|exec|^run|python|ipython|command|pytest", re.I)),
)
_LOOKS = re.compile(
    r"\s*(?:cd\s+\S+\s*&&\s*)?(?:sudo\s+)?"
    r"(?:ls|cat|head|tail|grep|rg|find|find_file|search_file|search_dir|tree|pwd|wc|less|file|stat|open|goto|"
    r"scroll_up|scroll_down|which|echo|sed\s+-n|strings|git\s+(?:status|log|diff|show|branch|blame))\b"
)
_EDITS = re.compile(
    r"\s*(?:cd\s+\S+\s*&&\s*)?(?:sed\s+-i|cat\s+(?:<<|>)|tee\b|rm\b|mv\b|cp\b|mkdir\b|touch\b|edit\b|create\b|insert\b|"
    r"patch\b|git\s+apply|str_replace\b|undo_edit\b)"
)
_SHELLS = re.compile(r"bash|shell|terminal|execute|run_command|exec_command|^cmd$", re.I)
_PATHS = ("file_path", "path", "notebook_path", "filename", "file_name", "file", "target_file")
_COMMANDS = ("command", "cmd", "code", "script")
_TYPED_PATH = re.compile(
    r"\s*(?:open|create|edit|cat|rm|str_replace_editor\s+\w+)\s+[\"']?([\w./~-]+\.\w+|/[\w./~-]+)"
)
_LONGEST = 200_000  # characters of an action that are read; a longer one is a deed of its tool


class Step(Protocol):
    """What the detectors see of a step: a stored one or a draft."""

    @property
    def action(self) -> str: ...
    @property
    def observation(self) -> str: ...
    @property
    def thought(self) -> str: ...
    @property
    def tool(self) -> str: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def signals(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Act:
    """A step at its position, with what its action says when it is read."""

    position: int
    step: Step

    @cached_property
    def given(self) -> dict[str, Any]:
        """The arguments of a tool call; empty where the action is none, or no JSON."""
        action, tool = self.step.action, self.step.tool
        if not tool or not action.startswith(f"{tool}(") or len(action) > _LONGEST:
            return {}
        try:
            found = json.loads(action[len(tool) + 1 : -1])
        except (ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    @cached_property
    def command(self) -> str:
        """What was typed into a shell; empty where the action is something else."""
        tool, action = self.step.tool, self.step.action[:_LONGEST]
        shell = bool(tool) and _SHELLS.search(tool) is not None
        if not action.startswith(f"{tool}("):
            return action if shell or (tool and action.split(maxsplit=1)[:1] == [tool]) else ""
        if not shell:
            return ""
        found = next((self.given[key] for key in _COMMANDS if self.given.get(key)), "")
        return " ".join(map(str, cast("list[Any]", found))) if isinstance(found, list) else str(found)

    @cached_property
    def path(self) -> str:
        """The file it works on; empty where it names none."""
        named = next((self.given[key] for key in _PATHS if isinstance(self.given.get(key), str)), "")
        if named or not self.command:
            return str(named)
        typed = _TYPED_PATH.match(self.command)
        return typed.group(1) if typed else ""

    @cached_property
    def family(self) -> Family:
        """What kind of deed it is."""
        if not self.step.tool:
            return "say"
        if self.command:
            if _EDITS.match(self.command):
                return "edit"
            return "look" if _LOOKS.match(self.command) else "run"
        if self.given.get("command") in ("view", "undo_edit", "create", "str_replace", "insert"):
            return "look" if self.given["command"] == "view" else "edit"
        for family, words in _FAMILIES:
            if words.search(self.step.tool):
                return family
        return "do"

    @cached_property
    def key(self) -> str:
        """The action with its white space made even: equal keys are the same action."""
        return f"{self.step.tool}\n{' '.join(self.step.action.split())}"

    @property
    def failed(self) -> bool:
        """Whether the step itself failed, as far as its signals say."""
        return not SELF.isdisjoint(self.step.signals)


SELF = frozenset(("exit_code", "is_error", "error_text", "status_error", "aborted", "no_result"))


def acts_of(steps: Sequence[Step]) -> list[Act]:
    """The steps of a run with their positions, in order."""
    return [Act(position, step) for position, step in enumerate(steps, start=1)]
