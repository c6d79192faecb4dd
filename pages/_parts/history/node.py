"""The changes of one cue, tag or memory: found by its name here, or linked from its inspector (?node=)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Content, Conversation, Relation
from memcore.view.change_titles import turned
from memcore.view.history import concerns
from memcore.view.node_finding import called, name_of_gone
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

NODE, FIND = "node", "history:find"
LOOKED_INTO = 100  # changes of relations that are gone, read to see whether they were of the node
MEMORIES = 4  # found by their text
PART = 44


def chosen(memory: Memory) -> None:
    """The node that is chosen, and the way back; or the box in which one is found."""
    node = st.query_params.get(NODE, "")
    if not node:
        st.text_input("Of a cue, tag or memory", key=FIND, placeholder="Find by name")
        return
    with st.container(gap="xxsmall"):
        st.caption(f"Only of {plain(_name(memory, node), 50)}")
        st.button("Show all changes", on_click=forget, key="history:all")


def offered(memory: Memory) -> None:
    """What is called as was typed: a press chooses it."""
    typed = str(st.session_state.get(FIND) or "").strip()
    if not typed or st.query_params.get(NODE, ""):
        return
    hits = [id_ for id_, _ in memory.search(typed, ("content",), MEMORIES)]
    found = called(memory.snapshot().graph, memory.corrections(), typed, memory.texts(hits))
    if not found:
        st.caption(f"No cue, tag or memory is called “{plain(typed, 40)}”.")
    with st.container(horizontal=True, key="history:found"):
        for at, node in enumerate(found):
            label = f"{plain(node.name, PART)} :small[:gray[{plain(node.what, PART)}]]"
            st.button(label, on_click=_choose, args=(node.id,), key=f"history:found:{at}")


def forget() -> None:
    """The changes of everything again."""
    st.query_params.pop(NODE, None)
    st.session_state[FIND] = ""


def through_node(memory: Memory, rows: list[ChangeRow]) -> list[ChangeRow]:
    """The changes of the chosen node, of its relations, and of its source; all where none is chosen."""
    node = st.query_params.get(NODE, "")
    if not node:
        return rows
    ids = _around(memory, node)
    found = {row.group for row in rows if concerns(row, ids)}
    gone = [row for row in rows if row.group not in found and _of_relations(row)]
    for row in gone[:LOOKED_INTO]:
        before, after = memory.difference(row.group)
        led = {i for r in (*before, *after) if isinstance(r, Relation) for i in r.triple}
        if node in led or any(r.id == node for r in (*before, *after)):
            found.add(row.group)
    return [row for row in rows if row.group in found or not found.isdisjoint(turned(row))]


def _choose(node: str) -> None:
    st.query_params[NODE] = node


def _around(memory: Memory, node: str) -> frozenset[str]:
    ids = {node, *(r.id for r in memory.relations(node))}
    record = memory.get([node]).get(node)
    if isinstance(record, Content):
        talk = memory.get([record.conversation_id]).get(record.conversation_id)
        ids |= {record.conversation_id, talk.file_id if isinstance(talk, Conversation) else ""}
    ids |= {c.id for c in memory.corrections().of(node)}
    return frozenset(ids)


def _of_relations(row: ChangeRow) -> bool:
    return any(e.kind == "edited" and e.action not in ("relate", "resolve") for e in row.events)


def _name(memory: Memory, node: str) -> str:
    record = memory.get([node]).get(node)
    name = getattr(record, "name", "") or getattr(record, "text", "")
    return name or name_of_gone(memory.corrections(), node) or "something that is gone"
