"""LoCoMo: long two-person conversations in numbered sessions, each session with its time.

A list of {"sample_id", "conversation": {"speaker_a", "speaker_b", "session_1": [{"speaker", "dia_id",
"text"}], "session_1_date_time": "1:56 pm on 8 May, 2023"}}. Sessions are in numeric order; a session
without turns has a time all the same. The caption of a photo is an attachment; links are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, is_record, items, name, record, string
from memcore.records import Moment

NAME = "LoCoMo"
SAYS = 'LoCoMo (a list of samples with "conversation", "session_1", "session_1_date_time")'
_SESSION = re.compile(r"session_(\d{1,9})")


def recognises(document: Document) -> bool:
    """Some record has a conversation with numbered sessions."""
    return any(_sessions(record(record(sample).get("conversation"))) for sample in document.records)


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per sample; `session` is "session_3", `source` of a turn its dia_id."""
    for position, sample in enumerate(document.records):
        where = document.where(position)
        dialogue = record(record(sample).get("conversation"))
        if not _sessions(dialogue):
            report.skip(where, "a sample has no conversation with sessions")
            continue
        turns = tuple(_turns(dialogue, where, report))
        source = name(record(sample).get("sample_id")) or f"sample-{position + 1}"
        named = tuple(n for n in (name(dialogue.get("speaker_a")), name(dialogue.get("speaker_b"))) if n)
        speakers = tuple(dict.fromkeys((*named, *speakers_of(turns))))
        key = fingerprint(source, *speakers, *(turn.text for turn in turns[:1]))
        yield DraftConversation(source, " and ".join(named) or source, speakers, turns, key)


def _sessions(dialogue: dict[str, Any]) -> list[str]:
    """The keys of the sessions in numeric order; "session_10" comes after "session_9"."""
    found = [key for key in dialogue if _SESSION.fullmatch(key) and dialogue[key] is not None]
    return sorted(found, key=lambda key: int(key.removeprefix("session_")))


def _turns(dialogue: dict[str, Any], where: str, report: Report) -> Iterator[DraftTurn]:
    for session in _sessions(dialogue):
        if not isinstance(dialogue[session], list):
            report.skip(f"{where}, {session}", "a session is not a list of turns")
            continue
        said = report.time(dialogue.get(f"{session}_date_time"))
        for position, entry in enumerate(items(dialogue[session])):
            at = f"{where}, {session}, turn {position + 1}"
            if turn := _turn(entry, session, said, at, report):
                yield turn if turn.source else turn._replace(source=f"{session}:{position + 1}")


def _turn(entry: object, session: str, said: Moment, where: str, report: Report) -> DraftTurn | None:
    if not is_record(entry):
        report.skip(where, "a turn is not a record")
        return None
    text, caption = string(entry.get("text")), string(entry.get("blip_caption")).strip()
    if not text.strip() and not caption:
        report.skip(where, "a turn has no text")
        return None
    photo = (f"photo: {caption}",) if caption else ()
    speaker = name(entry.get("speaker"))
    if not speaker:
        report.warn("a turn names no speaker")
    return DraftTurn(
        speaker=speaker or "unknown",
        role="speaker",
        text=text,
        said=said,
        source=name(entry.get("dia_id")),
        session=session,
        attachments=photo,
    )
