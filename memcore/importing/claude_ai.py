"""The Claude.ai export: conversations.json, a list of conversations, or a single one.

A conversation has "chat_messages" with "sender" (human or assistant), "text" and "content" blocks.
The text is that of the text blocks; "text" stands in where there is none. Thinking, tool calls, tool
results and the text of attached files are folded. Where messages name their parent, the dialogue is a
tree and the branches beside the current one are alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.blocks import Piece, pieces, turns_of
from memcore.importing.branching import branches, leaves, nearest_above
from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string

NAME = "Claude.ai export"
SAYS = 'a Claude.ai export (conversations with "chat_messages")'
_ROLES = {"human": "user"}


class _Message(NamedTuple):
    """One message with the id it has in the file, or a number where it has none or a used one."""

    id: str
    body: dict[str, Any]
    where: str


def recognises(document: Document) -> bool:
    """Some record is a conversation with chat messages."""
    return any(is_record(entry) and "chat_messages" in entry for entry in document.records)


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per record: the main branch, then the alternatives."""
    for position, entry in enumerate(document.records):
        where = document.where(position)
        if not is_record(entry):
            report.skip(where, "a conversation is not a record")
        elif not is_list(entry.get("chat_messages")):
            report.skip(where, "a conversation has no list of messages")
        elif not entry["chat_messages"]:
            report.skip(where, "a conversation has no messages")
        else:
            yield _conversation(entry, where, report)


def _conversation(entry: dict[str, Any], where: str, report: Report) -> DraftConversation:
    messages = {message.id: message for message in _messages(entry["chat_messages"], where, report)}
    turns = tuple(_turns(entry, messages, report))
    title, source = string(entry.get("name")).strip(), name(entry.get("uuid"))
    key = "" if source else fingerprint(title, *(turn.text for turn in turns))
    return DraftConversation(source or where, title, speakers_of(turns), turns, key)


def _messages(entries: list[Any], where: str, report: Report) -> Iterator[_Message]:
    used: set[str] = set()
    for position, body in enumerate(entries):
        at = f"{where}, message {position + 1}"
        if not is_record(body):
            report.skip(at, "a message is not a record")
            continue
        id = name(body.get("uuid")) or f"message {position + 1}"
        if id in used:
            report.warn("two messages have the same id; both were kept")
            id = f"{id} ({position + 1})"
        used.add(id)
        yield _Message(id, body, at)


def _turns(entry: dict[str, Any], messages: dict[str, _Message], report: Report) -> Iterator[DraftTurn]:
    if not messages:
        return
    parents = _parents(messages)
    current = name(entry.get("current_leaf_message_uuid"))
    is_tree = any(name(message.body.get("parent_message_uuid")) for message in messages.values())
    leaf = current if is_tree and current in messages else (leaves(parents) or list(messages))[-1]
    order = branches(parents, leaf)
    told: set[str] = set()
    for id in messages.keys() - {placed.id for placed in order}:
        report.skip(messages[id].where, "a message is part of a circle")
    for id, branch in order:
        parent = nearest_above(parents, id, told)
        turns = _message_turns(messages[id], report)
        if turns:
            told.add(id)
        yield from (turn._replace(branch=branch, parent=parent) for turn in turns)


def _parents(messages: dict[str, _Message]) -> dict[str, str | None]:
    """The parent each message names; where it names none, the message before it."""
    parents: dict[str, str | None] = {}
    before: str | None = None
    for id, message in messages.items():
        named = name(message.body.get("parent_message_uuid"))
        parents[id] = (named if named in messages and named != id else None) if named else before
        before = id
    return parents


def _message_turns(message: _Message, report: Report) -> list[DraftTurn]:
    body = message.body
    sender = name(body.get("sender")) or "unknown"
    role = _ROLES.get(sender, sender)
    base = DraftTurn(
        role, role, "", report.time(body.get("created_at")), message.id, attachments=_file_names(body)
    )
    turns = turns_of(base, [*_parts(body, report), *_extracted(body)])
    if not turns:
        report.skip(message.where, "a message has no text")
    return turns


def _parts(body: dict[str, Any], report: Report) -> list[Piece]:
    """The blocks, and "text" where the blocks say nothing; text that is no list of blocks is noted."""
    content, text = body.get("content"), string(body.get("text"))
    if not is_list(content):
        if content is not None:
            report.warn("the content of a message is not a list of blocks")
        return [Piece(text or string(content))]
    parts = list(pieces(content, report))
    has_words = any(part.text.strip() and not part.folded for part in parts)
    return parts if has_words or not text.strip() else [Piece(text), *parts]


def _extracted(body: dict[str, Any]) -> Iterator[Piece]:
    for attached in items(body.get("attachments")):
        if text := string(record(attached).get("extracted_content")):
            yield Piece(text, True, "file", name(record(attached).get("file_name")))


def _file_names(body: dict[str, Any]) -> tuple[str, ...]:
    attached = [*items(body.get("attachments")), *items(body.get("files")), *items(body.get("files_v2"))]
    names = (name(record(item).get("file_name")) for item in attached)
    return tuple(dict.fromkeys(f"file: {title}" for title in names if title))
