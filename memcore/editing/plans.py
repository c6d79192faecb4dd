"""What each edit comes to, as a draft: set, merge, split, delete, relate, resolve, in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memcore.editing.corrections import as_moment, as_value
from memcore.editing.draft import Draft
from memcore.editing.edits import Delete, Merge, NodeKind, Relate, Resolve, Set, Split
from memcore.editing.fields import checked
from memcore.errors import Collision, InputError
from memcore.records import Content, Correction, Cue, Moment, Record, Relation, Tag, Value, new_id
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
    key = normalise(name)
    other = (draft.names.cues if kind == "cue" else draft.names.tags).get(key, node.id)
    if other != node.id:
        raise Collision(f"There is a {kind} of this name already: merge the two instead.", other)
    if name == node.name:
        return
    for c in draft.overlay.of(node.id):
        if c.slot in ("merged", "exists"):
            draft.change(c, corrected=name)
    if not draft.by_hand(node.id):
        draft.correction(kind, "name", node.id, node.name, name)
    vector = draft.cue_vector(name, node.cue_kind) if isinstance(node, Cue) else draft.vector(name)
    draft.change(node, name=name, key=key, vector=vector, made_by="person")


def _set_relation(draft: Draft, edit: Set, value: str) -> None:
    """Lead some relations through another tag, or from another cue, than the one they were read with."""
    _move(draft, draft.all_of(edit.ids, Relation), "cue" if edit.field == "cue" else "tag", value)


def _move(draft: Draft, relations: Sequence[Relation], end: NodeKind, name: str, to: str = "") -> None:
    """Change one end of relations. One that would say what another says already is removed.

    Without a `name` (a merge) no correction is needed: the merged name itself leads to the other node.
    """
    node = to or draft.node(end, name)
    there = _triples(draft, relations)
    said = _said(draft, relations) if name else {}
    for r in relations:
        triple = (node, r.tag_id, r.content_id) if end == "cue" else (r.cue_id, node, r.content_id)
        if getattr(r, f"{end}_id") == node:
            continue
        if name:
            cue, tag, *place = said[r.id]
            key = normalise(name)
            _correct_triple(draft, r, said[r.id], (key, tag, *place) if end == "cue" else (cue, key, *place))
        if triple in there:
            draft.remove(r)
        else:
            there.add(triple)
            changed: dict[str, Any] = {"made_by": "person"} if name else {}
            draft.change(r, **{f"{end}_id": node}, **changed)


def _triples(draft: Draft, relations: Sequence[Relation]) -> set[tuple[str, str, str]]:
    contents = dict.fromkeys(r.content_id for r in relations)
    beside = draft.shelf.relations_of(*contents, end="content_id")
    return {(r.cue_id, r.tag_id, r.content_id) for r in beside}


def _said(draft: Draft, relations: Sequence[Relation]) -> dict[str, tuple[str | int | None, ...]]:
    """Each relation as a correction says it: the names of its cue and tag, and the place of its content."""
    ids = dict.fromkeys(i for r in relations for i in (r.cue_id, r.tag_id, r.content_id))
    found = draft.shelf.get(ids)
    keys = {i: n.key for i, n in found.items() if isinstance(n, Cue | Tag)}
    places = {i: draft.overlay.place(c) for i, c in found.items() if isinstance(c, Content)}
    return {r.id: (keys.get(r.cue_id), keys.get(r.tag_id), *places.get(r.content_id, ())) for r in relations}


def _correct_triple(draft: Draft, relation: Relation, before: Value, after: Value) -> None:
    extracted = None if draft.by_hand(relation.id) else before
    draft.correction("relation", "triple", relation.id, extracted, after, relation.turn_id)


def _set_content(draft: Draft, edit: Set, value: Any) -> None:
    for content in draft.all_of(edit.ids, Content):
        old = getattr(content, edit.field)
        if old == value:
            continue
        origin = content.origin[0] if content.origin else ""
        slot_values = _plain(old), _plain(value)
        draft.correction("content", edit.field, content.id, *slot_values, origin)
        fields: dict[str, Any] = {edit.field: value}
        if edit.field == "text":
            shown = replace(content, text=value)
            fields |= {"vector": draft.vector(shown.spoken), "made_by": "person"}
        draft.change(content, **fields)


def _plain(value: Any) -> Value:
    return as_value(value) if isinstance(value, Moment) else int(value) if isinstance(value, bool) else value


# merge, split, delete, relate


def _merge(draft: Draft, edit: Merge) -> list[str]:
    sources = [i for i in dict.fromkeys(edit.ids) if i != edit.into]
    if not sources:
        raise InputError(f"Name at least one other {edit.record_kind} to merge into this one.")
    target = draft.nodes(edit.record_kind, [edit.into])[0]
    nodes = draft.nodes(edit.record_kind, sources)
    relations = draft.shelf.relations_of(*sources, end=f"{edit.record_kind}_id")
    _move(draft, relations, edit.record_kind, "", to=target.id)
    for node in nodes:
        for c in draft.overlay.of(node.id):
            if c.slot in ("name", "merged"):
                draft.change(c, slot="merged", corrected=target.name, record_id=target.id)
            else:
                draft.remove(c)
        if not draft.by_hand(node.id) and not draft.overlay.of(node.id, "name"):
            draft.correction(edit.record_kind, "merged", target.id, node.name, target.name)
        draft.remove(node)
    return [*sources, target.id]


def _split(draft: Draft, edit: Split) -> list[str]:
    name = checked(edit.record_kind, "name", edit.name)
    named = draft.names.cues if edit.record_kind == "cue" else draft.names.tags
    if other := named.get(normalise(name)):
        raise Collision(f"There is a {edit.record_kind} of this name already: choose another name.", other)
    relations = draft.all_of(edit.relation_ids, Relation)
    if any(getattr(r, f"{edit.record_kind}_id") != edit.id for r in relations):
        raise InputError(f"A relation of another {edit.record_kind} cannot be split off from this one.")
    source = draft.all_of([edit.id], Cue)[0] if edit.record_kind == "cue" else None
    draft.node(edit.record_kind, name, source.cue_kind if source else "topic")
    _move(draft, relations, edit.record_kind, name)
    return [edit.id]


def _delete(draft: Draft, edit: Delete) -> list[str]:
    _DELETES[edit.record_kind](draft, edit.ids)
    return list(dict.fromkeys(edit.ids))


def _delete_nodes(draft: Draft, kind: NodeKind, ids: Sequence[str]) -> None:
    nodes = draft.nodes(kind, ids)
    for relation in draft.shelf.relations_of(*ids, end=f"{kind}_id"):
        draft.remove(relation)
    for node in nodes:
        for c in draft.overlay.of(node.id):
            if c.slot in ("name", "merged"):
                draft.change(c, slot="removed", corrected=None)
            else:
                draft.remove(c)
        if not draft.by_hand(node.id) and not draft.overlay.of(node.id, "name"):
            draft.correction(kind, "removed", node.id, node.name, None)
        draft.remove(node)


def _delete_relations(draft: Draft, ids: Sequence[str]) -> None:
    relations = draft.all_of(ids, Relation)
    said = _said(draft, relations)
    for r in relations:
        _correct_triple(draft, r, said[r.id], None)
        draft.remove(r)


def _delete_contents(draft: Draft, ids: Sequence[str]) -> None:
    for relation in draft.shelf.relations_of(*ids, end="content_id"):
        draft.remove(relation)
    for content in draft.all_of(ids, Content):
        origin = content.origin[0] if content.origin else ""
        draft.correction("content", "removed", content.id, draft.overlay.place(content), None, origin)
        draft.remove(content)


def _relate(draft: Draft, edit: Relate) -> list[str]:
    cue_name, tag_name = checked("cue", "name", edit.cue), checked("tag", "name", edit.tag)
    content = draft.all_of([edit.content_id], Content)[0]
    cue, tag = draft.node("cue", cue_name, edit.cue_kind), draft.node("tag", tag_name)
    beside = draft.shelf.relations_of(content.id, end="content_id")
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
    record = draft.shelf.get([correction.record_id]).get(correction.record_id)
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
    if isinstance(record, Content):
        draft.remove(correction)
        draft.change(record, pinned=True)
    else:
        draft.change(correction, extracted=None, disputed=None)


_SETS: Mapping[str, Callable[[Draft, Set, Any], None]] = {
    "cue": _set_node,
    "tag": _set_node,
    "content": _set_content,
    "relation": _set_relation,
}
_DELETES: Mapping[str, Callable[[Draft, Sequence[str]], None]] = {
    "cue": _delete_cues,
    "tag": _delete_tags,
    "relation": _delete_relations,
    "content": _delete_contents,
}
PLANS: Mapping[str, Callable[[Draft, Any], list[str]]] = {
    "set": _set,
    "merge": _merge,
    "split": _split,
    "delete": _delete,
    "relate": _relate,
    "resolve": _resolve,
}
