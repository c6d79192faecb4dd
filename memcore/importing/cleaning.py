"""The last step before a draft leaves the reader: text that a store cannot hold is mended and noted.

NUL characters go, lone surrogates (half a character, from broken escapes) become the replacement
mark. Everything else stays verbatim: right-to-left marks, markup and private-use characters too.
Ids that occur twice are kept apart, so that neither record hides the other.
"""

from __future__ import annotations

from collections import Counter

from memcore.importing.draft import DraftConversation, DraftTurn
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint


class Cleaning:
    """Cleans the conversations of one file; remembers which identities it has seen."""

    def __init__(self, report: Report) -> None:
        self._report, self._text = report, report.mended
        self._seen: dict[str, set[str]] = {}

    def clean(self, conversation: DraftConversation) -> DraftConversation | None:
        """The conversation with storable text and unique identities; None where nothing new is left."""
        mended = (self._turn(turn) for turn in conversation.turns)
        turns = self._unique_turns(tuple(turn for turn in mended if self._says_something(turn)))
        if not turns:
            return None
        cleaned = DraftConversation(
            source=self._text(conversation.source),
            title=self._text(conversation.title),
            speakers=tuple(self._text(name) for name in conversation.speakers),
            turns=turns,
            key=self._text(conversation.key),
        )
        return self._unique_conversation(cleaned)

    def _turn(self, turn: DraftTurn) -> DraftTurn:
        return turn._replace(
            speaker=self._text(turn.speaker),
            role=self._text(turn.role),
            text=self._text(turn.text),
            source=self._text(turn.source),
            session=self._text(turn.session),
            branch=self._text(turn.branch),
            attachments=tuple(self._text(name) for name in turn.attachments),
            parent=None if turn.parent is None else self._text(turn.parent),
            key=self._text(turn.key),
        )

    def _says_something(self, turn: DraftTurn) -> bool:
        if turn.text.strip() or turn.attachments:
            return True
        self._report.skip(turn.source, "a turn has no text but NUL characters")
        return False

    def _unique_turns(self, turns: tuple[DraftTurn, ...]) -> tuple[DraftTurn, ...]:
        counts = Counter(turn.identity for turn in turns)
        if len(counts) == len(turns):
            return turns
        seen: Counter[str] = Counter()
        unique: list[DraftTurn] = []
        for turn in turns:
            seen[turn.identity] += 1
            number = seen[turn.identity]
            unique.append(turn if number == 1 else turn._replace(key=f"{turn.identity}\n{number}"))
        self._report.warn("two messages have the same id; both were kept", len(turns) - len(counts))
        return tuple(unique)

    def _unique_conversation(self, conversation: DraftConversation) -> DraftConversation | None:
        content = fingerprint(*(f"{turn.branch}\n{turn.speaker}\n{turn.text}" for turn in conversation.turns))
        seen = self._seen.setdefault(conversation.identity, set())
        if content in seen:
            self._report.repeat(len(conversation.turns))
            return None
        seen.add(content)
        if len(seen) == 1:
            return conversation
        self._report.warn("two conversations have the same id but not the same content; both were kept")
        return conversation._replace(key=f"{conversation.identity}\n{content}")
