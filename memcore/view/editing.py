"""What a page shows of editing: fields with their extracted value, relations, and the names of nodes.

Pure view models over records, corrections and the graph. Every text in them is memory text: it is
neutralised where it is drawn, not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memcore.editing.corrections import Overlay, as_moment
from memcore.editing.fields import EDITABLE, Field
from memcore.graph import Graph
from memcore.records import Record, Relation, Value
from memcore.view.naming import content_name, human_time
from memcore.words import normalise


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


def editables(record: Record, overlay: Overlay) -> list[Editable]:
    """Everything that can be set on a node, in the order of its kind."""
    said = {c.slot: c for c in overlay.of(record.id)}
    found: list[Editable] = []
    for field in EDITABLE.get(record.kind, ()):
        correction = said.get(field.name)
        extracted = "" if correction is None else told(field.name, correction.extracted)
        found.append(Editable(field, getattr(record, field.name), extracted))
    return found


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
        if all(kind_of(graph, i) for i in r.triple)
    ]
    return sorted(found, key=lambda chip: (normalise(chip.cue), normalise(chip.tag), chip.content))


def distinct(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels by id with no two the same: a choice is known by its label."""
    seen: dict[str, int] = {}
    found: dict[str, str] = {}
    for id_, label in labels.items():
        seen[label] = seen.get(label, 0) + 1
        found[id_] = label if seen[label] == 1 else f"{label} ({seen[label]})"
    return found


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
