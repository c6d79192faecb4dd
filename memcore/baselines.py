"""What passive retrieval finds at the same budget: everything is fixed by the question alone.

Dense top-k, BM25, their score fusion, fusion with speaker and time priors, and N-hop expansion
(half the budget as seeds, the rest their neighbours by shared rare cues), all over the same contents
and in the same events as a reconstruction. The passive graph lookup is a reconstruction of one step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from memcore.channels import Lexical, blended, dense, dense_blended, spoken_by, spread
from memcore.events import (
    Action,
    ActionsChosen,
    Candidate,
    KeptNode,
    Opened,
    Ranked,
    Routed,
    Stopped,
    TraceEvent,
)
from memcore.graph import LAYERS, Floats, Graph, Ints
from memcore.question import Question
from memcore.read_budget import within_budget
from memcore.reconstruction import Ask, Router, answered, asked
from memcore.run_state import State
from memcore.settings import Settings

SHOWN = 20

Parts = dict[str, Floats]
Ranking = tuple[Ints, Parts]
"""Contents in reading order, and the components of their scores by name."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question put to the whole of a memory."""

    ask: Ask
    question: Question
    graph: Graph
    lexical: Lexical
    settings: Settings


def passive(ask: Ask, graph: Graph, ranking: Ranking, roles: Router) -> Iterator[TraceEvent]:
    """One search, read in its order until the budget is used. `roles` read the question and answer."""
    state = State()
    yield state.apply(asked(replace(ask, auto_budget=False), graph))  # it cannot grow without steps
    yield state.apply(roles.read())
    order, parts = ranking
    opened, turns = within_budget(graph, order.tolist(), ask.budget)
    yield state.apply(ActionsChosen(1, (Action("search"),)))
    rows = [_candidate(graph, int(i), parts) for i in order[: max(SHOWN, len(opened))]]
    yield state.apply(Ranked(1, tuple(rows), len(order) - len(rows)))
    yield state.apply(Opened(1, tuple(opened), tuple(turns), len(turns)))
    totals = {c.content_id: c.total for c in rows}
    revisions = graph.columns.revisions
    kept = tuple(KeptNode(c, int(revisions[graph.content_index[c]]), totals.get(c, 0.0)) for c in opened)
    yield state.apply(Routed(1, kept, ()))
    yield state.apply(Stopped(1, "read_budget" if len(turns) >= ask.budget else "nothing_left", len(turns)))
    yield from answered(state, roles)


def _ordered(graph: Graph, parts: Parts) -> Ranking:
    """Best first among turns; equal scores in reading order. An episode costs all the turns it stands for."""
    total = np.sum(list(parts.values()), axis=0)
    total = np.where(graph.layer == LAYERS.index("turn"), total, -np.inf)
    order = np.argsort(-total, kind="stable")
    return order[np.isfinite(total[order])].astype(np.int32), parts


def _dense(search: Search) -> Ranking:
    return _ordered(search.graph, {"dense": dense(search.graph, search.question.vector)})


def _bm25(search: Search) -> Ranking:
    return _ordered(search.graph, {"lexical": search.lexical.scores(search.question.terms)})


def fused(search: Search) -> Parts:
    """Both channels, each min-max scaled over the whole memory, weighted to add up to one."""
    question, alone = search.question, search.settings.blend_alone
    share = search.settings.fusion_dense if search.graph.dimension else 0.0
    return {
        "dense": share * spread(dense_blended(search.graph, question.vector, alone)),
        "lexical": (1 - share) * spread(blended(search.lexical, question.terms, alone)),
    }


def _fusion(search: Search) -> Ranking:
    return _ordered(search.graph, fused(search))


def _priors(search: Search) -> Ranking:
    """Fusion that also knows who spoke and when: how much of the gain is mere metadata."""
    graph, question, settings = search.graph, search.question, search.settings
    said = spoken_by(graph, question.speakers, range(len(graph)))
    hit = np.zeros(len(graph), dtype=np.float32)
    for moment in (t.moment for t in question.found.times if t.moment.precision != "year"):
        if moment.start is not None and moment.end is not None:
            hit[graph.contents_in(moment.start.toordinal(), moment.end.toordinal())] = settings.w_time
    return _ordered(graph, fused(search) | {"speaker": settings.w_speaker * said, "time": hit})


def _nhop(search: Search) -> Ranking:
    """Fixed one-hop expansion: the order is seeds first, then what shares their rare cues most."""
    graph = search.graph
    order, parts = _fusion(search)
    seeds = order[: max(1, search.ask.budget // 2)]
    rarity = np.where(graph.common_cues(search.settings.common_cue), 0.0, graph.cue_rarity)
    shared = np.zeros(len(graph), dtype=np.float32)
    for cue in np.unique(np.concatenate([graph.handles_of(int(s))[0] for s in seeds])) if len(seeds) else ():
        if rarity[cue]:
            shared[np.unique(graph.contents_of_cue(int(cue))[0])] += rarity[cue]
    hops, _ = _ordered(graph, {"reverse": np.where(np.isin(np.arange(len(graph)), seeds), 0, shared)})
    hops = hops[~np.isin(hops, seeds)]
    return np.concatenate((seeds, hops)).astype(np.int32), parts | {"reverse": shared}


def seeded(search: Search) -> tuple[str, ...]:
    """Contents that a fusion search of the whole memory finds first: seeds for the active strategy."""
    first: list[int] = _fusion(search)[0][: search.settings.seeds].tolist()
    return tuple(search.graph.columns.content_ids[i] for i in first)


def _candidate(graph: Graph, content: int, parts: Parts) -> Candidate:
    scores = {name: round(float(values[content]), 4) for name, values in parts.items()}
    found = Candidate(graph.columns.content_ids[content], round(sum(scores.values()), 4))
    return found._replace(**scores)


STRATEGIES: dict[str, Callable[[Search], Ranking]] = {
    "dense": _dense,
    "bm25": _bm25,
    "fusion": _fusion,
    "priors": _priors,
    "nhop": _nhop,
}
