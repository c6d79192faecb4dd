"""Reconstruction: ask, watch the answer being reconstructed step by step, and look at any past run."""

import streamlit as st

from memcore import samples
from memcore.reconstruction import Ask, fold
from memcore.view.steps import step_cards
from pages._parts import trace_view
from pages._parts.compare_view import compare
from pages._parts.frame import leave_v1_mode
from pages._parts.live_run import runs
from pages._parts.memory import current
from pages._parts.say import plain, verbatim
from pages._parts.states import nothing_stored, shown_errors

leave_v1_mode()
STRATEGIES = ("active", "fusion", "nhop", "dense", "bm25", "priors", "graph")
PACES = {"At once": 0.0, "Half a second a step": 0.5, "Two seconds a step": 2.0}
POLL = 0.3
PLAY = 1.0  # seconds that each step is shown


def begin(question: str) -> None:
    """Start a run with the choices on the page; it is watched until it ends."""
    with shown_errors():
        chosen = st.session_state
        ask = Ask(
            question,
            int(chosen.get("ask:budget", 12)),
            strategy=chosen.get("ask:strategy", "active"),
            auto_budget=bool(chosen.get("ask:auto")),
        )
        run = runs().start(current(), ask, PACES[chosen.get("ask:pace", "At once")])
        st.query_params.pop("step", None)
        st.query_params["trace"] = run.trace_id


def move(by: int, last: int) -> None:
    at = st.session_state.get("trace:step", last)
    st.session_state["trace:step"] = min(max(at + by, 1), last)


def play(last: int) -> None:
    """Walk through the steps from here, from the first one when at the end; pressed again, hold."""
    st.session_state["trace:playing"] = not st.session_state.get("trace:playing")
    if st.session_state.get("trace:step", last) == last:
        st.session_state["trace:step"] = 1


@st.fragment(run_every=PLAY)
def next_when_due(step: int, last: int) -> None:
    """Each time this is drawn by its own timer, and not with the page, one step is over."""
    if st.session_state.get("trace:played") == step:
        st.session_state["trace:goto"] = min(step + 1, last)
        st.rerun()
    st.session_state["trace:played"] = step


def ask_form(memory) -> None:
    with st.form("ask", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            question = st.text_input("Question", placeholder="Ask this memory something", key="ask:question")
            st.selectbox("Strategy", STRATEGIES, key="ask:strategy", width=140)
            st.number_input("Turns to read", 1, 200, 12, key="ask:budget", width=130)
            st.selectbox("Pace", list(PACES), key="ask:pace", width=190)
            asked = st.form_submit_button("Ask", type="primary")
        st.toggle("Let the budget grow with the difficulty of the question", key="ask:auto")
    if asked:
        begin(question)
    examples = samples.questions(memory.name)
    if examples:
        kinds = [q for q in examples if q["kind"] == "chain"][:4] + [
            q for q in examples if q["kind"] != "chain"
        ][:2]
        with st.expander("Example questions", expanded=not st.query_params.get("trace")):
            for i, q in enumerate(kinds):
                st.button(
                    plain(q["question"]),
                    key=f"example{i}",
                    on_click=begin,
                    args=(q["question"],),
                    type="tertiary",
                )


def watch(memory, run) -> None:
    """A run under way: its steps as they come; nothing of the page is drawn again for them."""

    @st.fragment(run_every=POLL)
    def live() -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Paused**" if run.paused else "**Reconstructing …**")
            st.button("Resume" if run.paused else "Pause", on_click=run.pause_or_go, disabled=run.done)
            st.button("Stop", on_click=run.stop, disabled=run.done)
        events = list(run.events)
        last = max((getattr(e, "step", 0) for e in events), default=0)
        trace_view.draw_graph(memory, run.trace_id, events, last)
        if events:
            trace_view.step_list(memory, events, last)
        if run.done:
            st.rerun()

    live()


def show(memory, trace_id: str) -> None:
    """A stored run: slider, graph, words, evidence, candidates, comparison."""
    header, events = memory.trace(trace_id)
    cards = step_cards(events, memory.snapshot().graph)
    last = max((c.step for c in cards), default=1)
    if st.session_state.get("trace:shown") != trace_id:
        asked = str(st.query_params.get("step", ""))
        st.session_state["trace:shown"] = trace_id
        st.session_state["trace:step"] = min(int(asked), last) if asked.isdigit() and int(asked) else last
        st.session_state["trace:playing"] = False
    if due := st.session_state.pop("trace:goto", None):
        st.session_state["trace:step"] = due
    st.subheader(plain(header.question), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Previous", on_click=move, args=(-1, last), key="prev", disabled=last < 2)
        step = st.slider("Step", 1, last, key="trace:step", width=420) if last > 1 else 1
        st.button("Next", on_click=move, args=(1, last), key="next", disabled=last < 2)
        playing = st.session_state.get("trace:playing") and last > 1
        st.button("Hold" if playing else "Play", on_click=play, args=(last,), key="play", disabled=last < 2)
        if header.status == "running":
            st.caption("This run was interrupted; what it had done is shown.")
    st.query_params["step"] = str(step)
    st.session_state["trace:played"] = None
    if playing and step < last:
        next_when_due(step, last)
    else:
        st.session_state["trace:playing"] = False
    node = trace_view.draw_graph(memory, trace_id, events, step)
    left, right = st.columns([3, 2], gap="large")
    with right:
        if node:
            trace_view.selected_node(memory, node)
        else:
            trace_view.step_list(memory, events, step)
    evidence, ranked, lanes = left.tabs(
        ["Evidence and answer", "Candidates of this step", "Compare strategies"]
    )
    with evidence:
        trace_view.answer(memory, events, None if step == last else step)
    with ranked:
        trace_view.candidates(memory, next(c for c in cards if c.step == step))
    with lanes:
        known = next(
            (q["evidence"] for q in samples.questions(memory.name) if q["question"] == header.question), []
        )
        ask = Ask(header.question, fold(events).budget, strategy=header.strategy)
        compare(memory, trace_id, ask, events, known)


def past(memory) -> None:
    headers = memory.traces(30)
    with st.expander(f"Past runs ({len(headers)})"):
        for h in headers:
            when, words = f"{h.started:%d %b %H:%M}", verbatim(h.question, 90)
            label = plain(f"{when} · {h.strategy} · {words} · {h.status}")
            st.page_link("pages/reconstruction.py", label=label, query_params={"trace": h.id})


st.title("Reconstruction")
with shown_errors():
    memory = current()
    if not len(memory.snapshot().graph):
        nothing_stored()
        st.stop()
    ask_form(memory)
    run = runs().current
    if run is not None and "trace" not in st.query_params:  # back on this page, or drawn again at once
        st.query_params["trace"] = run.trace_id
    trace_id = st.query_params.get("trace")
    if run is not None and not run.done and run.trace_id == trace_id:
        watch(memory, run)
    elif trace_id:
        if run is not None and run.error is not None and run.trace_id == trace_id:
            raise run.error
        show(memory, trace_id)
    past(memory)
