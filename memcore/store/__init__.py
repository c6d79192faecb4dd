"""The store: the only place that knows LanceDB.

`Store.open` gives a store, `Store.scope` one memory in it, and everything else is asked of the
`Scope` (with `recurrent`, `run_records`, `undoable`, `erasable` as parts of it). `folder` holds what
only a local folder can do, `schema` the columns, `rows` records <-> rows,
`commit` the one write door, `undo` the journal, `columns` the graph's arrays, `search` full text,
`traces` recorded runs, `audit` who did what (`chain` its file), `doctor` what a crash can leave,
`registry` every place that holds memory text;
`removal` takes rows out for good (`images`, `tombstones`, `purging`), `holdings` reads all text.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from memcore.access.permissions import OWNER, UNKNOWN_SCOPE, Viewer
from memcore.audit import Refused, RefusedWhy
from memcore.errors import InputError, ScopeError, StoreBusy, StoreError, StoreFull, StoreMismatch
from memcore.settings import DEFAULT, Settings
from memcore.store.audit import Audit, table_id
from memcore.store.folder import RECEIPTS, Folder
from memcore.store.journal import ChangeRow
from memcore.store.keyed import KeyedHash
from memcore.store.receipts import named_by_table
from memcore.store.removal import finish_pending, pending
from memcore.store.schema import SCHEMA, items_indexes, items_schema, traces_indexes, traces_schema
from memcore.store.scope import Opened, Scope
from memcore.store.tables import Table, connect
from memcore.store.undo import TakenBack, Underway

__all__ = ["ChangeRow", "Migration", "Scope", "Store", "TakenBack", "Underway"]

Head = dict[str, Any]
Migration = Callable[[Any, Head], Head]
"""Takes a store from one schema to the next: the LanceDB connection and the old head, gives the new."""

MIGRATIONS: Sequence[Migration] = ()
_LONGEST_NAME = 200


class WrittenBy(Protocol):
    """What the store records of an embedder."""

    name: str
    fingerprint: str
    dimension: int


class Store:
    """One folder of memories, written with one embedder: that of whoever makes the first of them."""

    def __init__(self, folder: Folder, settings: Settings, embedder: Head | None) -> None:
        self.folder = folder
        self.db = connect(folder.tables)
        self._settings = settings
        self._embedder = embedder
        self._keyed = KeyedHash(bytes.fromhex(folder.head()["key"]))
        self.audit = Audit(folder, self._keyed)
        self.left: dict[str, int] = {}
        """What the tables held beside their current rows when this completed an erasure; all 0."""
        folder.unfinished = self._finish
        # an erasure that another process is just carrying out is none of ours to finish
        if pending(folder) is not None:
            with suppress(StoreBusy), folder.writing(wait=0):
                pass
        # a store that cannot be written to can still be read
        with suppress(StoreBusy, StoreFull):
            self.audit.begin()

    @classmethod
    def open(
        cls,
        uri: str | Path,
        *,
        embedder: WrittenBy | None,
        settings: Settings = DEFAULT,
        create: bool = True,
    ) -> Store:
        """The store at this folder, made if it is not there and `create` is true.

        With `embedder` None an existing store is opened without embedding anything (to list or repair).
        While it holds no memory any embedder will do, and opening it binds nobody: making one does.
        Raises StoreMismatch for another embedder or a newer schema, InputError for a folder that is no
        store, StoreFull where nothing can be written.
        """
        folder = Folder(Path(uri).expanduser(), settings.lock_seconds)
        if not folder.is_store():
            if not create or embedder is None:
                raise InputError("There is no store in this folder: import something into it first.")
            _make(folder, embedder)
        _migrate(folder, MIGRATIONS)
        given = _recorded(embedder) if embedder is not None else None
        _held_to(folder.head(), given)
        return cls(folder, settings, given)

    @property
    def embedder(self) -> str:
        """The name of the embedder that wrote the vectors; empty while there is no memory."""
        head = self.folder.head()
        return head["embedder"]["name"] if head["scopes"] else ""

    def fits(self) -> bool:
        """Whether its memories are written with the embedder that it was opened with: while it held none,
        somebody else may have made the first with another."""
        return _fit(self.folder.head(), self._embedder)

    def bytes(self) -> int:
        """Size on disk."""
        return self.folder.bytes()

    def scopes(self, viewer: Viewer) -> list[str]:
        """The names of all memories that this viewer may enter, in the order they were made."""
        return [*self.tables(viewer)]

    def tables(self, viewer: Viewer) -> dict[str, str]:
        """The memories that this viewer may enter by their names, each with what stays the same of it when it
        is renamed: the random part of its tables' names."""
        scopes = self.folder.head()["scopes"]
        return {s["name"]: table_id(s["items"]) for s in scopes if viewer.may_enter(s["name"])}

    def create_scope(self, name: str) -> Scope:
        """The memory of this name in its owner's hand, made if it is not there.

        Raises ScopeError for a name that is none, InputError for one that names another already.
        """
        _check(name)
        with self.folder.writing():
            if name not in self.scopes(OWNER):
                self._refuse_id(name)
                self._make_scope(name)
        return self.scope(name, OWNER)

    def rename_scope(self, name: str, to: str) -> None:
        """Give a memory another name. Nothing in the store bears the old one any more.

        Raises ScopeError where there is none, InputError for a name that is taken or none.
        """
        _check(to)
        with self.folder.writing():
            head = self.folder.head()
            scopes = {s["name"]: s for s in head["scopes"]}
            if name not in scopes:
                raise ScopeError(UNKNOWN_SCOPE)
            if to in scopes:
                raise InputError("There is a memory of this name already: choose another.")
            self._refuse_id(to)
            table = self.tables(OWNER)[name]
            named_by_table(self.folder.path / RECEIPTS, name, table, self._keyed.text)
            scopes[name]["name"] = to
            self.folder.write_head(head)

    def scope(self, name: str | None, viewer: Viewer) -> Scope:
        """The memory of this name, as this viewer sees it. Who looks is never left open: a viewer that was
        forgotten must not stand for the owner.

        Raises ScopeError when none is named: no question is asked of all memories. The same where there is
        none as where the viewer may not enter it.
        """
        if not name:
            self._refused("no_scope", viewer)
            raise ScopeError("Name the memory to be asked.")
        head = _held_to(self.folder.head(), self._embedder)
        found = next((s for s in head["scopes"] if s["name"] == name), None)
        if found is None or not viewer.may_enter(name):
            self._refused("unknown_scope", viewer)
            raise ScopeError(UNKNOWN_SCOPE)
        tables = Table(self.db, found["items"]), Table(self.db, found["traces"])
        scope = Scope(name, tables, Opened(self.folder, self._keyed, self._settings))
        return scope if viewer is OWNER else scope.seen_by(viewer)

    def _refuse_id(self, name: str) -> None:
        """Receipts name a memory by its table and older ones by its name, so that a memory of such a name
        would pass for the other (see Erasable.called)."""
        if name in self.tables(OWNER).values():
            raise InputError("The store itself calls a memory by this name: choose another.")

    def _finish(self) -> None:
        self.left |= finish_pending(self.folder, self.db)

    def _refused(self, why: RefusedWhy, viewer: Viewer) -> None:
        """Who is not let in is refused also where that cannot be entered."""
        with suppress(StoreError):
            self.audit.enter(Refused(why), who=viewer.name)

    def _make_scope(self, name: str) -> None:
        """The tables first, then the head: a crash between leaves a table that nothing names. The first
        memory binds the store to the embedder."""
        head = _held_to(self.folder.head(), self._embedder)
        head["embedder"] = self._embedder or head["embedder"]
        items, traces = (f"{kind}_{secrets.token_hex(8)}" for kind in ("items", "traces"))
        Table.create(self.db, items, items_schema(head["embedder"]["dimension"]), items_indexes())
        Table.create(self.db, traces, traces_schema(), traces_indexes())
        head["scopes"].append({"name": name, "items": items, "traces": traces})
        self.folder.write_head(head)


