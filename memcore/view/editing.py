"""What a page shows of editing: fields with their extracted value, corrections, and an impact in words.

Pure view models over records, corrections and the graph. Every text in them is memory text: it is
neutralised where it is drawn, not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, Literal, NamedTuple, get_args

from memcore.editing.corrections import Overlay, as_moment
from memcore.editing.edits import Set
from memcore.editing.fields import EDITABLE, Field
from memcore.errors import InputError
from memcore.graph import Graph
from memcore.importing.times import moment
from memcore.records import UNKNOWN, Correction, CueKind, Moment, Record, Relation, Value
from memcore.view.naming import content_name, human_time
from memcore.view.times import instant
from memcore.words import normalise

LONGEST_DIFF = 4000  # characters beyond which words are not compared one by one
CUE_KINDS: tuple[str, ...] = get_args(CueKind)
_KIND_WORDS = {"cue": "cue", "tag": "tag", "content": "memory", "relation": "relation"}
_SLOTS = {
    "name": "Name", "cue_kind": "Kind", "pinned": "Pinned", "text": "Text", "event": "Happened",
    "layer": "Layer", "sensitivity": "Sensitivity", "triple": "Relation", "merged": "Merged in",
    "exists": "Added by hand", "removed": "Removed",
}  # fmt: skip


class Editable(NamedTuple):
    """A field of a node as a form shows it, and what extraction had said where that is something else."""

    field: Field
    value: Any
    extracted: str


class Chip(NamedTuple):
    """A relation as it is read: the names of its cue, tag and content."""

    id: str
    revision: int
    cue: str
    tag: str
    content: str
    tag_id: str
    content_id: str
    by_hand: bool


class Difference(NamedTuple):
    """One correction: what of which node it is about, before and after, by whom, when and why.

    `disputed` is what extraction says now; None where it does not disagree. `both` whether both can stand.
    `node` is the record that shows it.
    """

    id: str
    revision: int
    what: str
    before: str
    after: str
    by: str
    when: str
    why: str
    disputed: str | None
    both: bool
    node: str


def editables(record: Record, overlay: Overlay) -> list[Editable]:
    """Everything that can be set on a node, in the order of its kind."""
    said = {c.slot: c for c in overlay.of(record.id)}
    found: list[Editable] = []
    for field in EDITABLE.get(record.kind, ()):
        correction = said.get(field.name)
        extracted = "" if correction is None else told(field.name, correction.extracted)
        found.append(Editable(field, getattr(record, field.name), extracted))
    return found


def chips(relations: Iterable[Relation], graph: Graph) -> list[Chip]:
    """Relations with the names of their ends, by cue and tag; those whose ends are gone are left out."""
    found = [
        Chip(
            r.id,
            r.revision,
            name_of(graph, r.cue_id),
            name_of(graph, r.tag_id),
            name_of(graph, r.content_id),
            r.tag_id,
            r.content_id,
            r.made_by == "person",
        )
        for r in relations
        if {r.cue_id, r.tag_id, r.content_id} <= _ids(graph, r)
    ]
    return sorted(found, key=lambda chip: (normalise(chip.cue), normalise(chip.tag), chip.content))


def differences(
    corrections: Iterable[Correction], graph: Graph, zone: str = "", limit: int = 20
) -> list[Difference]:
    """The latest corrections as before and after, the latest first."""
    ordered = sorted(corrections, key=lambda c: c.recorded, reverse=True)[:limit]
    return [_difference(_with_names(c, graph), zone) for c in ordered]


def distinct(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels by id with no two the same: a choice is known by its label."""
    seen: dict[str, int] = {}
    found: dict[str, str] = {}
    for id_, label in labels.items():
        seen[label] = seen.get(label, 0) + 1
        found[id_] = label if seen[label] == 1 else f"{label} ({seen[label]})"
    return found


def about(overlay: Overlay, ids: Iterable[str]) -> list[Correction]:
    """The corrections of a node and of its relations; `ids` are theirs."""
    return [c for id_ in dict.fromkeys(ids) for c in overlay.of(id_)]


def disputed(overlay: Overlay) -> list[Correction]:
    """The corrections with which the latest extraction disagrees."""
    return [c for c in overlay.all if c.disputed is not None]


def edited_nodes(overlay: Overlay, shown: Iterable[str], relations: Iterable[Relation]) -> set[str]:
    """The nodes that carry the edited badge: what was corrected, and memories with corrected relations."""
    known = set(shown)
    corrected = {c.record_id for c in overlay.all}
    led = {r.content_id for r in relations if r.id in corrected}
    return (corrected | led) & known


def _difference(c: Correction, zone: str) -> Difference:
    return Difference(
        c.id,
        c.revision,
        _SLOTS.get(c.slot, c.slot),
        told(c.slot, c.extracted) if c.extracted is not None else "",
        told(c.slot, c.corrected) if c.corrected is not None else "",
        c.author,
        instant(c.recorded, zone),
        c.reason,
        None if c.disputed is None else told(c.slot, c.disputed) or "nothing any more",
        c.slot == "text" and bool(c.disputed),
        c.record_id,
    )


