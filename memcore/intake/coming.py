"""What a file would add to a memory: its turns, without those that are there or were erased for good.

A turn is recognised by a keyed hash of where it came from, whatever became of its text since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from memcore.importing import DraftConversation, DraftTurn, language_of, read_file
from memcore.intake.sessions import batches
from memcore.records import Turn, new_id


class Sources(Protocol):
    """What a store knows of where its records came from (see store.Scope)."""

    def hash(self, text: str) -> str: ...

    def ids_of(self, source_hashes: Iterable[str]) -> dict[str, str]: ...

    def held_back(self, source_hashes: Iterable[str]) -> set[str]: ...


def coming(sources: Sources, path: Path, most: int) -> Iterator[list[Turn]]:
    """The turns that importing this file would add, session by session, at most so many at once.

    Raises InputError or UnknownFormat.
    """
    reading = read_file(path)
    for talk in reading.conversations:
        talk_hash, hashes = hashed(sources, reading.format, talk, talk.turns)
        known = {*sources.ids_of(hashes), *held(sources, talk_hash, hashes)}
        new = [(i, t) for i, (t, h) in enumerate(zip(talk.turns, hashes, strict=True)) if h not in known]
        yield from batches([turn_of(t, talk.identity, i) for i, t in new], most)


def hashed(
    sources: Sources, format_: str, talk: DraftConversation, turns: Sequence[DraftTurn]
) -> tuple[str, list[str]]:
    """Where a conversation and these of its turns come from."""
    place = f"{format_}\n{talk.identity}"
    return sources.hash(place), [sources.hash(f"{place}\n{t.identity}") for t in turns]


def held(sources: Sources, talk_hash: str, hashes: Sequence[str], of_file: bool = True) -> set[str]:
    """The turns that were erased once, by themselves or with their conversation; what is said now under the
    name of an erased conversation, and comes of no file, is new."""
    found = sources.held_back([talk_hash, *hashes])
    return {*hashes} if talk_hash in found and of_file else found - {talk_hash}


def turn_of(draft: DraftTurn, conversation_id: str, position: int) -> Turn:
    """A turn as it will be stored, at this place of a conversation."""
    return Turn(
        id=new_id(),
        conversation_id=conversation_id,
        position=position,
        speaker=draft.speaker,
        role=draft.role,
        text=draft.text,
        said=draft.said,
        source=draft.source,
        session=draft.session,
        language=language_of(draft.text) or "",
        branch=draft.branch,
        folded=draft.folded,
        attachments=draft.attachments,
    )
