"""Decide yourself here: memories kept or left behind by ticking, cues to follow, more turns; then it goes on.

What is decided starts a fork; the run it was decided on stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.errors import InputError
from memcore.forking import Override, up_to
from memcore.run_state import State, fold
from memcore.view.decided import Choice, choices, cues_named
from memcore.view.naming import content_name, counted
from pages._parts.reconstruction.live_run import runs
from pages._parts.reconstruction.opened_trace import TRACE
from pages._parts.say import plain, verbatim
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.events import TraceEvent
    from memcore.memory import Memory

OPEN, WANTED = "decide:open", "decide:wanted"
HEIGHT = 330  # pixels
MOST_NAMES = 1000  # cues offered for choice: the most connected first
WIDTHS = [0.8, 1.1, 7.4, 1.5, 1]
FORM = "What you decide starts a run of its own from here; this one stays as it is, and both can be compared."


class Place(NamedTuple):
    """The step of a run at which a person decides."""

    trace_id: str
    step: int

    def key(self, name: str) -> str:
        return f"decide:{self.trace_id}:{self.step}:{name}"


def decide(memory: Memory, place: Place, events: Sequence[TraceEvent]) -> bool:
    """Offer to decide at this step; whether the panel is open, which lists the candidates itself."""
    wanted: Override | None = st.session_state.pop(WANTED, None)
    if wanted is not None:
        with shown_errors():
            run = runs().fork(memory, place.trace_id, place.step, wanted)
            st.session_state[OPEN] = None
            TRACE.open(run.trace_id)
            st.rerun()
    if st.session_state.get(OPEN) != place:
        st.button(
            "Decide yourself here", icon=":material/back_hand:", key="decide", on_click=_open, args=(place,)
        )
        return False
    try:
        state = fold(up_to(events, place.step))
    except InputError as error:
        st.caption(plain(str(error)))
        return False
    _panel(memory, place, state)
    return True


def _panel(memory: Memory, place: Place, state: State) -> None:
    rows = choices(state)
    with st.form(place.key("form")):
        st.markdown(f"**Decide yourself after step {place.step}**")
        st.caption(FORM)
        _rows(memory, place, rows)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.multiselect(
                "Cues to follow next", _cue_names(memory), key=place.key("cues"), accept_new_options=True,
                format_func=verbatim, placeholder="Search for a cue, or type its name", select_all=False,
            )  # fmt: skip
            st.number_input("More turns to read", 0, 50, key=place.key("more"), width=140)
        if len(state.turns) >= state.budget:
            read = counted(state.budget, "turn")
            st.caption(f"All {read} of the budget are read here: it reads on only if you allow more.")
        with st.container(horizontal=True):
            asked = (memory, place, rows)
            st.form_submit_button("Go on from here", type="primary", on_click=_want, args=asked)
            st.form_submit_button("Cancel", on_click=_open, args=(None,))
    for name in st.session_state.pop(place.key("unknown"), []):
        st.warning(plain(f"There is no cue called {name[:80]} in this memory."), icon=":material/info:")


def _rows(memory: Memory, place: Place, rows: Sequence[Choice]) -> None:
    """The candidates, each with a box to keep it and one to leave it behind."""
    texts, graph = memory.texts([r.content_id for r in rows]), memory.snapshot().graph
    with st.container(height=HEIGHT if len(rows) > 4 else "content", key="decide-rows", gap="xsmall"):
        for column, head in zip(st.columns(WIDTHS), ("Keep", "Leave", "Memory", "Now", "Score"), strict=True):
            column.caption(head)
        for row in rows:
            name = content_name(graph, row.content_id)
            columns = st.columns(WIDTHS, vertical_alignment="center")
            if not row.kept:
                _box(columns[0], f"Keep {name}", place.key(f"keep:{row.content_id}"))
            _box(columns[1], f"Leave {name}", place.key(f"leave:{row.content_id}"))
            columns[2].markdown(f":small[{plain(texts.get(row.content_id, name), 180)}]")
            columns[3].caption(row.fate)
            columns[4].caption(f"{row.score:.4f}")
    if not rows:
        st.caption("No memory is in reach at this step.")


def _box(column: object, label: str, key: str) -> None:
    column.checkbox(plain(label, 80), key=key, label_visibility="collapsed")  # type: ignore[attr-defined]


def _cue_names(memory: Memory) -> list[str]:
    graph = memory.snapshot().graph
    names = graph.columns.cue_names
    order = sorted(range(len(names)), key=lambda i: -graph.cue_degree(i))[:MOST_NAMES]
    return list(dict.fromkeys(names[i] for i in order))


def _open(place: Place | None) -> None:
    st.session_state[OPEN] = place


def _want(memory: Memory, place: Place, rows: Sequence[Choice]) -> None:
    """Take what was ticked; a name that is no cue's holds it back."""
    state = st.session_state
    cues, unknown = cues_named(state[place.key("cues")], memory.snapshot().graph)
    if unknown:
        state[place.key("unknown")] = unknown
        return
    ticked = {
        what: tuple(r.content_id for r in rows if state.get(place.key(f"{what}:{r.content_id}")))
        for what in ("keep", "leave")
    }
    state[WANTED] = Override(ticked["keep"], ticked["leave"], tuple(cues), int(state[place.key("more")]))
