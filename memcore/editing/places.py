"""Where a portable place lies in this store: its conversation, its turn, and the memory read from it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from memcore.editing.corrections import WHOLE, Overlay
from memcore.editing.portable import Place
from memcore.records import Content, Conversation, Turn


class Found(NamedTuple):
    """The memory, or why there is none."""

    content: Content | None
    why: str = ""


class Shelf(Protocol):
    """What this needs of a store (see store.Scope)."""

    def conversations(self) -> list[Conversation]: ...

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def contents(self, conversation_id: str) -> list[Content]: ...


class Places:
    """Finds places; turns and memories of a conversation are read once."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._talks: dict[tuple[str, str], list[Conversation]] = {}
        for talk in shelf.conversations():
            self._talks.setdefault((talk.source, talk.title), []).append(talk)
        self._turns: dict[str, list[Turn]] = {}

    def turn(self, place: Place) -> str:
        """The id of the only turn that this place can mean; "" for none or several."""
        found = [t.id for talk in self._talks_of(place) for t in self._named(talk.id, place)]
        return found[0] if len(found) == 1 else ""

    def find(self, place: Place, overlay: Overlay, text: str | None = None) -> Found:
        """The memory at a place, as extraction knows it; with `text`, the one that said this there."""
        talks = self._talks_of(place)
        if not talks:
            return Found(None, "There is no such conversation here.")
        turns = [t for talk in talks for t in self._named(talk.id, place)]
        if len(turns) != 1:
            several = "Several turns here could be meant." if turns else "There is no such turn here."
            return Found(None, several)
        (turn,) = turns
        here = [c for c in self._of(turn.conversation_id) if c.origin and c.origin[0] == turn.id]
        wanted = (place.layer, *(place.span or WHOLE), place.topic)
        at = [c for c in here if overlay.place(c) == wanted]
        if text is not None:
            same = [c for c in here if overlay.extracted(c).text == text]
            at = [c for c in at if c in same] or [c for c in same if overlay.place(c)[0] == place.layer]
        if len(at) != 1:
            return Found(None, "No memory was read from this turn where this one was.")
        return Found(at[0])

    def _talks_of(self, place: Place) -> list[Conversation]:
        return self._talks.get((place.conversation, place.title), [])

    def _named(self, talk_id: str, place: Place) -> list[Turn]:
        """By the turn's own name where its source gives one, else by its position."""
        turns = self._turns.get(talk_id)
        if turns is None:
            turns = self._turns[talk_id] = self._shelf.turns(talk_id)
        if place.turn:
            found = [t for t in turns if t.source == place.turn]
            exact = [t for t in found if t.position == place.position]
            return exact if len(found) > 1 else found
        return [t for t in turns if t.position == place.position and not t.source]

    def _of(self, talk_id: str) -> list[Content]:
        """Read again each time: an edit may have changed or removed one."""
        return self._shelf.contents(talk_id)
