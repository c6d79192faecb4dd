"""What an edit would change in how memories are reached: counted on the graph, before anything is saved."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from memcore.editing.edits import Plan
from memcore.graph import LAYERS, Graph
from memcore.records import Content, Record, Relation


class Impact(NamedTuple):
    """Relations added, moved and removed; ids of contents that no cue leads to any more, or that one leads to
    again; of cues and tags that lead nowhere afterwards; of topics that rest on the same turns."""

    added: int
    moved: int
    removed: int
    unreachable: tuple[str, ...]
    reachable: tuple[str, ...]
    idle_cues: tuple[str, ...]
    idle_tags: tuple[str, ...]
    topics: tuple[str, ...]


def impact(graph: Graph, plan: Plan) -> Impact:
    """The impact of a plan made on the memory that this graph shows."""
    gone = set(plan.deletes)
    old = [r for r in plan.before.values() if isinstance(r, Relation)]
    changed = [r for r in plan.upserts if isinstance(r, Relation)]
    new = [r for r in plan.inserts if isinstance(r, Relation)]
    change = Counter(end for r in (*changed, *new) for end in r.triple)
    change.subtract(end for r in old for end in r.triple)
    ended, begun = _crossings(graph, change, gone)
    return Impact(
        added=len(new),
        moved=len(changed),
        removed=sum(r.id in gone for r in old),
        unreachable=tuple(i for i in ended if i in graph.content_index),
        reachable=tuple(i for i in begun if i in graph.content_index),
        idle_cues=tuple(i for i in ended if i in graph.cue_index),
        idle_tags=tuple(i for i in ended if i in graph.tag_index),
        topics=_topics(graph, plan),
    )


def _crossings(graph: Graph, change: Counter[str], gone: set[str]) -> tuple[list[str], list[str]]:
    """Nodes that stay and lose their last relation, and nodes that get their first."""
    ended: list[str] = []
    begun: list[str] = []
    for node, difference in change.items():
        before = _degree(graph, node)
        if node not in gone and before and before + difference == 0:
            ended.append(node)
        elif not before and difference > 0:
            begun.append(node)
    return ended, begun


def _degree(graph: Graph, node: str) -> int:
    if node in graph.cue_index:
        return graph.cue_degree(graph.cue_index[node])
    if node in graph.tag_index:
        return graph.tag_degree(graph.tag_index[node])
    return len(graph.handles_of(graph.content_index[node])[0]) if node in graph.content_index else 0


def _topics(graph: Graph, plan: Plan) -> tuple[str, ...]:
    """Topics that are edited themselves, or that sum up a turn whose memory is."""
    touched: list[Record] = [r for r in plan.before.values() if isinstance(r, Content)]
    rows = [graph.content_index[r.id] for r in touched if r.id in graph.content_index]
    topics: set[int] = {t for row in rows for t in graph.contents_from(row, "topic").tolist()}
    topics |= {row for row in rows if graph.layer[row] == LAYERS.index("topic")}
    return tuple(graph.columns.content_ids[t] for t in sorted(topics))
