"""An import in a thread of its own: progress while it runs, Stop between two batches, a report at the end."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError

if TYPE_CHECKING:
    from memcore.importing import FileReport
    from memcore.intake import Progress
    from memcore.memory import Memory


class ImportJob:
    """Imports files one after the other into one memory."""

    def __init__(self, memory: Memory, paths: list[Path]) -> None:
        self._memory, self._paths = memory, paths
        self._stopping = threading.Event()
        self.progress: Progress | None = None
        self.reports: list[FileReport] = []
        self.error: MemcoreError | None = None
        self.done = False
        threading.Thread(target=self._work, daemon=True).start()

    def stop(self) -> None:
        """End after the batch under way; what was written stays."""
        self._stopping.set()

    def _work(self) -> None:
        try:
            for path in self._paths:
                for step in self._memory.import_path(path, self._stopping.is_set):
                    self._note(step)
        except MemcoreError as error:
            self.error = error
        finally:
            self.done = True

    def _note(self, step: Progress | FileReport) -> None:
        if hasattr(step, "format"):
            self.reports.append(step)
        else:
            self.progress = step


class Jobs:
    """The import of one browser session."""

    def __init__(self) -> None:
        self.current: ImportJob | None = None

    def release(self) -> None:
        """The tab was closed: stop after the batch under way. Importing again completes it."""
        if self.current is not None:
            self.current.stop()


@st.cache_resource(scope="session", on_release=Jobs.release, show_spinner=False)
def jobs() -> Jobs:
    """The imports of this browser session."""
    return Jobs()
