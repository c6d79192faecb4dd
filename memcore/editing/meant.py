"""Which cue or tag a name in carried-over corrections means here, while they are carried out one by one.

A line names things as extraction did, or as other lines of the same file call them: a cue may have that name
already, have had it when the replay began, or get it from a line still to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from memcore.editing.corrections import Overlay
from memcore.editing.portable import Ends, Line
from memcore.shelf import Named, Records, names_of
from memcore.words import normalise


class Shelf(Records, Named, Protocol):
    """What this needs of a store."""


class Meant:
    """The names of a memory and of the lines that are carried out in it."""

    def __init__(self, shelf: Shelf, lines: Sequence[Line]) -> None:
        self._shelf = shelf
        self.refresh()
        self._first = self._live
        named = [line for line in lines if line.slot in ("name", "merged", "removed")]
        self._leaving = {(line.target, normalise(str(line.extracted))) for line in named}
        self._was = {
            (line.target, normalise(str(line.corrected))): normalise(str(line.extracted))
            for line in named
            if line.slot == "name"
        }
        self._by_hand = {(x.target, normalise(str(x.corrected))) for x in lines if x.slot == "exists"}
        self._led_to = {pair for line in lines for pair in _leads_to(line)}

    def refresh(self) -> None:
        """Take in what was carried out since."""
        self.overlay = Overlay(self._shelf.corrections())
        self._names = names_of(self._shelf)
        self._live = {"cue": self._names.cues, "tag": self._names.tags}

    def live(self, kind: str, name: str) -> str:
        """The id of the cue or tag that is called so now; "" for none."""
        return self._live[kind].get(normalise(name), "")

    def node(self, kind: str, name: str) -> str:
        """The id of the one that is called so, or was when the replay began, or will be; "" for none."""
        key = normalise(name)
        before = self._was.get((kind, key), "")
        return self._live[kind].get(key) or self._first[kind].get(key) or self._first[kind].get(before, "")

    def led(self, kind: str, name: str) -> str | None:
        """Where a correction of this memory leads a name: an id, "" for removed, None where there is none."""
        key = normalise(name)
        if key in self._live[kind]:
            return None
        names = self.overlay.names(self._names)
        return (names.cues if kind == "cue" else names.tags).get(key)

    def made_by_hand(self, kind: str, name: str) -> bool:
        """Whether the lines say that a person made it, where they come from."""
        return (kind, normalise(name)) in self._by_hand

    def gets_free(self, kind: str, name: str) -> bool:
        """Whether a line takes this name from what has it now."""
        return (kind, normalise(name)) in self._leaving

    def comes(self, kind: str, name: str) -> bool:
        """Whether a line makes a cue or tag of this name, because something is led to it."""
        return (kind, normalise(name)) in self._led_to


def _leads_to(line: Line) -> Iterable[tuple[str, str]]:
    if isinstance(line.corrected, Ends):
        return [("cue", normalise(line.corrected.cues[0])), ("tag", normalise(line.corrected.tags[0]))]
    return [(line.target, normalise(str(line.corrected)))] if line.slot == "merged" else []
