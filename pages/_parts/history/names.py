"""The records whose names stand in the titles of changes, as they were called then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcore.view.change_titles import named_in, turned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memcore.memory import Memory
    from memcore.store import ChangeRow
    from memcore.store.past import Stood


def named(memory: Memory, rows: Iterable[ChangeRow], by_group: Mapping[str, ChangeRow]) -> dict[str, Stood]:
    """What the titles of these changes name, and of those that undos and redos among them were of."""
    rows = list(rows)
    of = [by_group[group] for row in rows for group in turned(row) if group in by_group]
    return memory.stood(named_in([*rows, *of]))
