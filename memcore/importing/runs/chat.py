"""Chat messages with tool calls, as the OpenAI and Anthropic interfaces write them, read as steps.

Calls stand in "tool_calls", "function_call", as "tool_use" blocks, or as <function=...> in the text of
models without tool calls; results in messages of the role "tool" or as "tool_result" blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.blocks import Piece, pieces
from memcore.importing.report import Report
from memcore.importing.runs.collecting import Collecting
from memcore.importing.shapes import compact, first_given, is_list, is_record, items, name, record, string
from memcore.records import UNKNOWN, Moment

_CALLS = frozenset(("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "function_call", "toolCall"))
_RESULTS = frozenset(("tool_result", "mcp_tool_result", "web_search_tool_result", "function_call_output"))
_AGENT = frozenset(("assistant", "ai", "model"))
_PERSON = frozenset(("user", "human"))
_TOOL = frozenset(("tool", "function"))
_SYSTEM = frozenset(("system", "developer"))
_WRITTEN = re.compile(r"<function=([\w.-]+)>")


class Call(NamedTuple):
    """One tool call: its id, the tool, and the arguments as they stand in the file."""

    id: str
    tool: str
    given: str


class Said(NamedTuple):
    """One message taken apart: thoughts, text, calls and results (id, text, is_error)."""

    thought: str
    text: str
    calls: tuple[Call, ...]
    results: tuple[tuple[str, str, bool], ...]


def acts(message: object) -> bool:
    """Whether a message calls a tool or brings the result of one."""
    if not is_record(message):
        return False
    if (
        string(message.get("role")).lower() in _TOOL
        or message.get("tool_calls")
        or message.get("function_call")
    ):
        return True
    content = message.get("content")
    if isinstance(content, str):
        return string(message.get("role")) in _AGENT and _WRITTEN.search(content) is not None
    return any(string(record(block).get("type")) in _CALLS | _RESULTS for block in items(content))


def read_message(message: Any, into: Collecting, report: Report, where: str) -> None:
    """One message of the list becomes what it is in the run; one that is none is noted."""
    role = string(record(message).get("role")).lower()
    if not is_record(message) or not role:
        report.skip(where, "a message is not a record with a role")
        return
    said = report.time(first_given(message, ("timestamp", "created_at", "create_time", "time", "date")))
    if role in _SYSTEM:
        into.system()
    elif role in _TOOL:
        text = text_of(message.get("content"), report)
        into.result(name(message.get("tool_call_id")), text, tool=name(message.get("name")))
    elif role in _AGENT:
        agent_says(taken_apart(message, report), into, name(message.get("id")), said)
    elif role in _PERSON:
        person_says(taken_apart(message, report), into)
    else:
        report.skip(where, "a message has a role that takes no part in a run")


def agent_says(said: Said, into: Collecting, source: str = "", at: Moment = UNKNOWN) -> None:
    """Calls are the actions and the text their thought; without calls the text is the action."""
    thought = said.thought
    if said.calls:
        thought = "\n\n".join(part for part in (said.thought, said.text) if part.strip())
    for call in said.calls:
        into.call(call.id, call.tool, call.given, thought, at)
        thought = ""
    if not said.calls and (said.text.strip() or said.thought.strip()):
        into.say(said.text, thought, source, at)
        if written := _WRITTEN.search(said.text):
            into.name_tool(written.group(1))
    for id, text, is_error in said.results:  # tools the provider runs answer in the same message
        into.result(id, text, ("is_error",) if is_error else ())


def person_says(said: Said, into: Collecting) -> None:
    """Results first, then what the user says beside them."""
    for id, text, is_error in said.results:
        into.result(id, text, ("is_error",) if is_error else ())
    into.reply(said.text)


def taken_apart(message: dict[str, Any], report: Report) -> Said:
    """Thoughts, text, calls and results of one message of either interface."""
    thoughts = [string(message.get("reasoning_content"))]
    texts: list[str] = []
    calls = list(_calls_beside(message))
    results: list[tuple[str, str, bool]] = []
    content = message.get("content")
    for block in content if is_list(content) else [content]:
        kind = string(record(block).get("type"))
        if kind in _CALLS:
            calls.append(_call(record(block)))
        elif kind in _RESULTS:
            results.append(_result(record(block), report))
        else:
            for part in pieces(block, report):
                (thoughts if part.role == "thought" else texts).append(_shown(part))
    return Said(_joined(thoughts), _joined(texts), tuple(calls), tuple(results))


def text_of(content: object, report: Report) -> str:
    """A result as one text: a string verbatim, blocks joined, pictures named, anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if is_list(content):
        return _joined([_shown(part) for part in pieces(content, report)])
    return compact(content)


def _calls_beside(message: dict[str, Any]) -> Iterator[Call]:
    for entry in items(message.get("tool_calls")):
        yield _call(record(entry))
    if function := record(message.get("function_call")):
        yield _call(function)


def _call(entry: dict[str, Any]) -> Call:
    function = record(entry.get("function")) or entry
    given = first_given(function, ("arguments", "input", "args", "parameters"))
    id = name(first_given(entry, ("id", "call_id", "tool_call_id")))
    return Call(id, name(function.get("name")) or "tool", "" if given is None else compact(given))


def _result(block: dict[str, Any], report: Report) -> tuple[str, str, bool]:
    id = name(first_given(block, ("tool_use_id", "call_id", "tool_call_id", "id")))
    text = text_of(first_given(block, ("content", "output", "result")), report)
    return id, text, block.get("is_error") is True


def _shown(part: Piece) -> str:
    named = [f"[{attached}]" for attached in part.attachments]
    return "\n".join(text for text in (part.text, *named) if text)


def _joined(texts: list[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())
