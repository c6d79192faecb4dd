"""Conversations: import with preview and report, browse and search turns, jump to their cues."""

import tempfile
from pathlib import Path

import streamlit as st

from memcore.errors import MemcoreError
from memcore.importing import preview
from memcore.view.naming import counted, human_time
from pages._parts.frame import leave_v1_mode
from pages._parts.import_job import ImportJob, jobs
from pages._parts.memory import current
from pages._parts.report_view import report_view
from pages._parts.say import plain, verbatim
from pages._parts.states import shown_errors

leave_v1_mode()
PAGE = 40
POLL = 0.4


def chosen_files() -> list[Path]:
    """Uploaded files as files on this machine, or the path that was typed."""
    uploads = st.file_uploader(
        "Files", accept_multiple_files=True, key="import:files", label_visibility="collapsed"
    )
    typed = st.text_input("or a file or folder on this machine", key="import:path")
    folder = Path(st.session_state.setdefault("import:folder", tempfile.mkdtemp(prefix="memcore-import-")))
    paths = [Path(typed).expanduser()] if typed.strip() else []
    for upload in uploads or []:
        path = folder / Path(upload.name).name
        if not path.exists() or path.stat().st_size != upload.size:
            path.write_bytes(upload.getbuffer())
        paths.append(path)
    return paths


def import_files(memory) -> None:
    """Choose, look at what would come, import, read the report; the last import can be undone."""
    job = jobs().current
    if job is not None and not job.done:
        running(job)
        return
    paths = chosen_files()
    for path in paths if not (job and job.reports) else []:
        if path.is_file():
            try:
                seen = preview(path, 5)
            except MemcoreError as error:
                st.warning(plain(str(error)))
                continue
            report_view(seen.report, written=False)
            for title, turn in seen.turns:
                st.text(verbatim(f"{title} · {turn.speaker}: {turn.text}", 160))
    with st.container(horizontal=True):
        if st.button("Import", type="primary", disabled=not paths):
            jobs().current = ImportJob(memory, paths)
            st.rerun()
        last = memory.changes(1)
        undoable = bool(last) and last[0].undoable
        if st.button("Undo the last import", disabled=not undoable):
            taken = memory.undo()
            st.toast(f"{taken.removed:,} records were removed.")
            jobs().current = None
            st.rerun()
    if job is not None:
        for report in job.reports:
            report_view(report, written=True)
        if job.error is not None:
            raise job.error


def running(job: ImportJob) -> None:
    @st.fragment(run_every=POLL)
    def watch() -> None:
        at = job.progress
        done = f"{at.name}: {at.turns_written:,} turns written" if at else "Reading …"
        st.markdown(plain(done))
        st.button("Stop", on_click=job.stop, disabled=job.done)
        if job.done:
            st.rerun()

    watch()


def search(memory, text: str) -> None:
    hits = memory.search(text, ("turn",), 40)
    found = memory.get([id_ for id_, _ in hits])
    st.caption(f"{counted(len(hits), 'turn')} found" if hits else "No turn holds these words.")
    draw_turns(memory, [found[id_] for id_, _ in hits if id_ in found])


def browse(memory) -> None:
    talks = {t.id: t for t in memory.conversations()}
    left, right = st.columns([1, 3], gap="medium")
    with left:
        chosen = st.radio(
            "Conversation",
            list(talks),
            format_func=lambda i: verbatim(talks[i].title or talks[i].source, 50),
            key="talk",
        )
    with right:
        turns = memory.turns(chosen)
        sessions = list(dict.fromkeys(t.session for t in turns if t.session))
        if len(sessions) > 1:
            session = st.selectbox(
                "Session", ["All", *sessions], format_func=verbatim, key=f"session:{chosen}"
            )
            turns = [t for t in turns if session in ("All", t.session)]
        pages = max(1, -(-len(turns) // PAGE))
        page = (
            st.number_input(f"Page of {pages}", 1, pages, 1, key=f"page:{chosen}", width=140)
            if pages > 1
            else 1
        )
        draw_turns(memory, turns[(page - 1) * PAGE : page * PAGE])


def draw_turns(memory, turns) -> None:
    graph = memory.snapshot().graph
    columns = graph.columns
    reached = {t: i for i, t in enumerate(columns.turn_ids)}
    for turn in turns:
        with st.container(border=True, gap="xxsmall"):
            notes = ["folded"] * turn.folded + [f"branch {turn.branch}"] * (turn.branch != "main")
            head = " · ".join([turn.speaker, human_time(turn.said), turn.source, *notes])
            st.caption(plain(head))
            st.text(verbatim(turn.text[:4000]) + ("…" if len(turn.text) > 4000 else ""))
            for attached in turn.attachments:
                st.caption(plain(attached))
            if turn.id in reached and (contents := graph.contents_of_turn(turn.id)):
                cues = dict.fromkeys(columns.cue_names[q] for q in graph.handles_of(contents[0])[0].tolist())
                st.caption(plain("cues: " + ", ".join(list(cues)[:10])))
                node = columns.content_ids[contents[0]]
                st.page_link("pages/graph.py", label="Show in graph", query_params={"node": node})


st.title("Conversations")
with shown_errors():
    memory = current()
    empty = not memory.count().get("turn")
    with st.expander("Import conversations", expanded=empty or jobs().current is not None):
        import_files(memory)
    if not empty:
        wanted = st.text_input("Search turns", key="turns:search", placeholder="words, in any language")
        search(memory, wanted) if wanted.strip() else browse(memory)
