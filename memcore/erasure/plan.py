"""What an erasure comes to: everything that goes, is made again, or loses words. Nothing is changed here.

    hits  ->  records that hold the same words  ->  what rests on them  ->  what is left without a purpose

Derived records that rest only on erased turns go; those that rest on others too are made again out of the
others (see `rebuilding`). `Plan.touched` says of each record what happens to it and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from memcore.erasure.find import Hit
from memcore.erasure.reach import Closure, Shelf
from memcore.llm.protocols import Embedder
from memcore.records import Record
from memcore.store.removal import Removal

What = Literal["erase", "rebuild", "blank", "strip"]


class Touched(NamedTuple):
    """One record and what becomes of it: erased, made again from the rest, some of its words left out, or an
    earlier version of it taken out of the journal. `why` is a reason code."""

    id: str
    kind: str
    what: What
    why: str


class PlanShelf(Shelf, Protocol):
    """What planning needs of a store (see store.Scope)."""

    def seq(self) -> int: ...

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]: ...

    def edits_of(self, ids: Collection[str]) -> set[str]: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A preview, as of commit `seq`. `undo_lost` are the earlier versions that can no longer be brought back.

    `before` are the records that go or change as they are now, `after` those that stay as they will be.
    """

    seq: int
    hits: tuple[Hit, ...]
    touched: tuple[Touched, ...]
    removal: Removal
    before: Mapping[str, Record]
    after: Mapping[str, Record]

    @property
    def undo_lost(self) -> int:
        return len(self.removal.images)

    @property
    def empty(self) -> bool:
        return not self.touched

    def counts(self) -> dict[What, dict[str, int]]:
        """How many records of each kind are erased, made again, blanked, or lose an earlier version."""
        counted = Counter((t.what, t.kind) for t in self.touched)
        whats: tuple[What, ...] = ("erase", "rebuild", "blank", "strip")
        return {w: {k: n for (what, k), n in sorted(counted.items()) if what == w} for w in whats}


def plan(shelf: PlanShelf, embedder: Embedder, hits: Iterable[Hit]) -> Plan:
    """What erasing these hits comes to. Hits that name nothing any more are left out."""
    chosen = tuple(hits)
    closure = Closure(shelf, embedder)
    closure.take(chosen)
    rewritten = closure.rewritten
    going = [*closure.gone, *rewritten]
    images = {(h.id, h.of) for h in chosen if h.part == "image"} | shelf.concerned_images(going)
    unworded = {h.id for h in chosen if h.part == "reason"} | shelf.edits_of(going)
    traces = {h.id: h.why for h in chosen if h.kind == "trace"}
    touched = [
        *(Touched(i, closure.kinds[i], "erase", why) for i, why in closure.gone.items()),
        *(Touched(i, r.kind, closure.whats[i][0], closure.whats[i][1]) for i, r in rewritten.items()),
        *(Touched(i, "trace", "erase", why) for i, why in traces.items()),
        *(Touched(change, "change", "strip", "earlier_version") for change in sorted({c for c, _ in images})),
        *(Touched(change, "change", "blank", "reason") for change in sorted(unworded)),
    ]
    removal = Removal(
        gone=list(closure.gone),
        rewritten=list(rewritten.values()),
        images=frozenset(images),
        unworded=frozenset(unworded),
        traces=list(traces),
        left_empty=frozenset(i for i, why in closure.gone.items() if why == "left_empty"),
    )
    return Plan(shelf.seq(), chosen, tuple(touched), removal, closure.before, rewritten)