def _with_names(c: Correction, graph: Graph) -> Correction:
    """A relation is kept by the keys of its ends; it is read by their names, where they still have any."""
    if c.slot != "triple":
        return c
    extracted, corrected, disputed = (
        _named(value, graph) for value in (c.extracted, c.corrected, c.disputed)
    )
    return replace(c, extracted=extracted, corrected=corrected, disputed=disputed)


def _named(value: Value, graph: Graph) -> Value:
    if not isinstance(value, tuple):
        return value
    c, cue, tag = graph.columns, str(value[0]), str(value[1])
    at = graph.cue_keys.get(cue)
    cue = cue if at is None else c.cue_names[at]
    return cue, c.tag_names[c.tag_keys.index(tag)] if tag in c.tag_keys else tag


def told(slot: str, value: Value) -> str:
    """A value of a correction as a person reads it."""
    if slot == "event":
        return human_time(as_moment(value))
    if slot == "triple" and isinstance(value, tuple):
        return " — ".join(str(part) for part in value[:2])
    if slot == "removed" and isinstance(value, tuple):
        return f"the {value[0]}"
    if slot == "pinned":
        return "yes" if value else "no"
    return "" if value is None else str(value)


Word = tuple[Literal["same", "gone", "new"], str]


def changed_words(before: str, after: str) -> list[Word]:
    """The words that went, came and stayed, in reading order; both whole where they are long."""
    if len(before) + len(after) > LONGEST_DIFF:
        return [("gone", before), ("new", after)]
    old, new = before.split(), after.split()
    found: list[Word] = []
    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            found.append(("same", " ".join(old[a:b])))
            continue
        if b > a:
            found.append(("gone", " ".join(old[a:b])))
        if d > c:
            found.append(("new", " ".join(new[c:d])))
    return found


# times, typed as text


def typed_moment(text: str) -> Moment:
    """A time as a person types it: a day, a month, a year, an instant, "A to B", or nothing for unknown.

    Raises InputError for a text that states no time.
    """
    text = text.strip()
    if not text or text.casefold() == "unknown":
        return UNKNOWN
    parts = [moment(part) for part in text.split(" to ", 1)]
    if not all(part.known for part in parts):
        raise InputError("Write a time like 2023-05-03, May 2023, 2023, or 2023-05-01 to 2023-05-07.")
    if len(parts) == 1:
        return parts[0]
    return Moment(parts[0].start, parts[1].end, "day", parts[0].zoned)


def as_typed(when: Moment) -> str:
    """A time as it can be typed again; "" for an unknown one."""
    if when.start is None or when.end is None:
        return ""
    if when.precision == "instant":
        return f"{when.start:%Y-%m-%d %H:%M:%S}" + ("Z" if when.zoned else "")
    if when.precision in ("month", "year"):
        return f"{when.start:%Y-%m}" if when.precision == "month" else f"{when.start:%Y}"
    first, last = f"{when.start:%Y-%m-%d}", f"{when.end:%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


def name_of(graph: Graph, id_: str) -> str:
    """What a node is called where there is little room."""
    if id_ in graph.cue_index:
        return graph.columns.cue_names[graph.cue_index[id_]]
    if id_ in graph.tag_index:
        return graph.columns.tag_names[graph.tag_index[id_]]
    return content_name(graph, id_)


def kind_of(graph: Graph, id_: str) -> str:
    """cue, tag or content; "" for what is no node."""
    kinds = (("cue", graph.cue_index), ("tag", graph.tag_index), ("content", graph.content_index))
    return next((kind for kind, index in kinds if id_ in index), "")


def deduplicated(names: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """Names typed as chips: those that differ only in case or form are one, written as the known one is."""
    found: dict[str, str] = {}
    for name in names:
        key = normalise(name)
        found.setdefault(key, known.get(key, name))
    return list(found.values())


def _ids(graph: Graph, r: Relation) -> set[str]:
    return {i for i in (r.cue_id, r.tag_id, r.content_id) if kind_of(graph, i)}


# cells of a table, edited in place

COLUMNS = {"cue": {"name": "name", "kind of cue": "cue_kind", "pinned": "pinned"},
           "tag": {"name": "name"},
           "content": {"name": "text", "pinned": "pinned"}}  # fmt: skip


def cells(record: Record) -> dict[str, Any]:
    """A node as a row that can be edited: its name or text, kind of cue, and whether it is pinned."""
    fields = COLUMNS.get(record.kind, {})
    row: dict[str, Any] = {column: getattr(record, field) for column, field in fields.items()}
    kind = str(getattr(record, "layer", record.kind))
    return {"kind": kind.capitalize(), "name": "", "kind of cue": None, "pinned": None} | row


def cell_edits(records: Sequence[Record], changed: Mapping[int, Mapping[str, Any]]) -> list[Set]:
    """What was typed into a table as edits: one per name or text, one for all cells given the same choice."""
    alone: list[Set] = []
    together: dict[tuple[str, str, Any], list[str]] = {}
    for row, values in sorted(changed.items()):
        record = records[row]
        for column, value in values.items():
            field = COLUMNS[record.kind].get(column, column)
            typed = "" if value is None and column == "name" else value
            if typed == getattr(record, field, None):
                continue
            if column == "name":
                alone.append(Set(record.kind, (record.id,), field, typed))
            else:
                together.setdefault((record.kind, field, typed), []).append(record.id)
    return [*alone, *(Set(k, tuple(ids), f, v) for (k, f, v), ids in together.items())]
