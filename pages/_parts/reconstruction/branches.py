"""Where a run stands in its family: what it was forked from, by which decision, and what goes on from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.decided import decided
from memcore.view.forks import decisions, forks_of
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader

LISTED = 500  # runs that are looked through for relatives


def branches(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
    """Links to the run that this one goes on from, and to those that go on from it."""
    headers = _headers(memory, header)
    for event in decisions(events)[-1:]:
        st.caption(plain(decided(event, memory.snapshot().graph)))
    with st.container(horizontal=True, gap="medium"):
        if header.parent:
            parent = next((h for h in headers if h.id == header.parent), None)
            _link(memory, parent, header.parent_step or 0, "Fork of the run of {0} at step {1}")
        for fork in forks_of(headers, header.id):
            step = fork.parent_step or 0
            _link(memory, fork, step, "Goes on otherwise from step {1}: the run of {0}")


def when(header: TraceHeader) -> str:
    """When a run began, to the second: forks follow each other closely."""
    return instant(header.started, zone(), seconds=True)


def _link(memory: Memory, to: TraceHeader | None, step: int, words: str) -> None:
    if to is None:
        st.caption(f"Fork at step {step} of a run that is no longer kept.")
        return
    query = {"trace": to.id, "scope": memory.name, "step": str(max(step, 1))}
    label = words.format(when(to), step)
    st.page_link("pages/reconstruction.py", label=label, query_params=query, icon=":material/call_split:")


def _headers(memory: Memory, header: TraceHeader) -> list[TraceHeader]:
    """Looked up once for each run that is opened: a step draws no list anew."""
    kept = st.session_state.get("trace:family")
    if kept is None or kept[0] != (header.id, header.status):
        kept = ((header.id, header.status), memory.traces(LISTED))
        st.session_state["trace:family"] = kept
    return kept[1]
