"""The question and how it may be answered: the form, the examples, and the start of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore import samples
from memcore.reconstruction import Ask
from memcore.view.naming import STRATEGY_NAMES
from pages._parts.reconstruction.beside_runs import told
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.opened_trace import TRACE
from pages._parts.reconstruction.who_answers import what_it_costs, who_answers
from pages._parts.say import plain
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory

QUESTION, STRATEGY, BUDGET, PACE, AUTO = "ask:question", "ask:strategy", "ask:budget", "ask:pace", "ask:auto"
WHO = "ask:who"
WANTED = "ask:wanted"  # the question that was just asked for, until its run has begun
OF = "ask:of"  # the run whose question stands in the form
HOW, EXAMPLES = "How it is answered", "Example questions"
PACES = {"At once": 0.0, "Half a second a step": 0.5, "Two seconds a step": 2.0}
GROW = "Begin with half of the turns, and let the budget grow with the difficulty of the question."


def ask_form(memory: Memory) -> None:
    """Draw the form; asked, a run begins and is the one the page shows.

    Over an open run it holds the question of that run, and what else there is to choose is folded away.
    """
    form, said = st.container(), st.container()
    with said:
        _begin_wanted(memory)
    with form:
        _draw(memory, folded=_over_a_run(memory))


def _begin_wanted(memory: Memory) -> None:
    """Before the form is drawn, which is another one over a run."""
    wanted = st.session_state.pop(WANTED, None)
    if wanted is not None:
        with shown_errors(), st.spinner("Reading the question …"):
            begin(memory, wanted)


def _over_a_run(memory: Memory) -> bool:
    """Whether a run is open. Its question is taken over where a link opened it or the page was left since,
    and goes with it where it was erased."""
    trace_id, state = TRACE.shown(memory), st.session_state
    if not trace_id:
        return False
    opened = told(memory, trace_id)
    if opened is None and state.pop(OF, None) == trace_id:
        state[QUESTION] = ""
    elif opened is not None and (state.get(OF) != trace_id or QUESTION not in state):
        state[OF], state[QUESTION] = trace_id, opened.header.question
    return True


def _draw(memory: Memory, *, folded: bool) -> None:
    with st.form("ask", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Question", placeholder="Ask this memory something", key=QUESTION)
        st.form_submit_button("Ask", type="primary", on_click=_want)
    with st.container(horizontal=folded, gap="small"):
        with st.popover(HOW, width="content") if folded else st.container():
            _choices(memory)
        if offered := samples.examples(memory.name) if memory.viewer.sees_all else []:
            with st.popover(EXAMPLES, width="content") if folded else st.expander(EXAMPLES, expanded=True):
                _examples(offered)


def _choices(memory: Memory) -> None:
    """How it is answered; outside of the form, so that they hold for an example too."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        strategies = list(STRATEGY_NAMES)
        st.selectbox("Strategy", strategies, key=STRATEGY, width=215, format_func=STRATEGY_NAMES.get)
        most = memory.settings.budget
        st.number_input("Turns to read", 1, max(200, most), most, key=BUDGET, width=115)
        chosen = who_answers(memory, WHO)
        st.selectbox("Pace", list(PACES), key=PACE, width=170)
        st.checkbox("Let the budget grow", key=AUTO, help=GROW)
    what_it_costs(memory.models, chosen)


def begin(memory: Memory, question: str) -> None:
    """Start a run with the choices on the page. Raises InputError for an empty question."""
    chosen = st.session_state
    ask = Ask(
        question, int(chosen[BUDGET]), strategy=chosen[STRATEGY], auto_budget=bool(chosen[AUTO]),
        model=chosen[WHO] or "",
    )  # fmt: skip
    run = runs().ask(memory, ask, PACES[chosen[PACE]])
    chosen[OF] = run.trace_id
    TRACE.open(run.trace_id, memory.id)


def _examples(questions: Sequence[str]) -> None:
    with st.container(gap=None):
        for i, text in enumerate(questions):
            st.button(plain(text), key=f"example{i}", on_click=_want, args=(text,), type="tertiary")


def _want(example: str | None = None) -> None:
    """Ask an example, or what was typed, when the form is drawn next."""
    if example is not None:
        st.session_state[QUESTION] = example
    st.session_state[WANTED] = st.session_state[QUESTION]
