"""What a benchmark is held to: a row for each limit, and a benchmark fails where one does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def limit(what: str, takes: float, most: float) -> dict[str, Any]:
    """A row that says whether a limit holds; `takes` and `most` have the unit that `what` names."""
    return {"limit": what, "most": most, "takes": round(takes, 2), "holds": takes <= most}


def broken(row: Mapping[str, Any]) -> bool:
    """Whether a row says that a limit does not hold."""
    return row.get("holds") is False
