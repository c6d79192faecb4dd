"""What a reader yields: conversations and turns as the file tells them, before anything is stored.

The text is verbatim. Ids are the format's own; the store gives random ones. `identity` is what makes
a conversation or a turn the same one when it is imported again: a writer hashes it with the store's
key and stores nothing else of it.
"""

from __future__ import annotations

from typing import NamedTuple

from memcore.records import UNKNOWN, Moment

MAIN = "main"


class Skipped(NamedTuple):
    """One record that was not read: where it stands in the file, and why it was left out."""

    where: str
    why: str


class DraftTurn(NamedTuple):
    """One utterance, or something folded that is none (thoughts, tool output, hidden text).

    `source` is the format's own id, unique within the conversation. `parent` is the `source` of the
    turn it answers where the file is a tree; `branch` is "main" or names an alternative.
    `attachments` are short texts such as "photo: a red kite" or "file: notes.pdf".
    `key`, where given, stands for `source` in the identity.
    """

    speaker: str
    role: str
    text: str
    said: Moment = UNKNOWN
    source: str = ""
    session: str = ""
    branch: str = MAIN
    folded: bool = False
    attachments: tuple[str, ...] = ()
    parent: str | None = None
    key: str = ""

    @property
    def identity(self) -> str:
        """Unique within its conversation; the same at the next import."""
        return self.key or self.source


class DraftConversation(NamedTuple):
    """A dialogue with its turns in the order of the file, alternatives after the main branch.

    `source` is the format's own name for it. `key`, where given, stands for it in the identity
    (a file without ids: a digest of how the dialogue begins; a shared session: id and content).
    """

    source: str
    title: str
    speakers: tuple[str, ...]
    turns: tuple[DraftTurn, ...]
    key: str = ""

    @property
    def identity(self) -> str:
        """Unique within its format; the same at the next import."""
        return self.key or self.source


def speakers_of(turns: tuple[DraftTurn, ...]) -> tuple[str, ...]:
    """Who speaks, in the order of the first utterance; folded turns do not count."""
    return tuple(dict.fromkeys(turn.speaker for turn in turns if not turn.folded))
