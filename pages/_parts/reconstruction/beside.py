"""Two runs of one question side by side: by another model, from a fork, or without a memory.

A run that was made once is a stored run: drawing it again asks nobody.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from memcore.forking import asked_again
from memcore.run_state import fold
from memcore.view.beside import Difference, difference, fate, moved
from memcore.view.beside import told as differences
from memcore.view.model_calls import bill_line
from memcore.view.naming import content_name, counted
from pages._parts.reconstruction.answer import answer_of, in_words
from pages._parts.reconstruction.beside_runs import Told, others, pair, partner, told
from pages._parts.reconstruction.live_call import live_call
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.model_calls import calls
from pages._parts.reconstruction.trace_view import ROOM, ROW, text_column
from pages._parts.reconstruction.who_answers import who_answers
from pages._parts.say import plain, verbatim
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import TraceHeader
    from pages._parts.reconstruction.live_run import LiveRun

CHOICE, WHO, WANTED = "beside:choice", "beside:who", "beside:wanted"
ANSWER = 400  # characters of an answer in a lane


def beside(memory: Memory, here: Told) -> None:
    """The open run beside another of the same question, which can be made here."""
    _start(memory, here)
    _ask_by(memory)
    run = runs().current
    if run is not None and not run.done and run.trace_id == partner(here.header.id):
        _under_way(run)
        return
    other = _chosen(memory, here.header)
    if other is not None:
        _both(memory, here, other)


def left_out(memory: Memory, here: Told) -> None:
    """Of a run that was asked without memories: which, and whether they move the route."""
    if not here.without:
        return
    texts, graph = memory.texts(here.without), memory.snapshot().graph
    for id_ in here.without:
        name = content_name(graph, id_)
        st.caption(plain(f"Asked without what {name} says: “{texts.get(id_, 'no longer kept')[:160]}”"))
    whole = _with_them(memory, here)
    if whole is not None and here.header.status != "running":
        pair(here.header.id, whole.header.id)
        st.markdown(f"**{plain(moved(_between(memory, whole, here), len(here.without)))}**")
        st.caption("Both runs stand side by side under Compare.")


def _ask_by(memory: Memory) -> None:
    with st.form("beside", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        who_answers(memory, WHO, "Ask the same again, answered by")
        st.form_submit_button("Run it", on_click=_want)


def _want() -> None:
    st.session_state[WANTED] = st.session_state[WHO] or ""


def _start(memory: Memory, here: Told) -> None:
    who, first = st.session_state.pop(WANTED, None), here.events[0]
    if who is None or first.kind != "asked":
        return
    with shown_errors():
        run = runs().ask(memory, replace(asked_again(here.header, first), model=who), 0.0)
        pair(here.header.id, run.trace_id)
        st.session_state.pop(CHOICE, None)
        st.rerun()


def _under_way(run: LiveRun) -> None:
    """The other run while it goes on."""
    steps = max((getattr(e, "step", 0) for e in list(run.events)), default=0)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", icon=":material/stop:", on_click=run.stop, key="beside:stop", width=100)
        at = f"step {steps}" if steps else "reading the question"
        st.markdown(f"**The other run is under way**  {at}", width="content")
    if run.speaks:
        live_call(run, "beside-call")


def _chosen(memory: Memory, header: TraceHeader) -> Told | None:
    """The run that is to stand beside this one."""
    found = {h.id: t for h in others(memory, header) if (t := told(memory, h.id)) is not None}
    if not found:
        st.caption("This question has been asked once so far: ask it again to see both runs side by side.")
        return None
    near = partner(header.id)
    first = list(found).index(near) if near in found else 0
    if st.session_state.get(CHOICE) not in found:
        st.session_state.pop(CHOICE, None)
    id_ = st.selectbox(
        "Beside which run", list(found), first, key=CHOICE, format_func=lambda i: verbatim(found[i].name, 120)
    )
    return found[id_]


def _with_them(memory: Memory, here: Told) -> Told | None:
    """The run from which this one was asked again without some memories."""
    ids = [partner(here.header.id), *(h.id for h in others(memory, here.header))]
    found = (told(memory, id_) for id_ in dict.fromkeys(ids) if id_)
    return next((t for t in found if t is not None and {*t.without} < {*here.without}), None)


def _both(memory: Memory, here: Told, other: Told) -> None:
    between = _between(memory, here, other)
    st.markdown("  \n".join(plain(sentence) for sentence in differences(between)))
    sides = ((here, "This run"), (other, "The other"))
    for column, (run, title) in zip(st.columns(2), sides, strict=True):
        with column:
            _lane(memory, run, title)
    _memories(memory, between, here, other)


def _between(memory: Memory, here: Told, other: Told) -> Difference:
    """What differs; memories that one was asked without, and what is read with them, are left aside."""
    graph = memory.snapshot().graph
    without = {*here.without} ^ {*other.without}
    turns = {
        t for c in without if c in graph.content_index for t in graph.turns_of(graph.content_index[c])
    }  # fmt: skip
    answers = (in_words(answer_of(memory, here.events)), in_words(answer_of(memory, other.events)))
    return difference(here.events, other.events, answers, without | turns)


def _lane(memory: Memory, run: Told, title: str) -> None:
    view = answer_of(memory, run.events)
    with st.container(border=True):
        st.markdown(f"**{title}**  \n:small[:gray[{plain(run.name)}]]")
        st.markdown(plain(in_words(view), ANSWER))
        bill = bill_line(calls(memory, run.header, run.events))
        read = f"{counted(len(view.turns), 'turn')} read, {len(view.evidence)} kept; {view.stopped}."
        st.caption("  \n".join((plain(view.note), plain(read), plain(f"{bill or 'No model was asked'}."))))


def _memories(memory: Memory, between: Difference, here: Told, other: Told) -> None:
    """What each kept, and what became of it in the other."""
    ids = [*between.evidence.here, *between.evidence.there, *between.evidence.both]
    if not ids:
        return
    one, two, graph = fold(here.events), fold(other.events), memory.snapshot().graph
    texts = memory.texts(ids)
    rows = [
        {
            "memory": verbatim(texts.get(id_, content_name(graph, id_)), ROOM),
            "this run": fate(one, id_).said,
            "the other": fate(two, id_).said,
        }
        for id_ in ids
    ]
    layout = {
        "this run": text_column("This run", 110),
        "the other": text_column("The other", 110),
        "memory": st.column_config.TextColumn("Memory", width=280),
    }
    st.dataframe(rows, hide_index=True, column_config=layout, column_order=layout, row_height=ROW)
