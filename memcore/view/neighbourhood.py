"""The local graph around what was searched or picked: never everything, always by how much it is cut."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from memcore.graph import LAYERS, Graph
from memcore.view.naming import content_name
from memcore.view.network import Edge, Node
from memcore.words import fold

PER_NODE = 24  # relations drawn from one node before it must be expanded


@dataclass(frozen=True, slots=True)
class Filters:
    """What is shown. Empty means all. Days are ordinals, 0 for open ends."""

    layers: Collection[str] = ()
    speakers: Collection[str] = ()
    first: int = 0
    last: int = 0


class Local(NamedTuple):
    """The nodes and edges shown, and how many nodes there would be without the limit."""

    nodes: list[Node]
    edges: list[Edge]
    total: int


def matching(graph: Graph, text: str, limit: int = 12) -> list[str]:
    """Cues and tags whose name holds the text, the most connected first."""
    wanted = fold(text).strip()
    if not wanted:
        return []
    c = graph.columns
    cues = [i for i, name in enumerate(c.cue_names) if wanted in fold(name)]
    tags = [i for i, name in enumerate(c.tag_names) if wanted in fold(name)]
    cues.sort(key=lambda i: -graph.cue_degree(i))
    return [c.cue_ids[i] for i in cues[:limit]] + [c.tag_ids[i] for i in tags[: limit // 2]]


def hubs(graph: Graph, count: int = 4) -> list[str]:
    """Cues to start from when nothing was asked: well connected, but no hub of everything."""
    degrees = graph.cue_degrees.astype(np.int64)
    few = degrees <= max(12, len(graph) // 12)
    kinds = np.array([k != "time" for k in graph.columns.cue_kinds], dtype=bool)
    order = np.argsort(-(degrees * few * kinds), kind="stable")[:count].tolist()
    return [graph.columns.cue_ids[i] for i in order]


def around(graph: Graph, seeds: Sequence[str], filters: Filters, limit: int = 120) -> Local:
    """Every seed with its relations; nodes beyond `limit` are counted, not drawn."""
    found: dict[str, None] = {s: None for s in seeds if _known(graph, s)}
    edges: dict[str, Edge] = {}
    for seed in list(found):
        for cue, tag, content in _relations(graph, seed, filters):
            for edge in (Edge(cue, tag, "cue_tag"), Edge(tag, content, "tag_content")):
                edges[edge.id] = edge
            found |= dict.fromkeys((cue, tag, content))
    shown = set(list(found)[:limit])
    nodes = [_node(graph, id_, id_ in seeds) for id_ in found if id_ in shown]
    return Local(nodes, [e for e in edges.values() if {e.source, e.target} <= shown], len(found))


def rows(graph: Graph, local: Local) -> list[dict[str, str | int]]:
    """The table twin: one row per node shown, in the order of the graph."""
    names = {"cue": "Cue", "tag": "Tag"}
    near: dict[str, int] = {}
    for edge in local.edges:
        for end in (edge.source, edge.target):
            near[end] = near.get(end, 0) + 1
    return [
        {
            "kind": names.get(n.kind, n.kind.capitalize()),
            "name": n.label,
            "relations shown": near.get(n.id, 0),
        }
        for n in local.nodes
    ]


def with_texts(nodes: Iterable[Node], texts: Mapping[str, str]) -> list[Node]:
    """Contents labelled by what they say, where the text is at hand."""
    return [
        Node(n.id, n.kind, texts.get(n.id, n.label), _title(n, texts), n.rank, n.size, n.marks) for n in nodes
    ]


def _title(node: Node, texts: Mapping[str, str]) -> str:
    return f"{node.label}\n{texts[node.id]}" if node.id in texts else node.title


def _known(graph: Graph, id_: str) -> bool:
    return id_ in graph.cue_index or id_ in graph.tag_index or id_ in graph.content_index


def _relations(graph: Graph, seed: str, filters: Filters) -> list[tuple[str, str, str]]:
    c = graph.columns
    if seed in graph.cue_index:
        at = graph.cue_index[seed]
        contents, tags = graph.contents_of_cue(at)
        triples = [(at, t, v) for t, v in zip(tags.tolist(), contents.tolist(), strict=True)]
    elif seed in graph.tag_index:
        at = graph.tag_index[seed]
        triples = [(cue, at, v) for v in graph.contents_of_tag(at).tolist() for cue in _cues(graph, v, at)]
    else:
        at = graph.content_index[seed]
        cues, tags = graph.handles_of(at)
        triples = [(q, t, at) for q, t in zip(cues.tolist(), tags.tolist(), strict=True)]
    kept = [(q, t, v) for q, t, v in triples if _passes(graph, v, filters)][:PER_NODE]
    return [(c.cue_ids[q], c.tag_ids[t], c.content_ids[v]) for q, t, v in kept]


def _cues(graph: Graph, content: int, tag: int) -> list[int]:
    cues, tags = graph.handles_of(content)
    return [q for q, t in zip(cues.tolist(), tags.tolist(), strict=True) if t == tag]


def _passes(graph: Graph, content: int, filters: Filters) -> bool:
    c = graph.columns
    day = int(c.said_days[content])
    return (
        (not filters.layers or LAYERS[graph.layer[content]] in filters.layers)
        and (not filters.speakers or c.speakers[content] in filters.speakers)
        and (not filters.first or day >= filters.first)
        and (not filters.last or 0 < day <= filters.last)
    )


def _node(graph: Graph, id_: str, seed: bool) -> Node:
    c = graph.columns
    size = 15.0 if seed else 11.0
    if id_ in graph.cue_index:
        at = graph.cue_index[id_]
        degree = graph.cue_degree(at)
        title = f"{c.cue_names[at]}\n{c.cue_kinds[at]}, {degree:,} relations"
        return Node(id_, "cue", c.cue_names[at], title, rank=float(degree) + 1e6 * seed, size=size)
    if id_ in graph.tag_index:
        at = graph.tag_index[id_]
        return Node(id_, "tag", c.tag_names[at], c.tag_names[at], rank=1.0 + 1e6 * seed, size=size)
    at = graph.content_index[id_]
    name = content_name(graph, id_)
    return Node(id_, c.layers[at], name, name, rank=0.5 + 1e6 * seed, size=size)
