"""What edits of contents come to: a field set, a relation added, some deleted and what rested under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memcore.editing import relations
from memcore.editing.corrections import as_value
from memcore.editing.draft import Draft
from memcore.editing.edits import Relate, Set
from memcore.editing.fields import checked
from memcore.errors import InputError
from memcore.records import Content, Relation, Unit, Value, new_id
from memcore.words import normalise


def set_content(draft: Draft, edit: Set, value: Any) -> None:
    """One field of contents; with another text goes another vector."""
    for content in draft.all_of(edit.ids, Content):
        old = getattr(content, edit.field)
        if old == value:
            continue
        if edit.field == "layer":
            _refuse_made_up(draft, content, value)
        slot_values = as_value(old), as_value(value)
        draft.correction("content", edit.field, content.id, *slot_values, content.first_turn)
        fields: dict[str, Any] = {edit.field: value}
        if edit.field == "text":
            shown = replace(content, text=value)
            fields |= {"vector": draft.vector(shown.spoken), "made_by": "person"}
        draft.change(content, **fields)


def _refuse_made_up(draft: Draft, content: Content, layer: str) -> None:
    """An episode is told of units or by a model; a memory that is neither would count as one of nothing, and
    units whose episode became another would rest under nothing."""
    if layer == "episode" and draft.overlay.extracted(content).layer != "episode":
        raise InputError("An episode sums up what was said more than once: no other memory can become one.")
    if content.layer == "episode" and content.units:
        raise InputError("An episode that sums up what recurred stays one: delete it to set that free again.")


def relate(draft: Draft, edit: Relate) -> list[str]:
    """A relation added by hand, with its cue and its tag where there are none of these names."""
    cue_name, tag_name = checked("cue", "name", edit.cue), checked("tag", "name", edit.tag)
    cue_kind = checked("cue", "cue_kind", edit.cue_kind)
    content = draft.all_of([edit.content_id], Content)[0]
    cue, tag = draft.node("cue", cue_name, cue_kind), draft.node("tag", tag_name)
    beside = draft.relations_of(content.id, end="content_id")
    if any((r.cue_id, r.tag_id) == (cue, tag) for r in beside):
        raise InputError("This relation is there already.")
    made = Relation(new_id(), cue, tag, content.id, content.first_turn, "person")
    draft.inserts[made.id] = made
    said: Value = (normalise(cue_name), normalise(tag_name), *draft.overlay.place(content))
    draft.correction("relation", "triple", made.id, None, said, content.first_turn)
    return [content.id, cue]


def delete_contents(draft: Draft, ids: Sequence[str]) -> None:
    """Contents, with their relations and corrections; extraction does not say them again. What was written by
    hand has no place there, or shares it with what is read."""
    for content in let_go(draft, ids):
        if draft.overlay.by_hand(content.id):
            continue
        place = draft.overlay.place(content)
        draft.correction("content", "removed", content.id, place, None, content.first_turn)


def let_go(draft: Draft, ids: Sequence[str]) -> list[Content]:
    """The same contents, but extraction may say them again."""
    contents = draft.all_of(ids, Content)
    relations.remove_with_end(draft, draft.relations_of(*ids, end="content_id"))
    for content in contents:
        for c in draft.overlay.of(content.id):
            draft.remove(c)
        draft.remove(content)
        if content.layer == "episode":
            _set_free(draft, content)
    return contents


def _set_free(draft: Draft, episode: Content) -> None:
    """Units that rest under no other episode are live again: nobody loses what was said. Facts that came of
    the episode are again what extraction said, or go where only a writer said them."""
    units = [u for u in draft.get(episode.units).values() if isinstance(u, Unit)]
    for unit in units:
        if {*unit.episodes} <= {episode.id, *draft.deletes}:
            draft.change(unit, state="live", episodes=())
    facts = draft.get(f for u in units if u.decision for f in u.decision.facts).values()
    came = [f for f in facts if isinstance(f, Content) and f.episode_id == episode.id]
    for fact in came:
        if fact.span is not None:
            draft.change(fact, units=(), episode_id="")
    if written := [f.id for f in came if f.span is None]:
        delete_contents(draft, written)
