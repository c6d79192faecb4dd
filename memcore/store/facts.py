"""What the audit enters of a commit: how much it wrote and deleted, what that meant, and of what it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memcore.audit import Changed, Id
from memcore.events import ChangeEvent
from memcore.store.tables import is_id

_MEANT: Mapping[str, Callable[[Any], int]] = {
    "imported": lambda e: e.turns,
    "runs_imported": lambda e: e.runs,
    "ran": lambda e: e.records,
    "edited": lambda e: e.count,
    "reextracted": lambda e: e.made,
    "reconsolidated": lambda e: e.units,
    "repaired": lambda e: sum(number for _, number in e.found),
    "erased": lambda e: sum(number for _, number in e.gone),
    "lifted": lambda e: e.sources,
}
_NAMES_IT = ("erasure", "group", "file_id", "run_id", "conversation_id")


def changed(event: ChangeEvent, commit: int, group: Id, counts: tuple[int, int]) -> Changed:
    """The fact of a commit that writes and deletes so many rows."""
    meant = _MEANT[event.kind](event) if event.kind in _MEANT else 0
    of = next((i for name in _NAMES_IT if is_id(i := getattr(event, name, ""))), "")
    return Changed(event.kind, commit, group, *counts, meant, of)
