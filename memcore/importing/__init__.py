"""Importing: a file becomes conversations and a report; nothing is written here.

`read_file` recognises a file by its content and yields its conversations one by one; `preview` reads
it to the end and shows what an import would bring. Every format is one file; `registry` lists them.
"""

from memcore.importing.document import Document, find_files, open_document
from memcore.importing.draft import DraftConversation, DraftTurn, Skipped
from memcore.importing.language import language_of
from memcore.importing.registry import FORMATS, Preview, Reading, preview, read_file
from memcore.importing.report import FileReport, Report, SkippedKind
from memcore.importing.times import moment

__all__ = [
    "FORMATS",
    "Document",
    "DraftConversation",
    "DraftTurn",
    "FileReport",
    "Preview",
    "Reading",
    "Report",
    "Skipped",
    "SkippedKind",
    "find_files",
    "language_of",
    "moment",
    "open_document",
    "preview",
    "read_file",
]
