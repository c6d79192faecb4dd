"""A run as a graph: everything it touched, laid out once in bands; a step is only a set of marks.

The whole graph is sent to the canvas once per trace, or, while a run is under way, each step's part of
it once. Moving the slider sends the marks of that step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from memcore.events import TraceEvent
from memcore.graph import Graph
from memcore.run_state import fold, through
from memcore.view.layout import Stand, band_areas, trace_bands
from memcore.view.naming import MATCHES, WITHHELD, content_name, cue_name, tag_name
from memcore.view.network import Edge, Mark, Node, Point, network, payload
from memcore.view.steps import StepCard, step_cards

QUESTION = "question"
GHOSTS = 6  # pruned candidates drawn per step; the table lists all


class TraceGraph(NamedTuple):
    """Nodes and edges in the order in which they appeared, and the step at which each of them did."""

    nodes: list[Node]
    edges: list[Edge]
    stands: list[Stand]
    first: dict[str, int]
    edge_first: dict[str, int]


def trace_graph(events: Sequence[TraceEvent], graph: Graph, texts: Mapping[str, str]) -> TraceGraph:
    """What the run activated, opened and left behind. `texts` are for tooltips, by content id."""
    build = _Build(graph, texts)
    build.ask()
    for card in step_cards(events, graph):
        build.add(card, fold(through(events, card.step)).evidence)
    nodes, edges = list(build.nodes.values()), list(build.edges.values())
    return TraceGraph(nodes, edges, build.stands, build.first, build.edge_first)


def trace_payload(drawn: TraceGraph) -> dict[str, Any]:
    """The canvas payload: positions in bands, one per step."""
    places = trace_places(drawn)
    areas = band_areas(drawn.stands, places)
    return payload(network(drawn.nodes, drawn.edges, places), areas, len(drawn.nodes))


def trace_places(drawn: TraceGraph) -> dict[str, Point]:
    """Where each node stands. Nothing that happens at a later step moves a node.

    An edge that appeared after both its ends would re-order the band they stand in, so it has no say.
    """
    first = drawn.first
    old = [e for e in drawn.edges if drawn.edge_first[e.id] <= max(first[e.source], first[e.target])]
    return trace_bands(drawn.stands, old)


def grown(whole: Mapping[str, Any], shown: Collection[str]) -> dict[str, Any]:
    """The part of a canvas payload whose node and edge ids are not in `shown` yet, with all its areas."""
    return {
        "nodes": [n for n in whole["nodes"] if n["id"] not in shown],
        "edges": [e for e in whole["edges"] if e["id"] not in shown],
        "areas": whole["areas"],
    }


class Marks(NamedTuple):
    """Marks by node and by edge id at one step."""

    nodes: dict[str, list[Mark]]
    edges: dict[str, list[Mark]]


def marks_at(events: Sequence[TraceEvent], graph: Graph, drawn: TraceGraph, step: int) -> Marks:
    """How the graph looks after `step`: evidence, the path to it, ghosts, and what is still to come."""
    cards = [c for c in step_cards(events, graph) if c.step <= step]
    kept = fold(through(events, step)).evidence
    opened = {o for c in cards for o in c.opened}
    withheld = {p.id for c in cards for p in c.pruned if p.why == WITHHELD}
    now = {*cards[-1].opened, *(a.id for a in cards[-1].cues)} if cards else set[str]()
    nodes: dict[str, list[Mark]] = {}
    for node in drawn.nodes:
        if drawn.first[node.id] > step:
            nodes[node.id] = ["later"]
        elif node.id in kept:
            nodes[node.id] = ["evidence", "new"] if node.id in now else ["evidence"]
        elif node.id in withheld:
            nodes[node.id] = ["withheld"]
        elif node.id in opened or (node.id in drawn.first and _is_ghost(node, drawn)):
            nodes[node.id] = ["ghost"]
        elif node.id in now:
            nodes[node.id] = ["new"]
    edges: dict[str, list[Mark]] = {}
    for edge in drawn.edges:
        if drawn.edge_first[edge.id] > step:
            edges[edge.id] = ["later"]
    for edge in _trail(drawn, kept, step):
        edges[edge.id] = ["path"]
        if edge.source not in kept and edge.source != QUESTION:
            nodes[edge.source] = ["path", "new"] if edge.source in now else ["path"]
    return Marks(nodes, edges)


def _trail(drawn: TraceGraph, kept: Collection[str], step: int) -> list[Edge]:
    """The edges by which the evidence was reached, walked back to the question; never a later step's."""
    into: dict[str, list[Edge]] = {}
    for edge in drawn.edges:
        if drawn.edge_first[edge.id] <= step and drawn.first[edge.source] <= drawn.first[edge.target]:
            into.setdefault(edge.target, []).append(edge)
    trail: dict[str, Edge] = {}
    waiting, seen = list(kept), set[str]()
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            trail |= {edge.id: edge for edge in into.get(here, [])}
            waiting += [edge.source for edge in into.get(here, [])]
    return list(trail.values())


