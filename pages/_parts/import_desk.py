"""The imports of one browser session, of conversations and of runs: what is looked at, what is written, and
the uploaded files."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages._parts.job import Job


@dataclass
class Desk:
    """At most one preview and one import at a time."""

    looking: Job | None = None
    writing: Job | None = None
    folder: str = ""

    def keep(self, uploads) -> list[Path]:
        """Uploads as files, each in a folder of its own, so that equal names do not meet."""
        self.folder = tempfile.mkdtemp(prefix="memcore-import-") if uploads else ""
        paths = []
        for i, upload in enumerate(uploads):
            path = Path(self.folder) / str(i) / (Path(upload.name).name or "upload")
            path.parent.mkdir()
            path.write_bytes(upload.getbuffer())
            paths.append(path)
        return paths

    def clear(self) -> None:
        """Ready for the next import; uploaded copies are removed."""
        for job in (self.looking, self.writing):
            if job is not None:
                job.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.looking, self.writing, self.folder = None, None, ""


@st.cache_resource(scope="session", on_release=Desk.clear, show_spinner=False)
def desk() -> Desk:
    """The import of conversations of this browser session; closing the tab clears it."""
    return Desk()


@st.cache_resource(scope="session", on_release=Desk.clear, show_spinner=False)
def run_desk() -> Desk:
    """The import of agent runs, beside it."""
    return Desk()
