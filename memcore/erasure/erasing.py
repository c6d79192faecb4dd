"""Carrying an erasure out: planned again under the writer lock, written down, removed, verified.

Everything from the intent on is completed even after a crash, by whoever opens the store next, who also
verifies it (see completing).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from memcore.erasure.check import Check
from memcore.erasure.needles import needles
from memcore.erasure.plan import Plan, plan
from memcore.erasure.receipt import OWN_WORDS, Receipt, drafted, save
from memcore.erasure.redacting import redaction
from memcore.erasure.spelling import names
from memcore.erasure.verify import verify, versions
from memcore.errors import InputError, MemcoreError
from memcore.events import Erased
from memcore.llm.protocols import Embedder
from memcore.records import new_id
from memcore.store import Scope
from memcore.store.removal import Removal, Stage
from memcore.words import fold, normalise


class Progress(NamedTuple):
    """What an erasure does now, steps done of all; the last one carries the receipt."""

    doing: str
    done: int
    total: int
    receipt: Receipt | None = None


@dataclass
class Erasing:
    """One erasure or redaction. `wanted` are the words that a person looked for: the disk is searched for
    them too."""

    scope: Scope
    embedder: Embedder
    folder: Path
    planned: Plan
    who: tuple[str, str]
    wanted: Sequence[str] = ()
    hold_back: bool = True
    clock: Callable[[], float] = time.monotonic

    def run(self) -> Iterator[Progress]:
        """Erase, verify, and yield progress. Raises InputError when nothing is to be erased or it was
        planned in another memory, StoreBusy or StoreFull before anything was."""
        if self.planned.table != self.scope.table:
            raise InputError("This plan was made for another memory: look in this one again, and plan again.")
        wanted = (*self.wanted, *self.planned.words)
        if named(self.planned, self.who, wanted):
            raise InputError(
                "The receipt would name what is to be erased: leave that out of the name and the reason."
            )
        with self.scope.writing():
            current = self.planned
            if self.scope.seq() != current.seq:
                current = self._again()
            if current.empty:
                raise InputError("Nothing of this is in the memory any more.")
            yield Progress("preparing", 0, 1)
            own = f"{self.scope.structure()} {OWN_WORDS}"
            looked_for = needles(current, self.scope, wanted, own, self.who)
            group = new_id()
            receipt = drafted(current, looked_for, self.scope, self.who, (group, self.scope.table))
            save(receipt.sealed(self.scope), self.folder / f"{group}.json")
            removal = replace(current.removal, held_back=self.hold_back)
            took: dict[str, float] = {}
            began = self.clock()
            checks: list[Check] = []
            for stage in self._removed(removal, _event(current), group):
                took[stage.doing] = took.get(stage.doing, 0.0) + self.clock() - began
                began = self.clock()
                checks += [versions(stage.left)] if stage.left else []
                yield Progress(stage.doing, stage.done, stage.total)
            for check in verify(self.scope, receipt.gone, looked_for, receipt.started):
                checks.append(check)
                yield Progress(f"verifying {check.name}", len(checks), len(checks) + 1)
            held = next((h.records for h in self.scope.tombstones() if h.erasure == group), 0)
            steps = (*took.items(), ("verifying", self.clock() - began))
            receipt = replace(receipt, held_back=held, steps=_rounded(steps)).checked(checks)
            receipt = receipt.sealed(self.scope)
            # under the lock too: the next erasure may take out of it what is written here
            save(receipt, self.folder / f"{group}.json")
        yield Progress("done", 1, 1, receipt)

    def _removed(self, removal: Removal, event: Erased, group: str) -> Iterator[Stage]:
        """Carried out step by step. Where not even the intent could be written, no receipt says that it is
        under way."""
        begun = False
        try:
            for stage in self.scope.remove(removal, event, group, self.who[0]):
                begun = True
                yield stage
        except MemcoreError:
            if not begun:
                (self.folder / f"{group}.json").unlink(missing_ok=True)
            raise

    def _again(self) -> Plan:
        """The same plan on the memory as it is now."""
        if self.planned.put:
            return redaction(self.scope, self.embedder, self.planned.hits, self.planned.put)
        return plan(self.scope, self.embedder, self.planned.hits)


def named(planned: Plan, texts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether any of these texts says a word that is looked for, or as a whole word one that was found."""
    found = {normalise(word) for hit in planned.hits for word in hit.said}
    said = [fold(word).strip() for word in wanted if word.strip()]
    return any(
        any(word in fold(text) for word in said) or any(names(text, key) for key in found if key)
        for text in texts
    )


def _event(planned: Plan) -> Erased:
    counts = Counter(t.kind for t in planned.touched if t.what == "erase" and t.kind != "trace")
    redacted, removal = sum(t.what == "redact" for t in planned.touched), planned.removal
    gone = tuple(sorted(counts.items()))
    return Erased(gone, len(removal.rewritten), len(removal.images), len(removal.traces), redacted)


def _rounded(steps: Any) -> tuple[tuple[str, float], ...]:
    return tuple((name, round(seconds, 3)) for name, seconds in steps if name != "done")
