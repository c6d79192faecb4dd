"""What a running reconstruction has reached: one row per content, and the path that led there.

The traversals of the graph write here; the router reads. Replaying a saved run's actions on the
same snapshot gives the same reach, so nothing of it needs to be stored in a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from memcore.events import Action, Mode
from memcore.graph import LAYERS, Floats, Graph, Ints


class Bounds(NamedTuple):
    """What a traversal may bring, and how strongly: see the settings of the same names."""

    rank_tags_above: int
    keep_tags: int
    pair_rank_above: int
    window_lists_below: int
    hub_cap: int
    neighbour_before: float
    neighbour_second: float


class Nearness(NamedTuple):
    """How near tags and contents are to the question, by index: what is left out is the farthest."""

    tags: Callable[[Ints], Floats]
    contents: Callable[[Ints], Floats]


class Reach:
    """`near` ranks the tags of a cue, and the contents behind a pair or a hub where they are too many."""

    def __init__(self, graph: Graph, mode: Mode, near: Nearness, bounds: Bounds) -> None:
        size = len(graph)
        self._graph, self._near, self._bounds, self._tagged = graph, near, bounds, mode != "ce"
        turn_like = (LAYERS.index("turn"), LAYERS.index("episode"))
        self.allowed = np.ones(size, dtype=bool) if mode == "ctc" else np.isin(graph.layer, turn_like)
        self.reached = np.zeros(size, dtype=bool)
        self.via_cue = np.full(size, -1, dtype=np.int32)
        self.via_tag = np.full(size, -1, dtype=np.int32)
        self.via_content = np.full(size, -1, dtype=np.int32)
        self.neighbour = np.zeros(size, dtype=np.float32)
        self.capped: list[tuple[str, int, int]] = []

    def run(self, action: Action) -> None:
        """Carry one action out on the graph; one that only shows what can be chosen next reaches nothing."""
        if action.action not in _ONLY_SHOW:
            _RUN[action.action](self, action)

    def enter(self, contents: Ints, cue: int = -1, tags: Ints | int = -1, content: int = -1) -> None:
        """Mark contents as reached; the first path to each is the one that is shown."""
        new = ~self.reached[contents] & self.allowed[contents]
        fresh = contents[new]
        self.via_cue[fresh] = cue
        self.via_tag[fresh] = tags[new] if isinstance(tags, np.ndarray) else tags
        self.via_content[fresh] = content
        self.reached[fresh] = True

    def pair_contents(self, action: Action) -> None:
        """cue -> its tags, nearest to the question where there are many -> the contents behind them.

        With a tag chosen, only what stands behind that one.
        """
        cue = self._graph.cue_index[action.cue_id]
        origin = self._graph.content_index.get(action.content_id, -1)
        if action.tag_id:
            tag = self._graph.tag_index[action.tag_id]
            contents = self._graph.contents_of(cue, tag)
            tags = np.full_like(contents, tag)
        else:
            contents, tags = self._graph.contents_of_cue(cue)
        found = len(contents)
        if self._tagged and len(tags) > self._bounds.rank_tags_above:
            contents, tags = self._through_best_tags(contents, tags)
        if self._tagged and len(tags) > self._bounds.pair_rank_above:
            contents, tags = self._nearest_of_each_pair(contents, tags)
        nearest = self._nearest(contents, self._bounds.hub_cap)
        contents, tags = contents[nearest], tags[nearest]
        if found > len(contents):
            self.capped.append((action.cue_id, found, len(contents)))
        self.enter(contents, cue, tags if self._tagged else -1, origin)

    def tag_contents(self, action: Action) -> None:
        """A tag the question is near to -> its contents."""
        tag = self._graph.tag_index[action.tag_id]
        self.enter(self._graph.contents_of_tag(tag)[: self._bounds.hub_cap], -1, tag)

    def content_neighbours(self, action: Action) -> None:
        """Evidence -> the turns beside it, weaker with distance and backwards."""
        here = self._graph.content_index[action.content_id]
        strength = {1: 1.0, -1: self._bounds.neighbour_before, 2: self._bounds.neighbour_second}
        for content, distance in self._graph.neighbours_of(here, 2):
            weight = strength.get(distance, 0.0)
            if weight and self.allowed[content]:
                self.neighbour[content] = max(self.neighbour[content], weight)
                self.enter(np.array([content], dtype=np.int32), content=here)

    def content_time(self, action: Action) -> None:
        """Evidence -> what else happened on the day it speaks of."""
        here = self._graph.content_index[action.content_id]
        first = int(self._graph.columns.event_first[here])
        last = int(self._graph.columns.event_last[here])
        if first and last - first <= 1:
            self.enter(self._graph.contents_in(first, last)[: self._bounds.hub_cap], content=here)

    def window_contents(self, action: Action) -> None:
        """The asked days -> what happened or was said then. `tag_id` carries the two ordinals."""
        first, last = (int(part) for part in action.tag_id.split(":"))
        contents = self._graph.contents_in(first, last)
        if len(contents) >= self._bounds.window_lists_below:
            contents = contents[self._nearest(contents, self._bounds.hub_cap)]
        self.enter(contents)

    def person_facts(self, action: Action) -> None:
        """A person -> the facts known of them."""
        contents, tags = self._graph.contents_of_cue(self._graph.cue_index[action.cue_id])
        facts = self._graph.layer[contents] == LAYERS.index("fact")
        self.enter(contents[facts], self._graph.cue_index[action.cue_id], tags[facts])

    def topic_episodes(self, action: Action) -> None:
        """A topic -> the turns it sums up."""
        here = self._graph.content_index[action.content_id]
        self.enter(self._graph.contents_from(here, "turn"), content=here)

    def search(self, action: Action) -> None:
        """A content that a search of the whole store found (only where seeding is switched on)."""
        self.enter(np.array([self._graph.content_index[action.content_id]], dtype=np.int32))

    def _through_best_tags(self, contents: Ints, tags: Ints) -> tuple[Ints, Ints]:
        kinds, inverse = np.unique(tags, return_inverse=True)
        best = np.argsort(-self._near.tags(kinds), kind="stable")[: self._bounds.keep_tags]
        rank = np.full(len(kinds), len(kinds), dtype=np.int32)
        rank[best] = np.arange(len(best))
        rows = np.flatnonzero(rank[inverse] < len(kinds))
        rows = rows[np.argsort(rank[inverse][rows], kind="stable")]
        return contents[rows], tags[rows]

    def _nearest_of_each_pair(self, contents: Ints, tags: Ints) -> tuple[Ints, Ints]:
        """Of the contents behind one (cue, tag), those nearest to the question; the tags keep their order."""
        kinds, first, sizes = np.unique(tags, return_index=True, return_counts=True)
        if sizes.max() <= self._bounds.pair_rank_above:
            return contents, tags
        place = first[np.searchsorted(kinds, tags)]
        order = np.lexsort((-self._near.contents(contents), place))
        begins = np.flatnonzero(np.diff(place[order], prepend=-1))
        rank = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
        rows = order[rank < self._bounds.pair_rank_above]
        return contents[rows], tags[rows]

    def _nearest(self, contents: Ints, most: int) -> Ints:
        """Rows of at most so many contents: those nearest to the question, in the order they had."""
        if len(contents) <= most:
            return np.arange(len(contents), dtype=np.int32)
        best = np.argpartition(-self._near.contents(contents), most)[:most]
        return np.sort(best).astype(np.int32)


_ONLY_SHOW = ("cue_tags", "content_handles")
_RUN: dict[str, Callable[[Reach, Action], None]] = {
    "pair_contents": Reach.pair_contents,
    "cue_contents": Reach.pair_contents,
    "tag_contents": Reach.tag_contents,
    "content_neighbours": Reach.content_neighbours,
    "content_time": Reach.content_time,
    "window_contents": Reach.window_contents,
    "topic_episodes": Reach.topic_episodes,
    "person_facts": Reach.person_facts,
    "search": Reach.search,
}
