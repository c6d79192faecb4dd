"""All formats in the order in which they are tried, and the one way to read a file.

A file that none of them knows is refused with a sentence that says what was looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from memcore.errors import UnknownFormat
from memcore.importing import chatgpt, claude_ai, locomo, longmemeval, messages, own
from memcore.importing.cleaning import Cleaning
from memcore.importing.declined import declined
from memcore.importing.document import Document, Member, members
from memcore.importing.draft import DraftConversation, DraftTurn
from memcore.importing.formats import Format, Formats
from memcore.importing.opened import opened
from memcore.importing.report import FileReport, Report

_Format = Format[Document, Report, DraftConversation]
FORMATS: Formats[Document, Report, DraftConversation] = Formats(
    tuple(
        _Format(each.NAME, each.SAYS, each.recognises, each.read)
        for each in (own, locomo, longmemeval, chatgpt, claude_ai, messages)
    )
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


def read_file(path: Path | str) -> Reading:
    """Opens and recognises a file, and reads it conversation by conversation.

    InputError where the path cannot be read, UnknownFormat where no format knows the content: both
    before anything is yielded. What goes wrong inside later members of a ZIP is in the report.
    """
    path = Path(path)
    inside, report = members(path), Report(path.name)
    documents = opened(inside, Member.open, report, FORMATS.looked_for)
    found = _known(documents, report, alone=len(inside) == 1)
    first = next(found)
    report.format = first[1].name
    return Reading(report.format, report, _read_all(chain([first], found), report))


def preview(path: Path | str, limit: int = 20) -> Preview:
    """Reads the whole file without writing: its report and the first `limit` turns with their titles."""
    reading = read_file(path)
    turns: list[tuple[str, DraftTurn]] = []
    for conversation in reading.conversations:
        room = max(limit - len(turns), 0)
        turns += [(conversation.title, turn) for turn in conversation.turns[:room]]
    return Preview(reading.report.freeze(), tuple(turns))


def _known(
    documents: Iterator[Document], report: Report, *, alone: bool
) -> Iterator[tuple[Document, _Format]]:
    """Those of a known format. Raises UnknownFormat at the end where there is none."""
    found = False
    for document in documents:
        if known := FORMATS.recognise(document):
            found = True
            yield document, known
        elif alone and (what := declined(document)):
            raise UnknownFormat(f"{report.name} {what}: import the file with the conversations.")
        else:
            report.skip(document.name, "a file in the ZIP holds no conversation of a known format")
    if not found:
        raise UnknownFormat(f"{report.name} is of no known format. {FORMATS.looked_for}")


def _read_all(found: Iterable[tuple[Document, _Format]], report: Report) -> Iterator[DraftConversation]:
    cleaning = Cleaning(report)
    for document, known in found:
        report.note(document)
        for conversation in known.read(document, report):
            if not conversation.turns:
                report.skip(conversation.source, "a conversation has no turn that can be read")
            elif cleaned := cleaning.clean(conversation):
                report.count(cleaned)
                yield cleaned
