"""The toolbar over a selection, the same for graph and table; its keys press the same buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.editing import Delete, Set
from memcore.view.editing import kind_of
from memcore.view.naming import counted
from memcore.view.neighbourhood import Local, unseen
from pages._parts.editing import desk, saving
from pages._parts.editing.keys import keys
from pages._parts.graph import growth
from pages._parts.viewing import read_only

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory

MODE = "edit:mode"
READ, EDIT = "Read", "Edit"


class Tool(NamedTuple):
    """A button of the toolbar: its key, its label, its icon, and the key that presses it."""

    name: str
    label: str
    icon: str
    letter: str


_EDIT = Tool("edit", "Edit", "edit", "E")
_TASKS = {
    "relate": Tool("relate", "Relate", "add_link", "R"),
    "merge": Tool("merge", "Merge", "merge", "M"),
    "split": Tool("split", "Split", "call_split", "S"),
    "similar": Tool("similar", "Find similar", "join_inner", "N"),
}
_DELETE = Tool("delete", "Delete", "delete", "Delete")
_UNDO = Tool("undo", "Undo", "undo", "Ctrl+Z")
_REDO = Tool("redo", "Redo", "redo", "Ctrl+Shift+Z")


def toolbar(memory: Memory, graph: Graph, local: Local, picked: tuple[str, ...]) -> None:
    """Everything that can be done with what is selected; what cannot be done now is greyed out."""
    if read_only(memory):
        with st.container(horizontal=True, vertical_alignment="center", key="edit-bar"):
            _walk(graph, local, picked)
        return
    kinds = [kind_of(graph, node) for node in picked]
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", key="edit-bar"):
        _tool(_EDIT, _to_edit, ready=bool(picked))
        for name, tool in _TASKS.items():
            _tool(tool, desk.begin, (name, picked), ready=_fits(name, kinds))
        _delete(memory, graph, picked)
        _pin(memory, [n for n, k in zip(picked, kinds, strict=True) if k != "tag"])
        _walk(graph, local, picked)
        free, rows = not saving.busy(), saving.changes(memory, graph.seq)
        _tool(_UNDO, saving.undo_last, ready=free and saving.to_undo(rows) is not None)
        _tool(_REDO, saving.redo_last, ready=free and saving.to_redo(rows) is not None)
        keys()


def _fits(task: str, kinds: Sequence[str]) -> bool:
    """Whether a task can be done with a selection of these kinds."""
    if task == "relate":
        return kinds.count("content") == 1 and kinds.count("cue") == len(kinds) - 1 <= 1
    if task == "similar":
        return len(kinds) == 1
    names = len(set(kinds)) == 1 and kinds[0] in ("cue", "tag")
    return names and (len(kinds) > 1 if task == "merge" else len(kinds) == 1)


def _tool(tool: Tool, act: Callable[..., None], args: tuple[object, ...] = (), *, ready: bool) -> None:
    st.button(
        tool.label, on_click=act, args=args, disabled=not ready, key=f"tool-{tool.name}",
        icon=f":material/{tool.icon}:", help=f"{tool.label} ({tool.letter})",
    )  # fmt: skip


def _walk(graph: Graph, local: Local, picked: tuple[str, ...]) -> None:
    more = sum(unseen(graph, local, id_) for id_ in picked)
    chosen = f" {counted(len(picked), 'node')}" if len(picked) > 1 else ""
    label = f"Expand{chosen}: {more:,} more" if more else "All relations are shown" if picked else "Expand"
    grow, begin = growth.expand, growth.begin_at
    st.button(label, on_click=grow, args=picked, disabled=not more, key="graph:expand")
    st.button("Begin here", on_click=begin, args=picked[:1], disabled=not picked, key="graph:begin")


def _to_edit() -> None:
    st.session_state[MODE] = EDIT
    desk.end_task()


def _delete(memory: Memory, graph: Graph, picked: Sequence[str]) -> None:
    groups = _by_kind((node, kind_of(graph, node)) for node in picked)
    edits = tuple(Delete(kind, tuple(ids)) for kind, ids in groups.items())
    _tool(_DELETE, desk.propose, (edits, desk.revisions(memory, graph, picked)), ready=bool(edits))


def _pin(memory: Memory, nodes: list[str]) -> None:
    """Pinning changes nothing in how memories are reached: it is saved at once, and can be undone."""
    records = memory.get(nodes)
    pinned = bool(records) and all(getattr(r, "pinned", False) for r in records.values())
    groups = _by_kind((r.id, r.kind) for r in records.values())
    edits = tuple(Set(kind, tuple(ids), "pinned", not pinned) for kind, ids in groups.items())
    seen = {i: getattr(r, "revision", 0) for i, r in records.items()}
    tool = Tool("pin", "Unpin" if pinned else "Pin", "keep", "P")
    _tool(tool, saving.save_now, (edits, seen), ready=bool(edits))


def _by_kind(nodes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for node, kind in nodes:
        groups.setdefault(kind, []).append(node)
    return groups
