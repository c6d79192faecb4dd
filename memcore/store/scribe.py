"""The audit in the hand of one memory: what is entered of it is of this memory, and by who acts in it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from memcore.access.permissions import OWNER, READ_ONLY, Viewer
from memcore.access.roles import NOT_ALLOWED, Act
from memcore.audit import Fact, Id, Refused
from memcore.errors import NotAllowed, StoreError
from memcore.store.audit import Audit


@dataclass(slots=True)
class Scribe:
    """Fills in whose memory it is and who acts, and refuses what they may not do."""

    audit: Audit
    scope: Id
    viewer: Viewer = OWNER

    def allow(self, act: Act) -> None:
        """Raises NotAllowed where the role of who acts does not allow it, and enters that."""
        if not self.viewer.may_do(act):
            raise self.refuse(act, NOT_ALLOWED[act])

    def whole(self, act: Act) -> None:
        """The same for an act that makes sense only of everything; raises NotAllowed also to who does not
        see all."""
        if not self.viewer.sees_all:
            raise self.refuse(act, READ_ONLY)
        self.allow(act)

    def refuse(self, act: Act, says: str) -> NotAllowed:
        """The error to raise; it is entered. Its text depends on nothing that the viewer may not know.

        Who is not let in is refused also where that cannot be entered.
        """
        with suppress(StoreError):
            self.enter(Refused("not_allowed", act))
        return NotAllowed(says)

    def enter(self, fact: Fact) -> int:
        """See `Audit.enter`."""
        return self.audit.enter(fact, scope=self.scope, who=self.viewer.name)

    @contextmanager
    def entering(self, fact: Fact, author: str = "") -> Generator[None]:
        """See `Audit.entering`; by the author of an edit, where it has one."""
        with self.audit.entering(fact, scope=self.scope, who=author or self.viewer.name):
            yield
