# pyright: basic
"""What erasing asks of a scope: its texts, what rests on what, taking rows out, looking through the disk."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memcore.audit import Fact
from memcore.events import ChangeEvent, Lifted
from memcore.store import holdings, lineage, purging, receipts, removal, retention, scanning, tombstones
from memcore.store.audit import Taken
from memcore.store.commit import CHANGES, Change, Stamp, WriteDoor
from memcore.store.folder import RECEIPTS, Folder
from memcore.store.keyed import KeyedHash
from memcore.store.scribe import Scribe
from memcore.store.tables import Table, is_id
from memcore.store.traces import Traces


class Erasable:
    """The part of a `Scope` that only an erasure needs (see removal and purging)."""

    name: str
    items: Table
    runs: Traces
    _folder: Folder
    _keyed: KeyedHash
    _door: WriteDoor
    scribe: Scribe

    def holdings(self) -> Iterator[holdings.Holding]:
        """Every piece of text in this memory; earlier versions, reasons, questions, receipts included."""
        yield from holdings.holdings(self.items, self.runs.table)
        yield from holdings.of_receipts(self.receipts, self.called)

    def distinct_texts(self) -> dict[str, str]:
        """Every different text and where it stands."""
        return self.parted_texts(removal.Removal(())).staying

    def parted_texts(self, removed: removal.Removal) -> holdings.Parted:
        """The same, apart for what stays and what a removal would take out."""
        found = holdings.parted(self.items, self.runs.table, removed)
        for held in holdings.of_receipts(self.receipts, self.called):
            part = found.going if (held.id, held.part) in removed.receipts else found.staying
            part.setdefault(held.text, f"receipt {held.part}")
        return found

    def remove(
        self, removed: removal.Removal, event: ChangeEvent, group: str, author: str = ""
    ) -> Iterator[removal.Stage]:
        """Erase for good, by this author. Once the first step is done it will be carried out, even after a
        crash.

        Raises StoreBusy, StoreFull.
        """
        with self._folder.writing():
            stamp = Stamp(self._door.seq() + 1, group)
            with self._door.entered(stamp, event, (len(removed.rewritten), len(removed.gone)), author):
                removal.prepare(self._door, self.runs.table, removed, stamp, event, self._keyed.terms_of)
            yield from removal.complete(self._folder, self.items.db)

    def retention(self) -> list[dict[str, Any]]:
        """The retention rules of this memory, as they were written (see retention)."""
        return retention.rules(self._folder, self.items.name)

    def set_retention(self, rules: Sequence[Mapping[str, Any]], fact: Fact, author: str) -> None:
        """Replaces them, and enters it in the audit. Raises StoreBusy, StoreFull."""
        self.scribe.allow("erase")
        with self.scribe.entering(fact, author):
            retention.write_rules(self._folder, self.items.name, rules)

    def most_sensitive(self, kind: str) -> dict[str, int]:
        """How sensitive the most sensitive turn or step of a conversation or run is, where it is at all."""
        return lineage.most_sensitive(self.items, kind)

    def shared_vectors(self, vectors: Collection[bytes], without: Collection[str]) -> set[bytes]:
        """Which of these vectors records other than these have too."""
        return lineage.shared_vectors(self.items, vectors, without)

    def resting_on(self, turn_ids: Collection[str]) -> list[str]:
        """The ids of contents and units that rest on any of these turns."""
        return lineage.resting_on(self.items, turn_ids)

    def relation_counts(self, end: str, ids: Collection[str]) -> dict[str, int]:
        """How many relations each of these cues or tags (`end` "cue_id", "tag_id") takes part in."""
        return lineage.relation_counts(self.items, end, ids)

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]:
        """(change row, record) of earlier versions of these records, and of what rested on them."""
        return lineage.concerned_images(self.items, ids)

    def quoting(self, content_ids: Collection[str]) -> list[str]:
        """The traces whose answer quotes any of these contents."""
        return lineage.quoting(self.runs.table, content_ids)

    def earlier_versions(self) -> set[tuple[str, str]]:
        """(change row, record) of everything that the journal keeps as it was."""
        return lineage.earlier_versions(self.items)

    def reasoned(self) -> set[str]:
        """The change rows that say who made the change, or why."""
        return lineage.reasoned(self.items)

    def trace_ids(self) -> set[str]:
        """The ids of all traces."""
        return {*self.runs.table.read(["trace_id"], "kind = 'header'").column("trace_id").to_pylist()}

    def edits_of(self, ids: Collection[str]) -> set[str]:
        """The change rows of edits that name any of these records."""
        return lineage.edits_of(self.items, ids)

    def leftovers(self) -> dict[str, int]:
        """What the tables hold beside their current rows (see purging); all 0 after an erasure."""
        found: dict[str, int] = {}
        for name, table in (("items", self.items), ("traces", self.runs.table)):
            found |= {f"{name} {k}": v for k, v in purging.leftovers(table)._asdict().items()}
        return found

    def older_files(self, than: datetime) -> tuple[int, list[str]]:
        """How many files the tables have, and those of before then: an erasure leaves none."""
        tables = (("items", self.items), ("traces", self.runs.table))
        files = [(f"{name}/{file}", when) for name, t in tables for file, when in purging.files_of(t)]
        return len(files), [file for file, when in files if when < than.timestamp()]

    def carried_out(self, erasure: str) -> bool:
        """Whether the erasure of this id is in the journal."""
        return is_id(erasure) and self.items.count(f"{CHANGES} AND group_id = '{erasure}'") > 0

    def erasures(self) -> set[str]:
        """The ids of all erasures that are in the journal: each has left a receipt."""
        rows = self.items.read(["group_id", "body"], CHANGES).to_pylist()
        return {r["group_id"] for r in rows if json.loads(r["body"])["event"]["kind"] == "erased"}

    def altered_receipts(self) -> list[str]:
        """The receipts that are not as they were written."""
        found = receipts.of_memory(self.receipts, self.called)
        return [told["id"] for told in found if not receipts.genuine(told, self._keyed.text)]

    def lost_receipts(self) -> list[str]:
        """The erasures of which there is no receipt any more."""
        there = {told["id"] for told in receipts.of_memory(self.receipts, self.called)}
        return sorted(self.erasures() - there)

    def scan_files(self, needles: Sequence[bytes]) -> scanning.Scanned:
        """Look for bytes in every file of this memory and beside it."""
        return scanning.scan_files(self._folder, (self.items, self.runs.table), needles)

    def scan_columns(self, words: Sequence[bytes], numbers: Sequence[bytes] = ()) -> scanning.Scanned:
        """Look for words and slices of vectors in every column as Lance reads it, earlier versions too."""
        return scanning.scan_columns((self.items, self.runs.table), words, numbers)

    def bytes(self) -> int:
        """Size on disk of the store that this memory is in."""
        return self._folder.bytes()

    def structure(self) -> str:
        """The words that files hold by themselves: names of columns, indexes, fields, kinds; rules."""
        return f"{scanning.structure((self.items, self.runs.table))} {retention.told(self._folder)}"

    @property
    def table(self) -> str:
        """The random part of its tables' names: how what lies beside them names this memory."""
        return self.scribe.scope

    @property
    def called(self) -> tuple[str, ...]:
        """All that a receipt may name this memory by; older ones bear its name."""
        return self.table, self.name

    def receipt_parts(self) -> set[tuple[str, str]]:
        """What receipts say of people: (receipt, part)."""
        return {(id_, part) for id_, part, _ in receipts.said(self.receipts, self.called)}

    def exports(self) -> Taken:
        """How often words of this memory left the store, and when last (see audit)."""
        return self.scribe.audit.taken(self.table)

    @property
    def receipts(self) -> Path:
        """Where the receipts of erasures lie."""
        return self._folder.path / RECEIPTS

    def tombstones(self) -> list[tombstones.Held]:
        """What erasures keep out of this memory, newest first."""
        return tombstones.listed(self.items)

    def lift(self, erasures: Collection[str]) -> int:
        """Let what these erasures took out be imported again; how many sources."""
        with self._folder.writing():
            found = {erasure: tombstones.of_erasures(self.items, [erasure]) for erasure in erasures}
            for erasure, ids in found.items():
                if ids:
                    event = Lifted(erasure, len(ids))
                    self._door.commit(
                        Change(event=event, inserts=(), upserts=(), deletes=ids, group=None, source_hashes={})
                    )
        return sum(map(len, found.values()))
