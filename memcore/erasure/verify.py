"""Each way to read a memory is asked again for what was erased, and the disk is looked through.

A check says how much it looked at and how much it found. With the words at hand (right after an erasure, or
when somebody gives them again) the disk is searched for them; later a receipt's keyed hashes do, which tell
whether a whole text is back, not a part of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np

from memcore.erasure.check import SAYS, Check
from memcore.erasure.needles import Needles, hashed
from memcore.erasure.spelling import saying, short
from memcore.errors import MemcoreError, NotFound
from memcore.graph import Columns
from memcore.shelf import Named, Records
from memcore.vectors import Vectors
from memcore.words import fold

SEARCHED = 40  # texts that are asked of the full-text search
LONGEST_ASKED = 200


class Gone(NamedTuple):
    """What was erased, as a receipt knows it: ids of records and traces, hashes of texts and names."""

    ids: tuple[str, ...]
    traces: tuple[str, ...]
    hashes: tuple[str, ...]
    cue_keys: tuple[str, ...] = ()
    tag_keys: tuple[str, ...] = ()


class Scanned(Protocol):
    @property
    def files(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def found(self) -> tuple[str, ...]: ...
    @property
    def needles(self) -> tuple[bytes, ...]: ...


class Shelf(Records, Named, Protocol):
    """What verifying needs of a store (see store.Scope)."""

    def texts(self, ids: Iterable[str]) -> dict[str, str]: ...

    def search(
        self, text: str, *, kinds: Sequence[str] = ("turn", "content"), limit: int = 50
    ) -> list[tuple[str, float]]: ...

    def columns(self) -> Columns: ...

    def older_files(self, than: datetime) -> tuple[int, list[str]]: ...

    def resting_on(self, turn_ids: Collection[str]) -> list[str]: ...

    def distinct_texts(self) -> dict[str, str]: ...

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]: ...

    def trace(self, trace_id: str) -> object: ...

    def hash(self, text: str) -> str: ...

    def scan_files(self, needles: Sequence[bytes]) -> Scanned: ...

    def scan_columns(self, words: Sequence[bytes], numbers: Sequence[bytes]) -> Scanned: ...


def verify(shelf: Shelf, gone: Gone, needles: Needles, began: datetime) -> Iterator[Check]:
    """All checks that can be made at any time of an erasure that began then, one after the other. Without
    words and vectors that can be looked for in bytes, no check says that the disk was looked through."""
    yield _ids(shelf, gone)
    yield _ends(shelf, gone)
    yield _names(shelf, gone)
    yield from _graph(shelf.columns(), shelf, gone, needles)
    yield from _search(shelf, gone, needles)
    yield _traces(shelf, gone)
    yield _history(shelf, gone)
    yield _texts(shelf, gone, needles)
    looked, older = shelf.older_files(began)
    yield _check("older", looked, older)
    yield from _disk(shelf, needles)


def _ids(shelf: Shelf, gone: Gone) -> Check:
    found = {**shelf.get(gone.ids), **shelf.texts(gone.ids)}
    return _check("records", len(gone.ids), found)


def _ends(shelf: Shelf, gone: Gone) -> Check:
    led = shelf.relations_of(*gone.ids) if gone.ids else []
    found = [*(r.id for r in led), *shelf.resting_on(gone.ids)]
    return _check("links", len(gone.ids), found)


def _names(shelf: Shelf, gone: Gone) -> Check:
    found: list[str] = []
    for kind, keys in (("cue", {*gone.cue_keys}), ("tag", {*gone.tag_keys})):
        if keys:
            found += [id_ for id_, key in shelf.names(kind) if hashed(shelf, key) in keys]
    looked = len(gone.cue_keys) + len(gone.tag_keys)
    return _check("names", looked, found)


def _graph(columns: Columns, shelf: Shelf, gone: Gone, needles: Needles) -> Iterator[Check]:
    """What a question walks along: nodes by id, and those that lie nearest to the erased vectors."""
    nodes = (
        (columns.content_ids, columns.content_vectors),
        (columns.cue_ids, columns.cue_vectors),
        (columns.tag_ids, columns.tag_vectors),
    )
    ids = {*gone.ids}
    there = ids.intersection(columns.turn_ids) | {i for of, _ in nodes for i in of if i in ids}
    yield _check("graph", len(gone.ids), there)
    if needles.nearest:
        near = [n for of, vectors in nodes for n in _nearest(of, vectors, needles.nearest)]
        yield _check("vectors", len(needles.nearest), {i for i, same in near if same or i in ids})


def _nearest(ids: Sequence[str], vectors: Vectors, asked: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """The node nearest to each vector, and whether it has that very vector."""
    for packed in asked:
        vector = np.frombuffer(packed, "<f4")
        if ids and vectors.shape[1] == len(vector):
            at = int(np.argmax(vectors @ vector))
            yield ids[at], np.asarray(vectors[at], "<f4").tobytes() == packed


def _search(shelf: Shelf, gone: Gone, needles: Needles) -> Iterator[Check]:
    """By words and, for Korean, by pairs and triples of syllables: both indexes answer one search."""
    asked = (*needles.short, *needles.texts[:SEARCHED])
    if not asked:
        return
    ids, found, said = {*gone.ids}, dict[str, None](), list[str]()
    for text in asked:
        hits = [i for i, _ in shelf.search(text[:LONGEST_ASKED])]
        found |= dict.fromkeys(i for i in hits if i in ids)
        texts = shelf.texts(hits)
        if says := {*saying(texts.values(), text)}:
            said.append(text)
            found |= dict.fromkeys(i for i, t in texts.items() if t in says)
    yield _check("search", len(asked), found, _hashes(shelf, said if found else asked))


def _traces(shelf: Shelf, gone: Gone) -> Check:
    found = [t for t in gone.traces if _opens(shelf, t)]
    return _check("traces", len(gone.traces), found)


def _opens(shelf: Shelf, trace_id: str) -> bool:
    try:
        shelf.trace(trace_id)
    except NotFound:
        return False
    except MemcoreError:
        return True
    return True


def _history(shelf: Shelf, gone: Gone) -> Check:
    """All that history, differences, undo and redo can show or bring back."""
    found = {change for change, _ in shelf.concerned_images(gone.ids)}
    return _check("history", len(gone.ids), found)


def _texts(shelf: Shelf, gone: Gone, needles: Needles) -> Check:
    """Every text the store holds, by its hash and by the words at hand."""
    hashes, asked = {*gone.hashes}, (*needles.short, *needles.texts)
    texts = shelf.distinct_texts()
    found = {where for text, where in texts.items() if hashes and hashed(shelf, text) in hashes}
    together = fold("\0".join(texts)) if asked else ""
    back = {w: [*saying(texts, w)] for w in asked if fold(w) in together}
    found |= {texts[text] for its in back.values() for text in its}
    said = [w for w in back if back[w]] if found else asked
    return _check("texts", len(texts), found, _hashes(shelf, said))


def versions(left: Mapping[str, int]) -> Check:
    """What the tables held beside their current rows while nobody else could write."""
    return _check("versions", len(left), [name for name, count in left.items() if count])


def _disk(shelf: Shelf, needles: Needles) -> Iterator[Check]:
    """Words as they are and folded, and slices of vectors; nothing where there is none of them."""
    words = {form.encode(): word for word in needles.disk for form in (fold(word), word) if not short(form)}
    sought = {**words, **{slice_: slice_.hex() for slice_ in needles.vectors}}
    if not sought:
        return
    with ThreadPoolExecutor(1) as beside:  # one waits for the disk while the other looks through
        columns_read = beside.submit(shelf.scan_columns, [*words], needles.vectors)
        yield _scanned("files", shelf, shelf.scan_files([*sought]), sought)
        yield _scanned("columns", shelf, columns_read.result(), sought)


def _scanned(name: str, shelf: Shelf, scanned: Scanned, sought: Mapping[bytes, str]) -> Check:
    said = [sought[needle] for needle in (scanned.needles if scanned.found else sought)]
    return _check(name, scanned.files, scanned.found, _hashes(shelf, said))


def _hashes(shelf: Shelf, words: Iterable[str]) -> tuple[str, ...]:
    return tuple(hashed(shelf, word) for word in dict.fromkeys(map(fold, words)))


def _check(name: str, looked: int, found: Collection[str], words: tuple[str, ...] = ()) -> Check:
    return Check(name, SAYS[name], looked, len(found), tuple(sorted(found)[:20]), words)
