"""Lists of chat messages as the OpenAI and Anthropic interfaces take them, and logs of such calls.

One JSON list, {"messages": [...]}, one message or one such list or object a line, logged calls with
their response, recorded runs with "traj". A log that repeats the history with every call is read
once: a list that another one begins with is not a conversation of its own. System prompts, tool
calls, tool results and reasoning are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.blocks import Piece, call, pieces, turns_of
from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, first_given, is_list, is_record, items, name, record, string
from memcore.importing.snapshots import Snapshot, whole

NAME = "message list"
SAYS = 'OpenAI or Anthropic messages (a list, or "messages", of {"role", "content"}, also one a line)'
_ROLES = frozenset(("system", "developer", "user", "assistant", "tool", "function", "human", "ai", "model"))
_SAME = {"human": "user", "ai": "assistant", "model": "assistant"}
_FOLDED = frozenset(("system", "developer", "tool", "function"))
_SAYS_SOMETHING = frozenset(("content", "tool_calls", "function_call"))
# Objects with "messages" that are something else: agent files, evaluation logs, other exports.
_FOREIGN = frozenset(
    [
        "trajectory",
        "history",
        "events",
        "scores",
        "epoch",
        "mapping",
        "chat_messages",
        "sessionId",
        "agents",
        "agent_type",
        "core_memory",
        "blocks",
        "llm_config",
        "conversationId",
        "folders",
        "session_1",
    ]
)
_TIMES = ("timestamp", "created_at", "create_time", "created", "time", "date")
_IDS = ("id", "conversation_id", "session_id", "thread_id", "chat_id")
_LOOKED_AT = 200  # records: enough to tell what a file is


def recognises(document: Document) -> bool:
    """At least half of the records are messages, or hold lists of messages."""
    seen = document.records[:_LOOKED_AT]
    known = sum(_is_message(entry) or _list_in(entry) is not None for entry in seen)
    return bool(known) and 2 * known >= len(seen)


def _is_message(entry: object) -> bool:
    if not is_record(entry) or _SAYS_SOMETHING.isdisjoint(entry):
        return False
    return string(entry.get("role")).lower() in _ROLES


def _is_list_of_messages(value: object) -> bool:
    seen = items(value)[:_LOOKED_AT]
    known = sum(map(_is_message, seen))
    return bool(known) and 2 * known >= len(seen)


def _list_in(entry: object) -> list[Any] | None:
    """The messages that a record holds, or None: a list, pairs of messages, "messages" or "traj"."""
    if is_list(entry):
        if _is_list_of_messages(entry):
            return entry
        paired = [message for pair in entry for message in items(pair)]
        return paired if _is_list_of_messages(paired) else None
    if not is_record(entry) or not _FOREIGN.isdisjoint(entry):
        return None
    for key in ("raw_messages", "messages", "traj"):
        if _is_list_of_messages(entry.get(key)):
            return entry[key]
    return None


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per list, or a single one where the records are the messages themselves."""
    records = document.records
    if sum(map(_is_message, records[:_LOOKED_AT])) * 2 >= min(len(records), _LOOKED_AT):
        yield from _conversations([_Dialogue(records, "", document, {})], report)
        return
    found: list[_Dialogue] = []
    for position, entry in enumerate(records):
        where = document.where(position)
        messages = _list_in(entry)
        if messages is None:
            report.skip(where, "a record holds no list of messages")
        else:
            found.append(_Dialogue(messages, where, document, record(entry)))
    yield from _conversations(found, report)


class _Dialogue(NamedTuple):
    """A list of messages, where it stands, and the record around it (a run, a logged call, a request)."""

    messages: list[Any]
    where: str
    document: Document
    around: dict[str, Any]

    def at(self, position: int) -> str:
        """How a report names one of its messages."""
        return f"{self.where}, message {position + 1}" if self.where else self.document.where(position)


