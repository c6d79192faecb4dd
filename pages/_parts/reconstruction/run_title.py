"""What stands over a run: the question, who answered it and at what cost, and the runs that belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.run_state import fold
from memcore.view.model_calls import by_whom
from memcore.view.naming import STATUS_NAMES, counted, strategy_name
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.privacy.link import erase_link
from pages._parts.reconstruction.beside import left_out
from pages._parts.reconstruction.beside_runs import Told
from pages._parts.reconstruction.branches import branches
from pages._parts.reconstruction.model_calls import bill, taken_over
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader

QUESTION_LIMIT = 300
CUT_OFF = "This run is not finished: it goes on in another window, or was cut off. What it had done is shown."


def run_title(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent], *, under_way: bool) -> None:
    """Draw it; what belongs to a run is known once it is no longer under way here."""
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
            st.subheader(plain(header.question, QUESTION_LIMIT), anchor=False)
            if not under_way:
                erase_link(header.id, memory.name, "Erase this question for good…")
        st.caption(_line(header, events) + ("" if under_way else f" · {STATUS_NAMES[header.status]}"))
        bill(memory, header, events)
        taken_over(events)
        if under_way:
            return
        if header.status == "running":
            st.caption(CUT_OFF)
        branches(memory, header, events)
        left_out(memory, Told(header, events))


def _line(header: TraceHeader, events: Sequence[TraceEvent]) -> str:
    """How it was asked, by whom it was answered, how much was read, and when."""
    read, by = fold(events), by_whom(events)
    turns = f"{len(read.turns):,} of {counted(read.budget or header.budget, 'turn')} read"
    how = " ".join(filter(None, (strategy_name(header.strategy), plain(by, 80))))
    return f"{how} · {turns} · {instant(header.started, zone())}"
