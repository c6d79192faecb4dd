"""Importing agent runs: choose files, see what would come, write it in the background, read the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from memcore.errors import InputError
from memcore.importing.runs.registry import preview_runs
from memcore.importing.runs.report import RunFileReport
from memcore.stopping import Stop
from memcore.view.naming import counted
from pages._parts.import_desk import run_desk
from pages._parts.import_steps import Steps, choose_files, into_which, over, watch
from pages._parts.job import Job
from pages._parts.memory import memories, show_once_made
from pages._parts.say import plain
from pages._parts.tree.demo import NAME
from pages._parts.tree.report import run_report
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from memcore.memory import Memory


class Looked(NamedTuple):
    """A file that was read without being written. A report without a format says why it cannot be."""

    path: Path
    report: RunFileReport


def importing_runs(memory: Memory | None) -> None:
    """The whole way of one import, into this memory unless another is chosen."""
    at, name = run_desk(), memory.name if memory else None
    if at.writing is not None:
        _done(at.writing) if over(at.writing) else watch(STEPS, at.writing)
    elif at.looking is not None:
        watch(STEPS, at.looking) if not at.looking.ended else _offer(at.looking, name)
    else:
        choose_files(STEPS)


def _look(file: Path) -> Looked:
    try:
        return Looked(file, preview_runs(file))
    except InputError as error:
        return Looked(file, RunFileReport.refused(file.name, error))


def _looked_at(item: Any) -> str:
    return item.report.name if isinstance(item, Looked) else ""


def _written(job: Job) -> int:
    """Steps that are written, over all files so far."""
    reports = [item.steps_written for item in job.items if isinstance(item, RunFileReport)]
    now = [item.steps for item in job.items[-1:] if not isinstance(item, RunFileReport)]
    return sum(reports) + sum(now)


STEPS = Steps(
    desk=run_desk,
    key="runs",
    files="Files with agent runs",
    example="/home/you/.claude/projects",
    known="tau-bench and OpenAI tool-call logs, Claude Code sessions, SWE-agent and mini-SWE-agent "
    "trajectories, Who&When, search trees, ReAct and Reflexion logs, memcore run JSONL (also in a ZIP).",
    what="steps",
    look=_look,
    at=_looked_at,
    written=_written,
)


def _offer(job: Job, name: str | None) -> None:
    """What would come, and whether to write it."""
    good = [seen for seen in job.items if seen.report.steps_read]
    refused = [seen.report for seen in job.items if not seen.report.format]
    steps = sum(seen.report.steps_read for seen in good)
    runs = sum(seen.report.runs + seen.report.nested for seen in good)
    st.markdown(f"**Preview** · {counted(runs, 'run')} with {counted(steps, 'step')}; nothing is written")
    into = into_which(STEPS, name, NAME)
    with st.container(horizontal=True):
        paths = [seen.path for seen in good]
        st.button(
            "Import", type="primary", disabled=not (good and into), key="runs:start",
            on_click=_start, args=(into, paths, steps, refused),
        )  # fmt: skip
        st.button("Choose other files", on_click=run_desk().clear, key="runs:discard")
    if job.error:
        st.warning(plain(str(job.error)), icon=":material/info:")
    for seen in job.items:
        with st.container(border=True):
            run_report(seen.report, written=False)


def _start(into: str, paths: list[Path], total: int, refused: list[RunFileReport]) -> None:
    """Import the files that can be read; the others are in the final report too."""
    store, by = memories(), viewer()

    def steps(stop: Stop):
        yield from refused
        memory = store.scope(into, create=True, viewer=by)
        for path in paths:
            yield from memory.runs.import_path(path, stop)
            if stop():
                return

    run_desk().looking, run_desk().writing = None, Job(steps, total)
    show_once_made(into)


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
