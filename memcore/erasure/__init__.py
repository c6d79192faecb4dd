"""Erasing for good, with proof: find, plan, erase, verify, receipt.

    find     what is meant, and near matches for review        plan     what it reaches; changes nothing
    erase    out of every version, index and file, journalled  verify   every way to read is asked again

LanceDB's own deletion leaves text, vectors and index entries on disk; `store.purging` says what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memcore.editing.corrections import Overlay
from memcore.editing.edits import Who
from memcore.erasure.erasing import Erasing, Progress
from memcore.erasure.find import Found, Hit, Wanted, hits, once
from memcore.erasure.near import near, similar
from memcore.erasure.needles import Needles
from memcore.erasure.plan import Plan, Touched, plan
from memcore.erasure.printed import page
from memcore.erasure.receipt import Receipt, loaded, save
from memcore.erasure.verify import Check, verify
from memcore.errors import InputError, NotFound
from memcore.llm.protocols import Embedder
from memcore.settings import DEFAULT, Settings
from memcore.store import Scope

__all__ = [
    "Check", "Erasure", "Found", "Hit", "Plan", "Progress", "Receipt", "Touched", "Wanted", "loaded", "page",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Erasure:
    """Everything the pages and the command line ask about erasing in one memory.

    `columns` gives the graph's columns, for similarity to an example.
    """

    scope: Scope
    embedder: Embedder
    columns: Callable[[], Any]
    settings: Settings = DEFAULT

    def find(self, wanted: Wanted) -> Found:
        """What is meant, and near matches. Raises InputError for nothing, a name that is nobody's, or a
        regular expression that cannot be read or takes too long."""
        held = list(self.scope.holdings())
        found = once(hits(self.scope, wanted, held, self.settings.pattern_seconds))
        overlay = Overlay(self.scope.corrections())
        offered = near(wanted, held, found, overlay, self.scope.get)
        if wanted.like:
            offered += similar(self._vector(wanted.like), self.columns(), held, self.settings.similar_above)
        taken = {h.key for h in found}
        return Found(found, once(h for h in offered if h.key not in taken))

    def plan(self, hits: Iterable[Hit]) -> Plan:
        """What erasing these hits comes to; nothing is changed. Raises InputError for what cannot be
        erased."""
        return plan(self.scope, self.embedder, hits)

    def erase(
        self, planned: Plan, who: Who, *, wanted: Sequence[str] = (), hold_back: bool = True
    ) -> Iterator[Progress]:
        """Erase and verify; the last step carries the receipt. Planned again if somebody wrote meanwhile.

        `wanted` are words that are looked for on disk besides. With `hold_back` a later import of the same
        source brings nothing back. Raises InputError, StoreBusy, StoreFull before anything was erased.
        """
        yield from Erasing(
            self.scope, self.embedder, self._folder, planned, (who.author, who.reason), wanted, hold_back
        ).run()

    def verify(self, receipt: Receipt, words: Sequence[str] = ()) -> Receipt:
        """The receipt with every check made again, by its hashes and the `words` given; saved if it is one
        of this store. Raises InputError for the receipt of another memory."""
        if receipt.scope != self.scope.name:
            raise InputError("This receipt is of another memory: name that one.")
        looked_for = Needles(tuple(words), tuple(words))
        checked = receipt.checked(list(verify(self.scope, receipt.gone, looked_for)))
        path = self._folder / f"{receipt.id}.json"
        if path.exists():
            save(replace(checked, steps=receipt.steps), path)
        return checked

    def receipts(self) -> list[Receipt]:
        """The receipts of this memory, newest first."""
        found = [loaded(p.read_text("utf-8")) for p in self._folder.glob("*.json")]
        mine = [r for r in found if r.scope == self.scope.name]
        return sorted(mine, key=lambda r: r.started, reverse=True)

    def receipt(self, id_: str) -> Receipt:
        """One of them. Raises NotFound."""
        found = next((r for r in self.receipts() if r.id == id_), None)
        if found is None:
            raise NotFound("There is no receipt of this id in this memory.")
        return found

    def held_back(self) -> list[Any]:
        """What erasures keep out of later imports, newest first (see store.tombstones)."""
        return self.scope.tombstones()

    def lift(self, erasures: Sequence[str]) -> int:
        """Let what these erasures took out be imported again; how many sources."""
        return self.scope.lift(erasures)

    @property
    def _folder(self) -> Any:
        return self.scope.receipts

    def _vector(self, example: str) -> Any:
        if not self.embedder.dimension or not self.embedder.covers(example):
            return None
        return self.embedder.embed([example])[0]
