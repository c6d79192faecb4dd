"""The relations of a node as chips: pick some, then tag them otherwise, move or remove them; or add one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Delete, Relate, Set
from memcore.editing.edits import NodeKind
from memcore.view.editing import Chip, chips, distinct, kind_of, name_of
from pages._parts.editing import desk
from pages._parts.editing.names import one_name, several_tags
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory
    from memcore.records import Relation

MOST = 60  # chips shown; the box above them finds the others
PART = 26
HERE, EVERYWHERE = "On these relations", "Everywhere"


def relations(memory: Memory, graph: Graph, node: str, found: Sequence[Relation]) -> None:
    """All relations of a node, and what can be done with the picked ones."""
    listed = chips(found, graph)
    kind = kind_of(graph, node)
    st.caption(f"Relations ({len(listed):,})")
    shown = _found(listed, node)
    texts = memory.texts([chip.content_id for chip in shown]) if kind != "content" else {}
    names = distinct({chip.id: _label(chip, kind, texts.get(chip.content_id, "")) for chip in shown})
    picked = st.pills(
        "Relations", list(names), selection_mode="multi", format_func=names.__getitem__,
        key=f"edit:chips:{node}:{len(listed)}", label_visibility="collapsed",
    )  # fmt: skip
    chosen = [chip for chip in shown if chip.id in (picked or ())]
    if chosen:
        _actions(memory, graph, node, chosen)
    if kind == "content":
        with st.expander("Add a relation"):
            add(memory, graph, node, "")


def add(memory: Memory, graph: Graph, content: str, cue: str) -> None:
    """Ask for what a new relation needs: its tags, and its cue where none was chosen."""
    at = f"edit:add:{content}:{cue}"
    name = name_of(graph, cue) if cue else one_name(graph, "cue", "Cue", f"{at}:cue")
    tags = several_tags(graph, "Tags", f"{at}:tags")
    edits = tuple(Relate(content, name, tag) for tag in tags)
    seen = desk.revisions(memory, graph, [content])
    st.button(
        "Preview the relation", on_click=desk.propose, args=(edits, seen), disabled=not (name and tags),
        key=f"{at}:preview", type="primary",
    )  # fmt: skip


def _found(listed: Sequence[Chip], node: str) -> list[Chip]:
    if len(listed) <= MOST:
        return list(listed)
    text = st.text_input(
        "Find a relation", key=f"edit:find:{node}", placeholder="Find a relation by a name in it"
    )
    wanted = text.casefold().strip()
    found = [c for c in listed if wanted in f"{c.cue} {c.tag} {c.content}".casefold()]
    if len(found) > MOST:
        st.caption(f"Showing {MOST} of {len(found):,}.")
    return found[:MOST]


def _label(chip: Chip, kind: str, text: str) -> str:
    """The two ends that are not the node itself; a memory by what it says."""
    content = text or chip.content
    first, second = {"cue": (chip.tag, content), "tag": (chip.cue, content)}.get(kind, (chip.cue, chip.tag))
    return f"{plain(first, PART)} — {plain(second, PART)}{' ✎' if chip.by_hand else ''}"


def _actions(memory: Memory, graph: Graph, node: str, chosen: Sequence[Chip]) -> None:
    seen = {chip.id: chip.revision for chip in chosen}
    with st.container(border=True):
        what = st.segmented_control(
            "What to do", ["Tag", "Move", "Remove"], default="Tag", required=True, key=f"edit:what:{node}",
            label_visibility="collapsed",
        )  # fmt: skip
        if what == "Remove":
            _preview((Delete("relation", tuple(seen)),), seen, "Preview the removal")
        elif what == "Move":
            _renamed(graph, "cue", seen, "Lead from this cue instead")
        else:
            _tag(memory, graph, seen, {chip.tag_id for chip in chosen})


def _tag(memory: Memory, graph: Graph, seen: dict[str, int], tags: set[str]) -> None:
    """Another tag on these relations; or, where they share one, another name for it everywhere."""
    where = HERE
    if len(tags) == 1:
        where = st.radio(
            "Where", [HERE, EVERYWHERE], horizontal=True, key="edit:where", label_visibility="collapsed"
        )
    if where == HERE:
        _renamed(graph, "tag", seen, "Tag them as")
        return
    (tag,) = tags
    name = st.text_input("New name of the tag", value=name_of(graph, tag), key=f"edit:everywhere:{tag}")
    seen = desk.revisions(memory, graph, [tag])
    _preview((Set("tag", (tag,), "name", name),), seen, "Preview the new name")


def _renamed(graph: Graph, end: NodeKind, seen: dict[str, int], asks: str) -> None:
    name = one_name(graph, end, asks, f"edit:to:{end}:{next(iter(seen))}")
    edit = Set("relation", tuple(seen), end, name)
    label = "Preview the new tag" if end == "tag" else "Preview the move"
    _preview((edit,), seen, label, ready=bool(name))


def _preview(edits: tuple, seen: dict[str, int], label: str, *, ready: bool = True) -> None:
    st.button(
        label,
        on_click=desk.propose,
        args=(edits, seen),
        disabled=not ready,
        key="edit:relations",
        type="primary",
    )
