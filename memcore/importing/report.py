"""The report of one file: what was read, what was left out and why; nothing is lost in silence.

A reader notes into a `Report` while it reads; `freeze` gives the `FileReport` that is shown and
stored. Reasons are fixed sentences without memory text, so that equal ones count together.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memcore.errors import InputError
from memcore.importing.document import Document
from memcore.importing.draft import MAIN, DraftConversation, DraftTurn
from memcore.importing.language import language_of
from memcore.importing.storable import MARK, mend
from memcore.importing.times import moment
from memcore.records import Moment

LONGEST_PLACE = 200  # characters: places are made of ids from the file, which may be anything


@dataclass(frozen=True, slots=True)
class SkippedKind:
    """All records left out for one reason: how many, and where the first of them stands."""

    why: str
    count: int
    first_where: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file. The reader fills the upper part, the writer the three last fields.

    `turns_read` are the turns handed on; `folded` and `alternatives` are among them. `repeated` turns
    stand in the file more than once (cumulative logs, shared sessions) and were read once.
    `turns_known` were in the store already; `held_back` were kept out by a rule of the store.
    """

    name: str
    format: str
    conversations: int = 0
    turns_read: int = 0
    folded: int = 0
    alternatives: int = 0
    repeated: int = 0
    skipped: tuple[SkippedKind, ...] = ()
    first_said: datetime | None = None
    last_said: datetime | None = None
    languages: dict[str, int] = field(default_factory=dict[str, int])
    warnings: tuple[str, ...] = ()
    turns_written: int = 0
    turns_known: int = 0
    held_back: int = 0

    @classmethod
    def refused(cls, name: str, why: InputError) -> FileReport:
        """Of a file that cannot be read."""
        return cls(name, "", warnings=(str(why),))

    @property
    def turns_skipped(self) -> int:
        """How many records were left out, for whatever reason."""
        return sum(kind.count for kind in self.skipped)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values: times as ISO 8601, reasons as objects."""
        return {
            "name": self.name,
            "format": self.format,
            "conversations": self.conversations,
            "turns_read": self.turns_read,
            "turns_written": self.turns_written,
            "turns_known": self.turns_known,
            "held_back": self.held_back,
            "folded": self.folded,
            "alternatives": self.alternatives,
            "repeated": self.repeated,
            "skipped": [
                {"why": kind.why, "count": kind.count, "first_where": kind.first_where}
                for kind in self.skipped
            ],
            "first_said": self.first_said.isoformat() if self.first_said else None,
            "last_said": self.last_said.isoformat() if self.last_said else None,
            "languages": dict(self.languages),
            "warnings": list(self.warnings),
        }


class Report:
    """What a reader notes while it reads one file."""

    def __init__(self, name: str, format: str = "") -> None:
        self.name = mend(name).text
        self.format = format
        self.conversations = 0
        self.turns = 0
        self._counts: Counter[str] = Counter()
        self._skipped: dict[str, SkippedKind] = {}
        self._languages: Counter[str] = Counter()
        self._warnings: Counter[str] = Counter()
        self._first: datetime | None = None
        self._last: datetime | None = None

    def skip(self, where: str, why: str) -> None:
        """A record was left out. `why` is a fixed sentence, `where` says where it stands."""
        where = mend(where).text[:LONGEST_PLACE]
        known = self._skipped.get(why)
        self._skipped[why] = (
            SkippedKind(why, known.count + 1, known.first_where) if known else (SkippedKind(why, 1, where))
        )

    def warn(self, sentence: str, times: int = 1) -> None:
        """Something was read, but not as it stood. Equal sentences count together."""
        self._warnings[sentence] += times

    def mended(self, text: str) -> str:
        """The text as a store can hold it; what had to go is noted."""
        found = mend(text)
        if found.nuls:
            self.warn("NUL characters were removed from the text", found.nuls)
        if found.halves:
            self.warn(f"half characters (lone surrogates) were replaced by {MARK}", found.halves)
        return found.text

    def note(self, document: Document) -> None:
        """What of it was left out, or not read as it stood, when it was opened."""
        for where, why in document.broken:
            self.skip(where, why)
        for sentence in document.warnings:
            self.warn(sentence)

    def repeat(self, turns: int) -> None:
        """Turns that stand in the file again were not read a second time."""
        self._counts["repeated"] += turns

    def time(self, value: object) -> Moment:
        """The time that a record states; one that is stated but not understood is noted."""
        at = moment(value)
        if not at.known and value not in (None, "", 0, 0.0):
            self.warn("a time was not understood and is left unknown")
        return at

    def count(self, conversation: DraftConversation) -> None:
        """A conversation was read and is handed on."""
        self.conversations += 1
        self.turns += len(conversation.turns)
        for turn in conversation.turns:
            self._count_turn(turn)

    def _count_turn(self, turn: DraftTurn) -> None:
        self._counts["folded"] += turn.folded
        self._counts["alternatives"] += turn.branch != MAIN
        if language := language_of(turn.text):
            self._languages[language] += 1
        if turn.said.start is not None:
            end = turn.said.end or turn.said.start
            self._first = min(self._first or turn.said.start, turn.said.start)
            self._last = max(self._last or end, end)

    def freeze(self) -> FileReport:
        """The report as it stands. A file without any turn says so."""
        return FileReport(
            name=self.name,
            format=self.format,
            conversations=self.conversations,
            turns_read=self.turns,
            folded=self._counts["folded"],
            alternatives=self._counts["alternatives"],
            repeated=self._counts["repeated"],
            skipped=tuple(sorted(self._skipped.values(), key=lambda kind: (-kind.count, kind.why))),
            first_said=self._first,
            last_said=self._last,
            languages=dict(self._languages.most_common()),
            warnings=self._all_warnings(),
        )

    def _all_warnings(self) -> tuple[str, ...]:
        told = [
            sentence if times == 1 else f"{sentence} ({times} times)"
            for sentence, times in self._warnings.items()
        ]
        if not self.turns:
            told.insert(0, f"no turn was read: {self._most_common_reason()}")
        return tuple(told)

    def _most_common_reason(self) -> str:
        if not self._skipped:
            return f"the file has the form of {self.format or 'a known format'} but holds no message"
        most = max(self._skipped.values(), key=lambda kind: kind.count)
        return f"{most.why} ({most.count} of them, first at {most.first_where})"
