"""LongMemEval: questions with the chat sessions in which their answers are hidden.

The original is a list of questions, each with three parallel lists: "haystack_sessions" (lists of
{"role", "content"}), "haystack_session_ids" and "haystack_dates". A converted form has one session a
line: {"id", "timestamp", "turns": [{"id", "role", "content", "timestamp"}]}. One conversation per
session. Session ids repeat over questions, with the same content or another: the same id with the
same content is one conversation however often it occurs, with other content it is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memcore.importing.document import Document
from memcore.importing.draft import DraftConversation, DraftTurn, speakers_of
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string

NAME = "LongMemEval"
SAYS = 'LongMemEval (questions with "haystack_sessions", or sessions with "turns" and "timestamp")'


class _Session(NamedTuple):
    """One session as it stands in the file; `date` is its own or, per turn, that of the turn."""

    id: str
    date: object
    turns: list[Any]
    where: str


def recognises(document: Document) -> bool:
    """Some record is a question with its haystack, or a session with turns and a time."""
    return any(_is_question(entry) or _is_session(entry) for entry in document.records)


def _is_question(entry: object) -> bool:
    return is_record(entry) and is_list(entry.get("haystack_sessions"))


def _is_session(entry: object) -> bool:
    if not (is_record(entry) and "timestamp" in entry and "id" in entry):
        return False
    turns = entry.get("turns")
    return is_list(turns) and all("role" in record(turn) for turn in turns[:1])


def read(document: Document, report: Report) -> Iterator[DraftConversation]:
    """One conversation per session; `session` of its turns is the session's id."""
    dates: dict[str, object] = {}
    for session in _sessions(document, report):
        turns = tuple(_turns(session, report))
        content = fingerprint(*(f"{turn.role}\n{turn.text}" for turn in turns))
        key = f"{session.id}\n{content}"
        if dates.setdefault(key, session.date) != session.date:
            report.warn("a session shared by several questions has several dates; the first one counts")
        yield DraftConversation(session.id, session.id, speakers_of(turns), turns, key)


def _sessions(document: Document, report: Report) -> Iterator[_Session]:
    for position, entry in enumerate(document.records):
        where = document.where(position)
        if _is_question(entry):
            yield from _haystack(entry, position, where, report)
        elif _is_session(entry):
            yield _Session(name(entry.get("id")), entry["timestamp"], entry["turns"], where)
        else:
            report.skip(where, "a record is neither a question with sessions nor a session")


def _haystack(question: dict[str, Any], position: int, where: str, report: Report) -> Iterator[_Session]:
    ids, dates = items(question.get("haystack_session_ids")), items(question.get("haystack_dates"))
    asked = name(question.get("question_id")) or f"question {position + 1}"
    for number, turns in enumerate(question["haystack_sessions"]):
        at = f"{where}, session {number + 1}"
        if not is_list(turns):
            report.skip(at, "a session is not a list of turns")
            continue
        id = (name(ids[number]) if number < len(ids) else "") or f"{asked}/{number + 1}"
        yield _Session(id, dates[number] if number < len(dates) else None, turns, at)


def _turns(session: _Session, report: Report) -> Iterator[DraftTurn]:
    said = report.time(session.date)
    for position, entry in enumerate(session.turns):
        where = f"{session.where}, turn {position + 1}"
        text = string(record(entry).get("content"))
        if not text.strip():
            report.skip(where, "a turn has no text" if is_record(entry) else "a turn is not a record")
            continue
        role = name(entry.get("role")) or "unknown"
        own = report.time(entry.get("timestamp"))
        source = name(entry.get("id")) or f"{session.id}:{position + 1}"
        yield DraftTurn(role, role, text, own if own.known else said, source, session.id)
