"""What the inspector beside a graph shows of one node or step, in the order it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Link(NamedTuple):
    """One stage of a source chain, or a node next to this one.

    `id` is the node it can be opened as, `turn` the turn that can be read in its conversation.
    """

    label: str
    text: str = ""
    id: str = ""
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One plain sentence; the chain down to the raw turns; the nodes next to it; provenance; scores; the
    record itself.

    `near` is captioned by `near_title`; `more` of them are not listed. All texts are memory text and are
    neutralised where they are drawn, not here.
    """

    sentence: str
    chain: tuple[Link, ...] = ()
    near_title: str = ""
    near: tuple[Link, ...] = ()
    more: int = 0
    rows: tuple[tuple[str, str], ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    raw: dict[str, Any] = field(default_factory=dict[str, Any])
