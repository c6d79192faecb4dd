"""What each edit comes to, as a draft: which function drafts which edit of which kind of record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from memcore.editing import relations
from memcore.editing.contents import delete_contents, relate, set_content
from memcore.editing.disputes import resolve
from memcore.editing.draft import Draft
from memcore.editing.edits import Delete, NodeKind, Set
from memcore.editing.fields import checked
from memcore.editing.nodes import delete_nodes, merge, set_node, split
from memcore.editing.plain import add, delete_marks, set_mark, set_plain
from memcore.errors import InputError
from memcore.records import Relation


def _set(draft: Draft, edit: Set) -> list[str]:
    value = checked(edit.record_kind, edit.field, edit.value)
    _SETS[edit.record_kind](draft, edit, value)
    return list(dict.fromkeys(edit.ids))


def _set_relation(draft: Draft, edit: Set, value: str) -> None:
    """Lead some relations through another tag, or from another cue, than the one they were read with."""
    end: NodeKind = "cue" if edit.field == "cue" else "tag"
    found = draft.all_of(edit.ids, Relation)
    relations.redirect(draft, found, end, draft.node(end, value))


def _delete(draft: Draft, edit: Delete) -> list[str]:
    deleted = _DELETES.get(edit.record_kind)
    if deleted is None:
        raise InputError(f"A {edit.record_kind} cannot be deleted by an edit.")
    deleted(draft, edit.ids)
    return list(dict.fromkeys(edit.ids))


def _delete_relations(draft: Draft, ids: Sequence[str]) -> None:
    relations.remove(draft, draft.all_of(ids, Relation))


_SETS: Mapping[str, Callable[[Draft, Set, Any], None]] = {
    "cue": set_node,
    "tag": set_node,
    "content": set_content,
    "relation": _set_relation,
    "unit": set_plain,
    "run": set_plain,
    "step": set_plain,
    "mark": set_mark,
}
_DELETES: Mapping[str, Callable[[Draft, Sequence[str]], None]] = {
    "cue": partial(delete_nodes, "cue"),
    "tag": partial(delete_nodes, "tag"),
    "relation": _delete_relations,
    "content": delete_contents,
    "mark": delete_marks,
}
PLANS: Mapping[str, Callable[[Draft, Any], list[str]]] = {
    "set": _set,
    "merge": merge,
    "split": split,
    "delete": _delete,
    "relate": relate,
    "resolve": resolve,
    "add": add,
}
