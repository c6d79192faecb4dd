"""Time expressions of a text, resolved against the time of the conversation.

`find_times` runs the English and Korean rules (`times_en`, `times_ko`) over the text, earlier rules
first; what one has read, no later one reads again. Never "now": a relative expression in a
conversation of unknown time is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from memcore.extraction import FoundTime
from memcore.llm.offline.spans import Rule, Span
from memcore.llm.offline.times_en import ENGLISH
from memcore.llm.offline.times_ko import KOREAN
from memcore.records import Moment

# More time expressions than this in one text are a table or an attack.
MOST_TIMES = 200

_WORD = re.compile(r"[a-z]+|\d")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_NO_DAY = datetime(1, 1, 1, tzinfo=UTC).date()


def find_times(text: str, said: Moment) -> list[FoundTime]:
    """The time expressions in order of the text; those that mean no existing day are skipped."""
    low = _lower(text)
    today = said.start.date() if said.start is not None else None
    taken = bytearray(len(low))
    found: list[FoundTime] = []
    for rule in _rules_for(low):
        if rule.relative and today is None:
            continue
        for match in rule.pattern.finditer(low):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            span = _resolved(rule, match, today or _NO_DAY)
            if span is not None:
                taken[start:end] = b"\x01" * (end - start)
                found.append(FoundTime(start, end, moment_of(span, said.zoned)))
                if len(found) >= MOST_TIMES:
                    return sorted(found, key=lambda f: f.start)
    return sorted(found, key=lambda f: f.start)


def moment_of(span: Span, zoned: bool) -> Moment:
    """The moment from the first second of a span's first day to the last of its last."""
    first = datetime.combine(span.first, time.min, UTC)
    return Moment(first, datetime.combine(span.last, time(23, 59, 59), UTC), span.precision, zoned)


def _lower(text: str) -> str:
    """Lower case of the same length, so that positions are those of the text."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _rules_for(low: str) -> Iterator[Rule]:
    words = {"0" if w.isdigit() else w for w in _WORD.findall(low)}
    for rule in ENGLISH:
        if not rule.anchors.isdisjoint(words):
            yield rule
    if _HANGUL.search(low):
        for rule in KOREAN:
            if any(anchor in low for anchor in rule.anchors):
                yield rule


def _resolved(rule: Rule, match: re.Match[str], today: date) -> Span | None:
    try:
        return rule.resolve(match, today)
    except (ValueError, OverflowError):
        return None
