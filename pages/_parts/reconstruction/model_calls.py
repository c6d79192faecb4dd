"""The questions to models at a step: what was sent, what came back, what it took, and where rules went on.

Prompts are made again from the stored events, replies are looked up; nobody is asked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.prompted import replied, shown
from memcore.view.model_calls import (
    CallView,
    bill_line,
    calls_at,
    calls_of,
    fallbacks,
    fell_back,
    model_name,
    not_asked,
)
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader

TOOK_OVER = ":orange-badge[:material/rule: Rules took over]"
CHANGED = "Something that it showed was changed or erased since: this is how it reads today."
WORD_FOR_WORD = "Word for word as it was sent, but for the random word in the two lines around the data."
NOT_KEPT = (
    "No longer kept. Answers are kept until something is erased; other replies only where the settings say "
    "that every reply is recorded."
)


def calls(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> list[CallView]:
    """All questions to models of a run, with what the book has of them."""
    return calls_of(events, [e for e in memory.models.log.entries() if e.run == header.id])


def bill(memory: Memory, header: TraceHeader, events: Sequence[TraceEvent]) -> None:
    """The whole bill of a run, in one line."""
    if line := bill_line(calls(memory, header, events)):
        st.caption(plain(f"Models: {line}."))


def taken_over(events: Sequence[TraceEvent]) -> None:
    """Why rules went on in the place of a model, at whatever step: nobody has to look for it."""
    for line in fallbacks(events):
        st.markdown(f":small[{TOOK_OVER}  {plain(line)}]")


def models_at(
    memory: Memory, header: TraceHeader, events: Sequence[TraceEvent], step: int, last: int
) -> None:
    """The questions of one step, each with its prompt and reply folded away."""
    asked = calls_at(calls(memory, header, events), step, last)
    for event in events:
        if event.kind == "role_failed" and min(max(event.step, 1), last) == step:
            st.markdown(f"{TOOK_OVER}  {plain(fell_back(event))}")
    for number, call in enumerate(asked):
        _call(memory, header, call, f"call:{header.id}:{step}:{number}")
    if not asked:
        st.caption(plain(not_asked(events, step)))


def _call(memory: Memory, header: TraceHeader, call: CallView, key: str) -> None:
    with st.container(border=True, gap="small"):
        colour = "green" if call.event.outcome == "ok" else "orange"
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{call.role}** · {plain(model_name(call.event.model), 80)}", width="content")
            st.badge(plain(call.outcome, 80), color=colour)
        before = "asked before the fork · " if call.earlier else ""
        st.caption(plain(f"{before}{call.took}"))
        prompt = st.expander("Prompt", key=f"{key}:prompt", on_change="rerun")
        if prompt.open:
            with prompt:
                _prompt(memory, header, call)
        reply = st.expander("Reply", key=f"{key}:reply", on_change="rerun")
        if reply.open:
            with reply:
                _reply(memory, call)


def _prompt(memory: Memory, header: TraceHeader, call: CallView) -> None:
    again = shown(memory, header.question, call.event)
    st.caption(WORD_FOR_WORD if again.verbatim else CHANGED)
    for part in again.prompt:
        st.code(verbatim(part), language=None, wrap_lines=True)


def _reply(memory: Memory, call: CallView) -> None:
    if call.event.outcome != "ok":
        st.caption("There was no reply that could be used.")
        return
    value = replied(memory, call.event)
    if value is None:
        st.caption(NOT_KEPT)
    else:
        st.code(verbatim(json.dumps(value, ensure_ascii=False, indent=1)), language=None, wrap_lines=True)
