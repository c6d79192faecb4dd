"""Carrying an erasure out: planned again under the writer lock, written down, removed, verified.

Everything from the intent on is completed even after a crash, by whoever opens the store next, who also
verifies it (see completing).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

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
class Stopwatch:
    """What each of several stages took, one after the other, in seconds."""

    _took: dict[str, float] = field(default_factory=dict[str, float], init=False)
    _since: float = field(default_factory=time.monotonic, init=False)

    def lap(self, stage: str) -> None:
        """A stage, or a part of one, is over."""
        since, self._since = self._since, time.monotonic()
        self._took[stage] = self._took.get(stage, 0.0) + self._since - since

    def laps(self) -> tuple[tuple[str, float], ...]:
        """The stages, in the order in which they ended first."""
        return tuple((stage, round(took, 3)) for stage, took in self._took.items() if stage != "done")


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

    def run(self) -> Iterator[Progress]:
        """Erase, verify, and yield progress. Raises InputError when nothing is to be erased or it was
        planned in another memory, StoreBusy or StoreFull before anything was."""
        self._refuse_unfit()
        with self.scope.writing():
            current = self._current()
            yield Progress("preparing", 0, 1)
            own = f"{self.scope.structure()} {OWN_WORDS}"
            looked_for = needles(current, self.scope, self._words, own, self.who)
            group = new_id()
            receipt = drafted(current, looked_for, self.scope, self.who, (group, self.scope.table))
            save(receipt.sealed(self.scope), self.folder / f"{group}.json")
            watch = Stopwatch()
            checks = yield from self._erased(current, group, watch)
            for check in verify(self.scope, receipt.gone, looked_for, receipt.started):
                checks.append(check)
                yield Progress(f"verifying {check.name}", len(checks), len(checks) + 1)
            held = next((h.records for h in self.scope.tombstones() if h.erasure == group), 0)
            watch.lap("verifying")
            receipt = replace(receipt, held_back=held, steps=watch.laps()).checked(checks)
            receipt = receipt.sealed(self.scope)
            # under the lock too: the next erasure may take out of it what is written here
            save(receipt, self.folder / f"{group}.json")
        yield Progress("done", 1, 1, receipt)

    @property
    def _words(self) -> Sequence[str]:
        return (*self.wanted, *self.planned.words)

    def _refuse_unfit(self) -> None:
        if self.planned.table != self.scope.table:
            raise InputError("This plan was made for another memory: look in this one again, and plan again.")
        if named(self.planned, self.who, self._words):
            raise InputError(
                "The receipt would name what is to be erased: leave that out of the name and the reason."
            )

    def _current(self) -> Plan:
        """The plan on the memory as it is now; the same one where nobody wrote meanwhile."""
        current = self.planned
        if self.scope.seq() != current.seq:
            current = self._again()
        if current.empty:
            raise InputError("Nothing of this is in the memory any more.")
        return current

    def _erased(self, current: Plan, group: str, watch: Stopwatch) -> Generator[Progress, None, list[Check]]:
        """Removed step by step; what the removal itself could check."""
        checks: list[Check] = []
        removal = replace(current.removal, held_back=self.hold_back)
        for stage in self._removed(removal, _event(current), group):
            watch.lap(stage.doing)
            checks += [versions(stage.left)] if stage.left else []
            yield Progress(stage.doing, stage.done, stage.total)
        return checks

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
