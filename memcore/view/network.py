"""View models of a graph, built into a pyvis network and handed on as what the canvas may receive.

Two white lists stand between memory and the browser: the attributes named here, and the same list
again in the canvas. Nothing in a record can set an image, a link or a drawing option.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pyvis.network import Network  # pyright: ignore[reportMissingTypeStubs]

from memcore.view.kinds import EDGES, KINDS, lane
from memcore.view.text import neutral, shorten

Mark = Literal["path", "evidence", "ghost", "dim", "new", "later", "edited", "withheld", "rolled_back"]
MARKS: tuple[Mark, ...] = (
    "path", "evidence", "ghost", "dim", "new", "later", "edited", "withheld", "rolled_back",
)  # fmt: skip
NODE_KEYS = ("id", "label", "title", "kind", "x", "y", "rank", "size", "side", "ring", "marks")
EDGE_KEYS = ("id", "from", "to", "kind", "title", "marks")
LABEL_LENGTH = 28
TITLE_LENGTH = 400
_SIDES = {"cue": "left", "tag": "below", "content": "right"}


class Point(NamedTuple):
    """Where a node stands, in the canvas's own units: x to the right, y downwards."""

    x: float
    y: float


class Area(NamedTuple):
    """A captioned rectangle behind the nodes: a step's band, or a lane. `filled` tints it; `short` is its
    caption where the whole one would reach into the next."""

    label: str
    x: float
    y: float
    width: float
    height: float
    filled: bool = True
    short: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it is drawn. `rank` decides whose label is kept when there is no room for all.

    `title` is the tooltip. `side` is where its label stands, "" for the side of its lane. `ring`, from 0
    to 1, is how much of a ring around it is closed; negative for none. `room` is how many characters its
    label may have. A node marked "withheld" is drawn
    without label and title: its text does not leave the server.
    """

    id: str
    kind: str
    label: str
    title: str = ""
    rank: float = 0.0
    size: float = 11.0
    side: Literal["", "left", "right", "below", "above"] = ""
    ring: float = -1.0
    marks: tuple[Mark, ...] = ()
    room: int = LABEL_LENGTH


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge. Its id follows from its ends and kind, so it can be patched."""

    source: str
    target: str
    kind: str = "cue_tag"
    label: str = ""
    marks: tuple[Mark, ...] = ()

    @property
    def id(self) -> str:
        return edge_id(self.source, self.target, self.kind)


def edge_id(source: str, target: str, kind: str = "cue_tag") -> str:
    """The id by which a mark finds an edge."""
    return f"{kind}:{source}>{target}"


def network(nodes: Sequence[Node], edges: Iterable[Edge], positions: Mapping[str, Point]) -> Network:
    """A directed pyvis network with fixed positions: no physics, straight edges.

    Edges to nodes that are not shown are left out, repeated ones are drawn once.
    """
    net: Any = Network(directed=True)
    for node in nodes:
        look = KINDS.get(node.kind, KINDS["turn"])
        at = positions.get(node.id, Point(0.0, 0.0))
        net.add_node(node.id, shape=look.shape, color=look.light[0], **_attributes(node, at))
    shown = {node.id for node in nodes}
    for edge in {edge.id: edge for edge in edges}.values():
        if edge.source in shown and edge.target in shown:
            title, marks = shorten(edge.label, TITLE_LENGTH), list(edge.marks)
            net.add_edge(edge.source, edge.target, id=edge.id, kind=edge.kind, title=title, marks=marks)
    return net


def payload(net: Any, areas: Iterable[Area] = (), total: int | None = None) -> dict[str, Any]:
    """What the canvas receives: white-listed nodes and edges, and how the kinds look.

    `total` is how many nodes there are in all; None means that everything is shown.
    """
    nodes: list[dict[str, Any]] = net.nodes
    edges: list[dict[str, Any]] = net.edges
    return {
        "nodes": [_listed(node, NODE_KEYS) for node in nodes],
        "edges": [_listed(edge, EDGE_KEYS) for edge in edges],
        "areas": [area._asdict() for area in areas],
        "total": max(total or 0, len(nodes)),
        "kinds": {kind: look._asdict() for kind, look in KINDS.items()},
        "edge_kinds": {kind: look._asdict() for kind, look in EDGES.items()},
    }


def marks_payload(marks: Mapping[str, Iterable[Mark]]) -> dict[str, list[Mark]]:
    """Marks by node or edge id, with every name that is no mark left out."""
    return {id_: [m for m in given if m in MARKS] for id_, given in marks.items()}


def _attributes(node: Node, at: Point) -> dict[str, Any]:
    withheld = "withheld" in node.marks
    return {
        "label": "withheld" if withheld else shorten(node.label, node.room) or "(no name)",
        "title": "Withheld" if withheld else neutral(node.title[:TITLE_LENGTH]),
        "kind": node.kind if node.kind in KINDS else "turn",
        "x": round(at.x, 1),
        "y": round(at.y, 1),
        "rank": node.rank,
        "size": node.size,
        "side": node.side or _SIDES[lane(node.kind)],
        "ring": round(node.ring, 3) if node.ring >= 0 else None,
        "marks": [mark for mark in node.marks if mark in MARKS],
    }


def _listed(item: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: item[key] for key in keys if item.get(key) not in (None, "", [])}
