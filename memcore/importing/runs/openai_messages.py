"""Lists of chat messages in which tools are called, and logs of such calls to a model.

One JSON list, {"messages": [...]} or "raw_messages" with the reply in "response", or one such list or
object a line. A list without any tool call is a conversation and no run. A log that repeats the history
with every call is read once: a list that another one begins with is no run of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.runs.chat import acts, read_message
from memcore.importing.runs.collecting import Collecting
from memcore.importing.runs.draft import DraftRun, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import compact, fingerprint, is_list, is_record, items, name, record, string
from memcore.records import UNKNOWN

NAME = "tool-call messages"
SAYS = 'OpenAI or Anthropic messages with tool calls (a list, or "messages", also one a line)'
_ROLES = frozenset(("system", "developer", "user", "assistant", "tool", "function", "human", "ai", "model"))
_FOREIGN = frozenset(("mapping", "chat_messages", "sessionId", "agents", "core_memory", "trajectory", "eval"))
_IDS = ("id", "run_id", "conversation_id", "session_id", "thread_id", "task_id", "instance_id")
_LOOKED_AT = 200


def recognises(file: RunFile) -> bool:
    """The records are messages, or most of them hold messages; and somewhere a tool is called."""
    records = file.document.records
    if _is_messages(records):
        return any(map(acts, records))
    logs = [entry for entry in records[:_LOOKED_AT] if _list_in(entry) is not None]
    return 2 * len(logs) >= min(len(records), _LOOKED_AT) and any(map(_calls, logs))


def _is_messages(values: object) -> bool:
    seen = items(values)[:_LOOKED_AT]
    known = sum(is_record(entry) and string(entry.get("role")).lower() in _ROLES for entry in seen)
    return bool(known) and 2 * known >= len(seen)


def _list_in(entry: object) -> list[Any] | None:
    if is_list(entry):
        return entry if _is_messages(entry) else None
    if not is_record(entry) or not _FOREIGN.isdisjoint(entry):
        return None
    return next((entry[key] for key in ("raw_messages", "messages") if _is_messages(entry.get(key))), None)


def _calls(entry: object) -> bool:
    """Whether a tool is called in the messages of a record, or in the reply logged with them."""
    return any(map(acts, _list_in(entry) or [])) or acts(_reply(record(entry)))


class _Log(NamedTuple):
    """A list of messages, the record around it, and where it stands."""

    messages: list[Any]
    around: dict[str, Any]
    where: str


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per list that calls a tool and that no other list begins with."""
    records = file.document.records
    if _is_messages(records):
        yield _run(_Log(records, {}, file.document.name), 1, report)
        return
    logs: list[_Log] = []
    for position, entry in enumerate(records):
        where = file.document.where(position)
        messages = _list_in(entry)
        if messages is None:
            report.skip(where, "a record holds no list of messages")
        elif not _calls(entry):
            report.skip(where, "a list of messages calls no tool; it is a conversation")
        else:
            logs.append(_Log(messages, record(entry), where))
    for number, log in enumerate(_longest(logs, report), start=1):
        yield _run(log, number, report)


def _longest(logs: list[_Log], report: RunReport) -> list[_Log]:
    """The logs that no other one continues, in the place where each line of history begins."""
    kept: dict[int, _Log] = {}
    ends: dict[str, int] = {}
    inside: set[str] = set()
    for place, log in enumerate(logs):
        digests = _histories(log)
        if digests[-1] in inside:
            report.repeat(len(log.messages))
            continue
        earlier = next((digest for digest in reversed(digests) if digest in ends), None)
        at = ends.pop(earlier) if earlier else place
        if earlier:
            report.repeat(len(kept[at].messages))
        kept[at] = log
        ends[digests[-1]] = at
        inside.update(digests)
    return list(kept.values())


def _histories(log: _Log) -> list[str]:
    """A digest for each message that covers everything up to it."""
    digest = next((name(log.around.get(key)) for key in _IDS if key in log.around), "")
    digests: list[str] = []
    for message in log.messages:
        said = record(message)
        digest = fingerprint(
            digest, string(said.get("role")), compact([said.get("content"), said.get("tool_calls")])
        )
        digests.append(digest)
    return digests


def _run(log: _Log, number: int, report: RunReport) -> DraftRun:
    collecting = Collecting(report)
    for position, message in enumerate(log.messages):
        read_message(message, collecting, report, f"{log.where}, message {position + 1}")
    reply = _reply(log.around)
    if reply:
        read_message({"timestamp": log.around.get("timestamp"), **reply}, collecting, report, log.where)
    steps = collecting.finish(expects_results=not reply)
    own = next((found for key in _IDS if (found := name(log.around.get(key)))), "")
    begins = [f"{step.action}\n{step.observation}" for step in steps[:1]]
    return DraftRun(
        source=own or f"run {number}",
        title=string(log.around.get("title")).strip() or headline(collecting.task) or own or f"run {number}",
        task=collecting.task,
        steps=steps,
        model=_model(log.around),
        task_id=name(log.around.get("task_id")) or name(log.around.get("instance_id")),
        started=next((step.said for step in steps if step.said.known), UNKNOWN),
        key=fingerprint(own, collecting.task, *begins),
    )


def _reply(around: dict[str, Any]) -> dict[str, Any]:
    """The reply of a logged call, as either interface gives it; empty where there is none."""
    response = record(around.get("response"))
    choice = record(next(iter(items(response.get("choices"))), None))
    reply = record(choice.get("message")) or response
    said = "content" in reply or "tool_calls" in reply
    return {"role": "assistant", **reply} if said else {}


def _model(around: dict[str, Any]) -> str:
    response, asked = record(around.get("response")), record(around.get("kwargs"))
    return name(around.get("model")) or name(response.get("model")) or name(asked.get("model"))
