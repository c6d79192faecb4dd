"""The import of one browser session: what is looked at, what is written, and its uploaded files."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

import streamlit as st

from pages._parts.job import Job


@dataclass
class Desk:
    """At most one preview and one import at a time."""

    looking: Job | None = None
    writing: Job | None = None
    folder: str = ""

    def clear(self) -> None:
        """Ready for the next import; uploaded copies are removed."""
        for job in (self.looking, self.writing):
            if job is not None:
                job.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.looking, self.writing, self.folder = None, None, ""


@st.cache_resource(scope="session", on_release=Desk.clear, show_spinner=False)
def desk() -> Desk:
    """The import of this browser session; closing the tab clears it."""
    return Desk()
