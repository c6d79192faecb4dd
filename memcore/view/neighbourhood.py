"""The local graph around what was searched or picked: never everything, always by how much it is cut.

Filters grey out what is drawn and take nothing away; what they let through beyond it is drawn besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, get_args

import numpy as np

from memcore.graph import LAYERS, Graph
from memcore.records import CueKind
from memcore.view.naming import content_name, human_day
from memcore.view.network import Edge, Node
from memcore.words import fold

PER_NODE = 24  # relations drawn from one node, and as many again each time it is expanded
CUE_KINDS: tuple[str, ...] = get_args(CueKind)
SEED = 1e6  # added to the rank of a node that was searched or expanded: its label comes first
Triple = tuple[str, str, str]  # ids of a cue, a tag and a content


@dataclass(frozen=True, slots=True)
class Filters:
    """What is not greyed out. Empty means all. Days are ordinals, 0 for open ends."""

    layers: Collection[str] = ()
    speakers: Collection[str] = ()
    kinds: Collection[str] = ()
    first: int = 0
    last: int = 0

    def __bool__(self) -> bool:
        return bool(self.layers or self.speakers or self.kinds or self.first or self.last)


class Local(NamedTuple):
    """The nodes and edges shown, how many nodes there would be without the limit, and how many are grey."""

    nodes: list[Node]
    edges: list[Edge]
    total: int
    grey: int = 0


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


def hubs(graph: Graph, count: int = 4, kinds: Collection[str] = ()) -> list[str]:
    """Cues to start from when nothing was asked: well connected, but no hub of everything.

    Of these kinds, or of any but time. Where all of a kind are hubs of everything, those.
    """
    degrees = graph.cue_degrees.astype(np.int64)
    few = degrees <= max(12, len(graph) // 12)
    wanted = [k in kinds if kinds else k != "time" for k in graph.columns.cue_kinds]
    chosen = np.flatnonzero(np.array(wanted, dtype=bool))
    order = chosen[np.lexsort((-degrees[chosen], ~few[chosen]))][:count].tolist()
    return [graph.columns.cue_ids[i] for i in order]


def examples(graph: Graph, count: int = 6) -> list[str]:
    """Names to search for, of this memory's own well connected cues, of as many kinds as there are."""
    c = graph.columns
    found = [graph.cue_index[id_] for id_ in hubs(graph, 12 * count)]
    firsts = {c.cue_kinds[i]: i for i in reversed(found)}
    order = sorted(found, key=lambda i: (firsts[c.cue_kinds[i]] != i, -graph.cue_degree(i)))
    return [c.cue_names[i] for i in order[:count]]


def passing(graph: Graph, contents: Iterable[str], filters: Filters) -> list[str]:
    """The contents that the filters let through, in their order."""
    return [id_ for id_ in contents if _content_passes(graph, graph.content_index.get(id_), filters)]


