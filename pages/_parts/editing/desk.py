"""What is being edited in this session: who edits, what is proposed, what was said last.

    an action  ->  proposal  ->  preview  ->  saved (or refused: said why, nothing written)

A proposal holds edits and the revisions on which the person decided. All of it lives in the session, so
two tabs never share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Edit, Who
from memcore.errors import MemcoreError
from memcore.settings import author
from pages._parts.memory import current

if TYPE_CHECKING:
    from memcore.editing import Plan
    from memcore.editing.corrections import Overlay
    from memcore.graph import Graph
    from memcore.memory import Memory

AUTHOR, REASON = "edit:author", "edit:reason"
_PROPOSAL, _TASK, _NOTICE = "edit:proposal", "edit:task", "edit:notice"
_AT = "edit:at"
_REFUSED, SAVING = "edit:refused", "edit:saving"
_OVERLAY, _PLAN = "edit:overlay", "edit:plan"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits to be saved one after the other, and the revisions seen when they were decided on.

    `typed` are the keys of a form that is empty again once they are saved.
    """

    edits: tuple[Edit, ...]
    seen: Mapping[str, int] = field(default_factory=dict[str, int])
    typed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What the toolbar or the canvas began: its name and the nodes it is about."""

    name: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done last, and the change that one press takes back (or brings back).

    `resting` counts later changes that rest on it: then the press takes those back first. `memory` is the id
    of the memory that it is about.
    """

    text: str
    group: str = ""
    redo: bool = False
    resting: int = 0
    memory: str = ""


def who() -> Who:
    """The person of this session, and the reason given for the edit at hand."""
    name = str(st.session_state.get(AUTHOR) or "").strip() or author()
    return Who(name, str(st.session_state.get(REASON) or "").strip())


def propose(edits: tuple[Edit, ...], seen: Mapping[str, int], typed: tuple[str, ...] = ()) -> None:
    """Show what these edits would do, before anything is saved."""
    st.session_state[_PROPOSAL] = Proposal(edits, dict(seen), typed)
    st.session_state.pop(_REFUSED, None)
    st.session_state.pop(_NOTICE, None)


def proposal() -> Proposal | None:
    return st.session_state.get(_PROPOSAL)


def planned(memory: Memory, asked: Proposal, *, again: bool = False) -> Plan:
    """What the proposal would do; worked out once for the preview and the save. Raises what planning does."""
    kept = st.session_state.get(_PLAN)
    if again or kept is None or kept[0] is not asked:
        kept = (asked, memory.editor.plan(asked.edits, who()))
        st.session_state[_PLAN] = kept
    return kept[1]


def withdraw() -> None:
    """Leave the proposal; the form it came from is as it was."""
    for key in (_PROPOSAL, _REFUSED, _PLAN):
        st.session_state.pop(key, None)


def saved() -> None:
    """What was proposed is in: its reason and its form are not those of the next edit."""
    kept = proposal()
    for key in (REASON, *(kept.typed if kept else ())):
        st.session_state.pop(key, None)
    end_task()


def begin(name: str, nodes: tuple[str, ...]) -> None:
    """Begin a task."""
    end_task()
    st.session_state.pop(_NOTICE, None)
    st.session_state[_TASK] = Task(name, nodes)


def task() -> Task | None:
    return st.session_state.get(_TASK)


def hold(memory: Memory, selected: tuple[str, ...]) -> None:
    """What is under way ends when something else is selected, or another memory."""
    at = (memory.key, *selected)
    if task() is None and proposal() is None:
        st.session_state.pop(_AT, None)
    elif st.session_state.setdefault(_AT, at) != at and SAVING not in st.session_state:
        end_task()


def end_task() -> None:
    """Leave whatever is under way."""
    withdraw()
    for key in (_TASK, _AT):
        st.session_state.pop(key, None)


def revisions(memory: Memory, graph: Graph, nodes: Sequence[str]) -> dict[str, int]:
    """The revisions of these nodes as they are drawn: those of contents come with the graph."""
    contents = {i: at for i in nodes if (at := graph.content_index.get(i)) is not None}
    found = memory.get([i for i in nodes if i not in contents])
    named = {i: getattr(record, "revision", 0) for i, record in found.items()}
    return named | {i: int(graph.columns.revisions[at]) for i, at in contents.items()}


def overlay(memory: Memory, graph: Graph) -> Overlay:
    """All corrections; read again only when something was written."""
    kept = st.session_state.get(_OVERLAY)
    if kept is None or kept[:2] != (memory.key, graph.seq):
        kept = (memory.key, graph.seq, memory.corrections())
        st.session_state[_OVERLAY] = kept
    return kept[2]


def tell(told: str | Notice) -> None:
    """Say something in place of what was said last."""
    said = Notice(told) if isinstance(told, str) else told
    st.session_state[_NOTICE] = replace(said, memory=current().id)


def notice() -> Notice | None:
    """What was said last of the memory that is shown."""
    told: Notice | None = st.session_state.get(_NOTICE)
    return told if told and told.memory == current().id else None


def refuse(error: MemcoreError) -> None:
    """Keep the proposal with the reason why it was not saved; nothing of it was written."""
    st.session_state[_REFUSED] = error


def refused() -> MemcoreError | None:
    return st.session_state.get(_REFUSED)
