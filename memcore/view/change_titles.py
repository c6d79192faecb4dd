"""A change in one line: what was done to what, in the names that held then (see `edit_titles` for edits).

An undo or a redo names what it was of. An id is never shown; what is gone without a trace is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memcore.records import AgentRun, File
from memcore.view.edit_titles import NOTHING, Stood, edited, named_by
from memcore.view.history import Row
from memcore.view.naming import counted
from memcore.view.privacy_words import amount
from memcore.view.record_words import quoted

_TURNED = {"undone": "Took back", "redone": "Brought back"}


def named_in(rows: Iterable[Row]) -> dict[str, list[str]]:
    """By group, the ids of the records that the titles of these changes name (see Memory.stood)."""
    return {row.group: _named(row) for row in rows}


def title(row: Row, stood: Mapping[str, Stood], rows: Mapping[str, Row] | None = None) -> str:
    """One line that says what was done. `rows` by group name what an undo or redo was of."""
    event = row.events[-1]
    if event.kind == "undone" or event.kind == "redone":
        of = (rows or {}).get(event.group)
        return f"{_TURNED[event.kind]}: {title(of, stood, rows)}" if of else f"{_TURNED[event.kind]} a change"
    return _TITLES[event.kind](row, stood.get(row.group, NOTHING))


def turned(row: Row) -> list[str]:
    """The changes that an undo or a redo was of, by group."""
    return [e.group for e in row.events if e.kind == "undone" or e.kind == "redone"]


def _named(row: Row) -> list[str]:
    event = row.events[0]
    if event.kind == "edited":
        return named_by(event)
    if event.kind == "imported" or event.kind == "runs_imported":
        return [event.file_id]
    return [event.run_id] if event.kind == "ran" else []


def _edits(row: Row, stood: Stood) -> str:
    """One edit; of a replay, how many corrections."""
    edits = [e for e in row.events if e.kind == "edited"]
    alike = len({(e.action, e.record_kind, e.field, e.ids) for e in edits}) == 1
    return edited(edits[0], stood) if alike else f"Carried out {counted(len(edits), 'correction')}"


def _imported(row: Row, stood: Stood) -> str:
    turns = sum(e.turns for e in row.events if e.kind == "imported")
    return f"Imported {_file(stood)}, {counted(turns, 'turn')}"


def _runs_imported(row: Row, stood: Stood) -> str:
    runs = sum(e.runs for e in row.events if e.kind == "runs_imported")
    return f"Imported {_file(stood)}, {counted(runs, 'agent run')}"


def _ran(row: Row, stood: Stood) -> str:
    run = next((r for r in stood.after.values() if isinstance(r, AgentRun)), None)
    return f"Recorded the agent run {quoted(run)}" if run else "Recorded an agent run"


def _reextracted(row: Row, stood: Stood) -> str:
    talks = len({e.conversation_id for e in row.events if e.kind == "reextracted"})
    return f"Read {counted(talks, 'conversation')} again"


def _reconsolidated(row: Row, stood: Stood) -> str:
    event: Any = row.events[-1]
    made = counted(event.episodes, "episode")
    return f"Consolidated {counted(event.units, 'unit')} anew from similarity {event.theta_sim:.2f}: {made}"


def _repaired(row: Row, stood: Stood) -> str:
    return "Repaired what a crash had left"


def _erased(row: Row, stood: Stood) -> str:
    event: Any = row.events[-1]
    if event.redacted:
        return f"Redacted {counted(event.redacted, 'record')} for good"
    gone = amount({**dict(event.gone), "trace": event.traces})
    if not gone:
        return f"Took words out of {counted(event.rewritten or event.images, 'record')} for good"
    return f"Erased {gone} for good"


def _lifted(row: Row, stood: Stood) -> str:
    event: Any = row.events[-1]
    return f"Lets {counted(event.sources, 'erased record')} be imported again"


def _file(stood: Stood) -> str:
    file = next((r for r in stood.after.values() if isinstance(r, File)), None)
    return quoted(file) if file else "a file"


_TITLES: Mapping[str, Callable[[Row, Stood], str]] = {
    "edited": _edits,
    "imported": _imported,
    "runs_imported": _runs_imported,
    "ran": _ran,
    "reextracted": _reextracted,
    "reconsolidated": _reconsolidated,
    "repaired": _repaired,
    "erased": _erased,
    "lifted": _lifted,
}
