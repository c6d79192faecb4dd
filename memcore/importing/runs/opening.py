"""A file of runs as a reader gets it: its decoded content, and where it lies.

Most formats are JSON; a few are plain text and get the text instead. Some keep the runs of subagents in
files beside the session, so a reader may look there; it looks nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memcore.errors import InputError, UnknownFormat
from memcore.importing.document import LARGEST, Document, Member

_LOOKED_AT = 4096  # bytes that tell text from something binary


@dataclass(frozen=True, slots=True)
class RunFile:
    """The content of one file or ZIP member: its JSON values, or its text where it is no JSON.

    `path` is None inside a ZIP: nothing lies beside it. `no_json` says why there are no values.
    """

    document: Document
    path: Path | None = None
    text: str = ""
    no_json: str = ""


def open_run_file(member: Member) -> RunFile:
    """InputError where it cannot be read, UnknownFormat where it is neither JSON nor text."""
    try:
        return RunFile(member.open(), None if member.inside else member.path)
    except UnknownFormat as error:
        text = "" if member.inside else _text_of(member.path)
        if not text.strip():
            raise
        return RunFile(Document(member.name, ()), member.path, text, str(error))


def _text_of(path: Path) -> str:
    """The text of a file; empty where it is binary."""
    try:
        raw = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}.") from error
    return "" if b"\0" in raw[:_LOOKED_AT] else raw.decode("utf-8-sig", "replace")
