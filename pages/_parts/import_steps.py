"""The steps that every import takes, of conversations or of runs: choose files, look at them, watch a job,
choose the memory. What is told of a file, and what is written, each import says itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from memcore.importing import find_files
from memcore.stopping import Stop
from memcore.view.naming import counted
from pages._parts.at_work import models_at_work
from pages._parts.import_desk import Desk
from pages._parts.job import Job
from pages._parts.memory import just_made, memories
from pages._parts.say import plain, verbatim
from pages._parts.viewing import viewer

POLL = 0.4
BEFORE = "A file is recognised by what it holds. Nothing is written before you have seen what would come."


@dataclass(frozen=True)
class Steps:
    """What differs between the imports: the desk, the beginning of the keys, words for the person, how a file
    is looked at, and how far a job is: the name of what it is at, and how much is written of what."""

    desk: Callable[[], Desk]
    key: str
    files: str
    example: str
    known: str
    what: str
    look: Callable[[Path], Any]
    at: Callable[[Any], str]
    written: Callable[[Job], int]
    models: bool = False  # whether models can take part


def choose_files(steps: Steps) -> None:
    """Uploads, or a path of this machine; and Preview."""
    uploads = st.file_uploader(steps.files, accept_multiple_files=True, key=f"{steps.key}:files")
    typed = st.text_input(
        "Or a file or folder on this machine", key=f"{steps.key}:path", placeholder=steps.example
    )
    st.caption(f"{steps.known} {BEFORE}")
    st.button(
        "Preview", type="primary", disabled=not (uploads or typed.strip()), key=f"{steps.key}:preview",
        on_click=_preview, args=(steps,),
    )  # fmt: skip


def _preview(steps: Steps) -> None:
    uploads, typed = st.session_state[f"{steps.key}:files"], st.session_state[f"{steps.key}:path"].strip()
    paths = steps.desk().keep(uploads or []) + ([Path(typed).expanduser()] if typed else [])
    steps.desk().looking = Job(lambda stop: _looked_at(steps, paths, stop))


def _looked_at(steps: Steps, paths: list[Path], stop: Stop) -> Iterator[Any]:
    for file in (file for path in paths for file in find_files(path)):
        if stop():
            return
        yield steps.look(file)


def over(job: Job) -> bool:
    """Whether a job has ended; where it made a memory meanwhile, the page is drawn again with that."""
    if job.ended and just_made():
        st.rerun()
    return job.ended


@st.fragment(run_every=POLL)
def watch(steps: Steps, job: Job) -> None:
    """Where a job stands, and Stop; draws the whole page again once it has ended."""
    if job.ended:
        st.rerun()
    if job.total:
        done = steps.written(job)
        st.progress(min(done / job.total, 1.0), text=f"{done:,} of {job.total:,} {steps.what}")
    else:
        st.markdown(f"Reading: {counted(len(job.items), 'file')} so far")
    if job.items and (name := steps.at(job.items[-1])):
        st.caption(plain(name, 100))
    note = "Stopping after the batch under way …" if job.stopping else "Stop"
    st.button(note, on_click=job.stop, disabled=job.stopping, key=f"{steps.key}:stop", icon=":material/stop:")
    if job.total and steps.models:
        models_at_work(steps.desk().at_work)


def into_which(steps: Steps, name: str | None, otherwise: str) -> str:
    """The memory it is written to: this one, another, or a new one; "" while none is named."""
    options = memories().scopes(viewer()) or [otherwise]
    into = st.selectbox(
        "Into which memory (choose one, or type a new name)", options,
        index=options.index(name) if name in options else 0,
        format_func=lambda option: verbatim(option, 60), accept_new_options=True, key=f"{steps.key}:into",
    )  # fmt: skip
    return (into or "").strip()
