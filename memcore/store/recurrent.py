# pyright: basic, reportAttributeAccessIssue=false
"""What recurrence asks of a scope: its units, what was consolidated from them, and the thresholds."""

from __future__ import annotations

import pyarrow.compute as pc

from memcore.records import Calibration, Content, Unit, Version
from memcore.store.readable import Readable
from memcore.store.rows import columns_of, from_rows
from memcore.store.tables import is_id


class Recurrent(Readable):
    """The part of a `Scope` that tells of units, episodes and facts."""

    def units(self) -> list[Unit]:
        """All units in the order of their arrival, with their decisions and vectors."""
        return sorted(self._all(Unit), key=lambda u: u.order)

    def compared_units(self) -> list[Unit]:
        """The units that new ones are compared with or wait beside, without their decisions."""
        columns = [c for c in columns_of(self.items.schema, "unit") if c != "body"]
        live = from_rows(self.items.read(columns, "kind = 'unit' AND subkind = 'live'"))
        waiting = self._all(Unit, "subkind = 'pending'")
        return [*(r for r in live if isinstance(r, Unit)), *waiting]

    def last_unit(self) -> int:
        """The number of the unit that arrived last, 0 before the first."""
        return pc.max(self.items.read(["span_start"], "kind = 'unit'").column("span_start")).as_py() or 0

    def derived(self) -> list[Content]:
        """Episodes and facts in the order in which they were made; those that came of units name them."""
        return self._all(Content, "subkind IN ('episode', 'fact')", ("made", "position"))

    def calibration(self) -> Calibration | None:
        """The thresholds this scope was calibrated to, None while nobody did."""
        return max(self._all(Calibration), key=lambda c: c.recorded, default=None)

    def versions(self, content_id: str) -> list[Version]:
        """An episode as it was before each merge, oldest first."""
        if not is_id(content_id):
            return []
        found = self._all(Version, f"content_id = '{content_id}'")
        return sorted(found, key=lambda v: v.content_revision)

    def all_versions(self) -> list[Version]:
        """Every earlier version of every episode."""
        return self._all(Version)
