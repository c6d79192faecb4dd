"""Corrections that extraction disagrees with: what was read, what a person says, what is read now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from memcore.editing.corrections import as_moment
from memcore.records import Correction, Record, Relation, Value
from memcore.view.corrected import NO_MORE, Named
from memcore.view.naming import human_time
from memcore.view.record_words import FIELDS, quoted, record_words

Choice = Literal["mine", "new", "both"]


def decisions(*, gone: bool, both: bool) -> dict[Choice, str]:
    """What can be decided, with what it is called: nothing is taken over where nothing is read any more."""
    found: dict[Choice, str] = {"mine": "Keep the correction"}
    found["new"] = "Remove it" if gone else "Take the new reading"
    return {**found, "both": "Keep both"} if both else found


class Dispute(NamedTuple):
    """A correction that extraction disagrees with: all three values in words.

    `both` whether both can stand; `gone` whether nothing is read any more, so that to take it is to remove.
    """

    id: str
    what: str
    extracted: str
    mine: str
    now: str
    author: str
    reason: str
    both: bool
    gone: bool


def disputes(corrections: Iterable[Correction], records: Mapping[str, Record], named: Named) -> list[Dispute]:
    """Those that wait for a decision; `records` hold what they show and what relations among it lead to."""
    return [_dispute(named.readable(c), records) for c in corrections if c.disputed is not None]


def _dispute(c: Correction, records: Mapping[str, Record]) -> Dispute:
    record = records.get(c.record_id)
    name = quoted(record) if record else ""
    what = f"{FIELDS.get(c.slot, c.slot)} of the {record_words(c.target)[0]} {name}".strip()
    mine = said(c, c.corrected)
    if isinstance(record, Relation):
        cue, tag, content = (quoted(r) if (r := records.get(i)) else "" for i in record.triple)
        what, mine = f"relation of the memory {content}", f"{cue} leads by {tag}"
    gone = not c.disputed
    now = NO_MORE if gone else said(c, c.disputed)
    both = c.slot == "text" and not gone
    return Dispute(c.id, what, said(c, c.extracted), mine, now, c.author, c.reason, both, gone)


def said(c: Correction, value: Value) -> str:
    """A value of a correction in words."""
    if value is None:
        return "nothing"
    if c.slot == "event":
        return human_time(as_moment(value))
    if c.slot == "pinned":
        return "yes" if value else "no"
    if isinstance(value, tuple) and c.target == "relation":
        return f"“{value[0]}” leads by “{value[1]}”"
    return str(value) if not isinstance(value, tuple) else "this memory"
