"""The answer of a run: sentences of the evidence, or what a model wrote, labelled so, with what it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.models.at_work import SCRIPTED
from memcore.prompted import answer_text
from memcore.records import Content, Record
from memcore.run_state import fold
from memcore.view.answer import GONE, AnswerView, Quoted, answer_lines
from memcore.view.model_calls import model_name
from pages._parts.clock import zone
from pages._parts.memory import chosen
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory

LIMIT = 600
BY_PEOPLE = "Written by people for this sample, to show what a model does; it cites these memories."


def answer_of(memory: Memory, events: Sequence[TraceEvent]) -> AnswerView:
    """The answer and evidence of a whole run."""
    state = fold(events)
    written = answer_text(memory, state.answer) if state.answer else None
    return answer_lines(state, memory.get([*state.evidence, *state.turns]), written, zone())


def in_words(view: AnswerView) -> str:
    """The answer as one text, to be shown in little room or to be compared."""
    if view.by_model and view.sentences:
        return view.written or GONE
    return " ".join(q.text for q in view.sentences) or view.note


def answer_box(memory: Memory, events: Sequence[TraceEvent]) -> None:
    """The answer of a run that has ended, each source under it; nothing where it came to none."""
    if fold(events).answer is None:
        return
    view = answer_of(memory, events)
    with st.container(border=True, gap="xsmall"):
        if view.by_model and view.sentences:
            st.markdown("**Answer**")
            _written(view, memory.get([q.content_id for q in view.sentences]))
            return
        st.markdown(f"**Answer** :small[:gray[{plain(view.note)}]]")
        for quote in view.sentences:
            st.markdown(f"{plain(quote.text, LIMIT)}  \n:small[:gray[{_source(quote)}]]")


def _written(view: AnswerView, records: Mapping[str, Record]) -> None:
    numbers = " ".join(f"\\[{i}\\]" for i in range(1, len(view.sentences) + 1))
    if view.written:
        st.markdown(f"{plain(view.written, LIMIT)} {numbers}")
    note = BY_PEOPLE if view.model == SCRIPTED else view.note
    st.caption(f"{plain(note)} :gray-badge[{plain(model_name(view.model), 80)}]")
    for i, quote in enumerate(view.sentences, 1):
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.markdown(f":small[**\\[{i}\\]** {plain(quote.text, LIMIT)}  \n:gray[{_source(quote)}]]")
            content = records.get(quote.content_id)
            if isinstance(content, Content):
                _context(content.origin[0])


def _context(turn: str) -> None:
    st.page_link(
        "pages/conversations.py", label="Read in context", icon=":material/forum:", width="content",
        query_params={"turn": turn, "scope": chosen() or ""},
    )  # fmt: skip


def _source(quote: Quoted) -> str:
    return plain(f"{quote.who}, said {quote.said} · turn {quote.source}")
