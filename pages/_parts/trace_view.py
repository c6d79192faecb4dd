"""One stored run, drawn: graph in bands, the step told in words, evidence, candidates with all scores.

Everything is read from the stored events. Moving the slider re-sends the marks of a step and nothing
else; no router and no embedder is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.reconstruction import fold
from memcore.view.answer import EXTRACTIVE, NOTHING, answer_lines
from memcore.view.inspect import needed, panel
from memcore.view.naming import content_name, counted, cue_name, tag_name
from memcore.view.steps import StepCard, closing, pruned_summary, step_cards
from memcore.view.trace import TraceGraph, marks_at, trace_graph, trace_payload
from pages._parts.canvas import Overlay, Show, canvas, overlay
from pages._parts.inspector import inspector
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory

CANVAS = "trace"
SCORES = ("dense", "lexical", "speaker", "time", "tag", "cue", "neighbour", "reverse", "evidence")


def draw_graph(memory: Memory, trace_id: str, events: Sequence[TraceEvent], step: int) -> str:
    """The graph with the marks of `step`; the id of the node that is selected, or "".

    The whole is fitted once more when a run has ended: while it goes on, the graph grows to the right.
    """
    graph = memory.snapshot().graph
    drawn = _drawn(memory, trace_id, events)
    ended = any(e.kind == "stopped" for e in events)
    picked = canvas(
        trace_payload(drawn, len(drawn.nodes)),
        key=CANVAS,
        show=Show(height=400, fit=f"{trace_id}:{len(events)}", layout=f"{trace_id}:{ended}"),
    )
    marks = marks_at(events, graph, drawn, step)
    overlay(CANVAS, Overlay(marks.nodes, marks.edges, token=f"{trace_id}:{step}"))
    return picked.nodes[0] if picked.nodes else ""


def _drawn(memory: Memory, trace_id: str, events: Sequence[TraceEvent]) -> TraceGraph:
    """Laid out once per trace and number of events, then kept with the session."""
    kept = st.session_state.get("trace:drawn")
    if kept is None or kept[0] != (trace_id, len(events)):
        texts = memory.texts({c.content_id for e in events if e.kind == "ranked" for c in e.candidates})
        drawn = trace_graph(events, memory.snapshot().graph, texts)
        st.session_state["trace:drawn"] = kept = ((trace_id, len(events)), drawn)
    return kept[1]


def step_list(memory: Memory, events: Sequence[TraceEvent], step: int) -> None:
    """What each step did, in a sentence; the one shown is marked."""
    for card in step_cards(events, memory.snapshot().graph):
        if card.step <= step:
            mark = "▸ " if card.step == step else ""
            st.markdown(f"{mark}**{card.step}**  {plain(card.sentence)}")
    last = events[-2:]
    for event in last:
        if event.kind == "stopped":
            st.caption(plain(closing(event)))


def answer(memory: Memory, events: Sequence[TraceEvent], step: int | None = None) -> None:
    """Evidence up to a step, and the answer once the run has ended."""
    state = fold(e for e in events if step is None or getattr(e, "step", 0) <= step)
    view = answer_lines(state, memory.get([*state.evidence, *state.turns]))
    if state.answer is not None:
        st.markdown("**Answer**")
        for quote in view.sentences:
            st.text(verbatim(quote.text))
            st.caption(plain(f"{quote.who}, said {quote.said} · {quote.source}"))
        st.caption(EXTRACTIVE if view.sentences else NOTHING)
    st.markdown(f"**Evidence** · {counted(len(view.evidence), 'memory', 'memories')} kept")
    rows = [
        {
            "memory": verbatim(q.text, 240),
            "who": verbatim(q.who, 40),
            "said": q.said,
            "happened": q.event,
            "turn": verbatim(q.source, 20),
            "score": q.score,
        }
        for q in view.evidence
    ]
    if rows:
        st.dataframe(
            rows, hide_index=True, column_config={"score": st.column_config.NumberColumn(format="%.4f")}
        )
    gone = len(state.evidence) - len(view.evidence)
    if gone:
        st.caption(f"{counted(gone, 'piece')} of evidence was erased since.")


def candidates(memory: Memory, card: StepCard) -> None:
    """Every candidate of a step with every component of its score, read or not."""
    graph = memory.snapshot().graph
    texts = memory.texts([c.content_id for c in card.candidates])
    kept = {k.content_id for k in card.kept}
    rows = [
        {
            "fate": "kept"
            if c.content_id in kept
            else "read, weak"
            if c.content_id in card.opened
            else "not read",
            "memory": verbatim(texts.get(c.content_id, content_name(graph, c.content_id)), 200),
            "total": c.total,
            **{name: getattr(c, name) for name in SCORES},
            "by cue": verbatim(cue_name(graph, c.via_cue), 40) if c.via_cue else "",
            "by tag": verbatim(tag_name(graph, c.via_tag), 40) if c.via_tag else "",
        }
        for c in card.candidates
    ]
    exact = {name: st.column_config.NumberColumn(format="%.4f") for name in ("total", *SCORES)}
    st.dataframe(rows, hide_index=True, column_config=exact)
    st.caption(
        f"{counted(card.hidden, 'more memory', 'more memories')} reached and ranked below. "
        + "; ".join(pruned_summary(card.pruned))
    )


def selected_node(memory: Memory, node: str) -> None:
    """The inspector of a node of the trace."""
    graph = memory.snapshot().graph
    known = node and (node in graph.cue_index or node in graph.tag_index or node in graph.content_index)
    inspector(panel(graph, node, memory.get(needed(graph, node))) if known else None, key="trace:panel")
    if known:
        st.page_link("pages/graph.py", label="Open in the graph", query_params={"node": node})