def around(graph: Graph, seeds: Sequence[str], filters: Filters, limit: int = 120) -> Local:
    """Every seed with its relations; nodes beyond `limit` are counted, not drawn.

    A seed named twice shows twice as many relations. What the filters let through and would not be
    drawn without them joins, up to half the limit more.
    """
    base = {seed: None for seed in seeds if known(graph, seed)}
    extra: dict[str, None] = {}
    drawn: dict[Triple, None] = {}
    for seed, times in Counter(seeds).items():
        if seed in base:
            first, more = _relations_drawn(graph, seed, filters, PER_NODE * times)
            drawn |= dict.fromkeys([*first, *more])
            base |= dict.fromkeys(id_ for triple in first for id_ in triple)
            extra |= dict.fromkeys(id_ for triple in more for id_ in triple)
    joined = [id_ for id_ in extra if id_ not in base]
    shown = {*list(base)[:limit], *joined[: limit // 2]}
    bright = _bright(graph, base, drawn, filters) if filters else shown
    nodes = [_node(graph, id_, id_ in seeds) for id_ in (*base, *joined) if id_ in shown]
    nodes = [n if n.id in bright else replace(n, marks=("dim",)) for n in nodes]
    edges = {e.id: e for t in drawn for e in _edges(t) if {e.source, e.target} <= shown}
    return Local(nodes, list(edges.values()), len(base) + len(joined), sum(n.id not in bright for n in nodes))


def steady(graph: Graph, local: Local, before: Iterable[str], joined: Iterable[str]) -> Local:
    """The same graph with every node of `before` that still is one: an edit takes nothing else away.

    They, and what an edit `joined`, are drawn with their relations to what is shown.
    """
    shown = {node.id for node in local.nodes}
    drawn = [id_ for id_ in dict.fromkeys([*before, *joined]) if known(graph, id_)]
    back = [id_ for id_ in drawn if id_ not in shown]
    shown |= set(back)
    edges = {edge.id: edge for edge in local.edges}
    for id_ in dict.fromkeys([*back, *(i for i in joined if i in shown)]):
        within = (t for t in _relations(graph, id_) if shown.issuperset(t))
        edges |= {e.id: e for t in islice(within, PER_NODE) for e in _edges(t)}
    nodes = [*local.nodes, *(_node(graph, id_, seed=False) for id_ in back)]
    return local._replace(nodes=nodes, edges=list(edges.values()), total=local.total + len(back))


def badged(nodes: Iterable[Node], edited: Collection[str]) -> list[Node]:
    """Nodes with the badge of what was corrected."""
    return [replace(n, marks=(*n.marks, "edited")) if n.id in edited else n for n in nodes]


def unseen(graph: Graph, local: Local, id_: str) -> int:
    """How many relations of a node are not drawn: what expanding it would bring, in all."""
    if not known(graph, id_):
        return 0
    edges = {edge.id for edge in local.edges}
    return sum(not all(e.id in edges for e in _edges(triple)) for triple in _relations(graph, id_))


def rows(graph: Graph, local: Local) -> list[dict[str, str | int | bool]]:
    """The table twin: one row per node shown, in the order of the graph."""
    names = {"cue": "Cue", "tag": "Tag"}
    near = Counter(end for edge in local.edges for end in (edge.source, edge.target))
    return [
        {
            "kind": names.get(n.kind, n.kind.capitalize()),
            "name": n.label,
            "what": _what(graph, n.id),
            "connections": near[n.id],
            "passes the filters": "dim" not in n.marks,
        }
        for n in local.nodes
    ]


def with_texts(nodes: Iterable[Node], texts: Mapping[str, str]) -> list[Node]:
    """Contents labelled by what they say, where the text is at hand."""

    def told(node: Node) -> Node:
        text = texts.get(node.id)
        return node if text is None else replace(node, label=text, title=f"{node.label}\n{text}")

    return [told(node) for node in nodes]


def known(graph: Graph, id_: str) -> bool:
    """Whether this is a node."""
    return id_ in graph.cue_index or id_ in graph.tag_index or id_ in graph.content_index


def _what(graph: Graph, id_: str) -> str:
    """The kind of a cue; who said a content, and when."""
    c = graph.columns
    if id_ in graph.cue_index:
        return c.cue_kinds[graph.cue_index[id_]]
    if id_ in graph.tag_index:
        return ""
    at = graph.content_index[id_]
    return ", ".join(part for part in (c.speakers[at], human_day(int(c.said_days[at]))) if part)


def _edges(triple: Triple) -> tuple[Edge, Edge]:
    cue, tag, content = triple
    return Edge(cue, tag, "cue_tag"), Edge(tag, content, "tag_content")


def _relations_drawn(
    graph: Graph, seed: str, filters: Filters, count: int
) -> tuple[list[Triple], list[Triple]]:
    """The first relations of a node, and the first besides them that the filters let through."""
    first = list(islice(_relations(graph, seed), count))
    if not filters:
        return first, []
    through = (triple for triple in _relations(graph, seed) if _passes(graph, triple, filters))
    return first, [triple for triple in islice(through, count) if triple not in first]


def _bright(graph: Graph, base: Iterable[str], drawn: Iterable[Triple], filters: Filters) -> set[str]:
    """What is not greyed out: everything on a relation that passes, and contents that stand alone."""
    through = {id_ for triple in drawn if _passes(graph, triple, filters) for id_ in triple}
    joined = {id_ for triple in drawn for id_ in triple}
    alone = [id_ for id_ in base if id_ in graph.content_index and id_ not in joined]
    return through | set(passing(graph, alone, filters))


def _relations(graph: Graph, seed: str) -> Iterator[Triple]:
    c = graph.columns
    for cue, tag, content in _rows_of(graph, seed):
        yield c.cue_ids[cue], c.tag_ids[tag], c.content_ids[content]


def _rows_of(graph: Graph, seed: str) -> Iterator[tuple[int, int, int]]:
    """The relations of a node as row indexes."""
    if seed in graph.cue_index:
        at = graph.cue_index[seed]
        contents, tags = graph.contents_of_cue(at)
        yield from ((at, t, v) for t, v in zip(tags.tolist(), contents.tolist(), strict=True))
    elif seed in graph.tag_index:
        at = graph.tag_index[seed]
        for v in graph.contents_of_tag(at).tolist():
            yield from ((cue, at, v) for cue in _cues(graph, v, at))
    else:
        at = graph.content_index[seed]
        cues, tags = graph.handles_of(at)
        yield from ((q, t, at) for q, t in zip(cues.tolist(), tags.tolist(), strict=True))


def _cues(graph: Graph, content: int, tag: int) -> list[int]:
    cues, tags = graph.handles_of(content)
    return [q for q, t in zip(cues.tolist(), tags.tolist(), strict=True) if t == tag]


def _passes(graph: Graph, triple: Triple, filters: Filters) -> bool:
    kind = graph.columns.cue_kinds[graph.cue_index[triple[0]]]
    wanted = not filters.kinds or kind in filters.kinds
    return wanted and _content_passes(graph, graph.content_index[triple[2]], filters)


def _content_passes(graph: Graph, content: int | None, filters: Filters) -> bool:
    if content is None:
        return False
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
        return Node(id_, "cue", c.cue_names[at], title, rank=float(degree) + SEED * seed, size=size)
    if id_ in graph.tag_index:
        at = graph.tag_index[id_]
        return Node(id_, "tag", c.tag_names[at], c.tag_names[at], rank=1.0 + SEED * seed, size=size)
    at = graph.content_index[id_]
    name = content_name(graph, id_)
    return Node(id_, c.layers[at], name, name, rank=0.5 + SEED * seed, size=size)
