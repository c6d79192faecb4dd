"""What stands in one message: text, or blocks of text, thoughts, tool calls, results, pictures, files.

OpenAI, Anthropic, ChatGPT and Claude.ai write the same things with slightly different names. What is
no utterance is folded; a block of an unknown kind is kept as it stands, folded, and noted. Links are
neither fetched nor kept, a picture is only named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.draft import DraftTurn
from memcore.importing.report import Report
from memcore.importing.shapes import compact, first_given, is_list, is_record, items, name, record, string

_TEXT = frozenset(("text", "input_text", "output_text", "refusal", "audio_transcription", "message"))
_THOUGHT = frozenset(("thinking", "reasoning", "thoughts", "reasoning_recap"))
_HIDDEN = frozenset(("redacted_thinking", "encrypted_content"))  # nothing to read
_CALL = frozenset(("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "function_call", "function"))
_RESULT = frozenset(("tool_result", "mcp_tool_result", "web_search_tool_result", "function_call_output"))
_MEDIA = (("image", "image"), ("audio", "audio"), ("video", "video"), ("file", "file"), ("document", "file"))
_PLAIN = re.compile(r"[\w.-]{1,40}", re.ASCII)
_DEEPEST = 4


class Piece(NamedTuple):
    """One part of a message. `role` and `speaker` are empty where they are the message's own."""

    text: str
    folded: bool = False
    role: str = ""
    speaker: str = ""
    attachments: tuple[str, ...] = ()


def pieces(content: object, report: Report, depth: int = 0) -> Iterator[Piece]:
    """The parts of a message's content: a string, a block, a list of both, or nothing."""
    if content is None:
        return
    if isinstance(content, str):
        yield Piece(content)
    elif is_list(content):
        for block in content:
            if depth < _DEEPEST:
                yield from pieces(block, report, depth + 1)
            else:
                yield _raw(block, "nested", report)
    elif is_record(content):
        yield from _block(content, report, depth)
    else:
        yield _raw(content, type(content).__name__, report)


def call(function: dict[str, Any]) -> Piece:
    """A tool call: its name and its arguments, which are a JSON string, an object or plain text."""
    title = name(function.get("name")) or "tool"
    given = first_given(function, ("arguments", "input", "args"))
    return Piece(f"{title}({'' if given is None else compact(given)})", True, "tool call")


def turns_of(base: DraftTurn, parts: list[Piece]) -> list[DraftTurn]:
    """The turns of one message: its texts joined into one utterance, everything else folded beside it.

    `base` carries speaker, role, time and place; its text is not used. The utterance has its source,
    or the first folded turn where there is none; the others add their place in the message.
    """
    said = [(place, part) for place, part in enumerate(parts) if part.text.strip() or part.attachments]
    spoken = [part for _, part in said if not part.folded]
    turns = [_folded(base, part, place) for place, part in said if part.folded]
    if spoken:
        before = next(number for number, (_, part) in enumerate(said) if not part.folded)
        text = "\n".join(part.text for part in spoken if part.text)
        named = base.attachments + tuple(item for part in spoken for item in part.attachments)
        turns.insert(before, base._replace(text=text, attachments=named))
    elif base.attachments:
        turns.insert(0, base._replace(text=""))
    elif turns:
        turns[0] = turns[0]._replace(source=base.source)
    return turns


def _folded(base: DraftTurn, part: Piece, place: int) -> DraftTurn:
    return base._replace(
        text=part.text,
        role=part.role or base.role,
        speaker=part.speaker or base.speaker,
        source=f"{base.source}/{place}",
        folded=True,
        attachments=part.attachments,
    )


def _block(block: dict[str, Any], report: Report, depth: int) -> Iterator[Piece]:
    kind = string(block.get("type")) or string(block.get("content_type"))
    if kind in _TEXT or (not kind and "text" in block):
        yield from _text(block, report)
    elif not kind and is_list(block.get("parts")):
        yield from pieces(block["parts"], report, depth + 1)
    elif kind in _THOUGHT:
        yield Piece(_thought(block), True, "thought")
    elif kind in _CALL:
        yield call(record(block.get("function")) or block)
    elif kind in _RESULT or kind.endswith("_tool_result"):
        yield _result(block, report, depth)
    elif media := next((said for sign, said in _MEDIA if sign in kind), ""):
        yield _media(block, media)
    elif kind not in _HIDDEN:
        yield _raw(block, kind, report)


def _text(block: dict[str, Any], report: Report) -> Iterator[Piece]:
    found = first_given(block, ("text", "refusal", "content"))
    text = string(record(found).get("value")) if is_record(found) else found
    if isinstance(text, str):
        yield Piece(text)
    else:
        report.warn("a text block holds no text")


def _thought(block: dict[str, Any]) -> str:
    """`thinking`, `text` or `content` as text, or lists of summaries and thoughts."""
    for key in ("thinking", "text", "content"):
        if text := string(block.get(key)):
            return text
    steps = [*items(block.get("thoughts")), *items(block.get("summary")), *items(block.get("content"))]
    told = (string(step) or _joined(record(step), ("summary", "content", "text")) for step in steps)
    return "\n".join(text for text in told if text)


def _joined(step: dict[str, Any], keys: tuple[str, ...]) -> str:
    return "\n".join(text for key in keys if (text := string(step.get(key))))


def _result(block: dict[str, Any], report: Report, depth: int) -> Piece:
    """The result of a tool: a string, blocks or any object; only what can be read is kept."""
    given = first_given(block, ("content", "output", "result"))
    inner = list(pieces(given, report, depth + 1)) if is_list(given) else []
    text = "\n".join(part.text for part in inner if part.text) if inner else compact(given or "")
    named = tuple(item for part in inner for item in part.attachments)
    return Piece(text, True, "tool", name(block.get("name")), named)


def _media(block: dict[str, Any], media: str) -> Piece:
    inner = record(first_given(block, (media, f"input_{media}", "source")))
    title = name(first_given({**inner, **block}, ("name", "filename", "file_name", "title")))
    transcript = string(block.get("transcript")) or string(inner.get("transcript"))
    return Piece(transcript, attachments=(f"{media}: {title}" if title else media,))


def _raw(block: object, kind: str, report: Report) -> Piece:
    shown = kind if _PLAIN.fullmatch(kind) else "without a name"
    report.warn(f"a block of an unknown kind was kept as it stands, folded: {shown}")
    return Piece(compact(block), True, "unknown")
