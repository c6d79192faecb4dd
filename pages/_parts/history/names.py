"""The records whose names stand in the titles of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcore.view.history import ends_of, named_in

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Record
    from memcore.store import ChangeRow


def named(memory: Memory, rows: list[ChangeRow]) -> dict[str, Record]:
    """The records that the titles of these changes name."""
    found = memory.get(named_in(rows))
    return found | memory.get(ends_of(found.values()))
