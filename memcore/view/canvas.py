"""What comes back from the canvas, checked: the browser is not believed.

The canvas reports a selection, the kinds dimmed in its legend, and events (a node was opened, nodes
were moved, one was dragged to another to connect them). Ids that are not shown (any more) are dropped
here, so that a page never asks for them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, cast

from memcore.view.kinds import KINDS
from memcore.view.network import Point


@dataclass(frozen=True, slots=True)
class Picked:
    """The state of a canvas in this run. `opened`, `moved` and `connected` are set only in the run they
    caused."""

    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    hidden_kinds: tuple[str, ...] = ()
    opened: str = ""
    connected: tuple[str, ...] = ()
    moved: dict[str, Point] = field(default_factory=dict[str, Point])


def picked(selection: Any, hidden: Any, event: Any, shown: Collection[str]) -> Picked:
    """The raw values of the canvas as Picked; `shown` are the ids of all nodes and edges drawn."""
    chosen, happened = _mapping(selection), _mapping(event)
    opened = happened.get("id") if happened.get("type") == "open" else None
    ends = _known([happened.get("from"), happened.get("to")], shown)
    moved = _mapping(happened.get("pos")) if happened.get("type") == "moved" else {}
    return Picked(
        nodes=_known(chosen.get("nodes"), shown),
        edges=_known(chosen.get("edges"), shown),
        hidden_kinds=_known(hidden, KINDS),
        opened=opened if isinstance(opened, str) and opened in shown else "",
        connected=ends if happened.get("type") == "connect" and len(set(ends)) == 2 else (),
        moved={id_: at for id_, raw in moved.items() if id_ in shown and (at := _point(raw)) is not None},
    )


def _known(values: Any, allowed: Collection[str]) -> tuple[str, ...]:
    listed = cast("list[Any]", values) if isinstance(values, list) else []
    return tuple(v for v in listed if isinstance(v, str) and v in allowed)


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _point(raw: Any) -> Point | None:
    at = _mapping(raw)
    x, y = at.get("x"), at.get("y")
    if isinstance(x, (int, float)) and isinstance(y, (int, float)):
        return Point(float(x), float(y))
    return None
