# pyright: basic, reportAttributeAccessIssue=false
"""One scope of a store: whose memory it is. Every question about a memory is asked here.

Each scope has tables of its own under random names, so that neither counts nor full-text statistics
nor vectors of one scope can reach another. Reads see the newest commit; writes go through `commit`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from memcore.events import ChangeEvent, TraceEvent
from memcore.graph import Columns
from memcore.records import (
    AgentRun,
    Calibration,
    Content,
    Conversation,
    Correction,
    File,
    Record,
    Relation,
    RunMark,
    RunStep,
    TraceHeader,
    Turn,
    Unit,
    Version,
)
from memcore.settings import Settings
from memcore.store import journal, search, tombstones, undo
from memcore.store.columns import conversation_order, load_columns
from memcore.store.commit import Change, WriteDoor
from memcore.store.erasable import Erasable
from memcore.store.folder import Folder
from memcore.store.journal import ChangeRow
from memcore.store.keyed import KeyedHash
from memcore.store.patch import patched
from memcore.store.rows import CLASSES, from_rows, read_columns
from memcore.store.tables import Table, among, begun_again, is_id
from memcore.store.traces import Traces

_ENDS = ("cue_id", "tag_id", "content_id", "turn_id")


class Scope(Erasable):
    """One memory. Made by `Store.scope` and `Store.create_scope` only."""

    def __init__(
        self, name: str, tables: tuple[Table, Table], folder: Folder, keyed: KeyedHash, settings: Settings
    ) -> None:
        self.name = name
        self.items, traces = tables
        self.runs = Traces(traces, folder, settings.optimize_every)
        self._folder = folder
        self._keyed = keyed
        self._door = WriteDoor(self.items, folder, keyed.terms_of, settings.optimize_every)

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

    def undo(self, group: str | None = None, *, also_later: bool = False) -> undo.TakenBack:
        """Takes back the last change that is not undone, or the one named, as a new commit.

        What the change made is deleted; what it overwrote or deleted comes back with its vectors, under
        a new revision where another stood. With `also_later` the changes that rest on it go first.
        Raises NotFound when there is none, InTheWay when later changes rest on it.
        """
        return undo.finished(self.undoing(group, also_later=also_later))

    def undoing(self, group: str | None = None, *, also_later: bool = False) -> Iterator[undo.Underway]:
        """The same, saying how far it is."""
        return undo.undo(self._door, group, also_later)

    def redo(self, group: str | None = None) -> undo.TakenBack:
        """Brings back the change undone last, or the one named, as a new commit.

        Raises NotFound when there is none, InTheWay, InputError for an import.
        """
        return undo.finished(self.redoing(group))

    def redoing(self, group: str | None = None) -> Iterator[undo.Underway]:
        """The same, saying how far it is."""
        return undo.redo(self._door, group)

    def blockers(self, group: str) -> list[ChangeRow]:
        """The later changes that rest on this one, newest first. Raises NotFound."""
        return undo.blockers(self._door, group)

    def difference(self, group: str) -> tuple[list[Record], list[Record]]:
        """The records that a change concerned, as they were before and as it left them. Raises NotFound."""
        before, after = undo.difference(self._door, group)
        return from_rows(before), from_rows(after)

    def changes(self, limit: int = 50) -> list[ChangeRow]:
        """The journal, newest first, the commits of a group as one change."""
        return journal.changes(journal.entries(self._door))[:limit]

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

        With those of an older commit (`known`) only what was written since is read, if it is little.
        """
        found = begun_again(lambda: patched(self.items, known)) if known else None
        return found or begun_again(lambda: load_columns(self.items))

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        """The records of these ids, of any kind, by id. Ids that name nothing are absent."""
        rows = self.items.read_among(read_columns(self.items.schema), "id", ids)
        return {record.id: record for record in from_rows(rows)}

    def texts(self, ids: Iterable[str]) -> dict[str, str]:
        """The texts of turns and contents by id."""
        rows = self.items.read_among(["id", "text"], "id", ids).to_pydict()
        return {i: text for i, text in zip(rows["id"], rows["text"], strict=True) if text is not None}

    def files(self) -> list[File]:
        """All imported files, oldest first."""
        found = from_rows(self._rows("kind = 'file'"))
        return sorted((r for r in found if isinstance(r, File)), key=lambda file: (file.recorded, file.name))

    def conversations(self) -> list[Conversation]:
        """All conversations by their start; those of unknown start last, in the order of import."""
        found = from_rows(conversation_order(self._rows("kind = 'conversation'", "made", "position")))
        return [r for r in found if isinstance(r, Conversation)]

    def turns(self, conversation_id: str, offset: int = 0, limit: int | None = None) -> list[Turn]:
        """Turns of a conversation in order, alternatives and folded ones included."""
        if not is_id(conversation_id):
            return []
        rows = self._rows(f"kind = 'turn' AND conversation_id = '{conversation_id}'", "made").sort_by(
            [("position", "ascending"), ("made", "ascending")]
        )
        return [r for r in from_rows(rows.slice(offset, limit)) if isinstance(r, Turn)]

    def contents(self, conversation_id: str) -> list[Content]:
        """Contents of a conversation of all layers, in order."""
        if not is_id(conversation_id):
            return []
        rows = self._rows(f"kind = 'content' AND conversation_id = '{conversation_id}'").sort_by("position")
        return [r for r in from_rows(rows) if isinstance(r, Content)]

    def corrections(self) -> list[Correction]:
        """All corrections, in the order in which they were made."""
        found = [r for r in from_rows(self._rows("kind = 'correction'")) if isinstance(r, Correction)]
        return sorted(found, key=lambda c: (c.recorded, c.id))

    # recurrence

    def units(self) -> list[Unit]:
        """All units in the order of their arrival, with their decisions and vectors."""
        found = [r for r in from_rows(self._rows("kind = 'unit'")) if isinstance(r, Unit)]
        return sorted(found, key=lambda u: u.order)

    def compared_units(self) -> list[Unit]:
        """The units that new ones are compared with or wait beside, without their decisions."""
        columns = [c for c in read_columns(self.items.schema) if c != "body"]
        live = from_rows(self.items.read(columns, "kind = 'unit' AND subkind = 'live'"))
        waiting = from_rows(self._rows("kind = 'unit' AND subkind = 'pending'"))
        return [r for r in (*live, *waiting) if isinstance(r, Unit)]

    def last_unit(self) -> int:
        """The number of the unit that arrived last, 0 before the first."""
        return pc.max(self.items.read(["span_start"], "kind = 'unit'").column("span_start")).as_py() or 0

    def derived(self) -> list[Content]:
        """Episodes and facts in the order in which they were made; those that came of units name them."""
        rows = self._rows("kind = 'content' AND subkind IN ('episode', 'fact')", "made")
        found = from_rows(rows.sort_by([("made", "ascending"), ("position", "ascending")]))
        return [r for r in found if isinstance(r, Content)]

    def calibration(self) -> Calibration | None:
        """The thresholds this scope was calibrated to, None while nobody did."""
        found = [r for r in from_rows(self._rows("kind = 'calibration'")) if isinstance(r, Calibration)]
        return max(found, key=lambda c: c.recorded, default=None)

    def versions(self, content_id: str) -> list[Version]:
        """An episode as it was before each merge, oldest first."""
        if not is_id(content_id):
            return []
        found = from_rows(self._rows(f"kind = 'version' AND content_id = '{content_id}'"))
        return sorted((r for r in found if isinstance(r, Version)), key=lambda v: v.content_revision)

    def all_versions(self) -> list[Version]:
        """Every earlier version of every episode."""
        return [r for r in from_rows(self._rows("kind = 'version'")) if isinstance(r, Version)]

    # agent runs

    def agent_runs(self) -> list[AgentRun]:
        """All runs in the order in which they were written."""
        rows = self._rows("kind = 'run'", "made").sort_by([("made", "ascending"), ("name", "ascending")])
        return [r for r in from_rows(rows) if isinstance(r, AgentRun)]

    def run_steps(self, run_id: str) -> list[RunStep]:
        """The steps of a run, by position."""
        found = self._of_run("step", run_id)
        return sorted((r for r in found if isinstance(r, RunStep)), key=lambda step: step.position)

    def run_marks(self, run_id: str) -> list[RunMark]:
        """The marks of a run, in their order."""
        found = self._of_run("mark", run_id)
        return sorted((r for r in found if isinstance(r, RunMark)), key=lambda m: (m.after, m.rank, m.id))

    def _of_run(self, kind: str, run_id: str) -> list[Record]:
        if not is_id(run_id):
            return []
        return from_rows(self._rows(f"kind = '{kind}' AND conversation_id = '{run_id}'"))

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]:
        """Every relation that one of these cues, tags, contents or turns takes part in.

        `end` ("cue_id" ...) says what the ids are, which is several times faster.
        """
        ends = [where for name in _ENDS if end in ("", name) and (where := among(name, ids))]
        found = from_rows(self._rows(" OR ".join(ends))) if ends else []
        return [r for r in found if isinstance(r, Relation)]

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

    def finish_trace(self, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
        """Once more at the end: adds those of all `events` that are not stored yet, and the header."""
        self.runs.finish(header, events)

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

    def _rows(self, where: str, *more: str) -> pa.Table:
        columns = read_columns(self.items.schema)
        return self.items.read(list(dict.fromkeys([*columns, *more])), where)
