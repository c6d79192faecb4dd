"""One run on the page, under way or over: the same places for the same things, so that nothing jumps.

It is a fragment: a step, or a look at a run under way, draws nothing else again.
Everything shown comes from the stored events; no router and no embedder is called for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.steps import step_cards, whole_steps
from pages._parts.reconstruction import trace_view
from pages._parts.reconstruction.answer import answer_box
from pages._parts.reconstruction.compare_view import compare
from pages._parts.reconstruction.decide import Place, decide
from pages._parts.reconstruction.guard import guard
from pages._parts.reconstruction.live_call import live_call
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.model_calls import models_at
from pages._parts.reconstruction.opened_trace import STEPS
from pages._parts.reconstruction.run_title import run_title
from pages._parts.reconstruction.trace_canvas import draw_graph
from pages._parts.say import verbatim
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory
    from memcore.records import TraceHeader
    from pages._parts.reconstruction.live_run import LiveRun

POLL = 0.3  # seconds between two looks at a run under way
TABS = ("Evidence", "Steps", "Candidates", "Pruned branches", "Models", "Compare")
# On a narrow page the inspector goes below the tables instead of squeezing them.
ROOM = "<style>div:has(> .st-key-trace-tables) { min-width: min(540px, 100%) }</style>"


@dataclass(frozen=True, slots=True)
class Shown:
    """A run as far as it is known now; `live` while this session's own run goes on."""

    header: TraceHeader
    events: Sequence[TraceEvent]
    live: LiveRun | None


def show_run(memory: Memory, trace_id: str, run: LiveRun | None) -> None:
    """Draw the run, and go on drawing it while it is under way."""
    if st.session_state.get("trace:shown") != trace_id:
        st.session_state["trace:shown"] = trace_id
        STEPS.hold()
    pulse = _pulse(run)
    st.fragment(run_every=pulse)(_draw)(memory, trace_id, run, pulse)


def _pulse(run: LiveRun | None) -> float | None:
    """How often to look: not at all while nothing can happen. The run beside the open one counts as well."""
    going = (r for r in (run, runs().current) if r is not None and not r.done)
    return POLL if any(not r.held for r in going) else None


def _draw(memory: Memory, trace_id: str, run: LiveRun | None, pulse: float | None) -> None:
    with shown_errors():
        if _pulse(run) != pulse:
            st.rerun()
        shown = _load(memory, trace_id, run)
        bar, canvas, below = st.container(), st.container(), st.container()
        with bar:
            run_title(memory, shown.header, shown.events, under_way=shown.live is not None)
            if shown.live is None:
                answer_box(memory, shown.events)
            last = max((c.step for c in step_cards(shown.events, memory.snapshot().graph)), default=0)
            step = _live_step(shown, last) if shown.live else STEPS.bar(max(last, 1))
            if shown.live is not None and shown.live.speaks:
                live_call(shown.live)
        with canvas:
            node = draw_graph(memory, trace_id, shown.events, step, ended=shown.live is None)
        with below:
            trace_view.told(memory, shown.events, step, last)
            guard(memory, shown.header, shown.events, step, last)
            _details(memory, shown, step, last, node)


def _load(memory: Memory, trace_id: str, run: LiveRun | None) -> Shown:
    """The run under way, or the stored one, read once while nothing is written: it does not change any
    more, but may be erased."""
    if run is not None and not run.done:
        return Shown(run.header, whole_steps(list(run.events)), run)
    now = (trace_id, memory.snapshot().graph.seq)
    at, kept = st.session_state.pop("trace:loaded", (None, None))
    if kept is None or at != now or kept.header.status == "running":
        kept = Shown(*memory.trace(trace_id), None)
    st.session_state["trace:loaded"] = (now, kept)
    if run is not None and run.error is not None:
        with shown_errors():
            raise run.error
    return kept


def _live_step(shown: Shown, last: int) -> int:
    assert shown.live is not None
    STEPS.live_bar(shown.live, f"step {last}" if last else "reading the question")
    return last


def _details(memory: Memory, shown: Shown, step: int, last: int, node: str) -> None:
    """Tables, of which only the open one is drawn, and beside them the node that is selected."""
    st.html(ROOM)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width="stretch", key="trace-tables"):
            tabs = st.tabs(TABS, key="trace:tab", on_change="rerun")
            drawn = (_evidence, _steps, _candidates, _pruned, _models, _lanes)
            for tab, draw in zip(tabs, drawn, strict=True):
                if tab.open:
                    with tab:
                        draw(memory, shown, step, last)
        if node:
            with st.container(width=360):
                trace_view.selected_node(memory, node)


def _evidence(memory: Memory, shown: Shown, step: int, last: int) -> None:
    trace_view.evidence(memory, shown.events, None if step >= last else step)


def _steps(memory: Memory, shown: Shown, step: int, last: int) -> None:
    trace_view.step_list(memory, shown.events, step)


def _candidates(memory: Memory, shown: Shown, step: int, last: int) -> None:
    if _decidable(shown) and decide(memory, Place(shown.header.id, step), shown.events):
        return
    trace_view.candidates(memory, trace_view.card_of(memory, shown.events, step))


def _decidable(shown: Shown) -> bool:
    """Whether a person can go on otherwise: an active run that stands still."""
    active = shown.header.strategy == "active"
    if active and shown.live is not None and not shown.live.held:
        st.caption("Pause the run to decide yourself at this step.")
        return False
    return active and (shown.live is not None or shown.header.status != "running")


def _pruned(memory: Memory, shown: Shown, step: int, last: int) -> None:
    trace_view.pruned(memory, trace_view.card_of(memory, shown.events, step))


def _models(memory: Memory, shown: Shown, step: int, last: int) -> None:
    models_at(memory, shown.header, shown.events, step, last)


def _lanes(memory: Memory, shown: Shown, step: int, last: int) -> None:
    if shown.live:
        st.caption(verbatim("The other strategies are run when this one has ended."))
    else:
        compare(memory, shown.header, shown.events)
