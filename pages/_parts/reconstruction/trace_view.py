"""What a run did, in words and tables: a step told, evidence and answer, candidates, pruned branches.

Everything is read from the stored events; texts are looked up when they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.reconstruction import fold
from memcore.view.answer import AnswerView
from memcore.view.naming import ERASED, content_name, counted, cue_name, labelled, tag_name
from memcore.view.node_panel import needed, panel
from memcore.view.steps import (
    StepCard,
    capped_rows,
    closing,
    pruned_rows,
    pruned_summary,
    step_cards,
    withheld_more,
)
from pages._parts.inspector import inspector
from pages._parts.reconstruction.answer import answer_of, draw_answer
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.events import Candidate, TraceEvent
    from memcore.memory import Memory

SCORES = ("dense", "lexical", "speaker", "time", "tag", "cue", "neighbour", "reverse", "evidence")
ROW = 64  # pixels: from this height on, a long memory wraps instead of being cut after a few words
_Column = st.column_config


def card_of(memory: Memory, events: Sequence[TraceEvent], step: int) -> StepCard:
    """What is known of one step; an empty card for a step that has not begun."""
    cards = step_cards(events, memory.snapshot().graph)
    return next((c for c in cards if c.step == step), StepCard(step))


def told(memory: Memory, events: Sequence[TraceEvent], step: int, last: int) -> None:
    """The step in one sentence, and after the last one why the run ended."""
    sentence = card_of(memory, events, step).sentence or "The question is being read."
    ended = " ".join(closing(e) for e in events if e.kind == "stopped") if step >= last else ""
    st.markdown(f"**Step {step}**  {plain(sentence)}" if step else plain(sentence))
    if ended:
        st.caption(plain(ended))


def step_list(memory: Memory, events: Sequence[TraceEvent], step: int) -> None:
    """Every step up to this one, the latest first."""
    for card in reversed(step_cards(events, memory.snapshot().graph)):
        if card.step <= step:
            st.markdown(f"**{card.step}**  {plain(card.sentence)}")


def answer(memory: Memory, events: Sequence[TraceEvent], step: int | None = None) -> None:
    """Evidence up to a step, and the answer once the run has ended."""
    run = [e for e in events if step is None or getattr(e, "step", 0) <= step]
    state, view = fold(run), answer_of(memory, run)
    if step is None and state.answer is not None:
        draw_answer(view, memory.get([q.content_id for q in view.sentences]))
    kept = counted(len(view.evidence), "memory", "memories")
    st.markdown(f"**Evidence** · {kept} kept" + ("" if step is None else f" up to step {step}"))
    if view.evidence:
        _evidence_table(view)
    gone = len(state.evidence) - len(view.evidence)
    if gone:
        st.caption(f"{counted(gone, 'piece')} of evidence was erased since.")


def _evidence_table(view: AnswerView) -> None:
    evidence = view.evidence
    cited = [q.content_id for q in view.sentences] if view.by_model else []
    rows = [
        {
            "cited": f"[{cited.index(q.content_id) + 1}]" if q.content_id in cited else "",
            "memory": verbatim(q.text, 300),
            "said": verbatim(f"{q.who}, {q.said}", 80),
            "turn": verbatim(q.source, 20),
            "score": q.score,
            "happened": q.event,
        }
        for q in evidence
    ]
    layout = {
        **({"cited": _Column.TextColumn(width=52)} if cited else {}),
        "memory": _Column.TextColumn(width=205),
        "said": _Column.TextColumn(width=140),
        "turn": _Column.TextColumn(width=62),
        "score": _Column.NumberColumn(format="%.4f", width=68),
        "happened": _Column.TextColumn(width=100),
    }
    another_day = any(q.event != "unknown" and not q.said.startswith(q.event) for q in evidence)
    order = [name for name in layout if name != "happened" or another_day]
    st.dataframe(rows, hide_index=True, column_config=layout, column_order=order, row_height=ROW)


def candidates(memory: Memory, card: StepCard) -> None:
    """The candidates of a step, read or not; every component of the score on request."""
    if not card.candidates:
        st.caption("No memory was in reach at this step.")
        return
    every = st.toggle("All score components", key="trace:components")
    texts = _texts(memory, [c.content_id for c in card.candidates])
    rows = [_candidate(memory, card, c, texts) for c in card.candidates]
    exact = _Column.NumberColumn(format="%.4f", width=72)
    layout = {
        "fate": _Column.TextColumn(width=78),
        "memory": _Column.TextColumn(width=240),
        "total": exact,
        **(dict.fromkeys(SCORES, exact) if every else {}),
        "path": _Column.TextColumn("reached by", width=150),
    }
    st.dataframe(rows, hide_index=True, column_config=layout, column_order=layout, row_height=ROW)
    if card.hidden:
        st.caption(f"{counted(card.hidden, 'more memory', 'more memories')} reached and ranked below.")


def _texts(memory: Memory, ids: Sequence[str]) -> dict[str, str]:
    """What memories say, and of those that nobody said how they were made."""
    return {r.id: labelled(r) for r in memory.get(ids).values() if r.kind == "content"}


def _candidate(memory: Memory, card: StepCard, c: Candidate, texts: Mapping[str, str]) -> dict[str, Any]:
    graph = memory.snapshot().graph
    fate = _fate(card, c.content_id)
    by = [cue_name(graph, c.via_cue)] * bool(c.via_cue) + [tag_name(graph, c.via_tag)] * bool(c.via_tag)
    if not by and c.via_content:
        by = [f"beside {content_name(graph, c.via_content)}"]
    memory_text = texts.get(c.content_id, content_name(graph, c.content_id))
    scores = {name: getattr(c, name) for name in ("total", *SCORES)}
    return {
        "fate": fate,
        "memory": verbatim(memory_text, 300),
        **scores,
        "path": verbatim(" › ".join(by), 80),
    }


def _fate(card: StepCard, content_id: str) -> str:
    decision = card.decision
    if decision and content_id in {p.id for p in decision.pruned}:
        return "left by hand"
    if decision and content_id in {k.content_id for k in decision.kept}:
        return "kept by hand"
    if content_id in {k.content_id for k in card.kept}:
        return "kept"
    return "read, weak" if content_id in card.opened else "not read"


def pruned(memory: Memory, card: StepCard) -> None:
    """Every branch the step left behind, with its reason, and the cues that were capped."""
    graph = memory.snapshot().graph
    for line in capped_rows(card, graph):
        st.caption(plain(f"{line}."))
    rows = pruned_rows(card, graph)
    if not rows:
        st.caption("Nothing was pruned at this step.")
        return
    st.caption("; ".join((*pruned_summary(card.pruned), *withheld_more(card))))
    texts = _texts(memory, [r.id for r in rows if r.kind == "memory"])
    table = [
        {
            "kind": r.kind,
            "branch": verbatim(texts.get(r.id, r.name), 300) if r.name != ERASED else ERASED,
            "why": r.why,
            "score": r.score,
        }
        for r in rows
    ]
    layout = {
        "kind": _Column.TextColumn(width=72),
        "branch": _Column.TextColumn(width=220),
        "why": _Column.TextColumn(width=190),
        "score": _Column.NumberColumn(format="%.4f", width=72),
    }
    st.dataframe(table, hide_index=True, column_config=layout, row_height=ROW)


def selected_node(memory: Memory, node: str) -> None:
    """The inspector of a node of the trace."""
    graph = memory.snapshot().graph
    known = node in graph.cue_index or node in graph.tag_index or node in graph.content_index
    inspector(panel(graph, node, memory.get(needed(graph, node))) if known else None, key="trace:panel")
    if known:
        st.page_link("pages/graph.py", label="Open in the graph", query_params={"node": node})
