"""The filters of the history: kind, author, days, and the node that a link came from (?node=)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Content, Conversation, Relation
from memcore.view.history import SORT_NAMES, Sieve, authors, concerns, sort_of
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

KINDS, WHO, WHEN, NODE = "history:kinds", "history:who", "history:when", "node"
LOOKED_INTO = 100  # changes of relations that are gone, read to see whether they were of the node


def sieve(memory: Memory, rows: list[ChangeRow]) -> Sieve:
    """The filter bar; a filter with nothing to choose from is not shown."""
    linked = bool(st.query_params.get(NODE, ""))
    columns = iter(st.columns([4, 3, 3, 3] if linked else [4, 3, 3], vertical_alignment="bottom"))
    first, last = _days(rows, next(columns))
    there = {sort_of(row) for row in rows}
    sorts = _several("Kinds", {s: n for s, n in SORT_NAMES.items() if s in there}, next(columns), KINDS)
    people = dict.fromkeys(name for row in rows for name in authors(row))
    who = _several("Authors", {name: verbatim(name, 40) for name in people}, next(columns), WHO)
    if linked:
        with next(columns):
            _node(memory)
    return Sieve(sorts, who, first, last)


def clear() -> None:
    """No change is hidden any more."""
    for key in (KINDS, WHO):
        st.session_state[key] = []
    st.session_state[WHEN] = ()
    st.query_params.pop(NODE, None)


def through_node(memory: Memory, rows: list[ChangeRow]) -> list[ChangeRow]:
    """The changes of the linked node, of its relations, and of its source; all where none is linked."""
    node = st.query_params.get(NODE, "")
    if not node:
        return rows
    ids = _around(memory, node)
    found = {row.group for row in rows if concerns(row, ids)}
    gone = [row for row in rows if row.group not in found and _of_relations(row)]
    for row in gone[:LOOKED_INTO]:
        before, after = memory.difference(row.group)
        ends = {i for r in (*before, *after) if isinstance(r, Relation) for i in _ends(r)}
        if node in ends or any(r.id == node for r in (*before, *after)):
            found.add(row.group)
    return [row for row in rows if row.group in found or _turned(row) & found]


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


def _turned(row: ChangeRow) -> set[str]:
    """What an undo or redo was of."""
    return {e.group for e in row.events if e.kind == "undone" or e.kind == "redone"}


def _ends(r: Relation) -> tuple[str, str, str]:
    return r.cue_id, r.tag_id, r.content_id


def _node(memory: Memory) -> None:
    node = st.query_params[NODE]
    record = memory.get([node]).get(node)
    name = getattr(record, "name", "") or getattr(record, "text", "") or "something that is gone"
    with st.container(gap="xxsmall"):
        st.caption(f"Only of {plain(name, 50)}")
        st.button("Show all changes", on_click=st.query_params.pop, args=(NODE, None), key="history:all")


def _several(label: str, names: dict[str, str], column, key: str) -> tuple[str, ...]:
    if len(names) < 2:
        return ()
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in names]
    return tuple(
        column.multiselect(
            label, list(names), format_func=names.__getitem__, key=key, placeholder="All",
            persist_state="session",
        )
    )  # fmt: skip


def _days(rows: list[ChangeRow], column) -> tuple[date | None, date | None]:
    least, most = min(r.when for r in rows).date(), max(r.when for r in rows).date()
    when = column.date_input(
        "Changed between", value=(), key=WHEN, persist_state="session", min_value=None, max_value=None,
        help=f"The changes are from {least:%Y-%m-%d} to {most:%Y-%m-%d}.",
    )  # fmt: skip
    return (when[0] if when else None), (when[1] if len(when) > 1 else None)
