"""What a list of recorded reconstructions shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """What a list of traces shows. `parent` and `parent_step` name the trace it was forked from."""

    id: str
    question: str
    strategy: str
    budget: int
    started: datetime
    status: Literal["running", "finished", "stopped", "failed"]
    ended: datetime | None = None
    seq: int = 0
    events: int = 0
    parent: str | None = None
    parent_step: int | None = None
