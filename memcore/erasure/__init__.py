"""Erasing for good, with proof: find, plan, erase, verify, receipt.

    find     what is meant, and near matches for review        plan     what it reaches; changes nothing
    erase    out of every version, index and file, journalled  verify   every way to read is asked again

The lighter choice is a redaction: some words are replaced by a mark, and all else stays.

LanceDB's own deletion leaves text, vectors and index entries on disk; `store.purging` says what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memcore.editing.corrections import Overlay
from memcore.editing.edits import Who
from memcore.erasure.check import SAYS, Again, Check
from memcore.erasure.erasing import Erasing, Progress, named
from memcore.erasure.find import Found, Hit, hits, once, within
from memcore.erasure.near import near, similar
from memcore.erasure.needles import given
from memcore.erasure.plan import Plan, Touched, plan
from memcore.erasure.receipt import Receipt, loaded, save
from memcore.erasure.redacting import MARK, redaction
from memcore.erasure.verify import verify
from memcore.erasure.wanted import Wanted
from memcore.errors import InputError, NotFound
from memcore.llm.protocols import Embedder, vector_of
from memcore.records import now
from memcore.settings import DEFAULT, Settings
from memcore.store import Scope

__all__ = [
    "MARK", "Again", "Check", "Erasure", "Found", "Hit", "Plan", "Progress", "Receipt", "Touched", "Wanted",
    "loaded",
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
        inside = within(self.scope, wanted, held)
        offered = near(wanted, held, inside, found, overlay, self.scope.get)
        if wanted.like:
            example = vector_of(self.embedder, wanted.like)
            offered += similar(example, self.columns(), held, self.settings.similar_above)
        taken = {h.key for h in found}
        return Found(found, once(h for h in offered if h.key not in taken))

    def plan(self, hits: Iterable[Hit]) -> Plan:
        """What erasing these hits comes to; nothing is changed. Raises InputError for what cannot be
        erased."""
        return plan(self.scope, self.embedder, hits)

    def redaction(self, hits: Iterable[Hit], put: str = MARK) -> Plan:
        """What replacing the words of these hits by a mark comes to, in every record they stand in and in
        what rests on it; `erase` carries it out. Nothing is changed.

        A hit says which words (`Hit.said`). Raises InputError when no hit says any, or the mark does.
        """
        return redaction(self.scope, self.embedder, hits, put)

    def erase(
        self, planned: Plan, who: Who, *, wanted: Sequence[str] = (), hold_back: bool = True
    ) -> Iterator[Progress]:
        """Erase, or redact, and verify; the last step carries the receipt. Planned again if somebody wrote
        meanwhile.

        `wanted` are words that are looked for on disk besides. With `hold_back` a later import of the same
        source brings nothing back. Raises InputError, StoreBusy, StoreFull before anything was erased.
        """
        yield from Erasing(
            self.scope, self.embedder, self._folder, planned, (who.author, who.reason), wanted, hold_back
        ).run()

    def verify(self, receipt: Receipt, words: Sequence[str] = ()) -> Receipt:
        """The receipt with one more verification, by its hashes and the `words` given; saved if it is one of
        this store, as it was written. Nothing that was found before is taken back unless the same was looked
        for again. Raises InputError for the receipt of another memory."""
        return next(step.receipt for step in self.verifying(receipt, words) if step.receipt)

    def verifying(self, receipt: Receipt, words: Sequence[str] = ()) -> Iterator[Progress]:
        """The same with progress, check by check; the last step carries the receipt."""
        if receipt.scope not in self.scope.called:
            raise InputError("This receipt is of another memory: name that one.")
        genuine, said = receipt.as_written(self.scope), given(words)
        checks = [Check("receipt", SAYS["receipt"], 1, int(not genuine))]
        for check in verify(self.scope, receipt.gone, said, receipt.started):
            checks.append(check)
            yield Progress(f"verifying {check.name}", len(checks), max(len(receipt.checks), len(checks) + 1))
        again = Again(now(), tuple(checks), len(said.texts) + len(said.short), len(said.short))
        checked = self._added(receipt, again) if genuine else receipt.verified_again(again)
        yield Progress("done", 1, 1, checked)

    def _added(self, receipt: Receipt, again: Again) -> Receipt:
        """The receipt with one more verification, in the store too. A copy that was handed out earlier knows
        less than the one in the store, which it must not overwrite: that one is read and written under the
        writer lock, so that what an erasure takes out of it meanwhile stays out."""
        path = self._folder / f"{receipt.id}.json"
        if not path.exists():
            return receipt.verified_again(again).sealed(self.scope)
        with self.scope.writing():
            kept = _read(path) or receipt
            genuine = kept.id == receipt.id and kept.as_written(self.scope)
            added = (kept if genuine else receipt).verified_again(again).sealed(self.scope)
            save(added, path)
        return added

    def receipts(self) -> list[Receipt]:
        """The receipts of this memory, newest first. One that is not as it was written says so by its status,
        whatever else it says. A file that is none, whoever put it there, is left out."""
        found = (_read(path) for path in self._folder.glob("*.json"))
        mine = [r for r in found if r is not None and r.scope in self.scope.called]
        told = (r if r.as_written(self.scope) else replace(r, status="altered") for r in mine)
        return sorted(told, key=lambda r: r.started, reverse=True)

    def lost(self) -> int:
        """How many erasures are in the journal of which there is no receipt any more."""
        return len(self.scope.lost_receipts())

    def unreadable(self) -> int:
        """How many receipts of this memory somebody changed so that they cannot be read any more."""
        return len({*self.scope.altered_receipts()} - {r.id for r in self.receipts()})

    def receipt(self, id_: str) -> Receipt:
        """One of them. Raises NotFound."""
        found = next((r for r in self.receipts() if r.id == id_), None)
        if found is None:
            raise NotFound("There is no receipt of this id in this memory.")
        return found

    def named(self, planned: Plan, who: Who, words: Sequence[str] = ()) -> bool:
        """Whether name or reason would say what is to go: `erase` refuses that, as they stay."""
        return named(planned, (who.author, who.reason), (*words, *planned.words))

    def called_so(self, planned: Plan, words: Sequence[str] = ()) -> bool:
        """Whether the memory's own name says what is to go: it stays until the memory is renamed."""
        return named(planned, (self.scope.name,), (*words, *planned.words))

    def allowed(self) -> None:
        """Raises NotAllowed for who may not erase, or sees the memory with something left out."""
        self.scope.whole("erase")

    def seq(self) -> int:
        """The number of the memory's last commit."""
        return self.scope.seq()

    def held_back(self) -> list[Any]:
        """What erasures keep out of later imports, newest first (see store.tombstones)."""
        return self.scope.tombstones()

    def lift(self, erasures: Sequence[str]) -> int:
        """Let what these erasures took out be imported again; how many sources."""
        return self.scope.lift(erasures)

    @property
    def _folder(self) -> Any:
        return self.scope.receipts


def _read(path: Path) -> Receipt | None:
    try:
        return loaded(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InputError):
        return None
