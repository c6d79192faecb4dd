"""Our own JSONL: one turn a line, the form to which any other dialogue can be converted.

    {"conversation": "trip", "speaker": "Mina", "text": "We land at nine.", "at": "2024-05-01T18:20:00+09:00"}
    {"conversation": "trip", "speaker": "Jae", "text": "I will fetch you.", "at": "2024-05-01T18:21:00+09:00"}

Required: "conversation" (its name, unique in the file's world), "speaker", "text". Optional: "title",
"role" ("speaker", "user", "assistant" ...; "system", "tool" and "thought" are folded: kept, but no
utterance), "at" (ISO 8601; a day, month or year alone is allowed; without a zone the wall clock is
kept; absent means unknown), "id" (unique in the conversation; with it a corrected line is recognised
as the same turn), "session", "attachments" (a list of strings). Lines of several conversations may be
mixed; the order of the lines is the order of the turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, is_record, items, name, string

NAME = "memcore JSONL"
SAYS = 'our own JSONL (on each line {"conversation", "speaker", "text"})'
_FOLDED = frozenset(("system", "tool", "thought"))


def recognises(document: Document) -> bool:
    """Some record has all three required fields as strings."""
    return any(_is_turn(entry) for entry in document.records)


def _is_turn(entry: object) -> bool:
    return is_record(entry) and bool(
        name(entry.get("conversation")) and name(entry.get("speaker")) and isinstance(entry.get("text"), str)
    )


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per name, in the order of their first lines."""
    turns: dict[str, list[DraftTurn]] = {}
    titles: dict[str, str] = {}
    for position, entry in enumerate(document.records):
        if turn := _turn(entry, document.where(position), report):
            source = name(entry["conversation"])
            spoken = turns.setdefault(source, [])
            spoken.append(turn if turn.source else _numbered(turn, len(spoken) + 1))
            titles.setdefault(source, "")
            titles[source] = titles[source] or string(entry.get("title")).strip()
    for source, spoken in turns.items():
        yield DraftConversation(source, titles[source] or source, speakers_of(tuple(spoken)), tuple(spoken))


def _numbered(turn: DraftTurn, number: int) -> DraftTurn:
    """Without an id, place and content name a turn: another file may go on with the conversation."""
    return turn._replace(source=str(number), key=fingerprint(str(number), turn.speaker, turn.text))


def _turn(entry: Any, where: str, report: Report) -> DraftTurn | None:
    if not is_record(entry):
        report.skip(where, "a line is not a record")
        return None
    if not _is_turn(entry):
        report.skip(where, 'a line lacks "conversation", "speaker" or "text"')
        return None
    attachments = tuple(string(item) for item in items(entry.get("attachments")) if string(item))
    if not entry["text"].strip() and not attachments:
        report.skip(where, "a turn has no text")
        return None
    role = name(entry.get("role")) or "speaker"
    return DraftTurn(
        speaker=name(entry["speaker"]),
        role=role,
        text=entry["text"],
        said=report.time(entry.get("at")),
        source=name(entry.get("id")),
        session=name(entry.get("session")),
        folded=role in _FOLDED,
        attachments=attachments,
    )
