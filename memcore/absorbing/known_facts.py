"""What a writer's facts are compared with: those stated where they were found, and those removed there.

A fact that extraction stated at the same place is that one, raised to the semantic tier; one that a person
removed is not made again.
"""

from __future__ import annotations

from collections.abc import Iterable

from memcore.editing.corrections import Overlay
from memcore.records import Content, Correction
from memcore.writing import FactDraft

_Place = tuple[str, tuple[int, int] | None]


class KnownFacts:
    """Facts by the turn and the span they were read from, and the corrections of people."""

    def __init__(self, facts: Iterable[Content] = (), corrections: Iterable[Correction] = ()) -> None:
        self._stated: dict[_Place, Content] = {}
        self._overlay = Overlay(corrections)
        self.take_in(facts)

    def take_in(self, contents: Iterable[Content]) -> None:
        """The facts among these, too."""
        facts = (c for c in contents if c.layer == "fact" and c.span and c.origin)
        self._stated |= {(c.origin[0], c.span): c for c in facts}

    def stated(self, draft: FactDraft) -> Content | None:
        """The fact that stands where this one was found."""
        return self._stated.get((draft.turn_id, draft.span)) if draft.span else None

    def removed(self, draft: FactDraft) -> bool:
        """Whether a person removed the fact that stood there."""
        return draft.span is not None and self._overlay.removed(draft.turn_id, ("fact", *draft.span, ""))
