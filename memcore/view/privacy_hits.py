"""What was found, for a person to look through: in groups, with the words marked in what surrounds them.

Pure: hits and records go in, what a row says comes out. All of it is memory text, to be neutralised where
it is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, cast

from memcore.erasure.find import Hit
from memcore.erasure.masking import spans
from memcore.records import AgentRun, Content, Conversation, Correction, Record, Turn, Version
from memcore.view.naming import an
from memcore.view.privacy_words import FOUND, KIND_SAYS, NEAR, NOUNS, ordered, plural
from memcore.view.times import shown
from memcore.words import fold, normalise, tokens

AROUND = 90  # characters before and after the marked words
CLOSE = 0.6  # how alike a word must be to be marked as the one that came near
LAYERS = {"turn": "Verbatim memory", "episode": "Episode", "fact": "Fact", "topic": "Topic"}
_NAMES = ("name", "title", "text", "question", "summary", "note", "action", "label", "task", "source")
_FIELDS: Mapping[str, str] = {
    "speakers": "who spoke",
    "session": "the name of the session",
    "title": "its title",
    "name": "its name",
    "summary": "its summary",
    "note": "its note",
    "label": "its name",
    "task": "its task",
    "thought": "a thought",
    "reason": "a reason",
    "author": "an author",
    "question": "the question",
}


class Group(NamedTuple):
    """Hits that are looked through together, under a heading and a sentence that says what they are."""

    key: str
    title: str
    says: str
    hits: tuple[Hit, ...]


class Marked(NamedTuple):
    """Words with what surrounds them; `found` is "" where none are to be marked."""

    before: str
    found: str
    after: str


def by_kind(hits: Iterable[Hit]) -> list[Group]:
    """What is meant outright, by kind of record."""
    found = tuple(hits)
    kinds = ordered(h.kind for h in found)
    return [
        Group(kind, plural(kind), KIND_SAYS.get(kind, ""), tuple(h for h in found if h.kind == kind))
        for kind in kinds
    ]


def by_reason(near: Iterable[Hit]) -> list[Group]:
    """What may be meant too, by why it is offered."""
    found = tuple(near)
    reasons = [*NEAR, *dict.fromkeys(h.why for h in found if h.why not in NEAR)]
    said = {r: tuple(h for h in found if h.why == r) for r in reasons}
    return [Group(r, *NEAR.get(r, (FOUND.get(r, r), "")), hits) for r, hits in said.items() if hits]


def holding(hits: Iterable[Hit], words: str, records: Mapping[str, Record]) -> tuple[Hit, ...]:
    """Those whose whole text holds these words; all for none."""
    wanted = fold(words).strip()
    return tuple(h for h in hits if wanted in fold(text_of(h, records))) if wanted else tuple(hits)


def looked_up(hits: Iterable[Hit]) -> list[str]:
    """The ids of records that `head` and `text_of` want."""
    return list(dict.fromkeys(i for h in hits for i in (h.id, h.of) if i))


def text_of(hit: Hit, records: Mapping[str, Record]) -> str:
    """The whole text that a hit begins; the beginning where it is not at hand."""
    record = records.get(hit.id)
    value: Any = getattr(record, hit.field, "") if hit.field else getattr(record, "text", "")
    if hit.kind == "step" and hit.field == "text" and record is not None:
        value = "\n".join(cast(Any, (getattr(record, "action", ""), getattr(record, "observation", ""))))
    if isinstance(record, Turn | Content) and hit.field == "speaker":
        return f"{record.speaker}: {record.text}"
    if isinstance(value, str) and value.startswith(hit.text[:40]):
        return value or hit.text
    return hit.text or name_of(record)


def name_of(record: Record | None) -> str:
    """What a record is called, or says; "" for one that has no words."""
    for field in (
        "name",
        "title",
        "text",
        "question",
        "summary",
        "note",
        "action",
        "label",
        "task",
        "source",
    ):
        value = getattr(record, field, "")
        if isinstance(value, str) and value:
            return value
    if isinstance(record, Correction):
        return f"{record.extracted} → {record.corrected}"
    return ""


def head(hit: Hit, records: Mapping[str, Record], zone: str = "") -> str:
    """Who and when, or what a record is: what stands before its words."""
    record = records.get(hit.id)
    if hit.kind == "change":
        of = records.get(hit.of)
        kept = f"Earlier version of {an(NOUNS.get(of.kind, (of.kind,))[0])}" if of else "Earlier version"
        return kept if hit.part == "image" else f"Said by an editor: {_FIELDS.get(hit.field, hit.field)}"
    spoke = hit.field == "speaker"  # then the name stands with the words, to be marked
    parts = ["" if spoke and hit.kind == "turn" else _what(record, spoke), _when(record, zone)]
    if hit.field in _FIELDS and not (spoke or hit.kind in ("cue", "tag")):
        parts.append(_FIELDS[hit.field])
    return " · ".join(p for p in parts if p)


def marked(text: str, said: Sequence[str], near: bool = False, around: int = AROUND) -> Marked:
    """The neighbourhood of the first of the words that were `said`; the beginning where none stands there.

    With `near` the word that comes nearest to them is marked instead.
    """
    line = " ".join(text.split())
    found = [span for word in said if fold(word).strip() and (span := _span(line, word, near))]
    if not found:
        return Marked("", "", line[: 2 * around] + ("…" if len(line) > 2 * around else ""))
    start, end = min(found)
    before, after = line[max(0, start - around) : start], line[end : end + around]
    cut = ("…" if start > around else "", "…" if end + around < len(line) else "")
    return Marked(cut[0] + before, line[start:end], after + cut[1])


def _span(line: str, word: str, near: bool) -> tuple[int, int] | None:
    if exact := next(spans(line, [" ".join(fold(word).split())]), None):
        return exact
    nearest = _nearest(line, word) if near else ""
    found = re.search(re.escape(nearest), line, re.IGNORECASE) if nearest else None
    return found.span() if found else None


def _nearest(line: str, word: str) -> str:
    """The word of the line that is the same in another form, or spelt most alike."""
    said, there = {normalise(t) for t in tokens(word)}, list(dict.fromkeys(tokens(line[:20_000])))
    same = next((t for t in there if normalise(t) in said), "")
    return same or next(iter(get_close_matches(fold(word), there, 1, CLOSE)), "")


def _what(record: Record | None, spoke: bool) -> str:
    if isinstance(record, Turn):
        return record.speaker or "Nobody named"
    if isinstance(record, Content):
        named = record.speaker and not spoke
        return f"{LAYERS[record.layer]}, {record.speaker}" if named else LAYERS[record.layer]
    if isinstance(record, Version):
        return "Earlier text"
    return ""


def _when(record: Record | None, zone: str) -> str:
    if isinstance(record, Turn | Content):
        return shown(record.said, zone) if record.said.known else ""
    if isinstance(record, Conversation | AgentRun) and record.started.known:
        return shown(record.started, zone)
    return ""
