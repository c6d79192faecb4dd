"""What a run did, in words and tables: a step told, evidence and answer, candidates, pruned branches.

Everything is read from the stored events; texts are looked up when they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.run_state import fold, through
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
from pages._parts.clock import zone
from pages._parts.inspector import inspector
from pages._parts.reconstruction.answer import answer_of
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.events import Candidate, TraceEvent
    from memcore.memory import Memory

SCORES = ("dense", "lexical", "speaker", "time", "tag", "cue", "neighbour", "reverse", "evidence")
ROW = 64  # pixels: three lines of text
ROOM = 120  # characters of a memory that three lines of its column hold on a narrow page
_Column = st.column_config
SCORE = _Column.NumberColumn("Score", format="%.4f", width=72, pinned=True)


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


def evidence(memory: Memory, events: Sequence[TraceEvent], step: int | None = None) -> None:
    """Evidence up to a step, or of the whole run."""
    run = events if step is None else through(events, step)
    state, view = fold(run), answer_of(memory, run)
    kept = counted(len(view.evidence), "memory", "memories")
    st.markdown(f"**Evidence** · {kept} kept" + ("" if step is None else f" up to step {step}"))
    if view.evidence:
        _evidence_table(view)
    gone = len(state.evidence) - len(view.evidence)
    if gone:
        st.caption(f"{counted(gone, 'piece')} of evidence was erased since.")


def text_column(title: str, width: int) -> _Column.TextColumn:
    """A column that stays as wide as it is: what room is left goes to those beside it."""
    return _Column.TextColumn(title, width=width, pinned=True)


def _evidence_table(view: AnswerView) -> None:
    cited = [q.content_id for q in view.sentences] if view.by_model else []
    rows = [
        {
            "cited": f"[{cited.index(q.content_id) + 1}]" if q.content_id in cited else "",
            "memory": verbatim(q.text, ROOM),
            "said": verbatim(f"{q.who}, {q.said}", 80),
            "turn": verbatim(q.source, 20),
            "score": q.score,
            "happened": q.event,
        }
        for q in view.evidence
    ]
    layout = {
        **({"cited": text_column("Cited", 56)} if cited else {}),
        "turn": text_column("Turn", 62),
        "score": SCORE,
        "said": text_column("Said", 132),
        "memory": _Column.TextColumn("Memory", width=280),
        "happened": _Column.TextColumn("Happened", width=100),
    }
    another_day = any(q.event != "unknown" and not q.said.startswith(q.event) for q in view.evidence)
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
    layout = {
        "fate": text_column("Fate", 84),
        "total": SCORE,
        "memory": _Column.TextColumn("Memory", width=280),
        "path": _Column.TextColumn("Reached by", width=150),
        **({name: _part_of_score(name) for name in SCORES} if every else {}),
    }
    st.dataframe(rows, hide_index=True, column_config=layout, column_order=layout, row_height=ROW)
    if card.hidden:
        st.caption(f"{counted(card.hidden, 'more memory', 'more memories')} reached and ranked below.")


def _part_of_score(name: str) -> _Column.NumberColumn:
    return _Column.NumberColumn(name.capitalize(), format="%.4f", width=80)


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
        "memory": verbatim(memory_text, ROOM),
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
            "branch": verbatim(texts.get(r.id, r.name), ROOM) if r.name != ERASED else ERASED,
            "why": r.why,
            "score": r.score,
        }
        for r in rows
    ]
    layout = {
        "kind": text_column("Kind", 76),
        "score": SCORE,
        "branch": _Column.TextColumn("Branch", width=280),
        "why": _Column.TextColumn("Why", width=180),
    }
    st.dataframe(table, hide_index=True, column_config=layout, column_order=layout, row_height=ROW)


def selected_node(memory: Memory, node: str) -> None:
    """The inspector of a node of the trace."""
    graph = memory.snapshot().graph
    known = node in graph.cue_index or node in graph.tag_index or node in graph.content_index
    found = panel(graph, node, memory.get(needed(graph, node)), zone()) if known else None
    inspector(found, key="trace:panel")
    if known:
        st.page_link("pages/graph.py", label="Open in the graph", query_params={"node": node})
