"""Every component of a candidate's score, and nothing hidden: they add up to its total.

What depends on the question alone (dense, lexical, speaker, time, tag, cue) is worked out once for
each content when it is reached; what depends on the evidence (neighbour, reverse, evidence) changes
with every step. Cost per step is linear in what was reached, never in the whole memory.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from memcore.channels import Lexical, blended, dense_blended, spoken_by, spread
from memcore.events import Window
from memcore.graph import LAYERS, Floats, Graph, Ints
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.settings import Settings

DENSE, LEXICAL, SPEAKER, TIME, TAG, CUE = range(6)
NEIGHBOUR, REVERSE, EVIDENCE = range(3)


class Scores:
    """`fixed` is (6, contents), weighted, a row for each of DENSE to CUE; 0 where a content is unreached."""

    def __init__(
        self,
        ask: Ask,
        question: Question,
        graph: Graph,
        lexical: Lexical,
        settings: Settings,
        near: Callable[[Ints], Floats],
    ) -> None:
        self._ask, self._question, self._graph, self._set, self._near = ask, question, graph, settings, near
        self._words = blended(lexical, question.terms, settings.blend_alone)
        self.fixed = np.zeros((CUE + 1, len(graph)), dtype=np.float32)
        self.known = np.zeros(len(graph), dtype=bool)
        self._asked = np.zeros(len(graph), dtype=np.float32)
        self._woken = np.zeros(len(graph), dtype=np.float32)
        self.lead = np.zeros(len(graph), dtype=np.float32)
        self.lead_turn = np.zeros(len(graph), dtype=np.int32)  # the how many-th lead it hangs on
        self._scale: dict[str, tuple[float, float]] = {}
        self._common = graph.common_cues(settings.common_cue)

    def ask_cue(self, cue: int, strength: float) -> None:
        """A cue of the question leads to its contents, the more the rarer it is."""
        if not self._common[cue]:
            contents = np.unique(self._graph.contents_of_cue(cue)[0])
            self._asked[contents] += strength * self._graph.cue_rarity[cue]

    def wake_cue(self, cue: int, strength: float, *, lead: bool) -> None:
        """A cue of evidence leads to its contents; of several, the strongest counts."""
        contents = np.unique(self._graph.contents_of_cue(cue)[0])
        self._woken[contents] = np.maximum(self._woken[contents], strength)
        if lead:
            told = contents[self._graph.layer[contents] != LAYERS.index("topic")]
            new = told[self.lead[told] == 0]
            self.lead_turn[new] = self.lead_turn.max(initial=0) + 1
            self.lead[told] = np.maximum(self.lead[told], strength)

    def at_a_glance(self, contents: Ints) -> Floats:
        """How near contents are to the question before they are reached: what a cap lets through."""
        peak = self._words.max(initial=0.0) or 1.0
        words = self._words[contents] / peak
        near = self._graph.columns.content_vectors[contents] @ self._question.vector
        return (self._set.w_dense * near + self._set.w_lexical * words).astype(np.float32)

    def add(self, contents: Ints, windows: tuple[Window, ...]) -> None:
        """Work out the fixed components of newly reached contents."""
        new = contents[~self.known[contents]]
        if not len(new):
            return
        self.known[new] = True
        s = self._set
        self.fixed[DENSE, new] = s.w_dense * self._scaled(
            "dense", dense_blended(self._graph, self._question.vector, s.blend_alone, new)
        )
        peak = float(self._words.max()) if len(self._words) else 0.0
        self.fixed[LEXICAL, new] = s.w_lexical * self._words[new] / peak if peak else 0.0
        if self._ask.use_speaker:
            self.fixed[SPEAKER, new] = s.w_speaker * spoken_by(self._graph, self._question.speakers, new)
        if self._ask.use_time:
            self.fixed[TIME, new] = s.w_time * self._timed(new, windows)
        if self._ask.mode != "ce":
            self.fixed[TAG, new] = s.w_tag * self._scaled("tag", self._tagged(new))

    def query_total(self, contents: Ints) -> Floats:
        """What the question alone says of each content."""
        self.fixed[CUE, contents] = self._set.w_cue * _share(self._asked, contents)
        return self.fixed[:, contents].sum(axis=0)

    def moving(self, contents: Ints, neighbour: Floats) -> Floats:
        """(3, len(contents)): NEIGHBOUR and REVERSE, weighted; `beside` makes the row EVIDENCE."""
        s = self._set
        moving = np.zeros((EVIDENCE + 1, len(contents)), dtype=np.float32)
        if self._ask.reverse:
            moving[NEIGHBOUR] = s.w_neighbour * neighbour[contents]
            moving[REVERSE] = s.w_reverse * self._woken[contents]
        return moving

    def beside(self, contents: Ints, evidence: Ints) -> Floats:
        """The component evidence, weighted: nearness to its mean, spread over these contents."""
        vectors = self._graph.columns.content_vectors
        if not (self._ask.reverse and self._graph.dimension and len(evidence) and len(contents)):
            return np.zeros(len(contents), dtype=np.float32)
        return self._set.w_evidence * spread(vectors[contents] @ vectors[evidence].mean(axis=0))

    def _timed(self, contents: Ints, windows: tuple[Window, ...]) -> Floats:
        hit = np.zeros(len(contents), dtype=bool)
        for window in windows:
            hit |= self._graph.within_days(window.first, window.last, contents)
        return hit.astype(np.float32)

    def _tagged(self, contents: Ints) -> Floats:
        tags, owner = self._graph.tags_of_all(contents)
        best = np.zeros(len(contents), dtype=np.float32)
        if len(tags):
            kinds, inverse = np.unique(tags, return_inverse=True)
            np.maximum.at(best, owner, self._near(kinds)[inverse])
        return best

    def _scaled(self, channel: str, values: Floats) -> Floats:
        """Scaled by the range of the first batch, so that a score never changes once it was shown."""
        low, high = self._scale.setdefault(channel, (float(values.min()), float(values.max())))
        return np.clip((values - low) / (high - low), 0, 1.5) if high > low else np.zeros_like(values)


def _share(values: Floats, contents: Ints) -> Floats:
    peak = float(values.max()) if len(values) else 0.0
    return values[contents] / peak if peak else np.zeros(len(contents), dtype=np.float32)
