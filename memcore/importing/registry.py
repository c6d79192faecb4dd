"""All formats in the order in which they are tried, and the one way to read a file.

A format is recognised by what the file holds, never by what it is called. A file that none of them
knows is refused with a sentence that says what was looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memcore.errors import InputError, UnknownFormat
from memcore.importing import chatgpt, claude_ai, locomo, longmemeval, messages, own
from memcore.importing.cleaning import Cleaning
from memcore.importing.declined import declined
from memcore.importing.document import Document, Member, members
from memcore.importing.draft import DraftConversation, DraftTurn
from memcore.importing.report import FileReport, Report


class Format(NamedTuple):
    """One family of files. `says` tells a person what is looked for."""

    name: str
    says: str
    recognises: Callable[[Document], bool]
    read: Callable[[Document, Report], Iterator[DraftConversation]]


FORMATS: tuple[Format, ...] = (
    Format(own.NAME, own.SAYS, own.recognises, own.read),
    Format(locomo.NAME, locomo.SAYS, locomo.recognises, locomo.read),
    Format(longmemeval.NAME, longmemeval.SAYS, longmemeval.recognises, longmemeval.read),
    Format(chatgpt.NAME, chatgpt.SAYS, chatgpt.recognises, chatgpt.read),
    Format(claude_ai.NAME, claude_ai.SAYS, claude_ai.recognises, claude_ai.read),
    Format(messages.NAME, messages.SAYS, messages.recognises, messages.read),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that is being read. The report fills while the conversations are drawn; each is read
    only when it is asked for, so a caller can show progress and stop between two of them."""

    format: str
    report: Report
    conversations: Iterator[DraftConversation]


class Preview(NamedTuple):
    """The report of a file that was read to its end but not written, and its first turns."""

    report: FileReport
    turns: tuple[tuple[str, DraftTurn], ...]


def recognise(document: Document) -> Format | None:
    """The format of a document; None where no format knows it."""
    return next((known for known in FORMATS if known.recognises(document)), None)


def read_file(path: Path | str) -> Reading:
    """Opens and recognises a file, and reads it conversation by conversation.

    InputError where the path cannot be read, UnknownFormat where no format knows the content: both
    before anything is yielded. What goes wrong inside later members of a ZIP is in the report.
    """
    path = Path(path)
    waiting = list(members(path))
    report = Report(path.name)
    document, known = _first_known(waiting, report, path.name)
    report.format = known.name
    return Reading(known.name, report, _read_all(document, known, waiting, report))


def preview(path: Path | str, limit: int = 20) -> Preview:
    """Reads the whole file without writing: its report and the first `limit` turns with their titles."""
    reading = read_file(path)
    turns: list[tuple[str, DraftTurn]] = []
    for conversation in reading.conversations:
        room = max(limit - len(turns), 0)
        turns += [(conversation.title, turn) for turn in conversation.turns[:room]]
    return Preview(reading.report.freeze(), tuple(turns))


def _first_known(waiting: list[Member], report: Report, name: str) -> tuple[Document, Format]:
    """Opens members until one is recognised. The only member's own error is the file's error."""
    alone = len(waiting) == 1
    while waiting:
        member = waiting.pop(0)
        document = _open(member) if alone else _try_open(member, report)
        if document is None:
            continue
        if known := recognise(document):
            return document, known
        if alone and (what := declined(document)):
            raise UnknownFormat(f"{name} {what}: import the file with the conversations.")
        report.skip(document.name, "a file in the ZIP holds no conversation of a known format")
    raise UnknownFormat(f"{name} is of no known format. {looked_for()}")


def looked_for() -> str:
    """One sentence naming every format."""
    return f"Looked for: {'; '.join(known.says for known in FORMATS)}."


def _open(member: Member) -> Document:
    try:
        return member.open()
    except UnknownFormat as error:
        raise UnknownFormat(f"{error} {looked_for()}") from error


def _try_open(member: Member, report: Report) -> Document | None:
    try:
        return member.open()
    except InputError as error:
        report.skip(member.name, "a file in the ZIP cannot be read")
        report.warn(str(error))
        return None


def _read_all(
    document: Document, known: Format, waiting: list[Member], report: Report
) -> Iterator[DraftConversation]:
    cleaning = Cleaning(report)
    yield from _read_one(document, known, cleaning, report)
    for member in waiting:
        following = _try_open(member, report)
        if following is None:
            continue
        if (its := recognise(following)) is None:
            report.skip(following.name, "a file in the ZIP holds no conversation of a known format")
            continue
        yield from _read_one(following, its, cleaning, report)


def _read_one(
    document: Document, known: Format, cleaning: Cleaning, report: Report
) -> Iterator[DraftConversation]:
    for where, why in document.broken:
        report.skip(where, why)
    for sentence in document.warnings:
        report.warn(sentence)
    for conversation in known.read(document, report):
        if not conversation.turns:
            report.skip(conversation.source, "a conversation has no turn that can be read")
        elif cleaned := cleaning.clean(conversation):
            report.count(cleaned)
            yield cleaned
