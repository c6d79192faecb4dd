"""What an edit does and what follows from it, in plain sentences: the preview before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memcore.editing.edits import Edit, Plan
from memcore.editing.fields import EDITABLE
from memcore.editing.impact import Impact
from memcore.graph import Graph
from memcore.records import Content, Cue, Moment, Relation, Tag, Unit
from memcore.view.editing import kind_of, name_of
from memcore.view.naming import counted
from memcore.view.record_words import plain_value, record_words
from memcore.view.text import shorten

NAMED = 5  # nodes named in a sentence; the rest are counted
NAME = 48


def sentence(edit: Edit, plan: Plan, graph: Graph) -> str:
    """What an edit does, in one plain sentence; `plan` may be that of several edits."""
    says = _said(edit, plan, graph)
    return says[0].upper() + says[1:]


def _said(edit: Edit, plan: Plan, graph: Graph) -> str:
    many = counted(len(getattr(edit, "ids", ())), *record_words(edit.record_kind))
    if edit.action == "set":
        named = _named(graph, plan, edit.ids[0]) if len(edit.ids) == 1 else many
        if edit.field == "name":
            return f"{named} is now called {_value(edit.value)}."
        label = next((f.label for f in EDITABLE[edit.record_kind] if f.name == edit.field), edit.field)
        return f"{label} of {named}: {_value(edit.value)}."
    if edit.action == "merge":
        others = [i for i in edit.ids if i != edit.into]
        from_ = _few([_named(graph, plan, i) for i in others[:NAMED]], len(others))
        become = "becomes" if len(others) == 1 else "become"
        return f"{from_} {become} part of {_named(graph, plan, edit.into)}."
    if edit.action == "split":
        moved, go = (
            counted(len(edit.relation_ids), "relation"),
            "goes" if len(edit.relation_ids) == 1 else "go",
        )
        return f"{moved} of {_named(graph, plan, edit.id)} {go} to a new {edit.record_kind} “{edit.name}”."
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


def named_in(plan: Plan, impact: Impact) -> list[str]:
    """The ids of memories that `consequences` names: it wants their texts."""
    parts = (impact.unreachable, impact.reachable, impact.topics)
    return [*(i for part in parts for i in part[:NAMED]), *_gone(plan)[:NAMED]]


def consequences(plan: Plan, impact: Impact, graph: Graph, texts: Mapping[str, str]) -> list[str]:
    """What follows from it for how memories are reached, one sentence each. `texts` by id of the memories
    that are named: two said on one day look the same without."""
    made = [r for r in plan.inserts if isinstance(r, Cue | Tag)]
    gone = _gone(plan)
    moves = [(impact.added, "added"), (impact.moved, "moved"), (impact.removed, "removed")]
    said = [f"{counted(n, 'relation')} {verb}" for n, verb in moves if n]
    lines = [f"A new {r.kind} is made: “{shorten(r.name, NAME)}”." for r in made[:NAMED]]
    lines += [", ".join(said).capitalize() + "."] * bool(said)
    lines += [f"Removed: {_listed(graph, gone, texts)}."] * bool(gone)
    for ids, verb in (
        (impact.unreachable, "No cue leads any more to"),
        (impact.reachable, "A cue leads now, for the first time, to"),
        (impact.idle_cues, "Nothing is reached any more from"),
        (impact.idle_tags, "No longer used as a tag:"),
        (impact.topics, "Topics that rest on what changes:"),
    ):
        lines += [f"{verb} {_listed(graph, ids, texts)}."] * bool(ids)
    return lines or ["Every cue, tag and memory is reached as before."]


def joined(plan: Plan) -> list[str]:
    """The nodes at the ends of relations that a plan makes or moves: what is drawn besides, once saved."""
    relations = [r for r in (*plan.inserts, *plan.upserts) if isinstance(r, Relation)]
    return list(dict.fromkeys(i for r in relations for i in r.triple))


def _gone(plan: Plan) -> list[str]:
    removed = (plan.before.get(i) for i in plan.deletes)
    return [r.id for r in removed if isinstance(r, Cue | Tag | Content)]


def _value(value: Any) -> str:
    return plain_value(value) if isinstance(value, Moment | bool) else f"“{shorten(str(value), 160)}”"


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


def _listed(graph: Graph, ids: Sequence[str], texts: Mapping[str, str]) -> str:
    names = [f"“{shorten(texts.get(i) or name_of(graph, i), NAME)}”" for i in ids[:NAMED]]
    return _few(names, len(ids))


def _few(names: Sequence[str], of: int) -> str:
    """These names, and how many there are beside them."""
    more = of - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
