"""The ChatGPT export: conversations.json, or conversations-000.json and so on, each a list of trees.

A conversation maps node ids to {"message", "parent", "children"}. The dialogue runs from the root to
"current_node" (to the last leaf where that is missing); other branches are edited questions and
regenerated replies and become alternatives. Times are epoch seconds. System and hidden messages,
thoughts, code, its output and what browsing found are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcore.importing import blocks
from memcore.importing.branching import Placed, branches, leaves, nearest_above
from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string

NAME = "ChatGPT export"
SAYS = 'a ChatGPT export (conversations with "mapping" and "current_node")'
_FOLDED_ROLES = frozenset(("system", "tool"))
_FOLDED_TYPES = frozenset(
    [
        "code",
        "execution_output",
        "system_error",
        "tether_quote",
        "tether_browsing_display",
        "thoughts",
        "reasoning_recap",
        "user_editable_context",
        "model_editable_context",
        "citable_code_output",
    ]
)
_HIDDEN = "is_visually_hidden_from_conversation"
_SHOWN = (
    "title",
    "url",
    "text",
    "result",
    "content",
    "user_profile",
    "user_instructions",
    "model_set_context",
)


def recognises(document: Document) -> bool:
    """Some record is a conversation with a mapping of nodes, or one whose mapping was lost."""
    return any(_is_conversation(entry) for entry in document.records)


def _is_conversation(entry: object) -> bool:
    if not is_record(entry):
        return False
    nodes = record(entry.get("mapping")).values()
    if any({"message", "parent"} <= record(node).keys() for node in nodes):
        return True
    return "create_time" in entry and ("mapping" in entry or "current_node" in entry)


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per tree: the main branch, then the alternatives."""
    for position, entry in enumerate(document.records):
        where = document.where(position)
        if not is_record(entry):
            report.skip(where, "a conversation is not a record")
        elif not record(entry.get("mapping")):
            report.skip(where, "a conversation has no messages (no mapping)")
        elif not any(is_record(node) for node in entry["mapping"].values()):
            report.skip(where, "a conversation has no message that is a record")
        else:
            yield _conversation(entry, where, report)


def _conversation(entry: dict[str, Any], where: str, report: Report) -> DraftConversation:
    nodes = _nodes(entry["mapping"], where, report)
    parents = {id: _parent(id, node, nodes) for id, node in nodes.items()}
    order = branches(parents, _leaf(entry, nodes, parents, report))
    for id in nodes.keys() - {placed.id for placed in order}:
        report.skip(f"{where}, node {id}", "a message is part of a circle")
    turns = tuple(_turns(order, nodes, parents, where, report))
    own = name(entry.get("conversation_id")) or name(entry.get("id"))
    source = own or fingerprint(*nodes)
    return DraftConversation(source, string(entry.get("title")).strip(), speakers_of(turns), turns)


def _nodes(mapping: dict[str, Any], where: str, report: Report) -> dict[str, dict[str, Any]]:
    nodes: dict[str, dict[str, Any]] = {}
    for id, node in mapping.items():
        if is_record(node):
            nodes[id] = node
        else:
            report.skip(f"{where}, node {id}", "a node is not a record")
    return nodes


def _parent(id: str, node: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> str | None:
    """The node's parent where it is in the file; a node that names itself has none."""
    parent = name(node.get("parent"))
    return parent if parent in nodes and parent != id else None


def _leaf(
    entry: dict[str, Any],
    nodes: dict[str, dict[str, Any]],
    parents: dict[str, str | None],
    report: Report,
) -> str:
    """The current node; else the leaf that was written last, as the file or its times tell."""
    current = name(entry.get("current_node"))
    if current in nodes:
        return current
    report.warn("the current message of a conversation is missing; its last one was taken")
    ends = leaves(parents) or list(nodes)
    times = ((report.time(record(nodes[id].get("message")).get("create_time")).start, id) for id in ends)
    known = [(at, id) for at, id in times if at is not None]
    return max(known)[1] if known else ends[-1]


def _turns(
    order: list[Placed],
    nodes: dict[str, dict[str, Any]],
    parents: dict[str, str | None],
    where: str,
    report: Report,
) -> Iterator[DraftTurn]:
    """The messages that say something, in this order; each names the nearest one above it."""
    told: set[str] = set()
    for id, branch in order:
        message = nodes[id].get("message")
        if message is None:
            continue
        turn = _turn(message, f"{where}, node {id}", report)
        if turn is None:
            continue
        told.add(id)
        yield turn._replace(source=id, branch=branch, parent=nearest_above(parents, id, told))


def _turn(message: object, where: str, report: Report) -> DraftTurn | None:
    if not is_record(message):
        report.skip(where, "a message is not a record")
        return None
    author, about = record(message.get("author")), record(message.get("metadata"))
    role = name(author.get("role")) or "unknown"
    found = list(_content(message.get("content"), report))
    text = "\n".join(part.text for part in found if part.text)
    attachments = tuple(item for part in found for item in part.attachments) + _files(about)
    if not text.strip() and not attachments:
        report.skip(where, "a system message has no text" if role == "system" else "a message has no text")
        return None
    return DraftTurn(
        speaker=name(author.get("name")) or role,
        role=role,
        text=text,
        said=report.time(message.get("create_time")),
        folded=_is_folded(message, role, about) or (bool(text.strip()) and not _speaks(found)),
        attachments=attachments,
    )


def _speaks(found: list[blocks.Piece]) -> bool:
    return any(part.text.strip() and not part.folded for part in found)


def _is_folded(message: dict[str, Any], role: str, about: dict[str, Any]) -> bool:
    kind = string(record(message.get("content")).get("content_type"))
    to = string(message.get("recipient")) or "all"
    return role in _FOLDED_ROLES or kind in _FOLDED_TYPES or bool(about.get(_HIDDEN)) or to != "all"


def _content(content: object, report: Report) -> Iterator[blocks.Piece]:
    """Parts of text and media, or the fields in which the other types keep their text."""
    if not is_record(content):
        yield from blocks.pieces(content, report)
    elif is_list(content.get("parts")):
        yield from blocks.pieces(content["parts"], report)
    elif string(content.get("content_type")) in _FOLDED_TYPES:
        if is_list(content.get("thoughts")):
            yield from blocks.pieces(content, report)
        fields = (string(content.get(key)) for key in _SHOWN)
        yield blocks.Piece("\n".join(text for text in fields if text))
    else:
        yield from blocks.pieces(content, report)


def _files(about: dict[str, Any]) -> tuple[str, ...]:
    names = (name(record(item).get("name")) for item in items(about.get("attachments")))
    return tuple(f"file: {title}" for title in names if title)
