"""Importing agent runs: choose files, see what would come, write it in the background, read the report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.errors import InputError
from memcore.importing import find_files
from memcore.importing.runs.registry import preview_runs
from memcore.importing.runs.report import RunFileReport
from memcore.view.naming import counted
from pages._parts.import_desk import run_desk
from pages._parts.job import Job, Stop
from pages._parts.memory import memories
from pages._parts.say import plain, verbatim
from pages._parts.tree.demo import NAME
from pages._parts.tree.report import run_report
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from memcore.memory import Memory

POLL = 0.4
FILES, PATH, INTO = "runs:files", "runs:path", "runs:into"
KNOWN = (
    "tau-bench and OpenAI tool-call logs, Claude Code sessions, SWE-agent and mini-SWE-agent trajectories, "
    "Who&When, search trees, ReAct and Reflexion logs, memcore run JSONL (also in a ZIP). "
    "A file is recognised by what it holds. Nothing is written before you have seen what would come."
)


class Looked(NamedTuple):
    """A file that was read without being written. A report without a format says why it cannot be."""

    path: Path
    report: RunFileReport


def importing_runs(memory: Memory | None) -> None:
    """The whole way of one import, into this memory unless another is chosen."""
    at, name = run_desk(), memory.name if memory else None
    if at.writing is not None:
        _watch(at.writing) if not at.writing.ended else _done(at.writing)
    elif at.looking is not None:
        _watch(at.looking) if not at.looking.ended else _offer(at.looking, name)
    else:
        _choose_files()


def _choose_files() -> None:
    uploads = st.file_uploader("Files with agent runs", accept_multiple_files=True, key=FILES)
    typed = st.text_input(
        "Or a file or folder on this machine", key=PATH, placeholder="/home/you/.claude/projects"
    )
    st.caption(KNOWN)
    ready = bool(uploads or typed.strip())
    st.button("Preview", type="primary", disabled=not ready, on_click=_preview, key="runs:preview")


def _preview() -> None:
    uploads, typed = st.session_state[FILES], st.session_state[PATH].strip()
    paths = run_desk().keep(uploads or []) + ([Path(typed).expanduser()] if typed else [])
    run_desk().looking = Job(lambda stop: _look(paths, stop))


def _look(paths: list[Path], stop: Stop) -> Iterator[Looked]:
    for file in (file for path in paths for file in find_files(path)):
        if stop():
            return
        try:
            yield Looked(file, preview_runs(file))
        except InputError as error:
            yield Looked(file, RunFileReport(file.name, "", warnings=(str(error),)))


@st.fragment(run_every=POLL)
def _watch(job: Job) -> None:
    """Where a job stands, and Stop; draws the whole page again once it has ended."""
    if job.ended:
        st.rerun()
    latest = job.items[-1] if job.items else None
    if job.total:
        done = _written(job)
        st.progress(min(done / job.total, 1.0), text=f"{done:,} of {job.total:,} steps")
    else:
        st.markdown(f"Reading: {counted(len(job.items), 'file')} so far")
    if isinstance(latest, Looked):
        st.caption(plain(latest.report.name, 100))
    note = "Stopping after the batch under way …" if job.stopping else "Stop"
    st.button(note, on_click=job.stop, disabled=job.stopping, key="runs:stop", icon=":material/stop:")


def _written(job: Job) -> int:
    """Steps that are written, over all files so far."""
    reports = [item.steps_written for item in job.items if isinstance(item, RunFileReport)]
    now = [item.steps for item in job.items[-1:] if not isinstance(item, RunFileReport)]
    return sum(reports) + sum(now)


def _offer(job: Job, name: str | None) -> None:
    """What would come, and whether to write it."""
    good = [seen for seen in job.items if seen.report.steps_read]
    refused = [seen.report for seen in job.items if not seen.report.format]
    steps = sum(seen.report.steps_read for seen in good)
    runs = sum(seen.report.runs + seen.report.nested for seen in good)
    st.markdown(f"**Preview** · {counted(runs, 'run')} with {counted(steps, 'step')}; nothing is written")
    options = memories().scopes(viewer()) or [NAME]
    into = st.selectbox(
        "Into which memory (choose one, or type a new name)", options,
        index=options.index(name) if name in options else 0,
        format_func=lambda option: verbatim(option, 60), accept_new_options=True, key=INTO,
    )  # fmt: skip
    with st.container(horizontal=True):
        paths = [seen.path for seen in good]
        ready = bool(good and into and into.strip())
        st.button(
            "Import", type="primary", disabled=not ready, on_click=_start, args=(into, paths, steps, refused),
            key="runs:start",
        )  # fmt: skip
        st.button("Choose other files", on_click=run_desk().clear, key="runs:discard")
    if job.error:
        st.warning(plain(str(job.error)), icon=":material/info:")
    for seen in job.items:
        with st.container(border=True):
            run_report(seen.report, written=False)


def _start(into: str, paths: list[Path], total: int, refused: list[RunFileReport]) -> None:
    """Import the files that can be read; the others are in the final report too."""
    memory = memories().scope(into.strip(), create=True, viewer=viewer())

    def steps(stop: Stop):
        yield from refused
        for path in paths:
            yield from memory.runs.import_path(path, stop)
            if stop():
                return

    run_desk().looking, run_desk().writing = None, Job(steps, total)
    st.session_state["scope"] = into.strip()


def _done(job: Job) -> None:
    """The final reports, and what to do next. What an import says is what is in the store."""
    reports = [item for item in job.items if isinstance(item, RunFileReport)]
    written, known = sum(r.steps_written for r in reports), sum(r.runs_known for r in reports)
    if job.error:
        st.error(plain(str(job.error)), icon=":material/error:")
    elif job.stopping:
        st.info(f"Stopped: {counted(written, 'step')} written so far. Importing again completes it.")
    elif written:
        st.success(f"{counted(written, 'step')} written; {counted(known, 'run')} known already.")
    else:
        st.info(f"Nothing new: {counted(known, 'run')} known already.")
    with st.container(horizontal=True):
        st.button("Look at the runs", on_click=_look_at, key="runs:read", icon=":material/account_tree:")
        st.button("Import something else", on_click=run_desk().clear, key="runs:again")
        st.page_link("pages/history.py", label="Undo it in the history", icon=":material/undo:")
    for report in reports:
        with st.container(border=True):
            run_report(report, written=True)


def _look_at() -> None:
    run_desk().clear()
    st.session_state["runs:view"] = "Runs"
