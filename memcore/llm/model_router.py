"""The roles of a reconstruction by models: each decision is asked for, checked, and done by rules otherwise.

The bookkeeping stays with the offline router: what was reached, its scores, what is read at which price.
A model decides within what it was shown and names it by numbers; nobody can make it open, cite or keep
anything else. Where a model fails, the offline role does the step, and an event says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, get_args

import numpy as np

from memcore.events import (
    Action,
    ActionsChosen,
    Activated,
    Answered,
    Judged,
    KeptNode,
    ModelRole,
    Opened,
    PrunedNode,
    QueryCue,
    QueryRead,
    Ranked,
    Routed,
    Sentence,
    Shown,
    TraceEvent,
    Traversed,
    Woken,
)
from memcore.graph import Graph
from memcore.llm import model_reading
from memcore.llm.asking import Check
from memcore.llm.model_paths import Paths, action_of
from memcore.llm.offline.matching import tag_nearness
from memcore.llm.prompts import route_schemas
from memcore.llm.prompts.route import Sheet, options
from memcore.llm.role_asking import Came, RoleAsking, RoleQuestion, lines
from memcore.llm.shown_names import GraphNames
from memcore.llm.strict_json import Schema
from memcore.question import Question
from memcore.reconstruction import Ask, Router
from memcore.run_state import State
from memcore.settings import Settings
from memcore.triples import NAMING

_T = TypeVar("_T")
ROLES: tuple[ModelRole, ...] = get_args(ModelRole)


@dataclass(frozen=True, slots=True)
class Ground:
    """What all roles of one run stand on. `rules` makes the offline router of a question."""

    ask: Ask
    question: Question
    graph: Graph
    settings: Settings
    texts: Callable[[Iterable[str]], Mapping[str, str]]
    rules: Callable[[Question], Router]


class ModelRouter:
    """The roles of `reconstruction.Router`; those without a model are the rules'."""

    def __init__(self, ground: Ground, asking: RoleAsking) -> None:
        self._ground, self._asking = ground, asking
        self._graph, self._set = ground.graph, ground.settings
        self._rules = ground.rules(ground.question)

    def read(self) -> QueryRead:
        """Cues, people and days of the question."""
        if not self._asking.has("read", State()):
            return self._rules.read()
        day = self._ground.ask.asked.start
        asked_on = [Shown("asked_on", many=day.toordinal() if day else 0)]
        value = self._told("read", 0, asked_on, model_reading.SCHEMA, model_reading.sound).value
        if value is None:
            return self._rules.read()
        query = model_reading.query_of(value, self._ground.question, self._graph)
        self._take_in(query)
        return query

    def choose(self, state: State) -> tuple[Woken, ActionsChosen]:
        """Of the paths that lead on from what is active, those the model takes: by their tags."""
        woken, chosen = self._rules.choose(state)
        if not self._asking.has("choose", state):
            return woken, chosen
        offered = self._paths.offered(state, woken, chosen)
        if not offered:
            return woken, chosen
        missing = _spans(state.judged.missing if state.judged else ())
        shown = [*self._evidence(state, self._set.model_glances), *missing, *offered]
        most, least = min(len(offered), self._set.model_takes), int(not state.step)
        schema = route_schemas.paths(len(offered), most, least)
        value = self._told("choose", state.step + 1, shown, schema, route_schemas.once).value
        if value is None:
            return woken, chosen
        own = tuple(a for a in chosen.actions if a.action == "content_handles")
        taken = tuple(map(action_of, _chosen(options(shown), value["take"])))
        return woken, replace(chosen, actions=own + taken)

    def traverse(self, state: State, actions: Iterable[Action]) -> Traversed:
        """See Router.traverse: the graph does that."""
        return self._rules.traverse(state, actions)

    def resume(self, state: State) -> None:
        """See Router.resume. A question that a model read is made ready again as it read it."""
        if state.query is not None and state.query.made_by == "model":
            self._take_in(state.query)
        self._rules.resume(state)

    def rank(self, state: State) -> Ranked:
        """See Router.rank: what was reached is opened in the order of its scores."""
        return self._rules.rank(state)

    def open(self, state: State) -> Opened:
        """See Router.open: at most what the budget of turns allows."""
        return self._rules.open(state)

    def route(self, state: State) -> Routed:
        """Of the contents opened now, those the model takes for evidence."""
        routed = self._rules.route(state)
        opened = state.opened_now()
        if not opened or not self._asking.has("route", state):
            return routed
        shown = lines("content", opened, self._revisions(opened), self._most)
        count = sum(s.part == "content" for s in shown)
        schema, check = route_schemas.decisions(count), route_schemas.each_of(count)
        value = self._told("route", state.step, shown, schema, check).value
        return routed if value is None else self._routed(routed, opened[:count], value)

    def enough(self, state: State) -> Judged:
        """Is the evidence sufficient? Asked only where it grew in this step, and where more may be read."""
        judged = self._rules.enough(state)
        grew = state.step in state.kept_at.values()
        if not grew or len(state.turns) >= judged.budget or not self._asking.has("enough", state):
            return judged
        cues = state.query.cues[: self._most] if state.query else ()
        follow = self._followable(state)
        shown = [*self._evidence(state), *_spans(cues), *(Shown("cue", cue_id=a.id) for a in follow)]
        schema = route_schemas.verdict(len(cues), len(follow))
        value = self._told("enough", state.step, shown, schema).value
        if value is None:
            return judged
        missing, wanted = _chosen(cues, value["missing"]), _chosen(follow, value["follow"])
        sufficient = bool(value["enough"])
        return replace(judged, enough=sufficient, missing=missing, follow=() if sufficient else wanted)

    def answer(self, state: State) -> Answered:
        """A short answer and the contents it rests on; by rules where the run was stopped."""
        if not state.evidence or state.limit == "cancelled" or not self._asking.has("answer", state):
            return self._rules.answer(state)
        shown = self._evidence(state)
        cited = [s.content_id for s in shown if s.part == "evidence"]
        schema = route_schemas.answer(len(cited))
        check = route_schemas.grounded_in(self._set.model_answer_chars)
        came = self._told("answer", state.step, shown, schema, check)
        if came.value is None:
            return self._rules.answer(state)
        found = came.value["found"]
        rests_on = self._whole(state, _chosen(cited, came.value["cites"]) if found else ())
        return Answered(rests_on, "model", came.model, came.prompt, found, came.reply)

    def asides(self) -> Sequence[TraceEvent]:
        """Models asked and roles failed since this was last asked."""
        return self._asking.taken()

    @cached_property
    def _paths(self) -> Paths:
        every = np.arange(len(self._graph.columns.tag_ids), dtype=np.int32)
        near = tag_nearness(self._graph, self._ground.question)(every)
        return Paths(self._graph, near, self._set, self._ground.ask.mode != "ce")

    @property
    def _most(self) -> int:
        return self._set.model_contents

    def _take_in(self, query: QueryRead) -> None:
        self._rules = self._ground.rules(model_reading.reread(self._ground.question, query, self._graph))

    def _told(
        self, role: ModelRole, step: int, shown: Sequence[Shown], schema: Schema, check: Check | None = None
    ) -> Came:
        """What came of asking a model about these lines."""
        chars = self._set.model_glance_chars if role == "choose" else self._set.model_content_chars
        texts = self._ground.texts([s.content_id for s in shown if s.part in ("content", "evidence")])
        sheet = Sheet(self._ground.question.text, shown, GraphNames(self._graph, texts), chars)
        return self._asking.value(RoleQuestion(role, step, sheet, schema, check))

    def _evidence(self, state: State, most: int = 0) -> list[Shown]:
        """The strongest evidence; where it is only glanced at, what is new in it first."""
        new = {c for c, step in state.kept_at.items() if most and step == state.step}
        kept = sorted(state.evidence.values(), key=lambda k: (k.content_id not in new, -k.score))
        return lines("evidence", [k.content_id for k in kept], [k.revision for k in kept], most or self._most)

    def _revisions(self, contents: Sequence[str]) -> list[int]:
        return [int(self._graph.columns.revisions[self._graph.content_index[c]]) for c in contents]

    def _routed(self, routed: Routed, shown: tuple[str, ...], value: Any) -> Routed:
        """The model's verdict on what it was shown; what it keeps counts as much as what rules keep."""
        scores = {k.content_id: k.score for k in routed.kept} | {p.id: p.score for p in routed.pruned}
        least = self._set.keep_above
        keeps = _chosen(shown, value["keep"])
        revisions = zip(keeps, self._revisions(keeps), strict=True)
        kept = [KeptNode(c, revision, max(scores[c], least)) for c, revision in revisions]
        left = [
            PrunedNode(c, "content", d["why"], scores[c])
            for d in value["prune"]
            for c in _chosen(shown, [d["memory"]])
        ]
        kept += [k for k in routed.kept if k.content_id not in shown]
        left += [p for p in routed.pruned if p.id not in shown]
        return replace(routed, kept=tuple(kept), pruned=tuple(left))

    def _whole(self, state: State, contents: Sequence[str]) -> tuple[Sentence, ...]:
        texts = self._ground.texts(contents)
        return tuple(Sentence(c, 0, len(texts.get(c, "")), state.evidence[c].score) for c in contents)

    def _followable(self, state: State) -> list[Activated]:
        """Cues of the evidence that are not active yet, names and rare ones first."""
        if not self._ground.ask.reverse:
            return []
        source: dict[int, KeptNode] = {}
        for kept in reversed(state.evidence.values()):
            handles, _ = self._graph.handles_of(self._graph.content_index[kept.content_id])
            cues: list[int] = np.unique(handles).tolist()
            source |= {c: kept for c in cues if c not in source}
        c, common = self._graph.columns, self._graph.common_cues(self._set.common_cue)
        fresh = [i for i in source if c.cue_ids[i] not in state.cues and not common[i]]
        fresh.sort(key=lambda i: (c.cue_kinds[i] not in NAMING, self._graph.cue_degree(i), i))
        return [self._activated(i, source[i]) for i in fresh[: self._most]]

    def _activated(self, cue: int, source: KeptNode) -> Activated:
        few = min(1.0, self._set.chain_cap / max(self._graph.cue_degree(cue), 1))
        strength = round(few * min(source.score, 1.0), 4)
        return Activated(self._graph.columns.cue_ids[cue], "reverse", strength, source.content_id)


def _spans(cues: Iterable[QueryCue]) -> list[Shown]:
    return [Shown("missing", tag_id=f"{c.start}:{c.end}") for c in cues]


def _chosen(offered: Sequence[_T], numbers: Iterable[int]) -> tuple[_T, ...]:
    """What the numbers of a reply stand for, each once."""
    return tuple(offered[i] for i in dict.fromkeys(numbers))
