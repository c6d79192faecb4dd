"""The paths a model may choose from in one step, as lines of its prompt: tags first, no pair twice.

Which cues are active is what the offline rules woke; in place of "open this cue" the model is offered the
cue's tags, nearest to the question first. A pair that was offered once, taken or not, is not offered again,
so that it cannot be named twice and is not paid for twice; the tags of a cue that do not fit can be asked
for, and are shown in the next step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from memcore.events import Action, ActionsChosen, Activated, Shown, Woken
from memcore.graph import Floats, Graph
from memcore.run_state import State
from memcore.settings import Settings

_OTHERS = 10  # traversals that are no pair, offered also where the pairs fill a step


@dataclass(frozen=True, slots=True)
class Paths:
    """`near` is how near each tag is to the question, by its index in the graph; without tags (the ablation
    CE) a cue leads to all its contents at once."""

    graph: Graph
    near: Floats
    settings: Settings
    tagged: bool = True

    def offered(self, state: State, woken: Woken, chosen: ActionsChosen) -> list[Shown]:
        """The pairs of active cues that were not offered yet, then other traversals that the rules chose."""
        cues = {a.id: a for a in (*woken.cues, *state.cues.values())}
        pairs = list(self._pairs(state, cues.values())) if self.tagged else []
        looked = {a.cue_id for a in state.actions if a.action == "cue_tags"}
        best = self._best(pairs, looked, self._reached(state))
        shown = {s.tag_id for s in best}
        others = [a for a in chosen.actions if a.action not in ("pair_contents", "content_handles")]
        others = [a for a in others if not (a.action == "tag_contents" and a.tag_id in shown)]
        others.sort(key=lambda a: a.action == "tag_contents")  # those are many, and lead to most by chance
        lines = [*self._more(pairs, best, looked), *map(self._line, others)]
        return [*best, *lines[: max(self.settings.model_paths - len(best), _OTHERS)]]

    def _pairs(self, state: State, cues: Iterable[Activated]) -> Iterator[Shown]:
        """(cue, tag) not opened and not offered yet, of one cue the nearest first."""
        opened = {(a.cue_id, a.tag_id) for a in state.actions if a.action == "pair_contents"}
        opened |= {(s.cue_id, s.tag_id) for e in state.models for s in e.shown if s.part == "pair_contents"}
        anywhere = {a.tag_id for a in state.actions if a.action == "tag_contents"}
        ids = self.graph.columns.tag_ids
        for cue in cues:
            if (cue.id, "") in opened:
                continue
            tags = self.graph.tags_of(self.graph.cue_index[cue.id])
            for tag in tags[np.argsort(-self.near[tags], kind="stable")].tolist():
                if (cue.id, ids[tag]) not in opened and ids[tag] not in anywhere:
                    yield Shown("pair_contents", cue.id, ids[tag], cue.source)

    def _reached(self, state: State) -> set[int]:
        """The contents that were opened, and those behind the pairs that were."""
        found = {self.graph.content_index[c] for c in state.opened}
        for action in state.actions:
            if action.action == "pair_contents":
                found |= self._behind(action.cue_id, action.tag_id)
        return found

    def _behind(self, cue_id: str, tag_id: str) -> frozenset[int]:
        graph, cue = self.graph, self.graph.cue_index[cue_id]
        if tag_id:
            return frozenset(graph.contents_of(cue, graph.tag_index[tag_id]).tolist())
        return frozenset(graph.contents_of_cue(cue)[0].tolist())

    def _best(self, pairs: list[Shown], looked: set[str], reached: set[int]) -> list[Shown]:
        """The nearest tag of every cue, then the nearest of all, each cue's together.

        Of a cue at most `keep_tags`, unless its tags were asked for. A pair that leads to nothing new, or to
        the same as one before it, is left out.
        """
        rank: dict[str, int] = {}
        order: list[tuple[bool, float, int]] = []
        for i, pair in enumerate(pairs):
            of_cue = rank[pair.cue_id] = rank.get(pair.cue_id, -1) + 1
            if of_cue < self.settings.keep_tags or pair.cue_id in looked:
                order.append((of_cue > 0, -float(self.near[self.graph.tag_index[pair.tag_id]]), i))
        chosen: dict[frozenset[int], int] = {}
        for *_, i in sorted(order):
            if len(chosen) == self.settings.model_paths:
                break
            behind = self._behind(pairs[i].cue_id, pairs[i].tag_id)
            if not behind <= reached:
                chosen.setdefault(behind, i)
        return [pairs[i] for i in sorted(chosen.values())]

    def _more(self, pairs: list[Shown], best: list[Shown], looked: set[str]) -> Iterator[Shown]:
        """For each cue of which some tags are shown, how many are not."""
        left = dict.fromkeys((s.cue_id for s in best), 0)
        for pair in set(pairs) - set(best):
            if pair.cue_id in left:
                left[pair.cue_id] += 1
        for cue, count in left.items():
            if count and cue not in looked:
                yield Shown("cue_tags", cue, many=count)

    def _line(self, action: Action) -> Shown:
        """A traversal as it is shown; a topic goes by the name of its first tag."""
        tag = action.tag_id
        if action.action == "topic_episodes":
            tags = self.graph.handles_of(self.graph.content_index[action.content_id])[1]
            tag = self.graph.columns.tag_ids[int(tags[0])] if len(tags) else ""
        return Shown(action.action, action.cue_id, tag, action.content_id)


def action_of(line: Shown) -> Action:
    """The traversal that a chosen line stands for."""
    tag = "" if line.part == "topic_episodes" else line.tag_id
    return Action(line.part, line.cue_id, tag, line.content_id)  # type: ignore[arg-type]
