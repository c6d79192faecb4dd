"""Who looks at a memory, and how much of it they may see.

A scope is whose memory it is: a viewer enters it or not. A sensitivity says who may see one record in it:
from 0 (open) to 3 (most sensitive), and a viewer sees what is no more sensitive than their clearance.
What rests on a record is at least as sensitive as that record (see store.withheld).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_SENSITIVE = 3
UNKNOWN_SCOPE = "There is no memory of this name that can be shown."
"""Of one that is not there and of one that the viewer may not enter: nobody learns which it is."""
IN_PART = "Withheld in part"
"""In place of the name of a conversation or a file of which something is withheld."""
READ_ONLY = (
    "This view leaves out what is too sensitive for it, so it can only be read: "
    "to change something, look at the memory with everything shown."
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks. `scopes` names the memories they may enter, `may` the acts they are allowed (see
    roles); None stands for every one."""

    name: str
    clearance: int
    scopes: frozenset[str] | None = None
    may: frozenset[str] | None = None

    @property
    def sees_all(self) -> bool:
        """Nothing of a memory is withheld from them. Only such a viewer may change one."""
        return self.clearance >= MOST_SENSITIVE

    def may_enter(self, scope: str) -> bool:
        """Whether they may know of this memory at all."""
        return self.scopes is None or scope in self.scopes

    def may_do(self, act: str) -> bool:
        """Whether their role allows this act."""
        return self.may is None or act in self.may

    def within(self, allowed: Viewer) -> Viewer:
        """The same viewer, with no more rights than another: a view of a view never widens it."""
        least = min(self.clearance, allowed.clearance)
        scopes, may = _both(self.scopes, allowed.scopes), _both(self.may, allowed.may)
        return replace(self, clearance=least, scopes=scopes, may=may)


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """What stands in both, where None is everything."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


OWNER = Viewer("owner", MOST_SENSITIVE)
"""Whoever has the store in hand: sees everything of every memory."""
