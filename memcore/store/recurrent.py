# pyright: basic, reportAttributeAccessIssue=false
"""What recurrence asks of a scope: its units, what was consolidated from them, and the thresholds."""

from __future__ import annotations

import pyarrow.compute as pc

from memcore.records import Calibration, Content, Unit, Version
from memcore.store.readable import Readable
from memcore.store.rows import from_rows, read_columns
from memcore.store.tables import is_id


class Recurrent(Readable):
    """The part of a `Scope` that tells of units, episodes and facts."""

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
