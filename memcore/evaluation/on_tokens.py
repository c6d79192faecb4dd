"""What routing by a model costs on LoCoMo in tokens, beside opening everything and beside top-k.

tags first     all prompts and replies of one reconstruction, by a stand-in (see stand_in)
opening all    one prompt with every content of the cues that the question names
top-k          one prompt with as many turns of the passive fusion as reach the same recall
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memcore.asking import Snapshot
from memcore.baselines import STRATEGIES, Search
from memcore.evaluation.lanes import Exam, units_of
from memcore.evaluation.metrics import recall
from memcore.evaluation.on_locomo import ANSWERABLE, exams_of, samples_of
from memcore.evaluation.questions import Asked
from memcore.evaluation.rows import Row
from memcore.evaluation.stand_in import StandIn
from memcore.events import ModelRole, Shown
from memcore.llm.model_router import ROLES, Ground, ModelRouter
from memcore.llm.offline.matching import matched_cues
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.prompts.route import Sheet, prompt_of
from memcore.llm.shown_names import GraphNames
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.question import Question
from memcore.reconstruction import Ask, Limits, always, reconstruct
from memcore.run_state import fold
from memcore.settings import Settings

BUDGET = 20
EVERY = 200  # questions asked when no number is given


class Costs(NamedTuple):
    """Tokens of one question in each of the three ways, and what was found."""

    first: int
    everything: int
    top: int
    k: int
    asked: int
    read: int
    recall: float
    recall_by_rules: float
    by_role: Mapping[ModelRole, int]


def bench_tokens(file: Path, embedder: str, first: int = 0, steps: Sequence[int] = (4,)) -> Iterator[Row]:
    """The first conversation's answerable questions, for each number of steps.

    Raises InputError for another file.
    """
    sample = samples_of(file)[:1]
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories.open(Path(folder) / "store", embedder=embedder)
        (ready,) = exams_of(memories, Path(folder), sample, first or EVERY)
        posed = [(a, q) for a, q in ready.questions if a.category in ANSWERABLE]
        memory = memories.scope(ready.scope)
        texts = memory.texts(memory.snapshot().graph.columns.content_ids)
        for most in steps:
            bench = _Bench(memory, ready, texts, replace(memory.settings, steps=most))
            yield _row(most, [bench.costs(asked, question) for asked, question in posed])


class _Bench(NamedTuple):
    """One memory with all its texts, and the settings it is asked under."""

    memory: Memory
    ready: Exam
    texts: Mapping[str, str]
    settings: Settings

    def costs(self, asked: Asked, question: Question) -> Costs:
        """All three ways to one question."""
        seen, ask = self.memory.snapshot(), Ask(question.text, BUDGET)
        stand_in, turns = self._tags_first(ask, question, seen)
        found = self._recall(asked, turns)
        ranked = self._fusion(ask, question, seen)
        k = next((n for n in range(1, len(ranked) + 1) if self._of(asked, ranked[:n]) >= found), len(ranked))
        rules = self.memory.events(ask, settings=self.settings, question=question)
        return Costs(
            stand_in.spent.total(),
            self._prompt(question, seen, self._behind_matched(question, seen)),
            self._prompt(question, seen, ranked[:k]),
            k,
            stand_in.asked,
            len(turns),
            found,
            self._recall(asked, list(fold(rules).turns)),
            dict(stand_in.spent),
        )

    def _tags_first(self, ask: Ask, question: Question, seen: Snapshot) -> tuple[StandIn, list[str]]:
        def rules(of: Question) -> OfflineRouter:
            return OfflineRouter(ask, of, seen.graph, seen.lexical, self.settings, self._texts)

        ground = Ground(ask, question, seen.graph, self.settings, self._texts, rules)
        stand_in = StandIn({}, ground=ground)
        limits = Limits(always(self.settings.steps), self.settings.calls)
        state = fold(reconstruct(ask, seen.graph, ModelRouter(ground, stand_in), limits))
        return stand_in, list(state.turns)

    def _behind_matched(self, question: Question, seen: Snapshot) -> list[int]:
        cues = [seen.graph.cue_index[a.id] for a in matched_cues(seen.graph, question, self.settings)]
        behind = [seen.graph.contents_of_cue(cue)[0] for cue in cues]
        return np.unique(np.concatenate(behind)).tolist() if behind else []

    def _fusion(self, ask: Ask, question: Question, seen: Snapshot) -> list[int]:
        order, _ = STRATEGIES["fusion"](Search(ask, question, seen.graph, seen.lexical, self.settings))
        return order.tolist()

    def _prompt(self, question: Question, seen: Snapshot, contents: Sequence[int]) -> int:
        """Tokens of asking for the answer with these contents, each shown as in every other prompt."""
        ids = [seen.graph.columns.content_ids[i] for i in contents]
        names = GraphNames(seen.graph, self.texts)
        shown = [Shown("evidence", content_id=id_) for id_ in ids]
        sheet = Sheet(question.text, shown, names, self.settings.model_content_chars)
        return prompt_of("answer", sheet).tokens

    def _of(self, asked: Asked, contents: Sequence[int]) -> float:
        graph = self.memory.snapshot().graph
        return self._recall(asked, [t for i in contents for t in graph.turns_of(i)])

    def _recall(self, asked: Asked, turns: Sequence[str]) -> float:
        return recall(asked.evidence, units_of(self.ready, turns), len(turns))

    def _texts(self, ids: object) -> Mapping[str, str]:
        return self.texts


def _row(steps: int, costs: Sequence[Costs]) -> Row:
    first = np.array([c.first for c in costs])
    everything = np.array([c.everything for c in costs])
    top = np.array([c.top for c in costs])
    share = 100 * first / everything
    return {
        "steps": steps,
        "questions": len(costs),
        "tags first: tokens, mean": round(float(first.mean())),
        "of that by role": {r: round(float(np.mean([c.by_role.get(r, 0) for c in costs]))) for r in ROLES},
        "calls, mean": round(float(np.mean([c.asked for c in costs])), 1),
        "turns read, mean": round(float(np.mean([c.read for c in costs])), 1),
        "recall": round(100 * float(np.mean([c.recall for c in costs])), 1),
        "recall by rules": round(100 * float(np.mean([c.recall_by_rules for c in costs])), 1),
        "opening all of the matched cues: tokens, mean": round(float(everything.mean())),
        "tags first, share of that %": round(100 * float(first.sum() / everything.sum()), 1),
        "questions where it is at most 60 %": round(100 * float((share <= 60).mean()), 1),
        "top-k of equal recall: tokens, mean": round(float(top.mean())),
        "k, mean and median": [
            round(float(np.mean([c.k for c in costs])), 1), float(np.median([c.k for c in costs]))
        ],
    }  # fmt: skip
