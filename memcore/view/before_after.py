"""Every record that a change concerned, before and after it, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memcore.records import (
    Content,
    Conversation,
    Correction,
    Cue,
    File,
    Record,
    Relation,
    RunMark,
    Tag,
    Turn,
)
from memcore.view.edit_titles import Stood
from memcore.view.naming import counted, listed
from memcore.view.record_words import FIELDS, NAME, plain_value, quoted, record_words
from memcore.view.text import shorten

_MARKS = {"compress": "Boundary", "maintain": "Check", "revise": "Step back"}


class Changed(NamedTuple):
    """One thing before and after: what it is, and both values; "" where it was not there."""

    what: str
    before: str
    after: str


def in_words(before: Sequence[Record], after: Sequence[Record], around: Stood, most: int) -> list[Changed]:
    """What a change did to each record, field by field; `around` holds what relations lead to, each side
    under the names that held then.

    At most `most` lines; corrections themselves are left out, since their records show them.
    """
    old, new = ({r.id: r for r in records} for records in (before, after))
    then, known = {**around.before, **old}, {**around.after, **new}
    found: list[Changed] = []
    for id_ in dict.fromkeys([*old, *new]):
        found += _pair(old.get(id_), new.get(id_), known, then)
        if len(found) >= most:
            break
    return found[:most]


def by_kind(records: Iterable[Record]) -> str:
    """How many of each kind these are: 71 memories, 12 cues and 1 file."""
    numbers = Counter(r.kind for r in records).most_common()
    return listed(counted(number, *record_words(kind)) for kind, number in numbers)


def _pair(
    old: Record | None, new: Record | None, known: Mapping[str, Record], then: Mapping[str, Record]
) -> list[Changed]:
    record = new or old
    if record is None or isinstance(record, Correction | Turn | Conversation | File):
        return []
    if old is None or new is None or isinstance(record, Relation):
        sides = (_whole(old, then) if old else "", _whole(new, known) if new else "")
        return [Changed(_kind(record), *sides)] if sides[0] != sides[1] else []
    pairs = [(f, getattr(old, f), getattr(new, f)) for f in FIELDS if hasattr(record, f)]
    label = f"{_kind(record)} {quoted(old)}"
    return [Changed(f"{label}: {FIELDS[f]}", plain_value(a), plain_value(b)) for f, a, b in pairs if a != b]


def _whole(record: Record, known: Mapping[str, Record]) -> str:
    if isinstance(record, Relation):
        cue, tag, content = (quoted(known[i]) if i in known else "something gone" for i in record.triple)
        return f"{cue} leads by {tag} to {content}"
    if isinstance(record, Content):
        return shorten(record.text, 4 * NAME)
    if isinstance(record, RunMark):
        said = f": {shorten(record.summary, NAME)}" if record.summary else ""
        return f"{_MARKS[record.action]} after step {record.after:,}{said}"
    return shorten(record.name, NAME) if isinstance(record, Cue | Tag) else ""


def _kind(record: Record) -> str:
    return record_words(record.kind)[0].capitalize()
