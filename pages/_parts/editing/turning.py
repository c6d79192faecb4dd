"""Undo and redo on every page: a large one goes on in the background, its progress shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import InputError, MemcoreError
from pages._parts.editing import desk
from pages._parts.job import Job

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow, Underway

LARGE = 1000  # rows beyond which a change is saved and turned in the background
_TURNING = "edit:turning"
_SAYS = {"checking": "checking what rests on it", "writing": "writing", "done": "done"}

Then = Callable[[MemcoreError | None], None]


@dataclass(frozen=True, slots=True)
class Turning:
    """An undo or a redo in the background, and what is done when it ended: told why it failed, or None."""

    job: Job
    redo: bool
    then: Then


def turn(
    memory: Memory, row: ChangeRow, then: Then, *, redo: bool = False, later: Sequence[ChangeRow] = ()
) -> None:
    """Undo a change and those `later` ones that rest on it, or redo it, as the person of this session;
    nothing while one is under way."""
    if under_way():
        return
    me = desk.who().author
    steps = (
        memory.redoing(row.group, author=me)
        if redo
        else memory.undoing(row.group, also_later=bool(later), author=me)
    )
    rows = row.rows + sum(other.rows for other in later)
    if rows > LARGE:
        job = Job(lambda _: steps, total=rows)
        st.session_state[_TURNING] = Turning(job, redo, then)
        return
    try:
        *_, last = steps
    except MemcoreError as error:
        then(error)
    else:
        then(_nothing_left(last) if rows else None)


def under_way() -> Turning | None:
    """The undo or redo that is carried out in the background."""
    return st.session_state.get(_TURNING)


@st.fragment(run_every=0.3)
def progress() -> None:
    """How far it is; the page is drawn again when it ended."""
    turning = under_way()
    if turning is None or turning.job.ended:
        ended()
        st.rerun()
        return
    word = "Bringing back" if turning.redo else "Undoing"
    step: Underway | None = turning.job.items[-1] if turning.job.items else None
    rows = step.rows if step else turning.job.total
    done = step.taken.rows if step else 0
    says = _SAYS[step.doing] if step else "waiting for another writer"
    text = f"{word}: {done:,} of {rows:,} records, {says}"
    st.progress(min(done / max(rows, 1), 1.0), text=text)


def ended() -> None:
    """Take the end of what went on in the background over."""
    if turning := under_way():
        del st.session_state[_TURNING]
        job = turning.job
        turning.then(job.error or (_nothing_left(job.items[-1]) if job.items else None))


def _nothing_left(last: Underway) -> MemcoreError | None:
    """Why a change of something came to nothing."""
    if last.taken.rows:
        return None
    return InputError("Nothing was changed: what this change was about has been erased.")
