"""Each way to read a memory is asked again for what was erased, and the disk is looked through.

A check says how much it looked at and how much it found. With the words at hand (right after an erasure, or
when somebody gives them again) the disk is searched for them; later a receipt's keyed hashes do, which tell
whether a whole text is back, not a part of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from memcore.erasure.needles import SHORTEST, Needles, hashed
from memcore.errors import MemcoreError, NotFound
from memcore.records import Record, Relation
from memcore.words import fold

SAYS = {
    "records": "every erased record was asked for by its id",
    "links": "relations and derived records that still name an erased one",
    "names": "every erased cue and tag was looked up by its name",
    "search": "the full-text search was asked for the erased words, whole words and Korean syllables",
    "traces": "every erased trace was opened",
    "history": "earlier versions in the journal, which history, undo and redo read",
    "texts": "every text in the memory was compared with the erased ones",
    "versions": "old versions, marked rows, and files that no index or table reads",
    "files": "words and vectors were looked for in every byte on disk",
    "columns": "the same in every column as Lance reads it, earlier versions included",
}
SAID = (*SAYS, *SAYS.values())
SEARCHED = 40  # texts that are asked of the full-text search
LONGEST_ASKED = 200


class Check(NamedTuple):
    """One check: what was asked, of how many things, how many were found. Nothing may be."""

    name: str
    says: str
    looked: int
    found: int
    where: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.found == 0


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


class Shelf(Protocol):
    """What verifying needs of a store (see store.Scope)."""

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def texts(self, ids: Iterable[str]) -> dict[str, str]: ...

    def search(
        self, text: str, *, kinds: Sequence[str] = ("turn", "content"), limit: int = 50
    ) -> list[tuple[str, float]]: ...

    def names(self, kind: str) -> list[tuple[str, str]]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def resting_on(self, turn_ids: Collection[str]) -> list[str]: ...

    def distinct_texts(self) -> dict[str, str]: ...

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]: ...

    def trace(self, trace_id: str) -> object: ...

    def hash(self, text: str) -> str: ...

    def scan_files(self, needles: Sequence[bytes]) -> Scanned: ...

    def scan_columns(self, words: Sequence[bytes], numbers: Sequence[bytes]) -> Scanned: ...


def verify(shelf: Shelf, gone: Gone, needles: Needles) -> Iterator[Check]:
    """All checks that can be made at any time, one after the other."""
    yield _ids(shelf, gone)
    yield _ends(shelf, gone)
    yield _names(shelf, gone)
    yield from _search(shelf, gone, needles)
    yield _traces(shelf, gone)
    yield _history(shelf, gone)
    yield _texts(shelf, gone, needles)
    if needles.disk or needles.vectors:
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


def _search(shelf: Shelf, gone: Gone, needles: Needles) -> Iterator[Check]:
    """By words and, for Korean, by pairs and triples of syllables: both indexes answer one search."""
    asked = needles.texts[:SEARCHED]
    if not asked:
        return
    ids, found = {*gone.ids}, dict[str, None]()
    for text in asked:
        hits = [i for i, _ in shelf.search(text[:LONGEST_ASKED])]
        found |= dict.fromkeys(i for i in hits if i in ids)
        found |= dict.fromkeys(i for i, t in shelf.texts(hits).items() if fold(text) in fold(t))
    yield _check("search", len(asked), found)


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
    hashes, folded = {*gone.hashes}, [fold(t) for t in needles.texts]
    texts = shelf.distinct_texts()
    found = {where for text, where in texts.items() if hashes and hashed(shelf, text) in hashes}
    together = fold("\0".join(texts)) if folded else ""
    back = [t for t in folded if t in together]
    found |= {where for text, where in texts.items() if back and any(t in fold(text) for t in back)}
    return _check("texts", len(texts), found)


def versions(left: Mapping[str, int]) -> Check:
    """What the tables held beside their current rows while nobody else could write."""
    return _check("versions", len(left), [name for name, count in left.items() if count])


def _disk(shelf: Shelf, needles: Needles) -> Iterator[Check]:
    """Words as they are and folded, and slices of vectors."""
    spelled = [t.encode() for t in dict.fromkeys((*needles.disk, *(fold(t) for t in needles.disk)))]
    words = [word for word in spelled if len(word) >= SHORTEST]
    files = shelf.scan_files([*words, *needles.vectors])
    yield _check("files", files.files, files.found)
    columns = shelf.scan_columns(words, needles.vectors)
    yield _check("columns", columns.files, columns.found)


def _check(name: str, looked: int, found: Collection[str]) -> Check:
    return Check(name, SAYS[name], looked, len(found), tuple(sorted(found)[:20]))
