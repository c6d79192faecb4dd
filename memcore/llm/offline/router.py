"""The offline router: every role of a reconstruction as a deterministic rule, no model called.

Forward, it starts from the cues and tags that the question matches or is near to. Back, it wakes the
rare cues of each piece of evidence, the turns beside it and the day it speaks of. What it has
reached is scored by nearness to the question and by how it was reached; it reads best first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from memcore.channels import Lexical
from memcore.events import (
    Action,
    ActionsChosen,
    Activated,
    Answered,
    Candidate,
    Judged,
    KeptNode,
    Opened,
    PrunedNode,
    QueryCue,
    QueryRead,
    Ranked,
    Routed,
    Traversed,
    Window,
    Woken,
)
from memcore.graph import LAYERS, Graph, Ints
from memcore.llm.offline.answer import best_sentences
from memcore.llm.offline.matching import matched_cues, near_tags, nearest_cues, nearest_tags
from memcore.llm.offline.scoring import Scores
from memcore.question import Question
from memcore.reach import Bounds, Reach
from memcore.reconstruction import Ask, State
from memcore.settings import Settings
from memcore.words import normalise

NAMED = ("people", "entity", "location", "event")
Texts = Callable[[Iterable[str]], Mapping[str, str]]


class OfflineRouter:
    """The roles of `reconstruction.Router` for one question on one snapshot of the memory.

    `texts` looks up the text of opened contents, which only the answer needs. `seeds` are contents
    that a search of the whole store found; empty unless seeding was asked for.
    """

    def __init__(
        self,
        ask: Ask,
        question: Question,
        graph: Graph,
        lexical: Lexical,
        settings: Settings,
        texts: Texts,
        seeds: tuple[str, ...] = (),
    ) -> None:
        self._ask, self._question, self._graph, self._set, self._texts = ask, question, graph, settings, texts
        self._seeds = seeds
        near = partial(near_tags, graph, question)
        bounds = Bounds(settings.rank_tags_above, settings.keep_tags, settings.hub_cap)
        self._reach = Reach(graph, ask.mode, near, bounds)
        self._scores = Scores(ask, question, graph, lexical, settings, near)
        self._counted: set[int] = set()
        self._best = 0.0

    # read

    def read(self) -> QueryRead:
        found = self._question.found
        windows = [
            Window(t.moment.start.toordinal(), t.moment.end.toordinal(), t.moment.precision)
            for t in found.times
            if t.moment.start is not None and t.moment.end is not None
        ]
        cues = [QueryCue(c.start, c.end, c.cue_kind) for c in found.cues if c.end > c.start]
        named = [self._graph.cue_keys.get(normalise(s), -1) for s in self._question.speakers]
        people = [self._graph.columns.cue_ids[i] for i in named if i >= 0]
        return QueryRead(tuple(cues), tuple(windows), tuple(people))

    # choose

    def choose(self, state: State) -> tuple[Woken, ActionsChosen]:
        step = state.step + 1
        cues, tags, actions = self._start(state) if step == 1 else self._back(state)
        calls = min(self._set.calls_per_step, max(self._set.calls - state.calls, 0))
        return Woken(step, tuple(cues), tuple(tags)), ActionsChosen(step, tuple(actions[:calls]))

    def _start(self, state: State) -> tuple[list[Activated], list[Activated], list[Action]]:
        """Cues and tags that the question matches or is near to, the asked days, the nearest topics."""
        named = matched_cues(self._graph, self._question, self._set)
        known = {a.id for a in named}
        near = nearest_cues(self._graph, self._question, self._set.nearest_cues)
        cues = named + [a for a in near if a.id not in known]
        tags = nearest_tags(self._graph, self._question, self._set.nearest_tags) if self._tags else []
        actions = [self._open_cue(a.id) for a in cues] + [Action("tag_contents", tag_id=a.id) for a in tags]
        if self._ask.use_time and state.query:
            actions += [self._open_window(w) for w in state.query.windows if w.precision != "year"]
        if self._ask.mode == "ctc":
            actions += [Action("topic_episodes", content_id=c) for c in self._near_topics()]
        return cues, tags, actions + [Action("search", content_id=c) for c in self._seeds]

    def _back(self, state: State) -> tuple[list[Activated], list[Activated], list[Action]]:
        """From the evidence of the last step: its rare cues, the turns beside it, its day."""
        if not self._ask.reverse:
            return [], [], []
        cues: dict[str, Activated] = {}
        actions: list[Action] = []
        for kept in state.evidence.values():
            if state.opened.get(kept.content_id) == state.step:
                woken = [a for a in self._woken_by(kept) if a.id not in state.cues]
                cues |= {a.id: a for a in woken if a.id not in cues}
                actions.append(Action("content_neighbours", content_id=kept.content_id))
                actions += [self._open_cue(a.id, kept.content_id) for a in woken]
                if self._ask.use_time:
                    actions.append(Action("content_time", content_id=kept.content_id))
        return list(cues.values()), [], list(dict.fromkeys(actions))

    def _woken_by(self, kept: KeptNode) -> list[Activated]:
        here = self._graph.content_index[kept.content_id]
        cues = np.unique(self._graph.handles_of(here)[0])
        cues = cues[~self._scores.common[cues]]
        near = self._cue_nearness(cues)
        few = np.minimum(1.0, self._set.chain_cap / np.maximum(self._graph.cue_degrees[cues], 1))
        named = np.array([self._graph.columns.cue_kinds[int(c)] in NAMED for c in cues])
        strength = np.where(named, few, few * self._set.chain_other * (0.3 + 0.7 * near)) * min(
            kept.score, 1.0
        )
        best = np.argsort(-strength, kind="stable")[: self._set.reverse_cues]
        ids = self._graph.columns.cue_ids
        return [Activated(ids[cues[i]], "reverse", float(strength[i]), kept.content_id) for i in best]

    def _cue_nearness(self, cues: Ints) -> np.ndarray:
        if not self._graph.dimension:
            return np.zeros(len(cues), dtype=np.float32)
        similar = self._graph.columns.cue_vectors[cues] @ self._question.vector
        return np.clip((similar - 0.2) / 0.5, 0, 1)

    def _near_topics(self) -> list[str]:
        topics = np.flatnonzero(self._graph.layer == LAYERS.index("topic"))
        if not self._graph.dimension or not len(topics):
            return []
        near = self._graph.columns.content_vectors[topics] @ self._question.vector
        best = topics[np.argsort(-near, kind="stable")[: self._set.topics]]
        return [self._graph.columns.content_ids[i] for i in best]

    def _open_cue(self, cue: str, source: str = "") -> Action:
        return Action("pair_contents" if self._tags else "cue_contents", cue_id=cue, content_id=source)

    def _open_window(self, window: Window) -> Action:
        return Action("window_contents", tag_id=f"{window.first}:{window.last}")

    @property
    def _tags(self) -> bool:
        return self._ask.mode != "ce"

    # traverse

    def traverse(self, state: State, actions: Iterable[Action]) -> Traversed:
        done = list(actions)
        before, capped = int(self._reach.reached.sum()), len(self._reach.capped)
        for action in done:
            self._reach.run(action)
        for cue in state.cues.values():
            self._count(cue, state.step)
        now = int(self._reach.reached.sum())
        return Traversed(
            state.step, state.calls + len(done), now - before, now, tuple(self._reach.capped[capped:])
        )

    def _count(self, cue: Activated, step: int) -> None:
        """Give a newly active cue its say in the scores, once."""
        index = self._graph.cue_index[cue.id]
        if index in self._counted:
            return
        self._counted.add(index)
        if cue.how == "reverse":
            self._scores.wake_cue(index, cue.score, lead=self._is_lead(index))
        elif cue.how != "nearest":
            self._scores.ask_cue(index, cue.score)

    def _is_lead(self, cue: int) -> bool:
        """A rare name that the question does not mention: where it leads may be the next link."""
        c = self._graph.columns
        return c.cue_kinds[cue] in NAMED and self._graph.cue_degree(cue) <= self._set.chain_cap

    # rank and route

    def rank(self, state: State) -> Ranked:
        reached = self._unread(state)
        windows = state.query.windows if state.query else ()
        self._scores.add(reached, windows)
        asked = self._scores.query_total(reached)
        self._best = max(self._best, float(asked.max()) if len(asked) else 0.0)
        moving = self._scores.moving(reached, self._reach.neighbour, self._first_evidence(state))
        total = asked + moving.sum(axis=0)
        best = np.argsort(-total, kind="stable")[: self._set.fine]
        leads = np.argsort(-(self._scores.lead[reached] + 1e-3 * total), kind="stable")[
            : self._leads_now(state)
        ]
        leads = leads[self._scores.lead[reached[leads]] >= self._set.lead_above]
        best = np.array(list(dict.fromkeys([*leads.tolist(), *best.tolist()])), dtype=np.int64)
        rows = [self._candidate(int(reached[i]), float(total[i]), moving[:, i]) for i in best]
        return Ranked(state.step, tuple(rows), len(reached) - len(rows))

    def route(self, state: State) -> tuple[Opened, Routed]:
        """The leads first, then the best: read this step's share of the budget, best first; what is far below the best is no evidence."""
        share = self._reads_now(state)
        opened: list[str] = []
        turns: list[str] = []
        for candidate in state.ranked.candidates if state.ranked else ():
            new = [
                t
                for t in self._graph.turns_of(self._graph.content_index[candidate.content_id])
                if t not in state.turns and t not in turns
            ]
            if len(turns) >= share:
                break
            if len(turns) + len(new) <= state.budget - len(state.turns):
                opened.append(candidate.content_id)
                turns += new
        kept, pruned = self._judge_opened(state, opened)
        return (
            Opened(state.step, tuple(opened), tuple(turns), len(state.turns) + len(turns)),
            Routed(state.step, kept, pruned),
        )

    def enough(self, state: State) -> Judged:
        """Without a model this is a rule: the best unread score against the best of all."""
        ranked = (
            [c.total for c in state.ranked.candidates if c.content_id not in state.opened]
            if state.ranked
            else []
        )
        spread = ranked[0] / self._best if ranked and self._best else 0.0
        missing = self._missing(state)
        enough = bool(state.evidence) and not missing and spread < self._set.enough_below
        return Judged(state.step, enough, self._budget(state, missing, spread), missing, round(spread, 4))

    def answer(self, state: State) -> Answered:
        evidence = sorted(state.evidence.values(), key=lambda k: -k.score)
        texts = self._texts([k.content_id for k in evidence])
        return Answered(best_sentences(self._question, evidence, texts, self._set.answer_sentences), "rule")

    def _unread(self, state: State) -> Ints:
        waiting = self._reach.reached.copy()
        waiting[[self._graph.content_index[c] for c in state.opened]] = False
        return np.flatnonzero(waiting).astype(np.int32)

    def _first_evidence(self, state: State) -> Ints:
        first = list(state.evidence)[: self._set.evidence_mean_of]
        return np.array([self._graph.content_index[c] for c in first], dtype=np.int32)

    def _candidate(self, content: int, total: float, moving: np.ndarray) -> Candidate:
        c, reach = self._graph.columns, self._reach
        parts = [round(float(x), 4) for x in (*self._scores.fixed[:, content], *moving)]
        cue, tag, origin = (
            int(reach.via_cue[content]),
            int(reach.via_tag[content]),
            int(reach.via_content[content]),
        )
        return Candidate(
            c.content_ids[content],
            round(total, 4),
            *parts,
            via_cue=c.cue_ids[cue] if cue >= 0 else "",
            via_tag=c.tag_ids[tag] if tag >= 0 else "",
            via_content=c.content_ids[origin] if origin >= 0 else "",
        )

    def _reads_now(self, state: State) -> int:
        rounds_left = max(self._set.steps - state.step + 1, 1)
        return max(1, math.ceil((state.budget - len(state.turns)) / rounds_left))

    def _leads_now(self, state: State) -> int:
        return int(self._reads_now(state) * self._set.lead_share) if self._ask.reverse else 0

    def _judge_opened(
        self, state: State, opened: list[str]
    ) -> tuple[tuple[KeptNode, ...], tuple[PrunedNode, ...]]:
        rows = np.array([self._graph.content_index[c] for c in opened], dtype=np.int32)
        share = np.maximum(self._scores.query_total(rows) / (self._best or 1.0), self._scores.lead[rows])
        kept = [
            KeptNode(c, int(self._graph.columns.revisions[r]), round(float(s), 4))
            for c, r, s in zip(opened, rows, share, strict=True)
            if s >= self._set.keep_above
        ]
        weak = [
            PrunedNode(c, "content", "weak", round(float(s), 4))
            for c, s in zip(opened, share, strict=True)
            if s < self._set.keep_above
        ]
        left = [c for c in state.ranked.candidates if c.content_id not in opened] if state.ranked else []
        return tuple(kept), (*weak, *(PrunedNode(c.content_id, "content", "fine", c.total) for c in left))

    def _missing(self, state: State) -> tuple[QueryCue, ...]:
        """Cues of the question whose name stands beside no evidence yet."""
        touched = {
            self._graph.columns.cue_keys[i]
            for c in state.evidence
            for i in self._graph.handles_of(self._graph.content_index[c])[0].tolist()
        }
        found = [c for c in self._question.found.cues if c.end > c.start]
        return tuple(QueryCue(c.start, c.end, c.cue_kind) for c in found if normalise(c.name) not in touched)

    def _budget(self, state: State, missing: tuple[QueryCue, ...], spread: float) -> int:
        """An automatic budget grows while cues are missing or the next memory still scores high."""
        if not self._ask.auto_budget or len(state.turns) < state.budget:
            return state.budget
        ceiling = round(self._ask.budget * self._set.auto_high)
        hard = bool(missing) or spread >= self._set.auto_grow
        return min(ceiling, state.budget + max(1, self._ask.budget // 4)) if hard else state.budget
