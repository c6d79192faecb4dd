"""The imports of one browser session, of conversations and of runs: what is looked at, what is written, and
the uploaded files."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from pages._parts.at_work import AtWork
from pages._parts.job import Job

_COPIES = "memcore-import-"
_LEFT = 86_400.0  # seconds after which no import reads its copies any more


@dataclass
class Desk:
    """At most one preview and one import at a time, and its models; `by_rules` begins the same import
    without one."""

    looking: Job | None = None
    writing: Job | None = None
    folder: str = ""
    by_rules: Callable[[], None] | None = None
    at_work: AtWork = field(default_factory=AtWork)

    def keep(self, uploads) -> list[Path]:
        """Uploads as files, each in a folder of its own, so that equal names do not meet."""
        _swept()
        self.folder = tempfile.mkdtemp(prefix=_COPIES) if uploads else ""
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
        self.looking, self.writing, self.folder, self.by_rules = None, None, "", None


@st.cache_resource(scope="session", on_release=Desk.clear, show_spinner=False)
def desk() -> Desk:
    """The import of conversations of this browser session; closing the tab clears it."""
    return Desk()


@st.cache_resource(scope="session", on_release=Desk.clear, show_spinner=False)
def run_desk() -> Desk:
    """The import of agent runs, beside it."""
    return Desk()


def _swept() -> None:
    """Remove the copies of a server that was killed: nobody would look for memories among them."""
    for left in Path(tempfile.gettempdir()).glob(f"{_COPIES}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _LEFT:
                shutil.rmtree(left, ignore_errors=True)
