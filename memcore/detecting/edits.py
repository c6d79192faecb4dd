"""Edits of files and what takes them back: the opposite edit, an undo command, a checkout of what was.

An edit is undone where a later one of the same file puts the old text in the place of the new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from memcore.detecting.actions import Act

REVERTS = re.compile(
    r"(?:^|[;&|\n])[ \t]*git\s+(?:-C\s+\S+\s+)?"
    r"(?:checkout\s+(?:\S+\s+)?--\s|checkout\s+\.|checkout\s+HEAD\b|restore\s+(?!--staged\b)|reset\s+(?:\S+\s+)*--hard"
    r"|revert\b|stash(?:\s+(?:push|save|-u)|\s*(?:$|[;&|])))"
)
_UNDO = re.compile(r"(?:^|[;&|])[ \t]*(?:undo_edit|undo)\b")
_OLD, _NEW = ("old_string", "old_str", "old_text", "search"), ("new_string", "new_str", "new_text", "replace")


class Change(NamedTuple):
    """The replacement of one text by another in a file."""

    path: str
    old: str
    new: str


class Undone(NamedTuple):
    """An edit, and the later step that took it back."""

    edit: int
    by: int


def changes(act: Act) -> list[Change]:
    """The replacements that one action asks for."""
    given = act.given
    parts = given.get("edits")
    told: list[Any] = cast("list[Any]", parts) if isinstance(parts, list) else [given]
    found: list[Change] = []
    for part in told:
        if isinstance(part, dict):
            entry = cast("dict[str, Any]", part)
            old = next((entry[key] for key in _OLD if isinstance(entry.get(key), str)), None)
            new = next((entry[key] for key in _NEW if isinstance(entry.get(key), str)), None)
            if old is not None and new is not None and old != new:
                found.append(Change(act.path, old, new))
    return found


def opposite_edits(acts: Sequence[Act], within: int) -> Iterator[Undone]:
    """Edits that a later one, at most `within` steps on, puts back as it was."""
    made: dict[tuple[str, str, str], int] = {}
    for act in acts:
        if act.failed:
            continue
        for change in changes(act):
            before = made.pop((change.path, change.new, change.old), None)
            if before is not None and act.position - before <= within:
                yield Undone(before, act.position)
            else:
                made[(change.path, change.old, change.new)] = act.position


def is_revert(act: Act) -> bool:
    """Whether it takes edits back by a command: git checkout, restore, reset --hard, stash; undo."""
    return bool(is_undo(act) or (act.command and REVERTS.search(act.command)))


def is_undo(act: Act) -> bool:
    """Whether it is the undo command of an editor."""
    if act.given.get("command") == "undo_edit" or act.step.tool == "undo_edit":
        return True
    return bool(act.command and _UNDO.match(act.command))


def edits_file(act: Act) -> bool:
    """Whether it changes a file and did not fail."""
    return act.family == "edit" and not act.failed and not is_revert(act)
