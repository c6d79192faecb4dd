"""What is in a memory and how it is doing, from the graph alone: no text, no scan of the store."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from memcore.graph import Graph
from memcore.view.naming import human_day

HUB_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of one memory. `unreachable` contents have no cue; `hubs` lead to a fifth of it or more."""

    layers: dict[str, int]
    cues: int
    tags: int
    relations: int
    speakers: list[tuple[str, int]]
    first: str
    last: str
    unreachable: int
    hubs: list[tuple[str, int]]


def overview(graph: Graph) -> Overview:
    """The numbers of the overview page."""
    c = graph.columns
    days = c.said_days[c.said_days > 0]
    handled = np.bincount(c.relation_content, minlength=len(graph)) if len(graph) else np.zeros(0)
    hub = max(2, int(len(graph) * HUB_SHARE))
    busy = np.flatnonzero(graph.cue_degrees >= hub)
    busy = busy[np.argsort(-graph.cue_degrees[busy], kind="stable")][:8].tolist()
    return Overview(
        layers=dict(Counter(c.layers)),
        cues=len(c.cue_ids),
        tags=len(c.tag_ids),
        relations=len(c.relation_cue),
        speakers=Counter(s for s in c.speakers if s).most_common(6),
        first=human_day(int(days.min())) if len(days) else "",
        last=human_day(int(days.max())) if len(days) else "",
        unreachable=int((handled == 0).sum()),
        hubs=[(c.cue_names[i], graph.cue_degree(i)) for i in busy],
    )
