# pyright: basic, reportAttributeAccessIssue=false
"""One scope of a store: whose memory it is. Every question about a memory is asked here.

Each scope has tables of its own under random names, so that neither counts nor full-text statistics
nor vectors of one scope can reach another. Reads see the newest commit; writes go through `commit`.
Parts of it lie in files of their own: `recurrent`, `run_records`, `undoable`, `erasable`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from memcore.access.permissions import OWNER, UNKNOWN_SCOPE, Viewer
from memcore.access.roles import Act
from memcore.audit import Read
from memcore.errors import ScopeError
from memcore.events import ChangeEvent, TraceEvent
from memcore.graph import Columns
from memcore.records import Content, Conversation, Correction, File, Record, Relation, TraceHeader, Turn
from memcore.settings import Settings
from memcore.store import journal, search, tombstones
from memcore.store.audit import Audit, table_id
from memcore.store.beside import Beside
from memcore.store.columns import CONVERSATION_ORDER, load_columns
from memcore.store.commit import Change, WriteDoor
from memcore.store.erasable import Erasable
from memcore.store.folder import Folder
from memcore.store.keyed import KeyedHash
from memcore.store.patch import patched
from memcore.store.recurrent import Recurrent
from memcore.store.rows import CLASSES, KINDS, columns_of, from_rows
from memcore.store.run_records import RunRecords
from memcore.store.scribe import Scribe
from memcore.store.seen import SealedFolder, SeenItems, seen
from memcore.store.tables import Table, among, begun_again, is_id
from memcore.store.traces import Traces
from memcore.store.undoable import Undoable

_ENDS = ("cue_id", "tag_id", "content_id", "turn_id")


class Opened(NamedTuple):
    """The store that a scope is of: its files, the secret key of its hashes, and how it is used."""

    folder: Folder
    keyed: KeyedHash
    settings: Settings


class Scope(Recurrent, RunRecords, Undoable, Erasable):
    """One memory. Made by `Store.scope` and `Store.create_scope` only.

    A viewer of less than full clearance has other tables in hand and cannot write (see seen).
    """

    def __init__(self, name: str, tables: tuple[Table, Table], store: Opened, viewer: Viewer = OWNER) -> None:
        folder, keyed, settings = store
        self.name, self.viewer = name, viewer
        self.items, traces = tables
        self.scribe = Scribe(Audit(folder, keyed), table_id(self.items.name), viewer)
        self.runs = Traces(traces, folder, settings.optimize_every, self.scribe)
        self._store, self._keyed = store, keyed
        self._folder = folder if viewer.sees_all else SealedFolder(self.scribe)
        terms, every = keyed.terms_of, settings.optimize_every
        self._door = WriteDoor(self.items, self._folder, terms, every, self.scribe)

    def seen_by(self, viewer: Viewer) -> Scope:
        """The same memory as this viewer sees it, who gains nothing that was withheld here.

        Raises ScopeError where they may not enter it.
        """
        allowed = viewer.within(self.viewer)
        if not allowed.may_enter(self.name):
            raise ScopeError(UNKNOWN_SCOPE)
        db, items, traces = self.items.db, self.items.name, self.runs.table.name
        tables = Table(db, items), Table(db, traces)
        if not allowed.sees_all:
            tables = seen(db, items, traces, Scribe(self.scribe.audit, self.scribe.scope, allowed))
        return Scope(self.name, tables, self._store, allowed)

    def unrestricted(self) -> Scope:
        """The same memory in the hand of its owner: for what its rules do by themselves, and for nothing that
        a viewer asked for."""
        tables = Table(self.items.db, self.items.name), Table(self.items.db, self.runs.table.name)
        return Scope(self.name, tables, self._store)

    def whole(self, act: Act = "read") -> Scope:
        """This memory, for an act that makes sense only of all of it.

        Raises NotAllowed to who does not see all, or may not do that.
        """
        self.scribe.whole(act)
        return self

    @property
    def beside(self) -> Beside | None:
        """Where withheld contents lie beside what is shown; None where nothing is withheld."""
        return self.items.withheld().beside if isinstance(self.items, SeenItems) else None

    # writing

    def writing(self, on_wait: Callable[[], None] | None = None) -> AbstractContextManager[None]:
        """The writer lock: what is read inside is still true when it is committed inside.

        Every commit takes it by itself. `on_wait` is called once if another writer has it.
        Raises StoreBusy after the setting `lock_seconds`.
        """
        return self._folder.writing(on_wait)

    def commit(
        self,
        event: ChangeEvent,
        *,
        inserts: Sequence[Record] = (),
        upserts: Sequence[Record] = (),
        deletes: Sequence[str] = (),
        group: str | None = None,
        source_hashes: Mapping[str, str] | None = None,
    ) -> int:
        """Writes and deletes records with the event that says why, as one atomic commit; its number.

        `inserts` are records whose ids were made for this very commit: nothing is looked up for them,
        so an import writes as fast at its end as at its start. `upserts` may be old or new.
        Commits of one `group` (a random id) are one change to a person, and are undone together.
        `source_hashes` (record id -> `hash` of where it came from) let `known` recognise it.
        Raises StoreBusy, StoreFull, StoreMismatch (a vector of another length), InputError (no id).
        """
        change = Change(
            event=event,
            inserts=inserts,
            upserts=upserts,
            deletes=deletes,
            group=group,
            source_hashes=source_hashes or {},
        )
        return self._door.commit(change)

    def tidy(self) -> None:
        """Compacts both tables; to be called at the end of an import."""
        with self._folder.writing():
            self._door.tidy()
            self.runs.table.tidy()

    # reading

    def seq(self) -> int:
        """The number of the last commit, 0 for an empty memory."""
        return self._door.seq()

    def columns(self, known: Columns | None = None) -> Columns:
        """Structure, names and vectors of everything, at one commit: what the graph is made from.

        With those of an older commit (`known`) only what was written since is read, if it is little, and all
        is shown: a mark withholds other rows too.
        """
        if known is None or not self.viewer.sees_all:
            return begun_again(lambda: load_columns(self.items))
        found = begun_again(lambda: patched(self.items, known))
        return found or begun_again(lambda: load_columns(self.items))

    def get(self, ids: Iterable[str], *classes: type[Record]) -> dict[str, Record]:
        """The records of these ids, of any kind or only of these, by id. Ids of nothing else are absent.

        One kind alone is read twice as fast.
        """
        kinds = [KINDS[record_class] for record_class in classes or CLASSES.values()]
        rows = self.items.read_among(columns_of(self.items.schema, *kinds), "id", ids)
        rows = rows.filter(pc.is_in(rows.column("kind"), pa.array(kinds)))
        return {record.id: record for record in from_rows(rows)}

    def texts(self, ids: Iterable[str]) -> dict[str, str]:
        """The texts of turns and contents by id."""
        rows = self.items.read_among(["id", "text"], "id", ids).to_pydict()
        return {i: text for i, text in zip(rows["id"], rows["text"], strict=True) if text is not None}

    def files(self) -> list[File]:
        """All imported files, oldest first."""
        return sorted(self._all(File), key=lambda file: (file.recorded, file.name))

    def conversations(self) -> list[Conversation]:
        """All conversations by their start; those of unknown start last, in the order of import."""
        return self._all(Conversation, order=CONVERSATION_ORDER)

    def turns(self, conversation_id: str, offset: int = 0, limit: int | None = None) -> list[Turn]:
        """Turns of a conversation in order, alternatives and folded ones included."""
        if not is_id(conversation_id):
            return []
        part = slice(offset, None if limit is None else offset + limit)
        return self._all(Turn, f"conversation_id = '{conversation_id}'", ("position", "made"), part)

    def turn_counts(self, conversation_ids: Iterable[str]) -> Counter[str]:
        """How many turns each of these conversations holds by now; its record says how many were read."""
        where = among("conversation_id", conversation_ids)
        rows = self.items.read(["conversation_id"], f"kind = 'turn' AND {where}") if where else None
        return Counter(rows.column("conversation_id").to_pylist() if rows else ())

    def contents(self, conversation_id: str) -> list[Content]:
        """Contents of a conversation of all layers, in order."""
        if not is_id(conversation_id):
            return []
        return self._all(Content, f"conversation_id = '{conversation_id}'", ("position",))

    def corrections(self) -> list[Correction]:
        """All corrections, in the order in which they were made."""
        return sorted(self._all(Correction), key=lambda c: (c.recorded, c.id))

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]:
        """Every relation that one of these cues, tags, contents or turns takes part in.

        `end` ("cue_id" ...) says what the ids are, which is several times faster.
        """
        ends = [where for name in _ENDS if end in ("", name) and (where := among(name, ids))]
        return self._all(Relation, " OR ".join(ends)) if ends else []

    def count(self) -> dict[str, int]:
        """How many rows there are of each kind that there is; "change" counts commits."""
        found = {kind: self.items.count(f"kind = '{kind}'") for kind in (*CLASSES, "change")}
        return {kind: number for kind, number in found.items() if number}

    def names(self, kind: str) -> list[tuple[str, str]]:
        """(id, key) of all cues or all tags: how construction finds the ones that exist."""
        if kind not in ("cue", "tag"):
            return []
        rows = self.items.read(["id", "name_key"], f"kind = '{kind}'").to_pydict()
        return list(zip(rows["id"], rows["name_key"], strict=True))

    def named(self, kind: str, keys: Collection[str]) -> dict[str, str]:
        """The ids of the cues or tags that have these keys, by key."""
        if kind not in ("cue", "tag"):
            return {}
        rows = self.items.read(["id", "name_key"], f"kind = '{kind}'")
        found = rows.filter(pc.is_in(rows.column("name_key"), pa.array(keys, pa.string()))).to_pydict()
        return dict(zip(found["name_key"], found["id"], strict=True))

    def extracted_since(self, when: datetime) -> bool:
        """Whether anything was imported or extracted again after that."""
        made = ("imported", "reextracted")
        return any(e.event.kind in made and e.when > when for e in journal.entries(self._door))

    def search(
        self, text: str, *, kinds: Sequence[str] = ("turn", "content"), limit: int = 50
    ) -> list[tuple[str, float]]:
        """(id, score) by full text, best first. English by stems, Korean also inside an eojeol."""
        return search.search(self.items, text, kinds, limit)

    # traces of runs (see `traces`)

    def save_trace(self, header: TraceHeader) -> None:
        """Writes the header of a trace, new or over the old one."""
        self.runs.save(header)

    def append_events(self, trace_id: str, start_index: int, events: Sequence[TraceEvent]) -> None:
        """Adds the events number `start_index`, `start_index` + 1 ...; once per step."""
        self.runs.append(trace_id, start_index, events)

    def finish_trace(self, header: TraceHeader, events: Sequence[TraceEvent], read: Read) -> None:
        """Once more at the end: adds those of all `events` that are not stored yet, and the header; what the
        run has `read` is entered in the audit before."""
        self.runs.finish(header, events, read)

    def traces(self, limit: int = 50, offset: int = 0) -> list[TraceHeader]:
        """The newest first. One that is "running" may have been interrupted."""
        return self.runs.headers(limit, offset)

    def trace(self, trace_id: str) -> tuple[TraceHeader, list[TraceEvent]]:
        """One trace with all its events in order. Raises NotFound."""
        return self.runs.get(trace_id)

    # keyed hashes

    def hash(self, text: str) -> str:
        """A hash of this text under the store's secret key, 32 hex digits."""
        return self._keyed.text(text)

    def term_hashes(self, terms: Sequence[str]) -> npt.NDArray[np.uint32]:
        """Hashes of words as `Columns.terms` holds them."""
        return self._keyed.terms(terms)

    def ids_of(self, source_hashes: Iterable[str]) -> dict[str, str]:
        """Source hash -> id of the record that was imported from there; absent where there is none."""
        rows = self.items.read_among(["source_hash", "id", "kind"], "source_hash", source_hashes)
        rows = rows.filter(pc.not_equal(rows.column("kind"), "tombstone")).to_pydict()
        return dict(zip(rows["source_hash"], rows["id"], strict=True))

    def known(self, source_hashes: Iterable[str]) -> set[str]:
        """Which of these source hashes were imported already."""
        return {*self.ids_of(source_hashes)}

    def held_back(self, source_hashes: Iterable[str]) -> set[str]:
        """Which of these sources were erased and must not come in again (see tombstones)."""
        return tombstones.held_back(self.items, source_hashes)
