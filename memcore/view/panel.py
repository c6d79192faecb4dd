"""What the inspector beside a graph shows of one node or step, in the order it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Link(NamedTuple):
    """One stage of a source chain: what it is, its text, and the id it can be opened by."""

    label: str
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One plain sentence; the chain down to the raw turns; provenance; scores; the record itself.

    All texts are memory text and are neutralised where they are drawn, not here.
    """

    sentence: str
    chain: tuple[Link, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    raw: dict[str, Any] = field(default_factory=dict[str, Any])
