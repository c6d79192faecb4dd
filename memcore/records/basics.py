"""What every record is made of: ids, times as exactly as they are known, who made it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Precision = Literal["instant", "day", "month", "year", "unknown"]
MadeBy = Literal["raw", "rule", "model", "person"]


def new_id() -> str:
    """A random id of 16 hex digits; never derived from text, so it can stand in a predicate."""
    return secrets.token_hex(8)


def now() -> datetime:
    """The current time in UTC: for recorded times only, never for a time that was not stated."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as exactly as it is known: the closed span [start, end] in UTC, and how it was given.

    `zoned` is False where the source named no zone: then the wall clock is kept as if it were UTC.
    A week or a season is a span with the precision "day". An unknown time has no span.
    """

    start: datetime | None = None
    end: datetime | None = None
    precision: Precision = "unknown"
    zoned: bool = False

    @property
    def known(self) -> bool:
        return self.start is not None


UNKNOWN = Moment()
