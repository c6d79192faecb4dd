"""What each edit comes to, as a draft: set, merge, split, delete, relate, resolve, add, in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memcore.editing import relations
from memcore.editing.corrections import as_moment, as_value
from memcore.editing.draft import Draft
from memcore.editing.edits import Delete, Merge, NodeKind, Relate, Resolve, Set, Split
from memcore.editing.fields import checked
from memcore.editing.plain import add, delete_marks, set_mark, set_plain
from memcore.errors import Collision, InputError
from memcore.records import Content, Correction, Cue, Moment, Record, Relation, Tag, Unit, Value, new_id
from memcore.words import normalise


def _set(draft: Draft, edit: Set) -> list[str]:
    value = checked(edit.record_kind, edit.field, edit.value)
    _SETS[edit.record_kind](draft, edit, value)
    return list(dict.fromkeys(edit.ids))


def _set_node(draft: Draft, edit: Set, value: Any) -> None:
    kind: NodeKind = "cue" if edit.record_kind == "cue" else "tag"
    if edit.field == "name":
        if len(edit.ids) != 1:
            raise InputError("Only one can have this name: rename them one by one, or merge them.")
        _rename(draft, kind, edit.ids[0], value)
        return
    for cue in draft.all_of(edit.ids, Cue):
        if getattr(cue, edit.field) == value:
            continue
        fields: dict[str, Any] = {edit.field: value}
        if edit.field == "cue_kind":
            fields["vector"] = draft.cue_vector(cue.name, value)
        draft.correction("cue", edit.field, cue.id, _plain(getattr(cue, edit.field)), _plain(value))
        draft.change(cue, **fields)


def _rename(draft: Draft, kind: NodeKind, id_: str, name: str) -> None:
    node = draft.nodes(kind, [id_])[0]
    other = draft.named(kind, name) or node.id
    if other != node.id:
        raise Collision(f"There is a {kind} of this name already: merge the two instead.", other, node.id)
    if name == node.name:
        return
    for c in draft.overlay.of(node.id):
        if c.slot in ("merged", "exists"):
            draft.change(c, corrected=name)
    if _read_since(draft, node):
        draft.correction(kind, "merged", node.id, node.name, name)
    if not draft.overlay.by_hand(node.id):
        draft.correction(kind, "name", node.id, node.name, name)
    vector = draft.cue_vector(name, node.cue_kind) if isinstance(node, Cue) else draft.vector(name)
    draft.change(node, name=name, key=normalise(name), vector=vector, made_by="person")


def _read_since(draft: Draft, node: Cue | Tag) -> bool:
    """Whether extraction may have read the name that a person gave: then that name, too, leads to the node
    wherever it goes."""
    given = [c for c in draft.overlay.of(node.id) if c.slot in ("name", "exists")]
    if not given or draft.overlay.leads(node.kind, node.key):
        return False
    return draft.shelf.extracted_since(min(c.recorded for c in given))


def _set_relation(draft: Draft, edit: Set, value: str) -> None:
    """Lead some relations through another tag, or from another cue, than the one they were read with."""
    end: NodeKind = "cue" if edit.field == "cue" else "tag"
    found = draft.all_of(edit.ids, Relation)
    relations.redirect(draft, found, end, draft.node(end, value))


def _set_content(draft: Draft, edit: Set, value: Any) -> None:
    for content in draft.all_of(edit.ids, Content):
        old = getattr(content, edit.field)
        if old == value:
            continue
        if edit.field == "layer":
            _refuse_made_up(draft, content, value)
        origin = content.origin[0] if content.origin else ""
        slot_values = _plain(old), _plain(value)
        draft.correction("content", edit.field, content.id, *slot_values, origin)
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


def _plain(value: Any) -> Value:
    return as_value(value) if isinstance(value, Moment) else int(value) if isinstance(value, bool) else value


# merge, split, delete, relate


def _merge(draft: Draft, edit: Merge) -> list[str]:
    sources = [i for i in dict.fromkeys(edit.ids) if i != edit.into]
    if not sources:
        raise InputError(f"Name at least one other {edit.record_kind} to merge into this one.")
    target = draft.nodes(edit.record_kind, [edit.into])[0]
    nodes = draft.nodes(edit.record_kind, sources)
    moved = draft.relations_of(*sources, end=f"{edit.record_kind}_id")
    relations.merge(draft, moved, edit.record_kind, target.id)
    for node in nodes:
        _leave(draft, node, "merged", target)
        draft.remove(node)
    return [*sources, target.id]


def _leave(draft: Draft, node: Cue | Tag, slot: str, target: Cue | Tag | None) -> None:
    """The names of a node that goes lead to another from now on, or nowhere."""
    shown, record_id = (target.name, target.id) if target else (None, node.id)
    for c in draft.overlay.of(node.id):
        if c.slot in ("name", "merged"):
            draft.change(c, slot=slot, corrected=shown, record_id=record_id)
        else:
            draft.remove(c)
    given = draft.overlay.by_hand(node.id) or draft.overlay.of(node.id, "name")
    if not given or _read_since(draft, node):
        draft.correction(node.kind, slot, record_id, node.name, shown)


def _split(draft: Draft, edit: Split) -> list[str]:
    name = checked(edit.record_kind, "name", edit.name)
    if other := draft.named(edit.record_kind, name):
        says = f"There is a {edit.record_kind} of this name already: choose another name."
        raise Collision(says, other, edit.id)
    found = draft.all_of(edit.relation_ids, Relation)
    if any(getattr(r, f"{edit.record_kind}_id") != edit.id for r in found):
        raise InputError(f"A relation of another {edit.record_kind} cannot be split off from this one.")
    source = draft.all_of([edit.id], Cue)[0] if edit.record_kind == "cue" else None
    made = draft.node(edit.record_kind, name, source.cue_kind if source else "topic")
    relations.redirect(draft, found, edit.record_kind, made)
    return [edit.id]


def _delete(draft: Draft, edit: Delete) -> list[str]:
    deleted = _DELETES.get(edit.record_kind)
    if deleted is None:
        raise InputError(f"A {edit.record_kind} cannot be deleted by an edit.")
    deleted(draft, edit.ids)
    return list(dict.fromkeys(edit.ids))


def _delete_nodes(draft: Draft, kind: NodeKind, ids: Sequence[str]) -> None:
    nodes = draft.nodes(kind, ids)
    relations.remove_with_end(draft, draft.relations_of(*ids, end=f"{kind}_id"))
    for node in nodes:
        _leave(draft, node, "removed", None)
        draft.remove(node)


def _delete_relations(draft: Draft, ids: Sequence[str]) -> None:
    relations.remove(draft, draft.all_of(ids, Relation))


def _delete_contents(draft: Draft, ids: Sequence[str]) -> None:
    contents = draft.all_of(ids, Content)
    relations.remove_with_end(draft, draft.relations_of(*ids, end="content_id"))
    for content in contents:
        origin = content.origin[0] if content.origin else ""
        for c in draft.overlay.of(content.id):
            draft.remove(c)
        draft.correction("content", "removed", content.id, draft.overlay.place(content), None, origin)
        draft.remove(content)
        if content.layer == "episode":
            _set_free(draft, content)


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
        _delete_contents(draft, written)


def _relate(draft: Draft, edit: Relate) -> list[str]:
    cue_name, tag_name = checked("cue", "name", edit.cue), checked("tag", "name", edit.tag)
    cue_kind = checked("cue", "cue_kind", edit.cue_kind)
    content = draft.all_of([edit.content_id], Content)[0]
    cue, tag = draft.node("cue", cue_name, cue_kind), draft.node("tag", tag_name)
    beside = draft.relations_of(content.id, end="content_id")
    if any((r.cue_id, r.tag_id) == (cue, tag) for r in beside):
        raise InputError("This relation is there already.")
    turn = content.origin[0] if content.origin else ""
    made = Relation(new_id(), cue, tag, content.id, turn, "person")
    draft.inserts[made.id] = made
    said: Value = (normalise(cue_name), normalise(tag_name), *draft.overlay.place(content))
    draft.correction("relation", "triple", made.id, None, said, turn)
    return [content.id, cue]


def _delete_cues(draft: Draft, ids: Sequence[str]) -> None:
    _delete_nodes(draft, "cue", ids)


def _delete_tags(draft: Draft, ids: Sequence[str]) -> None:
    _delete_nodes(draft, "tag", ids)


def _resolve(draft: Draft, edit: Resolve) -> list[str]:
    """Mine: it holds against what extraction says now. New: the correction ends. Both: a second memory."""
    correction = draft.all_of([edit.correction_id], Correction)[0]
    if correction.disputed is None:
        raise InputError("Extraction does not disagree with this correction.")
    record = draft.get([correction.record_id]).get(correction.record_id)
    if edit.choice == "both":
        _keep_both(draft, correction, record)
    if edit.choice == "new":
        _take_new(draft, correction, record)
    elif correction.disputed:
        draft.change(correction, extracted=correction.disputed, disputed=None)
    else:
        _keep_unsaid(draft, correction, record)
    return [edit.correction_id]


def _keep_both(draft: Draft, correction: Correction, record: Record | None) -> None:
    if correction.slot != "text" or not isinstance(record, Content) or not correction.disputed:
        raise InputError("Both cannot stand here: keep yours, or take what extraction says now.")
    text = str(correction.disputed)
    beside = replace(record, id=new_id(), text=text, made_by="rule", revision=1)
    draft.inserts[beside.id] = replace(beside, vector=draft.vector(beside.spoken))


def _take_new(draft: Draft, correction: Correction, record: Record | None) -> None:
    draft.remove(correction)
    if record is None:
        return
    if not correction.disputed:
        if isinstance(record, Content):
            _delete_contents(draft, [record.id])
        else:
            draft.remove(record)
    elif correction.slot == "text" and isinstance(record, Content):
        shown = replace(record, text=str(correction.disputed))
        draft.change(record, text=shown.text, vector=draft.vector(shown.spoken), made_by="rule")
    elif correction.slot == "event":
        draft.change(record, event=as_moment(correction.disputed))


def _keep_unsaid(draft: Draft, correction: Correction, record: Record | None) -> None:
    """Extraction says nothing here any more: what the person wrote stands as written by hand."""
    draft.change(correction, extracted=None, disputed=None)


_SETS: Mapping[str, Callable[[Draft, Set, Any], None]] = {
    "cue": _set_node,
    "tag": _set_node,
    "content": _set_content,
    "relation": _set_relation,
    "unit": set_plain,
    "run": set_plain,
    "step": set_plain,
    "mark": set_mark,
}
_DELETES: Mapping[str, Callable[[Draft, Sequence[str]], None]] = {
    "cue": _delete_cues,
    "tag": _delete_tags,
    "relation": _delete_relations,
    "content": _delete_contents,
    "mark": delete_marks,
}
PLANS: Mapping[str, Callable[[Draft, Any], list[str]]] = {
    "set": _set,
    "merge": _merge,
    "split": _split,
    "delete": _delete,
    "relate": _relate,
    "resolve": _resolve,
    "add": add,
}
