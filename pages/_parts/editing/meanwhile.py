"""What somebody else changed while a person was typing: what is there now, and whose words shall stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.view.editing import editables, name_of
from memcore.view.naming import counted
from pages._parts.editing.values import as_text
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory
    from memcore.records import Record

SHOWN = 12  # told one by one; the rest are counted


class Ways(NamedTuple):
    """What is done to take what is there now, and to save one's own over it."""

    take: Callable[[], None]
    insist: Callable[[], None]


def meanwhile(memory: Memory, graph: Graph, ids: Sequence[str], ways: Ways) -> None:
    """Show these records as they are now. Nothing can be saved over what was deleted."""
    found = memory.get(ids)
    st.caption("What is there now")
    for id_ in ids[:SHOWN]:
        if id_ in found:
            _now(memory, graph, found[id_])
        else:
            st.markdown("It was deleted.")
    if len(ids) > SHOWN:
        st.caption(f"and {counted(len(ids) - SHOWN, 'more record')}")
    with st.container(horizontal=True):
        st.button("Take what is there now", on_click=ways.take, key="edit:theirs")
        if len(found) == len(set(ids)):
            st.button("Save mine over it", on_click=ways.insist, key="edit:mine")


def _now(memory: Memory, graph: Graph, record: Record) -> None:
    if record.kind == "relation":
        st.markdown(plain(f"{name_of(graph, record.cue_id)} — {name_of(graph, record.tag_id)}"))
    overlay = memory.corrections()
    for item in editables(record, overlay) if record.kind != "relation" else ():
        st.markdown(f":small[:gray[{item.field.label}]]")
        st.text(as_text(item.field.name, item.value)[:2000] or "(nothing)")
    if last := overlay.of(record.id):
        st.caption(plain(f"by {last[-1].author}"))