def _check(name: str) -> None:
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise ScopeError(f"A memory needs a name of at most {_LONGEST_NAME} characters.")


def _make(folder: Folder, embedder: WrittenBy) -> None:
    folder.make()
    with folder.writing():
        if folder.is_store():
            return
        folder.write_head(
            {
                "schema": SCHEMA,
                "embedder": _recorded(embedder),
                "key": secrets.token_hex(32),
                "scopes": [],
            }
        )


def _migrate(folder: Folder, steps: Sequence[Migration]) -> None:
    """Takes an older store to this version's schema, one step after the other, each recorded at once."""
    newest = 1 + len(steps)
    if folder.head()["schema"] > newest:
        raise StoreMismatch("This store was written by a newer version: update memcore-inspector to open it.")
    if folder.head()["schema"] == newest:
        return
    with folder.writing():
        for schema in range(folder.head()["schema"], newest):
            head = steps[schema - 1](connect(folder.tables), folder.head())
            folder.write_head({**head, "schema": schema + 1})


def _fit(head: Head, given: Head | None) -> bool:
    return given is None or not head["scopes"] or head["embedder"] == given


def _held_to(head: Head, given: Head | None) -> Head:
    """The same head. Raises StoreMismatch where its memories are written with another embedder."""
    if given is None or _fit(head, given):
        return head
    written = head["embedder"]
    raise StoreMismatch(
        f"This store was written with the embedder {written['name']} ({written['dimension']} dimensions), "
        f"but {given['name']} ({given['dimension']} dimensions) was given: open it with {written['name']}, "
        "or import again into a new folder."
    )


def _recorded(embedder: WrittenBy) -> Head:
    return {"name": embedder.name, "fingerprint": embedder.fingerprint, "dimension": embedder.dimension}
