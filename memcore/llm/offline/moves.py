"""Which traversals the offline router chooses: forward from the question, back from evidence.

Forward: the cues and tags that the question matches or is near to, the days it asks about, the nearest
topics. Back, the heart of the method: the cues of each new piece of evidence, the rarer the stronger,
the turns beside it, and the day it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from memcore.events import Action, Activated, KeptNode, Window
from memcore.graph import LAYERS, Floats, Graph, Ints
from memcore.llm.offline.lexicon import KIN
from memcore.llm.offline.matching import matched_cues, nearest_cues, nearest_tags
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.run_state import State
from memcore.settings import Settings
from memcore.triples import NAMING


class Moves(NamedTuple):
    """What became active, and what is to be done with it."""

    cues: list[Activated]
    tags: list[Activated]
    actions: list[Action]


class Chooser:
    """The choices for one question. `seeds` are contents found by a search of the whole store."""

    def __init__(
        self, ask: Ask, question: Question, graph: Graph, settings: Settings, seeds: tuple[str, ...] = ()
    ) -> None:
        self._ask, self._question, self._graph, self._set = ask, question, graph, settings
        self._seeds, self._tags = seeds, ask.mode != "ce"
        self._common = graph.common_cues(settings.common_cue)
        self._few = np.minimum(1.0, settings.chain_cap / np.maximum(graph.cue_degrees, 1))

    def forward(self, windows: tuple[Window, ...]) -> Moves:
        """Where the question itself leads: step 1, and all there is for the passive policy."""
        named = matched_cues(self._graph, self._question, self._set)
        known = {a.id for a in named}
        near = nearest_cues(self._graph, self._question, self._set.nearest_cues)
        cues = named + [a for a in near if a.id not in known]
        tags = nearest_tags(self._graph, self._question, self._set) if self._tags else []
        actions = [self._open(a.id) for a in cues] + [Action("tag_contents", tag_id=a.id) for a in tags]
        if self._ask.use_time:
            actions += [_window(w) for w in windows if w.precision != "year"]
        if self._ask.mode == "ctc":
            actions += [Action("person_facts", cue_id=a.id) for a in named if a.how == "speaker"]
            actions += [Action("topic_episodes", content_id=c) for c in self._near_topics()]
        return Moves(cues, tags, actions + [Action("search", content_id=c) for c in self._seeds])

    def back(self, state: State) -> Moves:
        """Where the evidence of the last step leads."""
        cues: dict[str, Activated] = {}
        actions: dict[Action, None] = {}
        for kept in state.evidence.values():
            if self._ask.reverse and state.kept_at.get(kept.content_id) == state.step:
                woken = [a for a in self._woken_by(kept) if a.id not in state.cues]
                cues = {a.id: a for a in woken} | cues
                actions |= dict.fromkeys(self._from_evidence(kept.content_id, woken))
        return Moves(list(cues.values()), [], list(actions))

    def with_wanted(self, moves: Moves, state: State) -> Moves:
        """And the cues that a person or a model wants followed; they go first."""
        known = {*state.cues, *(a.id for a in moves.cues)}
        wanted = [a for a in state.wanted.values() if a.id not in known]
        first = [self._open(a.id, a.source) for a in wanted]
        return Moves(wanted + moves.cues, moves.tags, first + moves.actions)

    def _from_evidence(self, content: str, woken: list[Activated]) -> Iterator[Action]:
        """Its cues and tags, the turns beside it, what its rare cues lead to, and the day it speaks of."""
        yield Action("content_handles", content_id=content)
        yield Action("content_neighbours", content_id=content)
        yield from (self._open(a.id, a.source) for a in woken)
        if self._ask.use_time:
            yield Action("content_time", content_id=content)

    def leads(self, cue: int) -> bool:
        """A rare name: where it leads may be the next link of a chain, however unlike the question.

        "mother" is a person, but no name: it leads to whoever has one.
        """
        c = self._graph.columns
        named = c.cue_kinds[cue] in NAMING and c.cue_keys[cue] not in KIN
        return named and self._graph.cue_degree(cue) <= self._set.chain_cap

    def _woken_by(self, kept: KeptNode) -> list[Activated]:
        """The strongest cues of one piece of evidence. A name counts in full, a word by its nearness.

        A text full of rare names points nowhere: each of them counts less.
        """
        cues = np.unique(self._graph.handles_of(self._graph.content_index[kept.content_id])[0])
        cues = cues[~self._common[cues]]
        kinds = self._graph.columns.cue_kinds
        named = np.array([kinds[c] in NAMING for c in cues.tolist()], dtype=bool)
        word = self._set.chain_other * (0.3 + 0.7 * self._nearness(cues))
        rare = named & (self._graph.cue_degrees[cues] <= self._set.chain_cap)
        pointed = min(1.0, self._set.lead_names / max(int(rare.sum()), 1))
        strength = self._few[cues] * np.where(named, pointed, word) * min(kept.score, 1.0)
        best = np.argsort(-strength, kind="stable")[: self._set.reverse_cues].tolist()
        ids = self._graph.columns.cue_ids
        return [Activated(ids[cues[i]], "reverse", float(strength[i]), kept.content_id) for i in best]

    def _nearness(self, cues: Ints) -> Floats:
        if not self._graph.dimension:
            return np.zeros(len(cues), dtype=np.float32)
        near = self._graph.columns.cue_vectors[cues] @ self._question.vector
        return np.clip((near - 0.2) / 0.5, 0, 1)

    def _near_topics(self) -> list[str]:
        topics = np.flatnonzero(self._graph.layer == LAYERS.index("topic"))
        if not self._graph.dimension or not len(topics):
            return []
        near = self._graph.columns.content_vectors[topics] @ self._question.vector
        best = topics[np.argsort(-near, kind="stable")[: self._set.topics]].tolist()
        return [self._graph.columns.content_ids[i] for i in best]

    def _open(self, cue: str, source: str = "") -> Action:
        return Action("pair_contents" if self._tags else "cue_contents", cue_id=cue, content_id=source)


def _window(window: Window) -> Action:
    return Action("window_contents", tag_id=f"{window.first}:{window.last}")
