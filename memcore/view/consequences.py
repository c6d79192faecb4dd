"""What an edit does and what follows from it, in plain sentences: the preview before anything is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcore.editing.edits import Edit, Plan
from memcore.editing.fields import EDITABLE
from memcore.editing.impact import Impact
from memcore.graph import Graph
from memcore.records import Content, Cue, Moment, Relation, Tag, Unit
from memcore.view.editing import kind_of, name_of
from memcore.view.naming import counted, human_time
from memcore.view.text import shorten

NAMED = 5  # nodes named in a sentence; the rest are counted
NAME = 48
_KIND_WORDS = {
    "cue": "cue",
    "tag": "tag",
    "content": "memory",
    "relation": "relation",
    "unit": "unit",
    "run": "run",
    "mark": "mark of a run",
}
_PLURAL = {"content": "memories", "mark": "marks of runs"}


def sentence(edit: Edit, plan: Plan, graph: Graph) -> str:
    """What an edit does, in one plain sentence; `plan` may be that of several edits."""
    many = counted(len(getattr(edit, "ids", ())), *record_words(edit.record_kind))
    if edit.action == "set":
        named = _named(graph, plan, edit.ids[0]) if len(edit.ids) == 1 else many
        if edit.field == "name":
            return f"{named[0].upper()}{named[1:]} is now called {_value(edit.value)}."
        label = next((f.label for f in EDITABLE[edit.record_kind] if f.name == edit.field), edit.field)
        return f"{label} of {named}: {_value(edit.value)}."
    if edit.action == "merge":
        from_ = ", ".join(_named(graph, plan, i) for i in edit.ids[:NAMED] if i != edit.into)
        return f"{from_} becomes part of {_named(graph, plan, edit.into)}."
    if edit.action == "split":
        moved = counted(len(edit.relation_ids), "relation")
        return f"{moved} of {_named(graph, plan, edit.id)} go to a new {edit.record_kind} “{edit.name}”."
    if edit.action == "delete":
        named = _named(graph, plan, edit.ids[0]) if len(edit.ids) == 1 else many
        return f"Delete {named}."
    if edit.action == "relate":
        return f"Lead from “{edit.cue}” through “{edit.tag}” to {_named(graph, plan, edit.content_id)}."
    if edit.action == "add":
        return f"Add a mark to the run after step {edit.mark.after:,}."
    return {"mine": "Keep what was corrected.", "new": "Take what extraction says now."}.get(
        edit.choice, "Keep both, as two memories."
    )


def consequences(plan: Plan, impact: Impact, graph: Graph) -> list[str]:
    """What follows from it for how memories are reached, one sentence each."""
    made = [r for r in plan.inserts if isinstance(r, Cue | Tag)]
    gone = [r for i in plan.deletes if isinstance(r := plan.before.get(i), Cue | Tag | Content)]
    moves = [(impact.added, "added"), (impact.moved, "moved"), (impact.removed, "removed")]
    said = [f"{counted(n, 'relation')} {verb}" for n, verb in moves if n]
    lines = [f"A new {r.kind} is made: “{shorten(r.name, NAME)}”." for r in made[:NAMED]]
    lines += [", ".join(said).capitalize() + "."] * bool(said)
    lines += [f"Removed: {_listed(graph, [r.id for r in gone])}."] * bool(gone)
    for ids, verb in (
        (impact.unreachable, "No cue leads any more to"),
        (impact.reachable, "A cue leads now, for the first time, to"),
        (impact.idle_cues, "Nothing is reached any more from"),
        (impact.idle_tags, "No longer used as a tag:"),
        (impact.topics, "Topics that rest on what changes:"),
    ):
        lines += [f"{verb} {_listed(graph, ids)}."] * bool(ids)
    return lines or ["Every cue, tag and memory is reached as before."]


def joined(plan: Plan) -> list[str]:
    """The nodes at the ends of relations that a plan makes or moves: what is drawn besides, once saved."""
    relations = [r for r in (*plan.inserts, *plan.upserts) if isinstance(r, Relation)]
    return list(dict.fromkeys(i for r in relations for i in (r.cue_id, r.tag_id, r.content_id)))


def record_words(record_kind: str) -> tuple[str, str]:
    """What a kind of record is called: one, and several (an empty plural takes an s)."""
    return _KIND_WORDS.get(record_kind, "record"), _PLURAL.get(record_kind, "")


def _value(value: Any) -> str:
    if isinstance(value, Moment):
        return human_time(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"“{shorten(str(value), 160)}”"


def _named(graph: Graph, plan: Plan, id_: str) -> str:
    record = plan.before.get(id_)
    if isinstance(record, Relation):
        return f"the relation {name_of(graph, record.cue_id)} — {name_of(graph, record.tag_id)}"
    if isinstance(record, Unit):
        return f"the cluster that began with unit {record.order:,}"
    name = name_of(graph, id_)
    if isinstance(record, Content):
        return f"the memory {name}: “{shorten(record.text, NAME)}”"
    return f"the {record_words(kind_of(graph, id_))[0]} “{name}”"


def _listed(graph: Graph, ids: Sequence[str]) -> str:
    names = ", ".join(f"“{shorten(name_of(graph, i), NAME)}”" for i in ids[:NAMED])
    more = len(ids) - NAMED
    return f"{names} and {more:,} more" if more > 0 else names
