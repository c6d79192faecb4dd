"""Changes of a memory in words: what was done, by whom and why (see `before_after` for each record).

Nothing here reads a store: rows of the journal and records go in, sentences come out. An id is never
shown; what is gone is called so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from memcore.events import ChangeEvent, Edited
from memcore.records import (
    AgentRun,
    Content,
    Cue,
    File,
    Record,
    Relation,
    RunMark,
    Tag,
    Unit,
)
from memcore.view.naming import counted
from memcore.view.text import shorten

Sort = Literal["edit", "import", "undo", "redo", "extraction", "recurrence", "run", "repair", "erasure"]
SORTS: Mapping[str, Sort] = {
    "edited": "edit",
    "imported": "import",
    "runs_imported": "import",
    "ran": "run",
    "undone": "undo",
    "redone": "redo",
    "reextracted": "extraction",
    "reconsolidated": "recurrence",
    "repaired": "repair",
    "erased": "erasure",
    "lifted": "erasure",
}
SORT_NAMES: Mapping[Sort, str] = {
    "edit": "Edits",
    "import": "Imports",
    "undo": "Undos",
    "redo": "Redos",
    "extraction": "Extractions",
    "recurrence": "Consolidations",
    "run": "Agent runs",
    "repair": "Repairs",
    "erasure": "Erasures",
}
FIELDS = {
    "name": "name",
    "cue_kind": "kind",
    "pinned": "pin",
    "text": "text",
    "event": "time",
    "layer": "layer",
    "sensitivity": "sensitivity",
    "cue": "cue",
    "tag": "tag",
    "label": "cluster name",
    "title": "title",
    "summary": "summary",
    "note": "note",
    "dropped": "dropped",
}
_DONE = {
    "merge": "Merged",
    "split": "Split",
    "delete": "Deleted",
    "relate": "Added a relation to",
    "resolve": "Decided",
    "add": "Added",
    "several": "Changed",
}
_PLURAL = {
    "cue": "cues",
    "tag": "tags",
    "content": "memories",
    "relation": "relations",
    "correction": "corrections",
    "mark": "marks of runs",
}
SINGULAR = {
    "content": "memory",
    "mark": "mark of a run",
    "run": "agent run",
    "correction": "disputed correction",
}
NAME = 48


class Row(Protocol):
    """A row of the journal (see store.journal.ChangeRow)."""

    @property
    def group(self) -> str: ...

    @property
    def events(self) -> tuple[ChangeEvent, ...]: ...

    @property
    def when(self) -> datetime: ...

    @property
    def undone(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Sieve:
    """Which changes are wanted; what is empty does not filter. Days are those of UTC-aware `when`."""

    sorts: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    def __bool__(self) -> bool:
        return bool(self.sorts or self.authors or self.first or self.last)

    def passes(self, row: Row, day: date) -> bool:
        if self.sorts and sort_of(row) not in self.sorts:
            return False
        if self.authors and not set(self.authors).intersection(authors(row)):
            return False
        return (self.first or day) <= day <= (self.last or day)


def sort_of(row: Row) -> Sort:
    """What kind of change it is."""
    return SORTS[row.events[-1].kind]


def authors(row: Row) -> list[str]:
    """Who made an edit; of a replay, everybody whose corrections it holds."""
    return list(dict.fromkeys(e.author for e in row.events if e.kind == "edited" and e.author))


def reasons(row: Row) -> list[str]:
    """Why, in their own words."""
    return list(dict.fromkeys(e.reason for e in row.events if e.kind == "edited" and e.reason))


def named_in(rows: Iterable[Row]) -> list[str]:
    """Ids whose records `title` wants, with those of `ends_of`: what edits name first, and imported files."""
    ids: dict[str, None] = {}
    for row in rows:
        event = row.events[0]
        if event.kind == "edited":
            ids |= dict.fromkeys(event.ids[:3])
        elif event.kind == "imported" or event.kind == "runs_imported":
            ids[event.file_id] = None
        elif event.kind == "ran":
            ids[event.run_id] = None
    return list(ids)


def title(row: Row, records: Mapping[str, Record], rows: Mapping[str, Row] | None = None) -> str:
    """One line that says what was done. `rows` by group name what an undo or redo was of."""
    event = row.events[-1]
    edits = [e for e in row.events if e.kind == "edited"]
    if edits:
        alike = len({(e.action, e.record_kind, e.field, e.ids) for e in edits}) == 1
        return edited(edits[0], records) if alike else f"Carried out {counted(len(edits), 'correction')}"
    if event.kind == "undone" or event.kind == "redone":
        of = (rows or {}).get(event.group)
        verb = "Took back" if event.kind == "undone" else "Brought back"
        return f"{verb}: {title(of, records)}" if of else f"{verb} a change"
    if event.kind == "imported":
        file = records.get(event.file_id)
        name = f"“{shorten(file.name, NAME)}”" if isinstance(file, File) else "a file"
        turns = sum(e.turns for e in row.events if e.kind == "imported")
        return f"Imported {name}, {counted(turns, 'turn')}"
    if event.kind == "reconsolidated":
        made = counted(event.episodes, "episode")
        return (
            f"Consolidated {counted(event.units, 'unit')} anew from similarity {event.theta_sim:.2f}: {made}"
        )
    if event.kind == "runs_imported" or event.kind == "ran":
        return _of_runs(row, records)
    if event.kind == "reextracted":
        talks = len({e.conversation_id for e in row.events if e.kind == "reextracted"})
        return f"Read {counted(talks, 'conversation')} again"
    if event.kind == "erased":
        if event.redacted:
            return f"Redacted {counted(event.redacted, 'record')} for good"
        return f"Erased {counted(sum(n for _, n in event.gone) + event.traces, 'record')} for good"
    if event.kind == "lifted":
        return f"Lets {counted(event.sources, 'erased record')} be imported again"
    return "Repaired what a crash had left"


def _of_runs(row: Row, records: Mapping[str, Record]) -> str:
    """Agent runs that were imported from a file, or one that an agent recorded as it went."""
    first = row.events[0]
    if first.kind == "ran":
        run = records.get(first.run_id)
        return (
            f"Recorded the agent run {quoted(run)}" if isinstance(run, AgentRun) else "Recorded an agent run"
        )
    imported = [e for e in row.events if e.kind == "runs_imported"]
    file = records.get(imported[0].file_id)
    name = f"“{shorten(file.name, NAME)}”" if isinstance(file, File) else "a file"
    return f"Imported {name}, {counted(sum(e.runs for e in imported), 'agent run')}"


def edited(event: Edited, records: Mapping[str, Record]) -> str:
    """An edit in words: Set the name of the cue “Felix”."""
    kind = SINGULAR.get(event.record_kind, event.record_kind)
    names = [_named(records[i], records) for i in event.ids[:3] if i in records]
    one = f"the {kind} {names[0]}".rstrip() if names else f"a {kind} that is gone"
    if event.action == "relate":
        shown = next((quoted(r) for i in event.ids if isinstance(r := records.get(i), Content)), "")
        return f"Added a relation to the memory {shown}" if shown else "Added a relation"
    if event.action == "merge":
        others = counted(event.count - 1, event.record_kind, _PLURAL[event.record_kind])
        return f"Merged {others} into {names[-1]}" if names else f"Merged {others}"
    what = one if event.count == 1 else counted(event.count, kind, _PLURAL.get(event.record_kind, ""))
    if event.action == "set":
        field = FIELDS.get(event.field, event.field)
        return f"Changed the {field} of {what}"
    if event.action == "delete" and event.count == 1 and not names:
        return f"Deleted a {kind}"
    return f"{_DONE[event.action]} {what}"


def _named(record: Record, records: Mapping[str, Record]) -> str:
    if not isinstance(record, Relation):
        return quoted(record)
    cue, tag = (quoted(r) if (r := records.get(i)) else "something gone" for i in ends(record)[:2])
    return f"{cue} by {tag}"


def concerns(row: Row, ids: frozenset[str]) -> bool:
    """Whether a change was of one of these records, files or conversations."""
    return any(ids.intersection(_of(event)) for event in row.events)


def _of(event: ChangeEvent) -> tuple[str, ...]:
    if event.kind == "edited":
        return event.ids
    if event.kind == "imported" or event.kind == "runs_imported":
        return (event.file_id,)
    if event.kind == "ran":
        return (event.run_id,)
    return (event.conversation_id,) if event.kind == "reextracted" else ()


def quoted(record: Record) -> str:
    """The name or the beginning of the text, in quotation marks; "" for what has neither."""
    if isinstance(record, Cue | Tag | File):
        return f"“{shorten(record.name, NAME)}”"
    if isinstance(record, AgentRun | RunMark):
        name = record.title if isinstance(record, AgentRun) else record.summary
        return f"“{shorten(name, NAME)}”" if name else ""
    if isinstance(record, Unit):
        return f"“{shorten(record.label, NAME)}”" if record.label else f"{record.order:,}"
    return f"“{shorten(record.text, NAME)}”" if isinstance(record, Content) else ""


def ends_of(records: Iterable[Record]) -> list[str]:
    """The ids of cues, tags and contents that relations among these lead to."""
    return list(dict.fromkeys(i for r in records if isinstance(r, Relation) for i in ends(r)))


def ends(relation: Relation) -> tuple[str, str, str]:
    """Its cue, tag and content."""
    return relation.cue_id, relation.tag_id, relation.content_id
