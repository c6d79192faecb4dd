"""Files that lie beside conversations in an export and are none: named, and never shown.

Lists of users hold e-mail addresses and telephone numbers; only what kind of file it is gets told.
"""

from __future__ import annotations

from memcore.importing.document import Document
from memcore.importing.shapes import is_record

_KINDS: tuple[tuple[frozenset[str], str], ...] = (
    (
        frozenset(("email_address", "uuid")),
        "is the list of users of a Claude.ai export (names and addresses only)",
    ),
    (frozenset(("email", "id")), "is the account of a ChatGPT export (an address only)"),
    (
        frozenset(("conversations_memory",)),
        "is the memory file of a Claude.ai export (summaries only)",
    ),
    (
        frozenset(("docs", "uuid")),
        "is the list of projects of a Claude.ai export (documents only)",
    ),
    (frozenset(("question", "ground_truth")), "holds questions of a benchmark only"),
)


def declined(document: Document) -> str:
    """What the file is, for the sentence that refuses it; empty where it is not one of these."""
    records = [entry for entry in document.records[:20] if is_record(entry)]
    for signs, says in _KINDS:
        if any(signs <= entry.keys() for entry in records):
            return says
    return ""