def _conversations(dialogues: list[_Dialogue], report: Report) -> Iterator[DraftConversation]:
    """Runs are what they are; of all other lists only those that no other one begins with."""
    snapshots = (_snapshot(dialogue, report) for dialogue in dialogues)
    for number, found in enumerate(whole(snapshots, report), start=1):
        turns = found.turns if found.name else tuple(_chained(found.turns))
        source = found.name or f"conversation {number}"
        title = found.title or _title(turns)
        yield DraftConversation(source, title, speakers_of(turns), turns, _key(found))


def _snapshot(dialogue: _Dialogue, report: Report) -> Snapshot:
    turns = tuple(_all_turns(dialogue, report))
    around = dialogue.around
    if "traj" in around:
        run = f"task {name(around.get('task_id')) or '?'}, trial {name(around.get('trial')) or '?'}"
        return Snapshot(run, run, turns, True)
    own = next((found for key in _IDS if (found := name(around.get(key)))), "")
    return Snapshot(own, string(around.get("title")).strip(), turns, False)


def _key(found: Snapshot) -> str:
    """What names a conversation for good: its id and how it begins, up to the first reply.

    Ids such as a task number repeat over files, and a list without an id grows with the next call.
    """
    replies = (n for n, turn in enumerate(found.turns, start=1) if turn.role in ("assistant", "tool call"))
    until = len(found.turns) if found.final else next(replies, len(found.turns))
    return fingerprint(found.name, *(f"{turn.role}\n{turn.text}" for turn in found.turns[:until]))


def _chained(turns: tuple[DraftTurn, ...]) -> Iterator[DraftTurn]:
    """Messages without ids are named by all that was said up to them."""
    before = ""
    for turn in turns:
        before = fingerprint(before, turn.role, turn.text)
        yield turn._replace(key=before)


def _title(turns: tuple[DraftTurn, ...]) -> str:
    first = next((turn.text for turn in turns if turn.role == "user" and not turn.folded), "")
    line = " ".join(first.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def _all_turns(dialogue: _Dialogue, report: Report) -> Iterator[DraftTurn]:
    if system := dialogue.around.get("system"):
        yield from _turns(
            {"role": "system", "content": system}, "system", f"{dialogue.where}, system", report
        )
    for position, message in enumerate(dialogue.messages):
        yield from _turns(message, str(position + 1), dialogue.at(position), report)
    if reply := _response(dialogue.around):
        said = {"timestamp": dialogue.around.get("timestamp")}
        after = str(len(dialogue.messages) + 1)
        yield from _turns({**said, **reply}, after, f"{dialogue.where}, response", report)


def _response(around: dict[str, Any]) -> dict[str, Any]:
    """The reply of a logged call, as either interface gives it; empty where there is none."""
    response = record(around.get("response"))
    choice = next(iter(items(response.get("choices"))), None)
    reply = record(record(choice).get("message")) or response
    return {"role": "assistant", **reply} if not _SAYS_SOMETHING.isdisjoint(reply) else {}


def _turns(message: object, number: str, where: str, report: Report) -> list[DraftTurn]:
    if not is_record(message):
        report.skip(where, "a message is not a record")
        return []
    said = string(message.get("role")).lower()
    role = _SAME.get(said, said) or ("tool" if "type" in message else "")
    if not role:
        report.skip(where, "a message has no role")
        return []
    base = DraftTurn(
        speaker=name(message.get("name")) or role,
        role=role,
        text="",
        said=report.time(first_given(message, _TIMES)),
        source=number,
    )
    turns = turns_of(base, _parts(message, role, report))
    if not turns:
        report.skip(where, "a tool result is empty" if role == "tool" else "a message has no text")
    return turns


def _parts(message: dict[str, Any], role: str, report: Report) -> list[Piece]:
    """Reasoning, content and tool calls in this order; folded as a whole for roles that do not speak."""
    if "role" not in message:
        return [part._replace(folded=True) for part in pieces(message, report)]
    parts = [Piece(string(message.get("reasoning_content")), True, "thought")]
    parts += pieces(message.get("content"), report)
    for entry in items(message.get("tool_calls")):
        parts.append(call(record(record(entry).get("function")) or record(entry)))
    if function := record(message.get("function_call")):
        parts.append(call(function))
    return [part._replace(folded=True) for part in parts] if role in _FOLDED else parts
