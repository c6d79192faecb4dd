"""The relations of a node as chips: pick some, then tag them otherwise, move or remove them; or add one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Delete, Relate, Set
from memcore.editing.edits import NodeKind
from memcore.editing.fields import EDITABLE
from memcore.view.editing import Chip, chips, distinct, kind_of, name_of
from pages._parts.editing import desk
from pages._parts.editing.names import chosen_name, chosen_tags, one_name, several_tags
from pages._parts.editing.proposing import entered, proposing
from pages._parts.editing.values import widget
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
    told = len(listed), sum(chip.revision for chip in listed)  # nothing is picked once they were changed
    picked = st.pills(
        "Relations", list(names), selection_mode="multi", format_func=names.__getitem__,
        key=f"edit:chips:{node}:{told}", label_visibility="collapsed", persist_state="session",
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
    seen = desk.revisions(memory, graph, [content])

    def made() -> desk.Proposal:
        of = name if cue else chosen_name(f"{at}:cue")
        relate = (Relate(content, of, tag) for tag in chosen_tags(graph, f"{at}:tags"))
        return desk.Proposal(tuple(relate), seen, (f"{at}:cue", f"{at}:tags"))

    proposing("Preview the relation", made, f"{at}:preview", ready=bool(name and tags))


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
    with st.container(border=True), entered("relations"):
        what = st.segmented_control(
            "What to do", ["Tag", "Move", "Remove"], default="Tag", required=True, key=f"edit:what:{node}",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if what == "Remove":
            removal = desk.Proposal((Delete("relation", tuple(seen)),), seen)
            proposing("Preview the removal", lambda: removal, "edit:relations")
        elif what == "Move":
            _renamed(graph, "cue", seen, "Lead from this cue instead")
        else:
            _tag(memory, graph, seen, {chip.tag_id for chip in chosen})


def _tag(memory: Memory, graph: Graph, seen: dict[str, int], tags: set[str]) -> None:
    """Another tag on these relations; or, where they share one, another name for it everywhere."""
    where = HERE
    if len(tags) == 1:
        where = st.radio(
            "Where", [HERE, EVERYWHERE], horizontal=True, key=f"edit:where:{next(iter(seen))}",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
    if where == HERE:
        _renamed(graph, "tag", seen, "Tag them as")
    else:
        _everywhere(memory, graph, *tags)


def _everywhere(memory: Memory, graph: Graph, tag: str) -> None:
    seen = desk.revisions(memory, graph, [tag])
    key = f"edit:everywhere:{tag}:{seen.get(tag)}"
    (name,) = EDITABLE["tag"]
    widget(name, name_of(graph, tag), key, label="New name of the tag")

    def made() -> desk.Proposal:
        return desk.Proposal((Set("tag", (tag,), "name", st.session_state[key]),), seen)

    proposing("Preview the new name", made, "edit:relations")


def _renamed(graph: Graph, end: NodeKind, seen: dict[str, int], asks: str) -> None:
    key = f"edit:to:{end}:{next(iter(seen.items()))}"
    name = one_name(graph, end, asks, key)

    def made() -> desk.Proposal:
        return desk.Proposal((Set("relation", tuple(seen), end, chosen_name(key)),), seen)

    label = "Preview the new tag" if end == "tag" else "Preview the move"
    proposing(label, made, "edit:relations", ready=bool(name))
