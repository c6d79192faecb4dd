"""What an erasure comes to: everything that goes, is made again, or loses words. Nothing is changed here.

    hits  ->  records that hold the same words  ->  what rests on them  ->  what is left without a purpose

Derived records that rest only on erased turns go; those that rest on others too are made again out of the
others (see `rebuilding`). `Plan.touched` says of each record what happens to it and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from memcore.erasure.find import Hit
from memcore.erasure.reach import reach
from memcore.erasure.reached import Shelf
from memcore.llm.protocols import Embedder
from memcore.records import Record
from memcore.store.audit import Taken
from memcore.store.removal import Removal

What = Literal["erase", "redact", "rebuild", "blank", "strip"]


class Touched(NamedTuple):
    """One record and what becomes of it: erased, words in it replaced by a mark, made again from the rest,
    some of its words left out, or an earlier version taken out of the journal. `why` is a reason code."""

    id: str
    kind: str
    what: What
    why: str


class PlanShelf(Shelf, Protocol):
    """What planning needs of a store (see store.Scope)."""

    @property
    def table(self) -> str: ...

    def seq(self) -> int: ...

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]: ...

    def edits_of(self, ids: Collection[str]) -> set[str]: ...

    def earlier_versions(self) -> set[tuple[str, str]]: ...

    def reasoned(self) -> set[str]: ...

    def trace_ids(self) -> set[str]: ...

    def receipt_parts(self) -> set[tuple[str, str]]: ...

    def exports(self) -> Taken: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A preview, as of commit `seq` of the memory of this `table` (see store.Scope).

    `undo_lost` are the earlier versions that can no longer be brought back.
    `before` are the records that go or change as they are now, `after` those that stay as they will be.
    `exports` of this memory left the store before: nobody can tell what is in them.
    `put` is the mark of a redaction and `words` what it replaces; "" and none where records are erased.
    """

    table: str
    seq: int
    hits: tuple[Hit, ...]
    touched: tuple[Touched, ...]
    removal: Removal
    before: Mapping[str, Record]
    after: Mapping[str, Record]
    exports: Taken
    put: str = ""
    words: tuple[str, ...] = ()

    @property
    def undo_lost(self) -> int:
        return len(self.removal.images)

    @property
    def empty(self) -> bool:
        return not self.touched

    def counts(self) -> dict[What, dict[str, int]]:
        """How many records of each kind each of these happens to."""
        counted = Counter((t.what, t.kind) for t in self.touched)
        whats: tuple[What, ...] = ("erase", "redact", "rebuild", "blank", "strip")
        return {w: {k: n for (what, k), n in sorted(counted.items()) if what == w} for w in whats}


def plan(shelf: PlanShelf, embedder: Embedder, hits: Iterable[Hit]) -> Plan:
    """What erasing these hits comes to. Hits that name nothing any more are left out."""
    chosen = present(shelf, hits)
    reached = reach(shelf, embedder, chosen)
    rewritten = reached.rewritten
    going = [*reached.gone, *rewritten]
    images = {(h.id, h.of) for h in chosen if h.part == "image"} | shelf.concerned_images(going)
    unworded = {h.id for h in chosen if h.part == "reason"} | (shelf.edits_of(going) & shelf.reasoned())
    touched = [
        *(Touched(i, reached.kinds[i], "erase", why) for i, why in reached.gone.items()),
        *(Touched(i, r.kind, reached.whats[i][0], reached.whats[i][1]) for i, r in rewritten.items()),
    ]
    removal = Removal(
        gone=list(reached.gone),
        rewritten=list(rewritten.values()),
        images=frozenset(images),
        unworded=frozenset(unworded),
        traces=list(dict.fromkeys(h.id for h in chosen if h.kind == "trace")),
        receipts=said_in_receipts(chosen),
        left_empty=frozenset(i for i, why in reached.gone.items() if why == "left_empty"),
    )
    touched += beside(removal, {h.id: h.why for h in chosen})
    at, exports = (shelf.table, shelf.seq()), shelf.exports()
    return Plan(*at, chosen, tuple(touched), removal, reached.before, rewritten, exports)


def present(shelf: PlanShelf, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits without those of the journal, of traces and of receipts that name nothing any more."""
    chosen = tuple(hits)
    stored: Mapping[str, Callable[[], Set[object]]] = {
        "image": shelf.earlier_versions,
        "reason": shelf.reasoned,
        "trace": shelf.trace_ids,
        "receipt": shelf.receipt_parts,
    }
    there = {where: stored[where]() for where in {_where(h) for h in chosen} & {*stored}}
    return tuple(h for h in chosen if _where(h) not in there or _which(h) in there[_where(h)])


def _where(hit: Hit) -> str:
    return hit.kind if hit.kind in ("trace", "receipt") else hit.part


def _which(hit: Hit) -> object:
    """What a hit names where it lies."""
    return {"image": (hit.id, hit.of), "receipt": (hit.id, hit.field)}.get(_where(hit), hit.id)


def said_in_receipts(hits: Iterable[Hit]) -> frozenset[tuple[str, str]]:
    """The parts of receipts that these hits are in."""
    return frozenset((h.id, h.field) for h in hits if h.kind == "receipt")


def beside(removal: Removal, why: Mapping[str, str]) -> list[Touched]:
    """What a plan does beside the records: to traces, in receipts, and in the journal; `why` by their ids."""
    changes = sorted({change for change, _ in removal.images})
    return [
        *(Touched(i, "trace", "erase", why[i]) for i in removal.traces),
        *(Touched(i, "receipt", "blank", why[i]) for i in sorted({i for i, _ in removal.receipts})),
        *(Touched(change, "change", "strip", "earlier_version") for change in changes),
        *(Touched(change, "change", "blank", "reason") for change in sorted(removal.unworded)),
    ]
