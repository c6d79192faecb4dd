"""Every place of a store that can hold memory text, or what gives it away.

Finding, and checking after an erasure, read the columns that are `searched` (see holdings); an erasure
deletes the files that are `forgotten` (see removal), and writes whole tables anew whatever columns they have
(see purging). Each column of the real tables is either here or in `TEXTLESS`, each file here or in
`TEXTLESS_FILES`; tests compare them with the schema and with what lies in a store's folder. Events of
traces, their column `body`, hold ids, spans, numbers and codes: a name in a question is a cue's id there.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Where = Literal["items", "traces", "index", "file"]


class Place(NamedTuple):
    """A column, an index or a file, and what of a memory it can hold.

    `searched` columns are read for words; the others repeat one of these, or hold none as text. `forgotten`
    files go with any erasure, as nothing in them says of what they are.
    """

    where: Where
    name: str
    holds: str
    searched: bool = False
    forgotten: bool = False


def searched(where: Where) -> tuple[str, ...]:
    """The columns of a table that are read for words, in their order here."""
    return tuple(p.name for p in HOLDS_TEXT if p.where == where and p.searched)


def forgotten() -> tuple[str, ...]:
    """The files that go with any erasure."""
    return tuple(p.name for p in HOLDS_TEXT if p.where == "file" and p.forgotten)


HOLDS_TEXT: tuple[Place, ...] = (
    Place("items", "text", "the words of turns and contents, of earlier versions, of steps and marks", True),
    Place("items", "grams", "the part of a text written in eojeol or without spaces, once more"),
    Place("items", "terms", "keyed hashes of a content's words: readable with the key in store.json"),
    Place("items", "name", "names of cues, tags and files, titles of conversations and runs", True),
    Place("items", "name_key", "names of cues and tags, normalised"),
    Place("items", "speaker", "names of people", True),
    Place("items", "session", "the format's own name of a session", True),
    Place("items", "subkind", "roles and formats as an import gave them, tools of a step", True),
    Place(
        "items",
        "body",
        "the rest of a record: speakers, sources, attachments, reports, corrected values, labels of units, "
        "tasks of runs, thoughts of steps, notes of marks; and of a change who made it and why",
        True,
    ),
    Place("items", "before", "the journal's images of rows as they were, vectors included"),
    Place("items", "vector", "embeddings of names, texts and units: near to the words they were made from"),
    Place("items", "source_hash", "a keyed hash of where a record came from, kept by tombstones"),
    Place("traces", "question", "what was asked", True),
    Place("index", "items.text", "the stems of all words"),
    Place("index", "items.grams", "pairs and triples of characters"),
    Place("index", "items.source_hash", "a copy of the column"),
    Place("file", "store.json", "names of scopes, and the key of the hashes"),
    Place("file", "replies.jsonl", "recorded replies of models, which retell memories", forgotten=True),
    Place("file", "lance", "old versions of all tables until they are compacted and cleaned up"),
    Place("file", "erasure.arrow", "while an erasure is under way: rows as they are to stay"),
    Place("file", "receipts", "of erasures: who asked for it and why, keyed hashes of what went"),
)

TEXTLESS_FILES = ("writer.lock", "traces.lock", "erasure.json", "settings.json", "calls.jsonl",
                  "audit.jsonl", "audit.head", "audit.lock", "retention.json")  # fmt: skip
"""Locks, the ids that an unfinished erasure names, what was chosen in the settings, the bill of model
calls, the ids, counts and codes of the audit, the rules of retention. Drafts of files end in .tmp and hold
the same."""

TEXTLESS: dict[Literal["items", "traces"], str] = {
    "items": """id kind seq made state group_id revision conversation_id turn_id cue_id tag_id content_id
        origin position span_start span_end said_start said_end said_precision said_zoned event_start
        event_end event_precision event_zoned recorded sensitivity made_by""",
    "traces": """id kind trace_id position strategy budget started ended status seq events parent
        parent_step body""",
}
