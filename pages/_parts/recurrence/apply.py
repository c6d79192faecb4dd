"""Apply other thresholds: all units absorbed again in the background, and what came of it, to be undone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Thresholds
from memcore.view.naming import counted, share
from pages._parts.at_work import AtWork, models_at_work
from pages._parts.editing import desk, saving
from pages._parts.job import Job
from pages._parts.memory import current

if TYPE_CHECKING:
    from memcore.memory import Memory

_UNDER_WAY = "recurrence:applying"


@dataclass(frozen=True, slots=True)
class Applying:
    """A new generation in the making, of one memory, told by its id."""

    job: Job
    memory: str
    at_work: AtWork = field(default_factory=AtWork)


def under_way(memory: str) -> Applying | None:
    """What is being made of this memory; of another one it goes on until somebody looks there again."""
    applying: Applying | None = st.session_state.get(_UNDER_WAY)
    return applying if applying is not None and applying.memory == memory else None


def apply(thresholds: Thresholds, units: int) -> None:
    """Begin; nothing while something else is being written."""
    if _UNDER_WAY in st.session_state or saving.busy():
        return
    memory = current()
    desk.end_task()
    at_work = AtWork()
    followed = memory.followed_by(at_work.listening)
    job = Job(lambda stop: followed.recurrence.apply(thresholds, stop), total=units)
    st.session_state[_UNDER_WAY] = Applying(job, memory.id, at_work)


def taken_over(memory: Memory) -> None:
    """Say what came of it, once it has ended."""
    applying = under_way(memory.id)
    if applying is None or not applying.job.ended:
        return
    del st.session_state[_UNDER_WAY]
    job = applying.job
    last = job.items[-1] if job.items else None
    if job.error:
        desk.tell(str(job.error))
    elif last is None or not last.group:
        desk.tell("Stopped: nothing was changed.")
    else:
        says = " ".join([_came_of(memory, last.group), *last.notes])
        desk.tell(desk.Notice(says, last.group))


@st.fragment(run_every=0.3)
def progress(memory: str) -> None:
    """How far it is, and Stop; the page is drawn again when it ended."""
    applying = under_way(memory)
    if applying is None or applying.job.ended:
        st.rerun()
        return
    job = applying.job
    done = job.items[-1].done if job.items else 0
    text = f"Absorbing all units once more: {done:,} of {job.total:,}"
    st.progress(min(done / max(job.total, 1), 1.0), text=text)
    note = "Stopping …" if job.stopping else "Stop"
    st.button(note, on_click=job.stop, disabled=job.stopping, key="recurrence:stop", icon=":material/stop:")
    models_at_work(applying.at_work)


def _came_of(memory: Memory, group: str) -> str:
    row = next((row for row in memory.changes(10) if row.group == group), None)
    event = row.events[-1] if row else None
    if event is None or event.kind != "reconsolidated":
        return "A new generation was made."
    made = f"{counted(event.episodes, 'episode')} and {counted(event.facts, 'fact')} were made"
    return (
        f"A new generation from similarity {event.theta_sim:.3g}: {made}, {event.removed:,} of the one "
        f"before went; {share(event.share)} of {counted(event.units, 'unit')} moved."
    )
