"""What edits of cues and tags come to: a name or a field set, two merged, one split, some deleted.

A node that goes leaves its names behind: from then on they lead to another node, or nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcore.editing import relations
from memcore.editing.corrections import as_value
from memcore.editing.draft import Draft
from memcore.editing.edits import Merge, NodeKind, Set, Split
from memcore.editing.fields import checked
from memcore.errors import Collision, InputError
from memcore.records import Cue, Relation, Tag
from memcore.words import normalise


def set_node(draft: Draft, edit: Set, value: Any) -> None:
    """One field of cues, or the name of one cue or tag. Raises Collision where another bears that name."""
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
        draft.correction("cue", edit.field, cue.id, as_value(getattr(cue, edit.field)), as_value(value))
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


def merge(draft: Draft, edit: Merge) -> list[str]:
    """Cues or tags into another one, which all their relations and names lead to from now on."""
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


def split(draft: Draft, edit: Split) -> list[str]:
    """A new cue or tag for some relations of another one. Raises Collision for a name that there is."""
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


def delete_nodes(kind: NodeKind, draft: Draft, ids: Sequence[str]) -> None:
    """Cues or tags, with their relations."""
    nodes = draft.nodes(kind, ids)
    relations.remove_with_end(draft, draft.relations_of(*ids, end=f"{kind}_id"))
    for node in nodes:
        _leave(draft, node, "removed", None)
        draft.remove(node)


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


def _read_since(draft: Draft, node: Cue | Tag) -> bool:
    """Whether extraction may have read the name that a person gave: then that name, too, leads to the node
    wherever it goes."""
    given = [c for c in draft.overlay.of(node.id) if c.slot in ("name", "exists")]
    if not given or draft.overlay.leads(node.kind, node.key):
        return False
    return draft.shelf.extracted_since(min(c.recorded for c in given))
