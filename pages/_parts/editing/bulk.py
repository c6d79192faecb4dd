"""The same edit on everything selected, or on every memory that the filters let through: one step to undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing import Delete, Set
from memcore.editing.fields import EDITABLE, Field
from memcore.errors import InputError
from memcore.view.editing import kind_of
from memcore.view.naming import counted
from memcore.view.neighbourhood import Filters, passing
from pages._parts.editing import desk
from pages._parts.editing.names import one_name
from pages._parts.editing.values import typed, widget

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory

SELECTED, FILTERED = "The selection", "All memories that pass the filters"
TAG, DELETE = "Tag of all their relations", "Delete them"
_WORDS = {"cue": ("cue", "cues"), "tag": ("tag", "tags"), "content": ("memory", "memories")}
_FIRST: dict[str, Any] = {
    "pinned": True,
    "sensitivity": 0,
    "event": None,
    "cue_kind": "topic",
    "layer": "turn",
}


def bulk(memory: Memory, graph: Graph, picked: Sequence[str], wanted: Filters) -> None:
    """Choose what is edited, the field and its value; then the preview."""
    groups = {kind: ids for kind in _WORDS if (ids := tuple(i for i in picked if kind_of(graph, i) == kind))}
    where = SELECTED if len(picked) > 1 else FILTERED
    if wanted and len(picked) > 1:
        where = st.radio("Edit", [SELECTED, FILTERED], key="edit:bulk:where")
    if where == FILTERED:
        groups = {"content": tuple(passing(graph, graph.columns.content_ids, wanted))}
    kind = next(iter(groups))
    if len(groups) > 1:
        kind = st.selectbox(
            "Of these", list(groups), format_func=lambda k: _many(groups, k), key="edit:bulk:kind"
        )
    else:
        st.markdown(f"**{_many(groups, kind)}**")
    ids = groups[kind]
    seen = desk.revisions(memory, graph, ids)
    offered = {f.label: f for f in EDITABLE[kind] if f.name not in ("name", "text")}
    what = st.selectbox("What", [*offered, TAG, DELETE], key=f"edit:bulk:what:{kind}")
    if what == DELETE:
        _preview(Delete(kind, ids), seen)
    elif what == TAG:
        _retag(memory, graph, ids)
    else:
        _field(kind, seen, offered[what])


def _many(groups: Mapping[str, Sequence[str]], kind: str) -> str:
    return counted(len(groups[kind]), *_WORDS[kind])


def _field(kind: str, seen: Mapping[str, int], field: Field) -> None:
    key = f"edit:bulk:{kind}:{field.name}"
    widget(field, _FIRST.get(field.name), key)
    try:
        _preview(Set(kind, tuple(seen), field.name, typed(field.name, key)), seen)
    except InputError as error:
        st.warning(str(error), icon=":material/info:")


def _retag(memory: Memory, graph: Graph, ids: tuple[str, ...]) -> None:
    relations = {r.id: r.revision for r in memory.relations(*ids)}
    st.caption(counted(len(relations), "relation"))
    name = one_name(graph, "tag", "Tag them as", "edit:bulk:tag")
    edit = Set("relation", tuple(relations), "tag", name)
    st.button(
        "Preview the change", on_click=desk.propose, args=((edit,), relations),
        disabled=not (name and relations), type="primary", key="edit:bulk",
    )  # fmt: skip


def _preview(edit: Set | Delete, seen: Mapping[str, int]) -> None:
    st.button(
        "Preview the change", on_click=desk.propose, args=((edit,), seen), disabled=not seen, key="edit:bulk",
        type="primary",
    )  # fmt: skip
