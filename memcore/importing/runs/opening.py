"""A file of runs as a reader gets it: its decoded content, and where it lies.

Some formats keep the runs of subagents in files beside the session, so a reader may look there; it
looks nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memcore.importing.document import Document


@dataclass(frozen=True, slots=True)
class RunFile:
    """The content of one file or ZIP member. `path` is None inside a ZIP: nothing lies beside it."""

    document: Document
    path: Path | None = None
