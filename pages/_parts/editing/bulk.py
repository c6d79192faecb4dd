"""The same edit on many records, selected or let through by the filters: one step to undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing import Delete, Set
from memcore.editing.fields import EDITABLE, Field
from memcore.view.editing_together import Groups
from memcore.view.naming import counted
from memcore.view.record_words import record_words
from pages._parts.editing import desk
from pages._parts.editing.names import chosen_name, one_name
from pages._parts.editing.proposing import entered, proposing
from pages._parts.editing.values import read, widget

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory

TAG, DELETE = "Tag of all their relations", "Delete them"
PREVIEW = "Preview the change"
_FIRST: dict[str, Any] = {"pinned": True, "cue_kind": "topic", "layer": "turn"}


def bulk(memory: Memory, graph: Graph, groups: Groups) -> None:
    """Choose what is edited, the field and its value; then the preview."""
    if not groups:
        st.caption("The filters let nothing through that could be edited together.")
        return
    kind = next(iter(groups))
    if len(groups) > 1:
        kind = st.selectbox(
            "Of these", list(groups), format_func=lambda k: _many(groups, k), key="edit:bulk:kind",
            persist_state="session",
        )  # fmt: skip
    else:
        st.markdown(f"**{_many(groups, kind)}**")
    ids = groups[kind]
    seen = desk.revisions(memory, graph, ids)
    offered = {f.label: f for f in EDITABLE[kind] if f.name not in ("name", "text")}
    what = st.selectbox(
        "What", [*offered, TAG, DELETE], key=f"edit:bulk:what:{kind}", persist_state="session"
    )
    with entered("bulk"):
        if what == DELETE:
            proposing(PREVIEW, lambda: desk.Proposal((Delete(kind, ids),), seen), "edit:bulk")
        elif what == TAG:
            _retag(memory, graph, ids)
        else:
            _field(memory, kind, seen, offered[what])


def _many(groups: Groups, kind: str) -> str:
    return counted(len(groups[kind]), *record_words(kind))


def _field(memory: Memory, kind: str, seen: Mapping[str, int], field: Field) -> None:
    key = f"edit:bulk:{memory.id}:{kind}:{field.name}"
    widget(field, _FIRST.get(field.name), key)

    def made() -> desk.Proposal:
        value = read(field, st.session_state[key])
        return desk.Proposal((Set(kind, tuple(seen), field.name, value),), seen)

    proposing(PREVIEW, made, "edit:bulk")


def _retag(memory: Memory, graph: Graph, ids: tuple[str, ...]) -> None:
    relations = {r.id: r.revision for r in memory.relations(*ids)}
    key = f"edit:bulk:{memory.id}:tag"
    st.caption(counted(len(relations), "relation"))
    name = one_name(graph, "tag", "Tag them as", key)

    def made() -> desk.Proposal:
        return desk.Proposal((Set("relation", tuple(relations), "tag", chosen_name(key)),), relations)

    proposing(PREVIEW, made, "edit:bulk", ready=bool(name and relations))
