"""Memories that were read and speak to a model: shown, with what they say; and asking again without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from memcore.forking import asked_again
from memcore.view.guarded import Excerpt, Warned, warned
from memcore.view.naming import counted
from pages._parts.reconstruction.beside_runs import pair
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.opened_trace import TRACE
from pages._parts.say import plain
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader

WANTED = "guard:wanted"
KEPT_OUT = (
    "Whoever answers gets it as data, and can do no more than choose among what is offered. A run without it "
    "shows whether it moved the route."
)


def guard(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent], step: int, last: int) -> None:
    """A warning for every memory read in this step, at the last one in any, in which a rule finds an
    instruction."""
    steps = range(1, last + 1) if step >= last else (step,)
    opened = [c for e in events if e.kind == "opened" and e.step in steps for c in e.content_ids]
    _ask_again(memory, header, events)
    for one in _found(memory, tuple(opened)):
        _warning(one)


def _found(memory: Memory, opened: tuple[str, ...]) -> list[Warned]:
    """Looked for once in these memories as they are now, however often a live run is drawn."""
    graph = memory.snapshot().graph
    kept = st.session_state.get("guard:found")
    if kept is None or kept[0] != (graph.seq, opened):
        kept = ((graph.seq, opened), warned(opened, memory.texts(opened), graph))
        st.session_state["guard:found"] = kept
    return kept[1]


def _warning(one: Warned) -> None:
    with st.container(border=True, gap="small", key=f"guard-{one.content_id}"):
        st.markdown(f":orange-badge[:material/warning: Suspicious instruction]  {plain(one.name, 60)}")
        for excerpt in one.excerpts:
            st.markdown(f":small[:gray[{plain(excerpt.says.capitalize())}:] {_marked(excerpt)}]")
        if one.more:
            st.caption(f"and {counted(one.more, 'more place')}")
        st.caption(KEPT_OUT)
        st.button(
            "Ask again without it", key=f"guard:{one.content_id}", on_click=_want, args=(one.content_id,)
        )


def _marked(excerpt: Excerpt) -> str:
    parts = (plain(" ".join(part.split()), 200) for part in (excerpt.before, excerpt.marked, excerpt.after))
    before, marked, after = parts
    return f"{before} :orange-background[{marked}] {after}".strip()


def _want(content_id: str) -> None:
    st.session_state[WANTED] = content_id


def _ask_again(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
    """The same question without a memory: a run that opens, with this one beside it."""
    content = st.session_state.pop(WANTED, None)
    first = events[0] if events else None
    if content is None or first is None or first.kind != "asked":
        return
    with shown_errors():
        again = asked_again(header, first)
        run = runs().ask(memory, replace(again, without=(*again.without, content)), 0.0)
        pair(run.trace_id, header.id)
        TRACE.open(run.trace_id)
        st.rerun()
