"""The loop: choose, traverse, rank, route, enough. Its state is the fold of its events, at every step."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest
from building import TOWN, Town, changed, town, turns
from hypothesis import given, settings
from hypothesis import strategies as st
from of_a_trace import limit_of, of

from memcore.errors import ModelUnavailable, ReplyInvalid
from memcore.evaluation.clue_tree import ClueTree, clue_tree
from memcore.events import Action, TraceEvent, dump, load
from memcore.llm.offline.embedder import MultilingualEmbedder
from memcore.reach import Bounds, Nearness, Reach
from memcore.reconstruction import Ask, Limits, always, reconstruct
from memcore.records import Turn, new_id
from memcore.run_state import State, fold
from memcore.settings import DEFAULT

QUESTIONS = (
    "What did Felix teach Ann?",
    "When is the marathon in Madrid?",
    "Who gave Saffron her shots?",
    "고양이 이름이 뭐야?",
    "?!",
)
PEOPLE = ("Felix", "Saffron", "Dr. Okafor", "Madrid", "Kyoto", "pottery", "the harbour", "Lisbon")


def long_town(count: int = 160) -> list[Turn]:
    """The same small world, talked about for many sessions."""
    return turns([_said(i) for i in range(count)], conversation="0" * 16)


def _said(i: int) -> tuple[str, str]:
    speaker, text = TOWN[i % len(TOWN)]
    return speaker, f"{text} Then {PEOPLE[i % 8]} and {PEOPLE[(i * 5 + i // 8) % 8]} came up, number {i}."


@pytest.fixture(scope="module")
def small() -> Town:
    return town()


@pytest.fixture(scope="module")
def large() -> Town:
    return town(long_town())


# fold and resume


def test_the_fold_of_any_prefix_is_the_state_then(large: Town) -> None:
    ask, state = Ask(QUESTIONS[0], 12), State()
    events: list[TraceEvent] = []
    for event in large.run(ask):
        events.append(load(json.loads(json.dumps(dump(event)))))  # type: ignore[arg-type]
        state.apply(event)
        assert fold(events) == copy.deepcopy(state)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("auto", [False, True])
def test_going_on_from_a_prefix_is_the_uninterrupted_run(large: Town, question: str, auto: bool) -> None:
    ask = Ask(question, 14, auto_budget=auto)
    whole = list(large.run(ask))
    cuts = [i + 1 for i, e in enumerate(whole) if e.kind in ("asked", "query_read", "judged")]
    assert len(cuts) > 2
    for cut in cuts:
        assert list(large.run(ask, state=fold(whole[:cut]))) == whole[cut:]


def test_the_same_question_twice_gives_the_same_events(large: Town) -> None:
    assert list(large.run(Ask(QUESTIONS[1], 9))) == list(large.run(Ask(QUESTIONS[1], 9)))


def test_moving_through_a_stored_run_calls_neither_router_nor_embedder(large: Town) -> None:
    saved = [dump(e) for e in large.run(Ask(QUESTIONS[0], 8))]
    alone = [load(json.loads(json.dumps(e))) for e in saved]
    states = [fold(alone[:n]) for n in range(len(alone) + 1)]  # type: ignore[arg-type]
    assert states[0] == State() and states[-1].answer is not None


# budget and order


@given(
    st.integers(1, 40),
    st.booleans(),
    st.sampled_from(["ce", "cte", "ctc"]),
    st.booleans(),
    st.integers(1, 9),
    st.sampled_from(QUESTIONS),
)
@settings(max_examples=40, deadline=None)
def test_a_run_keeps_to_its_budget_and_opens_only_what_it_reached(
    large: Town, budget: int, auto: bool, mode: Any, reverse: bool, steps: int, question: str
) -> None:
    ask = Ask(question, budget, auto_budget=auto, mode=mode, reverse=reverse)
    state, ranked = State(), set[str]()
    for event in large.run(ask, changed(steps=steps)):
        if event.kind == "ranked":
            ranked |= {c.content_id for c in event.candidates}
            assert state.actions or not event.candidates, "candidates come from traversals"
        if event.kind == "opened":
            assert set(event.content_ids) <= ranked
            assert not set(event.content_ids) & set(state.opened)
        state.apply(event)
        assert len(state.turns) <= state.budget
    most = round(budget * DEFAULT.auto_high) if auto else budget
    assert len(state.turns) <= max(most, 1)
    assert {t for c in state.opened for t in large.graph.turns_of(large.graph.content_index[c])} == set(
        state.turns
    )
    assert not set(state.evidence) & set(state.pruned)
    assert set(state.evidence) <= set(state.opened)


def test_score_components_add_up_to_the_total(large: Town) -> None:
    rows = [c for ranked in of(list(large.run(Ask(QUESTIONS[0], 12))), "ranked") for c in ranked.candidates]
    assert len(rows) > 10
    for row in rows:
        assert sum(row[2:11]) == pytest.approx(row.total, abs=1e-3)


def test_what_is_left_behind_has_a_reason(large: Town) -> None:
    events = list(large.run(Ask(QUESTIONS[0], 12)))
    pairs = list(zip(of(events, "routed"), of(events, "ranked"), strict=True))
    assert any(routed.pruned for routed, _ in pairs) and any(routed.kept for routed, _ in pairs)
    for routed, ranked in pairs:
        left = {p.id for p in routed.pruned} | {k.content_id for k in routed.kept}
        assert {c.content_id for c in ranked.candidates} == left
        assert all(p.why in ("fine", "weak") and p.node == "content" for p in routed.pruned)


def test_no_step_reads_more_than_its_share_of_what_is_left(large: Town) -> None:
    state, steps = State(), 0
    for event in large.run(Ask("What did they say about pottery?", 16)):
        if event.kind == "opened":
            left, rounds = state.budget - len(state.turns), DEFAULT.steps - event.step + 1
            assert len(event.turn_ids) <= -(-left // max(rounds, 1))
            steps += 1
        state.apply(event)
    assert steps > 1


def test_what_stands_beside_evidence_gains_as_much_as_the_settings_say(large: Town) -> None:
    wanted = changed(neighbour_before=0.25, neighbour_second=0.125)
    bounds = Bounds(*(getattr(wanted, name) for name in Bounds._fields))
    gained: set[tuple[int, float]] = set()
    for here, content_id in enumerate(large.graph.columns.content_ids):
        reach = Reach(large.graph, "cte", Nearness(len, len), bounds)  # type: ignore[arg-type]
        reach.run(Action("content_neighbours", content_id=content_id))
        gained |= {(away, float(reach.neighbour[i])) for i, away in large.graph.neighbours_of(here, 2)}
    assert {(1, 1.0), (-1, 0.25)} <= gained <= {(1, 1.0), (-1, 0.25), (2, 0.125), (-2, 0.0)}


def test_a_hub_cue_is_capped_and_the_trace_says_so(large: Town) -> None:
    events = list(large.run(Ask("What did Ann say?", 5), changed(hub_cap=7)))
    capped = of(events, "traversed")[0].capped
    assert capped and all(had > cap == 7 for _, had, cap in capped)


# limits


def test_the_read_budget_ends_a_run(large: Town) -> None:
    assert limit_of(list(large.run(Ask(QUESTIONS[0], 3)))) == "read_budget"


def test_the_step_limit_ends_a_run(large: Town) -> None:
    events = list(large.run(Ask(QUESTIONS[0], 30), steps=2))
    assert limit_of(events) == "step_limit"
    assert [e.step for e in of(events, "judged")] == [1, 2]


def test_the_call_limit_ends_a_run_and_is_kept(large: Town) -> None:
    events = list(large.run(Ask(QUESTIONS[0], 30), changed(calls=5)))
    assert limit_of(events) == "call_limit"
    assert sum(len(e.actions) for e in of(events, "actions_chosen")) == 5


def test_a_run_ends_when_nothing_is_left_to_open(small: Town) -> None:
    events = list(small.run(Ask("What did Felix teach Ann?", 100), changed(steps=50)))
    assert limit_of(events) == "nothing_left"
    empty = town([])
    events = list(empty.run(Ask("Who?", 5)))
    assert limit_of(events) == "nothing_left"
    assert of(events, "answered")[0].sentences == ()


def test_enough_evidence_ends_a_run(large: Town) -> None:
    events = list(large.run(Ask("Felix?", 60), changed(enough_below=1.0)))
    assert limit_of(events) == "sufficient"
    assert of(events, "judged")[-1].enough


def test_a_person_can_cancel_a_run(large: Town) -> None:
    asked: list[int] = []
    events = list(large.run(Ask(QUESTIONS[0], 30), cancelled=lambda: len(asked) == 1 or asked.append(1)))  # type: ignore[func-returns-value]
    assert limit_of(events) == "cancelled"
    assert len(of(events, "judged")) == 2


class Failing:
    """A router of which one role stops working at a step."""

    def __init__(self, inner: Any, role: str, step: int, error: Exception) -> None:
        self._inner, self._role, self._step, self._error = inner, role, step, error

    def __getattr__(self, role: str) -> Any:
        work = getattr(self._inner, role)

        def call(*args: Any) -> Any:
            at = args[0].step if args else 0
            if role == self._role and at >= self._step:
                raise self._error
            return work(*args)

        return call


@pytest.mark.parametrize("role", ["choose", "traverse", "rank", "route", "enough"])
@pytest.mark.parametrize("step", [0, 2])
def test_a_router_that_fails_ends_the_run_with_what_was_gathered(large: Town, role: str, step: int) -> None:
    ask = Ask(QUESTIONS[0], 30)
    router = Failing(large.router(ask), role, step, ModelUnavailable("down"))
    events = list(reconstruct(ask, large.graph, router, Limits(always(8), 500)))
    assert limit_of(events) == "router_failed"
    (failed,) = of(events, "role_failed")
    assert (failed.role, failed.error) == ("router", "ModelUnavailable")
    assert events[-1].kind == "answered"
    assert bool(of(events, "answered")[0].sentences) == bool(fold(events).evidence)
    assert fold(events).evidence or not step


def test_a_question_that_cannot_be_read_ends_the_run_at_once(large: Town) -> None:
    ask = Ask(QUESTIONS[0], 30)
    router = Failing(large.router(ask), "read", 0, ReplyInvalid("no JSON"))
    events = list(reconstruct(ask, large.graph, router, Limits(always(8), 500)))
    assert [e.kind for e in events] == ["asked", "role_failed", "stopped", "answered"]
    assert (limit_of(events), of(events, "role_failed")[0].role) == ("router_failed", "reader")


def test_an_answer_that_fails_leaves_the_evidence(large: Town) -> None:
    ask = Ask(QUESTIONS[0], 6)
    router = Failing(large.router(ask), "answer", 0, ModelUnavailable("down"))
    events = list(reconstruct(ask, large.graph, router, Limits(always(8), 500)))
    assert [e.kind for e in events[-2:]] == ["stopped", "role_failed"]
    assert fold(events).evidence and limit_of(events) == "read_budget"


# ablations


def actions(events: list[TraceEvent]) -> list[Any]:
    return list(chain.from_iterable(e.actions for e in of(events, "actions_chosen")))


def test_without_the_reverse_move_nothing_is_followed_back(large: Town) -> None:
    back = {"content_handles", "content_neighbours", "content_time"}
    assert back & {a.action for a in actions(list(large.run(Ask(QUESTIONS[0], 16))))}
    events = list(large.run(Ask(QUESTIONS[0], 16, reverse=False)))
    assert not back & {a.action for a in actions(events)}
    assert all(not e.cues and not e.tags for e in of(events, "woken")[1:])
    rows = [c for e in of(events, "ranked") for c in e.candidates]
    assert not any(c.reverse or c.neighbour or c.evidence or c.via_content for c in rows)


def test_without_tags_no_tag_is_used(large: Town) -> None:
    events = list(large.run(Ask(QUESTIONS[0], 16, mode="ce")))
    assert not any(a.tag_id for a in actions(events) if a.action != "window_contents")
    assert "cue_contents" in {a.action for a in actions(events)}
    assert not any(e.tags for e in of(events, "woken"))
    assert not any(c.via_tag or c.tag for e in of(events, "ranked") for c in e.candidates)


@pytest.mark.parametrize("mode", ["ce", "cte"])
def test_the_episodic_layer_alone_opens_no_facts_and_no_topics(large: Town, mode: Any) -> None:
    state = fold(large.run(Ask("What does Bo like?", 30, mode=mode)))
    columns, index = large.graph.columns, large.graph.content_index
    assert {columns.layers[index[c]] for c in state.opened} == {"turn"}
    layered = fold(large.run(Ask("What does Bo like?", 30, mode="ctc")))
    assert "fact" in {columns.layers[index[c]] for c in layered.opened}


def test_time_and_speaker_can_be_switched_off(large: Town) -> None:
    ask = Ask("What did Ann say on 7 May 2024?", 12)
    rows = [c for e in of(list(large.run(ask)), "ranked") for c in e.candidates]
    assert any(c.time for c in rows) and any(c.speaker for c in rows)
    events = list(large.run(replace(ask, use_time=False, use_speaker=False)))
    rows = [c for e in of(events, "ranked") for c in e.candidates]
    assert not any(c.time or c.speaker for c in rows)
    assert not {"window_contents", "content_time"} & {a.action for a in actions(events)}


def test_a_cue_woken_by_evidence_names_its_source(large: Town) -> None:
    state = State()
    woken = 0
    for event in large.run(Ask(QUESTIONS[0], 16)):
        if event.kind == "woken":
            for cue in event.cues:
                assert (cue.how == "reverse") == bool(cue.source)
                assert not cue.source or cue.source in state.evidence
                woken += cue.how == "reverse"
        state.apply(event)
    assert woken


# what active access can express


@pytest.fixture(scope="module")
def multilingual() -> MultilingualEmbedder:
    return MultilingualEmbedder()


def told(tree: ClueTree) -> tuple[list[Turn], dict[str, str]]:
    made = turns([(t.speaker, t.text) for t in tree.turns])
    talk = new_id()
    made = [
        replace(m, conversation_id=talk, session=t.session) for m, t in zip(made, tree.turns, strict=True)
    ]
    return made, {t.id: m.id for m, t in zip(made, tree.turns, strict=True)}


@pytest.mark.parametrize("seed", [7, 1, 2, 3])
def test_only_the_active_policy_finds_the_whole_chain(multilingual: MultilingualEmbedder, seed: int) -> None:
    from memcore.baselines import STRATEGIES, Search, passive

    tree = clue_tree(seed=seed)
    said, ids = told(tree)
    memory = town(said, multilingual)
    chain_of_clues = {ids[e] for e in tree.evidence}
    found: dict[str, set[str]] = {"active": set(fold(memory.run(Ask(tree.question, 20))).turns)}
    once = changed(steps=1)
    found["graph"] = set(fold(memory.run(Ask(tree.question, 20, strategy="graph"), once)).turns)
    for name in STRATEGIES:
        ask = Ask(tree.question, 20, strategy=name)  # type: ignore[arg-type]
        question = memory.prepare(ask.question)
        ranking = STRATEGIES[name](Search(ask, question, memory.graph, memory.lexical, DEFAULT))
        found[name] = set(fold(passive(ask, memory.graph, ranking, memory.router(ask))).turns)
    assert {name for name, read in found.items() if chain_of_clues <= read} == {"active"}
    assert all(len(read) <= 20 for read in found.values())


def test_vectors_do_not_change_what_going_on_means(multilingual: MultilingualEmbedder) -> None:
    memory = town(long_town(60), multilingual)
    ask = Ask(QUESTIONS[0], 12)
    whole = list(memory.run(ask))
    cut = next(i for i, e in enumerate(whole) if e.kind == "judged" and e.step == 2) + 1
    assert list(memory.run(ask, state=fold(whole[:cut]))) == whole[cut:]
    assert np.isfinite([c.total for e in of(whole, "ranked") for c in e.candidates]).all()


def test_closing_a_run_early_is_quiet(large: Town) -> None:
    run: Iterator[TraceEvent] = large.run(Ask(QUESTIONS[0], 12))
    assert next(run).kind == "asked"
    run.close()  # type: ignore[attr-defined]
