"""Importing: choose files, see what would come, write it in the background, read the report, take it back.

Nothing is written before the preview was seen. Closing the tab stops after the batch under way;
importing again completes it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.errors import InputError, ModelError
from memcore.importing import FileReport, preview
from memcore.llm.tasks import OFFLINE
from memcore.models.costing import Cost, together
from memcore.models.working import IMPORTING, For
from memcore.stopping import Stop
from memcore.view.naming import counted
from memcore.view.times import shown
from pages._parts.at_work import AtWork
from pages._parts.clock import zone
from pages._parts.conversations.files import undo_last_import
from pages._parts.conversations.report_view import report_view
from pages._parts.cost_preview import cost_preview
from pages._parts.import_desk import desk
from pages._parts.import_steps import Steps, choose_files, into_which, over, watch
from pages._parts.job import Job
from pages._parts.memory import memories, show_once_made
from pages._parts.say import plain, verbatim
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from memcore.absorbing.absorption import Mode
    from memcore.importing import DraftTurn
    from memcore.memory import Memory

FIRST_TURNS = 6
DEFAULT_NAME = "default"
MODES: dict[Mode, str] = {"lazy": "What recurs (lazy)", "eager": "Every session (eager)"}


class Looked(NamedTuple):
    """A file that was read without being written. A report without a format says why it cannot be."""

    path: Path
    report: FileReport
    turns: tuple[tuple[str, DraftTurn], ...] = ()


def importing(memory: Memory | None) -> None:
    """The whole way of one import, into this memory unless another is chosen."""
    at, name = desk(), memory.name if memory else None
    if at.writing is not None:
        _done(at.writing, memory) if over(at.writing) else watch(STEPS, at.writing)
    elif at.looking is not None:
        watch(STEPS, at.looking) if not at.looking.ended else _offer(at.looking, name)
    else:
        choose_files(STEPS)


def _look(file: Path) -> Looked:
    try:
        seen = preview(file, FIRST_TURNS)
    except InputError as error:
        return Looked(file, FileReport.refused(file.name, error))
    return Looked(file, seen.report, seen.turns)


def _handled(job: Job) -> int:
    """Turns that are written or were known, over all files so far."""
    reports = [r for r in job.items if isinstance(r, FileReport)]
    now = job.items[-1] if job.items and not isinstance(job.items[-1], FileReport) else None
    return sum(r.turns_written + r.turns_known for r in [*reports, *([now] if now else [])])


STEPS = Steps(
    desk=desk,
    key="import",
    files="Files with conversations",
    example="/home/you/export.zip",
    known="ChatGPT and Claude.ai exports (also ZIP), LoCoMo, LongMemEval, message lists, memcore JSONL.",
    what="turns",
    look=_look,
    at=lambda item: getattr(item, "name", ""),
    written=_handled,
    models=True,
)


def _offer(job: Job, name: str | None) -> None:
    """What would come, and whether to write it."""
    good = [seen for seen in job.items if seen.report.turns_read]
    refused = [seen.report for seen in job.items if not seen.report.format]
    total = sum(seen.report.turns_read for seen in good)
    st.markdown(f"**Preview** · {counted(total, 'turn')} in {counted(len(good), 'file')}; nothing is written")
    into = into_which(STEPS, name, DEFAULT_NAME)
    mode = st.segmented_control(
        "What becomes an episode",
        list(MODES),
        default="lazy",
        required=True,
        format_func=MODES.get,
        key="import:mode",
        help="Lazy (RecMem): turns are kept raw until something recurs. Eager: every session becomes an "
        "episode. Either way each turn keeps its cues and tags and can be found.",
    )
    paths = [seen.path for seen in good]
    _cost(paths, into, mode or "lazy")
    with st.container(horizontal=True):
        st.button(
            "Import", type="primary", disabled=not (good and into), key="import:start",
            on_click=_start, args=(into, paths, total, refused, mode or "lazy"),
        )  # fmt: skip
        st.button("Choose other files", on_click=desk().clear, key="import:discard")
    if job.error:
        st.warning(plain(str(job.error)), icon=":material/info:")
    for seen in job.items:
        with st.container(border=True):
            report_view(seen.report, written=False)
            _first_turns(seen)


def _first_turns(seen: Looked) -> None:
    if not seen.turns:
        return
    with st.expander(f"The first {counted(len(seen.turns), 'turn')}"):
        for title, turn in seen.turns:
            note = " · folded" if turn.folded else " · alternative" if turn.branch != "main" else ""
            st.caption(plain(f"{title} · {turn.speaker} · {shown(turn.said, zone())}{note}"))
            st.text(verbatim(turn.text[:400]) + ("…" if len(turn.text) > 400 else ""))


def _cost(paths: list[Path], into: str, mode: Mode) -> None:
    """What models would take for it, where some take part."""

    def all_of_them() -> Cost:
        costing = memories().would_cost(into)
        return together([costing.importing(path, mode) for path in paths])

    cost_preview(IMPORTING[mode], all_of_them, (into, mode, *paths), "import:cost")


def _start(
    into: str, paths: list[Path], total: int, refused: list[FileReport], mode: Mode, model: str = ""
) -> None:
    """Import the files that can be read; the others are in the final report too. Where a model does not
    answer, nothing is made, and the same can be begun again by rules."""
    at_work, store, by = AtWork(), memories(), viewer()

    def steps(stop: Stop):
        yield from refused
        run = For(at_work.listening._replace(cancelled=stop), model)
        memory = store.to_fill(into, IMPORTING[mode], run, by).followed_by(at_work.listening)
        for path in paths:
            yield from memory.import_path(path, stop, mode, model=model)
            if stop():
                return

    desk().looking, desk().writing, desk().at_work = None, Job(steps, total), at_work
    desk().by_rules = partial(_start, into, paths, total, refused, mode, OFFLINE)
    show_once_made(into)


def _done(job: Job, memory: Memory | None) -> None:
    """The final reports, and what to do next. What an import says is what is in the store."""
    reports = [r for r in job.items if isinstance(r, FileReport)]
    written, known = sum(r.turns_written for r in reports), sum(r.turns_known for r in reports)
    if job.error:
        st.error(plain(str(job.error)), icon=":material/error:")
        if isinstance(job.error, ModelError) and desk().by_rules:
            st.button("Import by rules instead", type="primary", on_click=desk().by_rules, key="import:rules")
    elif job.stopping:
        st.info(f"Stopped: {counted(written, 'turn')} written so far. Importing again completes it.")
    elif written:
        st.success(f"{counted(written, 'turn')} written, {known:,} were known already.")
    else:
        st.info(f"Nothing new: all {counted(known, 'turn')} were known already.")
    with st.container(horizontal=True):
        if written or known:
            st.button("Read the conversations", on_click=_read, key="import:read", icon=":material/forum:")
        st.button("Import something else", on_click=desk().clear, key="import:again")
    if written and memory is not None:
        undo_last_import(memory, memory.files())
    for report in reports:
        with st.container(border=True):
            report_view(report, written=True)


def _read() -> None:
    desk().clear()
    st.session_state["view"] = "Browse"
