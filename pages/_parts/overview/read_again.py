"""Reading everything again on the page Overview: what it would cost, how far it is, what came of it, undone.

Corrections stay. Where the new reading disagrees with one, both are kept for a decision under History.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError, ModelError
from memcore.llm.tasks import OFFLINE
from memcore.view.naming import counted
from memcore.view.reread import came_of
from pages._parts.at_work import AtWork, models_at_work
from pages._parts.cost_preview import cost_preview
from pages._parts.editing import turning
from pages._parts.job import Job
from pages._parts.memory import current
from pages._parts.say import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from memcore.memory import Memory
    from memcore.store import ChangeRow

LOOKED_AT = 50
_OPEN, _READING, _TOLD = "reread:open", "reread:reading", "reread:told"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading in the background, of one memory, told by its id."""

    job: Job
    memory: str
    at_work: AtWork = field(default_factory=AtWork)


def read_again(memory: Memory, row: DeltaGenerator) -> None:
    """The button in the row, or the choice behind it, and whatever is under way or came of it."""
    reading: Reading | None = st.session_state.get(_READING)
    here = reading is not None and reading.memory == memory.id
    if not here and st.session_state.get(_OPEN) != memory.id:
        elsewhere = reading is not None and not reading.job.ended
        row.button(
            "Read everything again", key="reread", icon=":material/restart_alt:", on_click=_open,
            args=(memory.id,), disabled=elsewhere,
            help="Another memory is being read again." if elsewhere else None,
        )  # fmt: skip
        return
    with st.container(border=True, key="reread-box"):
        if turning.under_way():
            turning.progress()
        elif reading is None or not here:
            _offer(memory)
        elif reading.job.ended:
            _done(memory, reading)
        else:
            _progress(memory.id)


def _open(memory: str) -> None:
    st.session_state[_OPEN] = memory


def _close() -> None:
    for key in (_OPEN, _READING, _TOLD):
        st.session_state.pop(key, None)


def _offer(memory: Memory) -> None:
    turns, reader = memory.count().get("turn", 0), memory.models.chosen("construct")
    by = "rules" if reader == OFFLINE else plain(reader, 60)
    st.markdown(f"**All {counted(turns, 'turn')} are read again by {by}**")
    st.caption(
        "After a fault, for example, or with another reader. What is still said stays as it is, so does what "
        "you corrected: where the new reading disagrees, you decide under History. It is one change that "
        "can be undone. Who reads is chosen under Settings, *Construction*."
    )
    cost_preview(
        ("construct",), memory.would_cost.reading_again, (memory.id, memory.snapshot().graph.seq),
        "reread:cost",
    )  # fmt: skip
    with st.container(horizontal=True):
        st.button("Read again", type="primary", key="reread:start", on_click=_start)
        st.button("Cancel", key="reread:leave", on_click=_close)


def _start(model: str = "") -> None:
    """Begin in the background, by the model of the settings or the one given."""
    memory, at_work = current(), AtWork()
    followed = memory.followed_by(at_work.listening)
    job = Job(lambda stop: followed.reextract(cancelled=stop, model=model), len(memory.conversations()))
    st.session_state[_READING] = Reading(job, memory.id, at_work)
    st.session_state.pop(_TOLD, None)


@st.fragment(run_every=0.4)
def _progress(memory: str) -> None:
    """How far it is, what the model waits for, and Stop; the page is drawn again when it ended."""
    reading: Reading | None = st.session_state.get(_READING)
    if reading is None or reading.memory != memory or reading.job.ended:
        st.rerun()
        return
    job = reading.job
    done = job.items[-1].done if job.items else 0
    st.progress(done / max(job.total, 1), text=f"{done:,} of {counted(job.total, 'conversation')} read again")
    note = "Stopping after the turns under way …" if job.stopping else "Stop"
    st.button(note, on_click=job.stop, disabled=job.stopping, key="reread:stop", icon=":material/stop:")
    models_at_work(reading.at_work)


def _done(memory: Memory, reading: Reading) -> None:
    """What came of it, also where it was stopped or failed in the middle, and the way back."""
    job = reading.job
    step = job.items[-1] if job.items else None
    if job.error:
        st.error(plain(str(job.error)), icon=":material/error:")
    st.markdown(came_of(step, job.total))
    for note in step.notes if step else ():
        st.markdown(f"- note: {plain(note)}")
    if told := st.session_state.get(_TOLD, ""):
        st.caption(plain(told))
    with st.container(horizontal=True, vertical_alignment="center"):
        if isinstance(job.error, ModelError):
            st.button(
                "Read by rules instead", type="primary", key="reread:rules", on_click=_start, args=(OFFLINE,)
            )
        if row := _last(memory):
            st.button("Undo", key="reread:undo", icon=":material/undo:", on_click=_undo, args=(row,))
        st.button("Done", key="reread:done", on_click=_close)
        if step and step.conflicts:
            query = {"part": "Disputed", "scope": memory.name}
            st.page_link("pages/history.py", label="Decide", query_params=query, icon=":material/rule:")


def _last(memory: Memory) -> ChangeRow | None:
    """The last change in place, where it is a reading."""
    row = next((row for row in memory.changes(LOOKED_AT) if row.undoable), None)
    return row if row is not None and row.events[-1].kind == "reextracted" else None


def _undo(row: ChangeRow) -> None:
    turning.turn(current(), row, _undone)


def _undone(error: MemcoreError | None) -> None:
    st.session_state[_TOLD] = str(error) if error else "Taken back: the memory reads as it did before."
