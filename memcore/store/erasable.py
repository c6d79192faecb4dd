# pyright: basic
"""What erasing asks of a scope: its texts, what rests on what, taking rows out, looking through the disk."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from memcore.events import ChangeEvent, Lifted
from memcore.store import holdings, lineage, purging, removal, scanning, tombstones
from memcore.store.commit import Change, Stamp, WriteDoor
from memcore.store.folder import RECEIPTS, Folder
from memcore.store.keyed import KeyedHash
from memcore.store.tables import Table
from memcore.store.traces import Traces


class Erasable:
    """The part of a `Scope` that only an erasure needs (see removal and purging)."""

    items: Table
    runs: Traces
    _folder: Folder
    _keyed: KeyedHash
    _door: WriteDoor

    def holdings(self) -> Iterator[holdings.Holding]:
        """Every piece of text in this memory, earlier versions, reasons and questions included."""
        return holdings.holdings(self.items, self.runs.table)

    def distinct_texts(self, without: removal.Removal | None = None) -> dict[str, str]:
        """Every different text and where it stands; without what a removal would take out."""
        return holdings.distinct(self.items, self.runs.table, without)

    def remove(self, removed: removal.Removal, event: ChangeEvent, group: str) -> Iterator[removal.Stage]:
        """Erase for good. Once the first step is done it will be carried out, even after a crash.

        Raises StoreBusy, StoreFull.
        """
        with self._folder.writing():
            stamp = Stamp(self._door.seq() + 1, group)
            removal.prepare(self._door, self.runs.table, removed, stamp, event, self._keyed.terms_of)
            yield from removal.complete(self._folder, self.items.db)

    def resting_on(self, turn_ids: Collection[str]) -> list[str]:
        """The ids of contents and units that rest on any of these turns."""
        return lineage.resting_on(self.items, turn_ids)

    def relation_counts(self, end: str, ids: Collection[str]) -> dict[str, int]:
        """How many relations each of these cues or tags (`end` "cue_id", "tag_id") takes part in."""
        return lineage.relation_counts(self.items, end, ids)

    def concerned_images(self, ids: Collection[str]) -> set[tuple[str, str]]:
        """(change row, record) of earlier versions of these records, and of what rested on them."""
        return lineage.concerned_images(self.items, ids)

    def edits_of(self, ids: Collection[str]) -> set[str]:
        """The change rows of edits that name any of these records."""
        return lineage.edits_of(self.items, ids)

    def leftovers(self) -> dict[str, int]:
        """What the tables hold beside their current rows (see purging); all 0 after an erasure."""
        found: dict[str, int] = {}
        for name, table in (("items", self.items), ("traces", self.runs.table)):
            found |= {f"{name} {k}": v for k, v in purging.leftovers(table)._asdict().items()}
        return found

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
        """The words that the tables' files hold by themselves: names of columns, indexes, fields, kinds."""
        return scanning.structure((self.items, self.runs.table))

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
