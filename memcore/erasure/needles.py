"""What must not be found any more: the words and vectors of erased records, kept in memory only.

Beside them stand keyed hashes, by which a receipt can be checked later without holding a word. What stands
in records that remain as well ("Thanks!") is left out, and counted.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from memcore.erasure.plan import Plan
from memcore.erasure.remaining import RECEIPT, REWRITTEN, Remaining
from memcore.erasure.spelling import short
from memcore.records import Record, RunStep, Vector
from memcore.shelf import Named
from memcore.store.removal import Removal
from memcore.words import fold

SAMPLE = 64  # texts that are asked of the search, and looked for byte by byte in a small store
FEWEST = 8  # of them that are looked for in a store of any size
LOOKED_THROUGH = 4_000_000_000  # bytes, one text after the other, that may be looked through
MOST_HASHES = 20_000
SLICE = 12  # bytes of a vector that are looked for: three of its numbers
_WORDS_OF = ("text", "name", "title", "thought", "summary", "note", "label", "question", "reason", "key")


class Hashing(Protocol):
    """The store's keyed hash."""

    def hash(self, text: str) -> str: ...


class Parted(Protocol):
    """Texts and where they stand (see store.holdings)."""

    @property
    def staying(self) -> Mapping[str, str]: ...
    @property
    def going(self) -> Mapping[str, str]: ...


class Shelf(Hashing, Named, Protocol):
    """What this needs of a store (see store.Scope)."""

    def bytes(self) -> int: ...

    def parted_texts(self, removed: Removal) -> Parted: ...

    def shared_vectors(self, vectors: Collection[bytes], without: Collection[str]) -> set[bytes]: ...


class Needles(NamedTuple):
    """`texts` are a sample of the words, `disk` those of them that are none of our own (names of columns,
    sentences of a receipt), to be searched byte by byte with `vectors`; `hashes` are of all texts.
    `short` are words that can only be looked for as whole words, `nearest` whole vectors to ask for.
    `elsewhere` counts the texts that remaining records say too, `not_hashed` those without a hash, and
    `still_in` says where words stand that a person looked for."""

    texts: tuple[str, ...] = ()
    disk: tuple[str, ...] = ()
    vectors: tuple[bytes, ...] = ()
    hashes: tuple[str, ...] = ()
    elsewhere: int = 0
    short: tuple[str, ...] = ()
    nearest: tuple[bytes, ...] = ()
    not_hashed: int = 0
    still_in: tuple[str, ...] = ()


def given(words: Sequence[str]) -> Needles:
    """The words that somebody gives when a receipt is verified again."""
    said = tuple(dict.fromkeys(w.strip() for w in words if w.strip()))
    long = tuple(w for w in said if not short(w))
    return Needles(long, long, short=tuple(w for w in said if short(w)))


def needles(
    plan: Plan, shelf: Shelf, wanted: Sequence[str] = (), own: str = "", who: Sequence[str] = ()
) -> Needles:
    """What this plan takes out of the store; `wanted` are words that a person looked for, `own` is what the
    store's files say by themselves, `who` what its receipt will say of who asked and why. The larger the
    store, the fewer are looked for on disk."""
    most = max(FEWEST, min(SAMPLE, LOOKED_THROUGH // max(1, shelf.bytes())))
    parted = shelf.parted_texts(plan.removal)
    staying = dict.fromkeys(who, RECEIPT) | _staying(plan, shelf) | dict(parted.staying)
    told = {w for r in plan.before.values() for w in _lost(r, plan.after.get(r.id))}
    gone = sorted(({*parted.going} | told) - {*staying})
    long, little = [t for t in gone if not short(t)], [t for t in gone if short(t)]
    asked = [w.strip() for w in wanted]
    sought = dict.fromkeys(w for w in (*asked, *_sample(long), *little[:FEWEST]) if fold(w).strip())
    # what lies within a text that remains would be found for good reason
    remaining, ours = Remaining(staying), fold(own)
    stay = {w for w in sought if remaining.says(w)}
    going = [w for w in sought if w not in stay]
    texts = tuple(w for w in going if not short(w))
    alone = _alone(plan, shelf)
    hashes = tuple(hashed(shelf, t) for t in long[:MOST_HASHES])
    return Needles(
        texts=texts,
        disk=tuple(t for t in texts if fold(t) not in ours)[:most],
        vectors=tuple(s for v in alone[: most // 2] for s in _slices(v)),
        hashes=hashes,
        elsewhere=len((told & {*staying}) | stay),
        short=tuple(w for w in going if short(w)),
        nearest=tuple(alone[:FEWEST]),
        not_hashed=len(gone) - len(hashes),
        still_in=remaining.where(stay.intersection(asked)),
    )


def _staying(plan: Plan, shelf: Shelf) -> dict[str, str]:
    """The texts of records that the plan writes anew, and the names that it leaves, by where they stand."""
    rewritten = (text for record in plan.after.values() for text in _all(record))
    kept = (key for kind in ("cue", "tag") for i, key in shelf.names(kind) if i not in plan.before)
    return dict.fromkeys(rewritten, REWRITTEN) | dict.fromkeys(kept, "name")


def hashed(hashing: Hashing, text: str) -> str:
    """The hash by which a receipt knows an erased text; not that of an imported source."""
    return hashing.hash(f"erased\n{text}")


def _words(record: Record) -> Iterator[str]:
    for field in fields(record):
        value: Any = getattr(record, field.name)
        if field.name in _WORDS_OF and isinstance(value, str) and value:
            yield value
    if isinstance(record, RunStep):
        yield record.action + record.observation


def _lost(record: Record, after: Record | None) -> set[str]:
    """The words of a record that it does not hold any more."""
    return {*_words(record)} - ({*_all(after)} if after is not None else set[str]())


def _all(value: Any) -> Iterator[str]:
    """Every text in a record that stays, whatever it is for."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from _all(getattr(value, field.name))
        if isinstance(value, RunStep):
            yield value.action + value.observation
    elif isinstance(value, tuple | list):
        for of in cast(Sequence[Any], value):
            yield from _all(of)
    elif isinstance(value, dict):
        yield from _all(list(cast(dict[str, Any], value).values()))


def _vectors(plan: Plan) -> list[Vector]:
    found: list[Vector] = []
    for record in plan.before.values():
        vector: Vector | None = getattr(record, "vector", None)
        kept: Vector | None = getattr(plan.after.get(record.id), "vector", None)
        if vector is not None and not (kept is not None and np.array_equal(kept, vector)):
            found.append(vector)
    return found


def _alone(plan: Plan, shelf: Shelf) -> list[bytes]:
    """A sample of the vectors as they lie on disk, without those of what remains and says the same."""
    packed = list(dict.fromkeys(np.asarray(v, "<f4").tobytes() for v in _sample(_vectors(plan))))
    shared = shelf.shared_vectors(packed, {*plan.before}) if packed else set[bytes]()
    return [v for v in packed if v not in shared]


def _slices(packed: bytes) -> list[bytes]:
    """Three slices of a vector; zeros say nothing."""
    starts = [0, (len(packed) // 2) // SLICE * SLICE, max(0, len(packed) - SLICE)]
    found = [packed[s : s + SLICE] for s in starts]
    return list(dict.fromkeys(s for s in found if len(s) == SLICE and len({*s}) > 4))


def _sample(values: Sequence[Any]) -> list[Any]:
    """All of few, or as many as are looked for, the same each time."""
    return list(values) if len(values) <= SAMPLE else random.Random(1).sample(list(values), SAMPLE)
