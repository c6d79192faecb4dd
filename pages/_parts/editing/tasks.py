"""What the toolbar begins: relate, merge, split and find similar, each one small form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Merge, Split
from memcore.view.editing import Chip, chips, distinct, kind_of, name_of
from memcore.view.similar import similar
from pages._parts.editing import desk
from pages._parts.editing.proposing import entered, proposing
from pages._parts.editing.relations import add
from pages._parts.editing.values import HELD
from pages._parts.memory import current
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory

PART = 40


def draw(memory: Memory, graph: Graph, task: desk.Task, follow: Callable[[str], None]) -> None:
    """Draw the form of a task."""
    nodes = [node for node in task.nodes if kind_of(graph, node)]
    if len(nodes) != len(task.nodes):
        desk.end_task()
        st.caption("What this was about is no longer there.")
        return
    if task.name == "relate":
        _relate(memory, graph, nodes)
    elif task.name == "merge":
        _merge(memory, graph, nodes)
    elif task.name == "split":
        _split(memory, graph, nodes[0])
    else:
        _similar(memory, graph, nodes[0], follow)
    st.button("Cancel", on_click=desk.end_task, key="edit:cancel")


def connect(first: str, second: str) -> None:
    """One node was dragged to another: a cue and a memory become related, anything else is told."""
    graph = current().snapshot().graph
    ends = {kind_of(graph, node): node for node in (first, second)}
    if set(ends) == {"cue", "content"}:
        desk.begin("relate", (ends["cue"], ends["content"]))
    else:
        desk.tell(
            "A relation leads from a cue to a memory: drag from one to the other; its tag is asked for."
        )


def _relate(memory: Memory, graph: Graph, nodes: list[str]) -> None:
    content = next(n for n in nodes if kind_of(graph, n) == "content")
    cue = next((n for n in nodes if kind_of(graph, n) == "cue"), "")
    st.markdown("**Add a relation**")
    text = memory.texts([content]).get(content, "")
    begins = f"From “{plain(name_of(graph, cue), PART)}” to" if cue else "To"
    st.markdown(f"{begins} {plain(name_of(graph, content), PART)}:")
    st.text(verbatim(text, 160))
    add(memory, graph, content, cue)


def _merge(memory: Memory, graph: Graph, nodes: list[str]) -> None:
    kind = kind_of(graph, nodes[0])
    st.markdown(f"**Merge {len(nodes)} {kind}s**")
    sizes = distinct({node: _sized(graph, node) for node in nodes})
    into = st.radio(
        "Which name stays?", nodes, format_func=sizes.__getitem__,
        key=f"edit:into:{'-'.join(nodes)[:200]}",
    )  # fmt: skip
    seen = desk.revisions(memory, graph, nodes)

    def made() -> desk.Proposal:
        others = tuple(n for n in nodes if n != into)
        return desk.Proposal((Merge(kind, others, into),), seen)  # pyright: ignore[reportArgumentType]

    proposing("Preview the merge", made, "edit:merge")


def _sized(graph: Graph, node: str) -> str:
    at = graph.cue_index.get(node)
    count = graph.cue_degree(at) if at is not None else graph.tag_degree(graph.tag_index[node])
    return f"{plain(name_of(graph, node), PART)} ({count:,} relations)"


def _split(memory: Memory, graph: Graph, node: str) -> None:
    kind = kind_of(graph, node)
    st.markdown(f"**Split the {kind} “{plain(name_of(graph, node), PART)}”**")
    listed = {chip.id: chip for chip in chips(memory.relations(node), graph)}
    texts = memory.texts([chip.content_id for chip in listed.values()])
    labels = distinct({i: _ends(chip, kind, texts.get(chip.content_id, "")) for i, chip in listed.items()})
    moved, name = f"edit:split:{node}", f"edit:split:name:{node}"
    seen = desk.revisions(memory, graph, [node])

    def made() -> desk.Proposal:
        chosen = tuple(st.session_state[moved])
        edit = Split(kind, node, chosen, st.session_state[name])  # pyright: ignore[reportArgumentType]
        return desk.Proposal((edit,), seen | {i: listed[i].revision for i in chosen}, (moved, name))

    with entered("split"):
        chosen = st.multiselect(
            "Relations that go to the new one", list(listed), format_func=labels.__getitem__, key=moved,
            placeholder="Choose relations", persist_state="session",
        )  # fmt: skip
        st.text_input(f"Name of the new {kind}", key=name, **HELD)
        proposing("Preview the split", made, "edit:splits", ready=bool(chosen))


def _ends(chip: Chip, kind: str, text: str) -> str:
    first = chip.tag if kind == "cue" else chip.cue
    return f"{verbatim(first, PART)} — {verbatim(text or chip.content, PART)}"


def _similar(memory: Memory, graph: Graph, node: str, follow: Callable[[str], None]) -> None:
    kind = kind_of(graph, node)
    st.markdown(f"**Most like “{plain(name_of(graph, node), PART)}”**")
    found = similar(graph, node)
    if not found:
        st.caption("Nothing is similar to it.")
        return
    texts = memory.texts([f.id for f in found]) if kind == "content" else {}
    names = {
        f.id: f"{verbatim(texts.get(f.id) or name_of(graph, f.id), 2 * PART)} ({f.score:.2f})" for f in found
    }
    other = st.radio(
        "Similar", list(names), format_func=names.__getitem__, key=f"edit:similar:{node}",
        label_visibility="collapsed",
    )  # fmt: skip
    with st.container(horizontal=True):
        st.button("Show it", on_click=follow, args=(other,), key="edit:show")
        if kind != "content":
            edit = Merge(kind, (node,), other)  # pyright: ignore[reportArgumentType]
            seen = desk.revisions(memory, graph, [node, other])
            st.button("Merge into it", on_click=desk.propose, args=((edit,), seen), key="edit:merge")