def _is_ghost(node: Node, drawn: TraceGraph) -> bool:
    return any(s.pruned for s in drawn.stands if s.id == node.id)


class _Build:
    def __init__(self, graph: Graph, texts: Mapping[str, str]) -> None:
        self._graph, self._texts = graph, texts
        self.nodes: dict[str, Node] = {}
        self.edges: dict[str, Edge] = {}
        self.stands: list[Stand] = []
        self.first: dict[str, int] = {}
        self.edge_first: dict[str, int] = {}
        self._how: dict[str, str] = {}

    def ask(self) -> None:
        """The question stands at the very left."""
        self._node(0, QUESTION, "question", "the question")

    def add(self, card: StepCard, kept: Collection[str]) -> None:
        """One step: what was opened with its path, then a few of what was left behind; `kept` is evidence."""
        self._how |= {a.id: MATCHES[a.how] for a in (*card.cues, *card.tags)}
        source = {a.id: a.source for a in card.cues if a.source}
        ranked = {c.content_id: c for c in card.candidates}
        by_hand = [k.content_id for k in card.decision.kept] if card.decision else []
        opened = list(dict.fromkeys([*card.opened, *by_hand]))
        for content in opened:
            self._path(card.step, content, ranked, source, pruned=content not in kept)
        for node in [p for p in card.pruned if p.why == WITHHELD][:GHOSTS]:
            self._node(card.step, node.id, "turn", WITHHELD, pruned=True)
        for ghost in [c for c in card.candidates if c.content_id not in opened][:GHOSTS]:
            self._path(card.step, ghost.content_id, ranked, source, pruned=True)

    def _path(
        self, step: int, content: str, ranked: Mapping[str, Any], source: Mapping[str, str], *, pruned: bool
    ) -> None:
        c = ranked.get(content)
        via_cue, via_tag, via_content = (c.via_cue, c.via_tag, c.via_content) if c else ("", "", "")
        if via_cue:
            self._node(step, via_cue, "cue", cue_name(self._graph, via_cue))
            origin = source.get(via_cue)
            self._edge(step, origin or QUESTION, via_cue, "reverse" if origin else "matched")
        if via_tag:
            self._node(step, via_tag, "tag", tag_name(self._graph, via_tag))
            if not via_cue:
                self._edge(step, QUESTION, via_tag, "matched")
        self._node(step, content, self._layer(content), content_name(self._graph, content), pruned)
        chain = [n for n in (via_cue, via_tag, content) if n]
        for a, b in pairwise(chain):
            self._edge(step, a, b, "cue_tag" if b == via_tag else "tag_content")
        if via_content and not via_cue and not via_tag:
            self._edge(step, via_content, content, "next")

    def _layer(self, content: str) -> str:
        at = self._graph.content_index.get(content)
        return self._graph.columns.layers[at] if at is not None else "turn"

    def _node(self, step: int, id_: str, kind: str, label: str, pruned: bool = False) -> None:
        if id_ in self.nodes:
            return
        lane = kind if kind in ("cue", "tag") else "content"
        title = "" if label == WITHHELD else self._texts.get(id_) or self._how.get(id_, "")
        self.nodes[id_] = Node(id_, kind, label, f"{label}\n{title}" if title else label, rank=-step)
        self.stands.append(Stand(id_, lane, step, pruned))  # type: ignore[arg-type]
        self.first[id_] = step

    def _edge(self, step: int, source: str, target: str, kind: str) -> None:
        if source in self.nodes and target in self.nodes and source != target:
            edge = Edge(source, target, kind)
            self.edges.setdefault(edge.id, edge)
            self.edge_first.setdefault(edge.id, step)
