"""The offline router: every role of a reconstruction as a deterministic rule, no model called.

`moves` says where to go, `scoring` what each content that was reached is worth. This file puts them
into the paper's roles: read, choose, traverse, rank, route, enough, answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

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
    TraceEvent,
    Traversed,
    Window,
    Woken,
)
from memcore.extraction import FoundCue
from memcore.graph import Floats, Graph, Ints
from memcore.llm.offline.answer import best_sentences
from memcore.llm.offline.matching import tag_nearness
from memcore.llm.offline.moves import Chooser
from memcore.llm.offline.scoring import EVIDENCE, Scores
from memcore.question import Question
from memcore.reach import Bounds, Nearness, Reach
from memcore.read_budget import within_budget
from memcore.reconstruction import Ask, Steps, always
from memcore.run_state import State
from memcore.settings import Settings
from memcore.words import normalise

Texts = Callable[[Iterable[str]], Mapping[str, str]]


class OfflineRouter:
    """The roles of `reconstruction.Router` for one question on one snapshot of the memory.

    `texts` looks up the text of opened contents, which only the answer needs. `seeds` are contents
    that a search of the whole store found; empty unless seeding was asked for. The budget is spread over
    the `steps` that the run may take: those of the settings, unless something else says how many.
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
        steps: Steps | None = None,
    ) -> None:
        self._ask, self._question, self._graph, self._set, self._texts = ask, question, graph, settings, texts
        self._steps = steps or always(settings.steps)
        near = tag_nearness(graph, question)
        bounds = Bounds(*(getattr(settings, name) for name in Bounds._fields))
        self._scores = Scores(ask, question, graph, lexical, settings, near)
        self._reach = Reach(graph, ask.mode, Nearness(near, self._scores.at_a_glance), bounds)
        self._moves = Chooser(ask, question, graph, settings, seeds)
        self._counted: set[int] = set()
        self._best = 0.0

    def read(self) -> QueryRead:
        """Spans of the question's cues, its time windows, and the cues of the people it names."""
        found = self._question.found
        windows = [
            Window(t.moment.start.toordinal(), t.moment.end.toordinal(), t.moment.precision)
            for t in found.times
            if t.moment.start is not None and t.moment.end is not None
        ]
        named = [self._graph.cue_keys.get(normalise(s), -1) for s in self._question.speakers]
        people = [self._graph.columns.cue_ids[i] for i in named if i >= 0]
        return QueryRead(_spans(found.cues), tuple(windows), tuple(people))

    def choose(self, state: State) -> tuple[Woken, ActionsChosen]:
        """Forward in the first step, back from evidence in every later one."""
        windows = state.query.windows if state.query else ()
        moves = self._moves.back(state) if state.step else self._moves.forward(windows)
        moves = self._moves.with_wanted(moves, state)
        calls = min(self._set.calls_per_step, max(self._set.calls - state.calls, 0))
        step = state.step + 1
        woken = Woken(step, tuple(moves.cues), tuple(moves.tags))
        return woken, ActionsChosen(step, tuple(moves.actions[:calls]))

    def traverse(self, state: State, actions: Iterable[Action]) -> Traversed:
        """Run the actions, and give every newly active cue its say in the scores."""
        done = list(actions)
        before, capped = int(self._reach.reached.sum()), len(self._reach.capped)
        for action in done:
            self._reach.run(action)
        for cue in state.cues.values():
            self._count(cue)
        now, capped_now = int(self._reach.reached.sum()), tuple(self._reach.capped[capped:])
        return Traversed(state.step, state.calls + len(done), now - before, now, capped_now)

    def resume(self, state: State) -> None:
        """Traverse again what was traversed; scores are scaled by what the first step reached, as then."""
        windows = state.query.windows if state.query else ()
        for actions in (state.actions[: state.first_actions], state.actions[state.first_actions :]):
            self.traverse(state, actions)
            reached = np.flatnonzero(self._reach.reached).astype(np.int32)
            self._scores.add(reached, windows)
        self._best = float(self._scores.query_total(reached).max(initial=0.0))

    def rank(self, state: State) -> Ranked:
        """The leads of this step, then the best of all that was reached and not read.

        A cheap score first, of looked-up components; nearness to the evidence is worked out for the best
        by that score alone.
        """
        reached = self._unread(state)
        self._scores.add(reached, state.query.windows if state.query else ())
        asked = self._scores.query_total(reached)
        self._best = max(self._best, float(asked.max()) if len(asked) else 0.0)
        moving = self._scores.moving(reached, self._reach.neighbour)
        cheap = asked + moving.sum(axis=0)
        coarse = np.argsort(-cheap, kind="stable")[: max(self._set.coarse, 2 * self._reads_now(state))]
        moving[EVIDENCE, coarse] = self._scores.beside(reached[coarse], self._first_evidence(state))
        total = cheap + moving[EVIDENCE]
        best = np.argsort(-total, kind="stable")[: max(self._set.fine, self._reads_now(state))].tolist()
        shown = list(dict.fromkeys([*self._leads(state, reached, total), *best]))
        rows = [self._candidate(int(reached[i]), float(total[i]), moving[:, i]) for i in shown]
        return Ranked(state.step, tuple(rows), len(reached) - len(rows))

    def open(self, state: State) -> Opened:
        """Read this step's share of the budget in that order."""
        candidates = state.ranked.candidates if state.ranked else ()
        order = (self._graph.content_index[c.content_id] for c in candidates)
        share = min(self._reads_now(state), state.budget - len(state.turns))
        opened, turns = within_budget(self._graph, order, share, state.turns)
        return Opened(state.step, tuple(opened), tuple(turns), len(state.turns) + len(turns))

    def route(self, state: State) -> Routed:
        """Keep what is evidence, prune the rest and what was not read."""
        candidates = state.ranked.candidates if state.ranked else ()
        opened = state.opened_now()
        unread = [c for c in candidates if c.content_id not in opened]
        left = [PrunedNode(c.content_id, "content", "fine", c.total) for c in unread]
        kept, weak = self._judged(opened)
        return Routed(state.step, kept, (*weak, *left))

    def enough(self, state: State) -> Judged:
        """Without a model this is a rule: the best unread score against the best of all."""
        waiting = (
            [c.total for c in state.ranked.candidates if c.content_id not in state.opened]
            if state.ranked
            else []
        )
        spread = max(waiting) / self._best if waiting and self._best else 0.0
        missing = self._missing(state)
        enough = bool(state.evidence) and not missing and spread < self._set.enough_below
        return Judged(state.step, enough, self._budget(state, spread), missing, round(spread, 4))

    def answer(self, state: State) -> Answered:
        """Sentences of the strongest evidence, verbatim."""
        evidence = sorted(state.evidence.values(), key=lambda k: -k.score)
        texts = self._texts([k.content_id for k in evidence])
        return Answered(best_sentences(self._question, evidence, texts, self._set.answer_sentences), "rule")

    def asides(self) -> tuple[TraceEvent, ...]:
        """Nothing happens beside rules."""
        return ()

    def _count(self, cue: Activated) -> None:
        index = self._graph.cue_index[cue.id]
        if index in self._counted:
            return
        self._counted.add(index)
        if cue.how == "reverse":
            self._scores.wake_cue(index, cue.score, lead=self._moves.leads(index))
        elif cue.how != "nearest":
            self._scores.ask_cue(index, cue.score)

    def _unread(self, state: State) -> Ints:
        waiting = self._reach.reached.copy()
        waiting[[self._graph.content_index[c] for c in (*state.opened, *state.barred)]] = False
        return np.flatnonzero(waiting).astype(np.int32)

    def _first_evidence(self, state: State) -> Ints:
        first = list(state.evidence)[: self._set.evidence_mean_of]
        return np.array([self._graph.content_index[c] for c in first], dtype=np.int32)

    def _leads(self, state: State, reached: Ints, total: Floats) -> list[int]:
        """Rows that a rare name of strong evidence leads to: they are read first.

        A lead is followed to its end before the next, or what it led to first would hide the rest.
        """
        reads = self._reads_now(state)
        places = reads - (reads < self._set.lead_spares_below) if self._ask.reverse else 0
        leads = np.flatnonzero(self._scores.lead[reached] >= self._set.lead_above)
        order = np.lexsort((-total[leads], self._scores.lead_turn[reached[leads]]))
        return leads[order[:places]].tolist()

    def _candidate(self, content: int, total: float, moving: Floats) -> Candidate:
        c, reach = self._graph.columns, self._reach
        cue, tag, origin = (int(x[content]) for x in (reach.via_cue, reach.via_tag, reach.via_content))
        return Candidate(
            c.content_ids[content],
            round(total, 4),
            *(round(float(part), 4) for part in (*self._scores.fixed[:, content], *moving)),
            via_cue=c.cue_ids[cue] if cue >= 0 else "",
            via_tag=c.tag_ids[tag] if tag >= 0 else "",
            via_content=c.content_ids[origin] if origin >= 0 else "",
        )

    def _reads_now(self, state: State) -> int:
        rounds_left = max(self._steps(state) - state.step + 1, 1)
        return max(1, math.ceil((state.budget - len(state.turns)) / rounds_left))

    def _judged(self, opened: Sequence[str]) -> tuple[tuple[KeptNode, ...], tuple[PrunedNode, ...]]:
        """Evidence is what the question alone scores near to the best, or what a lead led to."""
        rows = np.array([self._graph.content_index[c] for c in opened], dtype=np.int32)
        share = np.maximum(self._scores.query_total(rows) / (self._best or 1.0), self._scores.lead[rows])
        revisions = self._graph.columns.revisions[rows].tolist()
        judged = list(zip(opened, revisions, share.round(4).tolist(), strict=True))
        kept = tuple(KeptNode(c, revision, s) for c, revision, s in judged if s >= self._set.keep_above)
        weak = tuple(PrunedNode(c, "content", "weak", s) for c, _, s in judged if s < self._set.keep_above)
        return kept, weak

    def _missing(self, state: State) -> tuple[QueryCue, ...]:
        """Cues of the question whose name stands beside no evidence yet."""
        touched: set[str] = set()
        for content in state.evidence:
            cues = self._graph.handles_of(self._graph.content_index[content])[0].tolist()
            touched |= {self._graph.columns.cue_keys[i] for i in cues}
        return _spans(c for c in self._question.found.cues if normalise(c.name) not in touched)

    def _budget(self, state: State, spread: float) -> int:
        """An automatic budget grows, from the second step on, while what is not read yet scores high."""
        if not self._ask.auto_budget or state.step < 2 or spread < self._set.auto_grow:
            return state.budget
        ceiling = round(self._ask.budget * self._set.auto_high)
        return min(ceiling, state.budget + max(1, self._ask.budget // 4))


def _spans(cues: Iterable[FoundCue]) -> tuple[QueryCue, ...]:
    """Where cues stand in the question; one of no length stands nowhere in it."""
    return tuple(QueryCue(c.start, c.end, c.cue_kind) for c in cues if c.end > c.start)
