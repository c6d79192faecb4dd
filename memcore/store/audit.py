"""The audit of a store: who did what to which memory, entered as it happens, for good.

An entry is written *before* what it names: so nothing happens that is not in it, and where it cannot be
written (a full disk) nothing happens. If what it names then fails, a second entry says so. Only a killed
process leaves an entry without its outcome; then the number of its commit, which the journal does not know
or another entry bears as well, tells that it never happened. Every commit has an entry of its own, also
each batch of an import: a change that stops halfway was partly made. They are shown together.

`chain` says how the file is kept and what it is safe from, `memcore.audit` what an entry can hold.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import reduce
from itertools import groupby, islice
from typing import NamedTuple, TypedDict, Unpack

from memcore.audit import (
    Entry,
    Export,
    Exported,
    Fact,
    Failed,
    Id,
    Verdict,
    dumped,
    loaded,
    why_failed,
)
from memcore.errors import StoreDamaged, StoreError
from memcore.store.chain import Chain
from memcore.store.folder import Folder
from memcore.store.keyed import KeyedHash

_WORDS: frozenset[Export] = frozenset(("corrections", "memory", "history", "trace"))


class Taken(NamedTuple):
    """How many exports with words of a memory left the store, and when the last of them did."""

    exports: int = 0
    last: datetime | None = None


class Sought(TypedDict, total=False):
    """Which entries are wanted: of these kinds (see `Entry.what`), by the person, role or author `who`, of
    the memory named `scope`, from `since` on and `before` a moment. What is left out or empty holds none
    back."""

    kinds: Collection[str]
    who: str
    scope: str
    since: datetime | None
    before: datetime | None


class Audit:
    """The audit of one store. Reading it takes no lock of a writer."""

    def __init__(self, folder: Folder, keyed: KeyedHash) -> None:
        self._folder, self._keyed = folder, keyed
        self._chain = Chain(folder, keyed.derived("audit"))

    # entering

    def begin(self) -> None:
        """Make the files where there are none yet, and put right what a killed process left."""
        self._chain.begin()

    def enter(self, fact: Fact, *, scope: Id = "", who: str = "") -> int:
        """Write an entry; its number. `who` is hashed here. Raises StoreFull, StoreBusy: then what it names
        must not be done."""
        of = dumped(fact)
        body = {"what": of.pop("kind"), "who": self.hash_of(who), "scope": scope, "of": of}
        return self._chain.append(body)

    @contextmanager
    def entering(self, fact: Fact, *, scope: Id = "", who: str = "") -> Generator[None]:
        """An entry before the block, and another one if it fails."""
        number = self.enter(fact, scope=scope, who=who)
        try:
            yield
        except BaseException as error:
            with suppress(StoreError):
                self.enter(Failed(number, why_failed(error)), scope=scope, who=who)
            raise

    # reading

    def entries(self, limit: int = 50, offset: int = 0, **sought: Unpack[Sought]) -> list[Entry]:
        """The newest first, what belongs together as one. No more of the file is read than these take.

        Raises StoreDamaged where the file cannot be read, InputError where a newer version wrote it.
        """
        person = self.hash_of(sought.get("who", ""))
        found = (e for e in self._together() if _fits(e, sought) and person in ("", e.who))
        return list(islice(found, offset, offset + limit))

    def count(self) -> int:
        """How many entries there are."""
        return self._chain.count()

    def verify(self, noted: str = "") -> Verdict:
        """Whether every entry is as it was written and where it was. `noted` is the hash of a last entry
        that somebody wrote down: it must still be there."""
        return self._chain.verify(noted)

    def exported(self, who: str) -> Iterator[str]:
        """All entries as lines of JSON, oldest first, as they stand in the file. That `who` took them is
        entered too."""
        lines = list(self._chain.lines())
        self.enter(Exported("audit", len(lines)), who=who)
        return iter(lines)

    def taken(self, scope: Id) -> Taken:
        """What left the store of this memory, but for receipts and for this record, which hold no words of
        it."""
        lines = (line for line in self._chain.newest_first() if '"what":"exported"' in line)
        found = [e for line in lines if (e := _entry(line, {})).scope == scope and _has_words(e.fact)]
        return Taken(len(found), found[0].at if found else None)

    def commits(self, scope: Id) -> set[int]:
        """The numbers of the commits to this memory that were entered."""
        lines = (line for line in self._chain.newest_first() if '"what":"changed"' in line)
        facts = (e.fact for line in lines if (e := _entry(line, {})).scope == scope)
        return {fact.commit for fact in facts if fact.kind == "changed"}

    def hash_of(self, who: str) -> Id:
        """How an entry names this person or role; "" for nobody."""
        return self._keyed.text(f"who\n{who}") if who else ""

    def known_as(self, names: Iterable[str]) -> dict[Id, str]:
        """The given names by what entries call them: how a page shows who it was to somebody who knows."""
        return {self.hash_of(name): name for name in names if name}

    def _together(self) -> Iterator[Entry]:
        """All entries, the newest first, neighbours that belong together as the newest of them."""
        names = {table_id(s["items"]): s["name"] for s in self._folder.head()["scopes"]}
        entries = (_entry(line, names) for line in self._chain.newest_first())
        for _, same in groupby(entries, _alike):
            yield reduce(lambda later, earlier: _joined(earlier, later), same)


def table_id(name: str) -> Id:
    """The random part of a table's name: how an entry names a memory."""
    return name.rpartition("_")[2]


def _entry(line: str, names: dict[str, str]) -> Entry:
    try:
        said = json.loads(line)
        return Entry(
            number=said["number"],
            at=datetime.fromisoformat(said["at"]),
            who=said["who"],
            scope=said["scope"],
            fact=loaded(said["what"], said["of"]),
            hash=said["hash"],
            memory=names.get(said["scope"], ""),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreDamaged("The audit holds a line that is none of its entries: verify it.") from error


def _has_words(fact: Fact) -> bool:
    return fact.kind == "exported" and fact.export in _WORDS


def _fits(entry: Entry, sought: Sought) -> bool:
    """Whether it is wanted; who did it is compared by the caller, who has the key."""
    kinds, scope = sought.get("kinds"), sought.get("scope")
    since, before = sought.get("since"), sought.get("before")
    return (
        (not kinds or entry.what in kinds)
        and (not scope or entry.memory == scope)
        and (since is None or since <= entry.at)
        and (before is None or entry.at < before)
    )


def _alike(entry: Entry) -> tuple[object, ...]:
    """What neighbours must agree in to be shown as one: the same change, run or refusal, by one person."""
    fact = entry.fact
    if fact.kind == "changed":
        same: object = (fact.change, fact.group)
    elif fact.kind == "asked" or fact.kind == "read":
        same = fact.trace
    elif fact.kind == "refused":
        same = (fact.why, fact.act)
    else:
        same = entry.number
    return entry.who, entry.scope, same


def _joined(earlier: Entry, later: Entry) -> Entry:
    """Two neighbours as one: counts of commits add up; of anything else the later one says it."""
    fact, before = later.fact, earlier.fact
    if fact.kind == "changed" and before.kind == "changed":
        # what an edit means stands in each of its commits; an import counts what each one brought
        meant = max(fact.meant, before.meant) if fact.change == "edited" else fact.meant + before.meant
        added = {"written": fact.written + before.written, "deleted": fact.deleted + before.deleted}
        fact = replace(fact, meant=meant, **added)
    return replace(later, fact=fact, number=earlier.number, together=earlier.together + later.together)
