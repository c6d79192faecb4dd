"""One check of an erasure, and what of the checks made one after the other still stands.

What a check found stays found until the same check, looking for the same words, finds nothing: a later one
that looks for less takes nothing back.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

SAYS = {
    "receipt": "the receipt itself was compared with its seal, which only this store can make",
    "records": "every erased record was asked for by its id",
    "links": "relations and derived records that still name an erased one",
    "names": "every erased cue and tag was looked up by its name",
    "graph": "the graph that reconstruction walks was read anew and looked through for erased records",
    "vectors": "the memories, cues and tags nearest to the erased vectors were asked for",
    "search": "the full-text search was asked for the erased words, whole words and Korean syllables",
    "traces": "every erased trace was opened",
    "history": "earlier versions in the journal, which history, undo and redo read",
    "texts": "every text in the memory was compared with the erased ones; short words as whole words",
    "older": "files of the tables from before the erasure, which an earlier version could be read from",
    "versions": "old versions, marked rows, and files that no index or table reads",
    "files": "words and vectors were looked for in every byte on disk",
    "columns": "the same in every column as Lance reads it, earlier versions included",
}
SAID = (*SAYS, *SAYS.values())


class Check(NamedTuple):
    """One check: what was asked, of how many things, how many were found. Nothing may be.

    `words` are keyed hashes of the words it found or, where it found nothing, of all it looked for.
    """

    name: str
    says: str
    looked: int
    found: int
    where: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.found == 0

    def after(self, former: Check | None) -> Check:
        """What stands when this one was made after a former one."""
        if former is None or former.ok:
            return self
        if self.ok:
            return self if {*former.words} <= {*self.words} else former
        return self._replace(words=tuple(dict.fromkeys((*former.words, *self.words))))


class Again(NamedTuple):
    """A verification of a receipt later on: when, with how many words given besides its hashes, and how many
    of them were too short to be looked for in every byte."""

    when: datetime
    checks: tuple[Check, ...]
    words: int = 0
    too_short: int = 0

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


def standing(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Each check once, as it stands after all that were made, in this order."""
    found: dict[str, Check] = {}
    for check in checks:
        found[check.name] = check.after(found.get(check.name))
    return tuple(found.values())
