"""The lines of a Claude Code session: which of them belong to the run, and how they hang together.

One message of the model is written as several lines with the same message id; they are merged where the
first of them stands. Lines of progress, snapshots and hooks are no part of the run, but the chain of
parents runs through them. A compaction starts a new root; the summary that follows it is a line of its
own. Where two prompts have the same parent, the user went back and asked again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from memcore.importing.report import Report
from memcore.importing.shapes import compact, is_list, is_record, items, name, record, string

_SPOKEN = ("user", "assistant")
_BESIDE = frozenset(
    [
        "system", "progress", "summary", "file-history-snapshot", "queue-operation", "attachment", "mode",
        "permission-mode", "ai-title", "custom-title", "last-prompt", "tag", "agent-name", "pr-link",
    ]
)  # fmt: skip


@dataclass
class Line:
    """One message of the session: a prompt, a reply merged from its lines, results, or a summary."""

    kind: str
    raw: dict[str, Any]
    blocks: list[Any] = field(default_factory=list[Any])
    uuids: list[str] = field(default_factory=list[str])

    @property
    def message(self) -> dict[str, Any]:
        """The message itself, with all its blocks."""
        return {**record(self.raw.get("message")), "content": self.blocks}

    @property
    def is_prompt(self) -> bool:
        """Whether a person (and no tool and no program) wrote it."""
        results = any(string(record(block).get("type")) == "tool_result" for block in self.blocks)
        return self.kind == "user" and not results and not self.raw.get("isMeta")


def nearest_told(parents: dict[str, str], at: str, told: Container[str]) -> str:
    """The line itself or its nearest ancestor among `told`, through lines that are no part of the run."""
    seen: set[str] = set()
    while at and at not in told and at not in seen:
        seen.add(at)
        at = parents.get(at, "")
    return at if at in told else ""


def is_line(entry: object) -> bool:
    """Whether this is a message of a session."""
    if not is_record(entry) or entry.get("type") not in _SPOKEN:
        return False
    return is_record(entry.get("message")) and not {"sessionId", "uuid", "parentUuid"}.isdisjoint(entry)


def parents_of(entries: list[Any]) -> dict[str, str]:
    """The parent of every line of the file; a compaction's is the line it logically follows."""
    return {
        name(entry["uuid"]): name(entry.get("parentUuid")) or name(entry.get("logicalParentUuid"))
        for entry in map(record, entries)
        if name(entry.get("uuid"))
    }


def spoken_lines(entries: Iterable[tuple[str, Any]], report: Report) -> Iterator[Line]:
    """The messages in the order of the file, each merged where its first line stands.

    `entries` are pairs of the place in the file and what stands there. What is left out is noted.
    """
    replies: dict[str, Line] = {}
    seen: set[str] = set()
    for where, told in entries:
        entry = _wrapped(told)
        if not _belongs(where, entry, report):
            continue
        raw, message = record(entry), record(record(entry).get("message"))
        same = f"{name(raw.get('uuid'))} {compact(message)}"
        if name(raw.get("uuid")) and same in seen:
            report.repeat(1)
            continue
        seen.add(same)
        id = name(message.get("id")) if raw["type"] == "assistant" else ""
        if id and id in replies:
            replies[id].blocks += _blocks(message)
            replies[id].uuids.append(name(raw.get("uuid")))
            continue
        line = Line(_kind(raw), raw, _blocks(message), [name(raw.get("uuid"))])
        if id:
            replies[id] = line
        yield line


def _wrapped(entry: Any) -> Any:
    """A call or a result that stands on a line of its own, as the message it would be part of."""
    kind = record(entry).get("type")
    if kind not in ("tool_use", "tool_result"):
        return entry
    role = "assistant" if kind == "tool_use" else "user"
    return {**record(entry), "type": role, "message": {"role": role, "content": [entry]}}


def _kind(raw: dict[str, Any]) -> str:
    return "compacted" if raw.get("isCompactSummary") else string(raw.get("type"))


def _belongs(where: str, entry: Any, report: Report) -> bool:
    if not is_record(entry):
        report.skip(where, "a line is not a record")
    elif entry.get("type") in _SPOKEN:
        if is_record(entry.get("message")):
            return True
        report.skip(where, "a line holds no message")
    elif string(entry.get("type")) in _BESIDE:
        report.warn("a line of progress, a snapshot or a note of the program is not a step")
    else:
        report.skip(where, "a line is of a type that is not known")
    return False


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    return list(items(content)) if is_list(content) else [] if content is None else [content]
