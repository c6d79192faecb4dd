"""Tokens of routing by a model: the real prompts are counted, and the stand-in decides within them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, changed, town, turns

from memcore.evaluation.bench import Options, run
from memcore.evaluation.stand_in import StandIn
from memcore.llm.model_router import ROLES, Ground, ModelRouter
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.prompts.route import Sheet, prompt_of
from memcore.llm.shown_names import GraphNames
from memcore.question import Question
from memcore.reconstruction import Ask, Limits, always, reconstruct
from memcore.run_state import fold
from memcore.settings import DEFAULT

QUESTION = "What did Felix teach Ann?"


def sample() -> dict[str, Any]:
    said = [{"speaker": who, "dia_id": f"D1:{i + 1}", "text": text} for i, (who, text) in enumerate(TOWN * 6)]
    talk: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo", "session_1": said}
    talk["session_1_date_time"] = "1:56 pm on 8 May, 2023"
    asked = [
        {"question": QUESTION, "answer": "to glaze", "evidence": ["D1:7"], "category": 4},
        {"question": "When is the marathon?", "answer": "June", "evidence": ["D1:8"], "category": 2},
        {"question": "Who hid the kite?", "adversarial_answer": "Bo", "evidence": ["D1:4"], "category": 5},
    ]
    return {"sample_id": "one", "conversation": talk, "qa": asked}


def test_the_bench_says_what_tags_first_costs_beside_opening_everything(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps([sample()]), "utf-8")
    (row,) = run("tokens", str(file), Options(zero_model=True))
    assert row["questions"] == 2, "adversarial questions have no evidence to find"
    by_role = row["of that by role"]
    assert set(by_role) == set(ROLES) and all(by_role.values())
    assert sum(by_role.values()) == pytest.approx(row["tags first: tokens, mean"], abs=3)
    ratio = row["tags first: tokens, mean"] / row["opening all of the matched cues: tokens, mean"]
    assert row["tags first, share of that %"] == pytest.approx(100 * ratio, abs=0.5)
    assert 0 < row["recall"] <= 100 and row["k, mean and median"][0] >= 1


def test_tags_first_takes_at_most_60_percent_of_opening_all(shared_data: Path, tmp_path: Path) -> None:
    """A conversation on which nothing was chosen, in the steps that a model is given."""
    samples = json.loads((shared_data / "locomo" / "locomo6.json").read_text("utf-8"))
    file = tmp_path / "held-out.json"
    file.write_text(json.dumps(samples[3:4]), "utf-8")
    (row,) = run("tokens", str(file), Options(zero_model=True, first=12))
    assert (row["steps"], row["questions"]) == (DEFAULT.model_steps, 12)
    assert row["tags first, share of that %"] <= 60
    assert row["recall"] >= row["recall by rules"] > 50, "and not because little was read"


def test_what_is_counted_are_the_prompts_of_the_trace() -> None:
    place = town(turns(TOWN * 3, conversation="0" * 16))
    ask, settings = Ask(QUESTION, 6), changed(steps=3)

    def rules(of: Question) -> OfflineRouter:
        return OfflineRouter(ask, of, place.graph, place.lexical, settings, place.texts_of)

    ground = Ground(ask, place.prepare(QUESTION), place.graph, settings, place.texts_of, rules)
    stand_in = StandIn({}, ground=ground)
    events = list(reconstruct(ask, place.graph, ModelRouter(ground, stand_in), Limits(always(3), 500)))
    asked = [e for e in events if e.kind == "model_asked"]
    assert len(asked) == stand_in.asked and {e.role for e in asked} == set(ROLES)
    assert {(e.outcome, e.reply) for e in asked} == {("ok", "")}
    for event in asked:
        prompt = prompt_of(
            event.role, Sheet(QUESTION, event.shown, GraphNames(place.graph, place.texts), event.chars)
        )
        assert event.sent == prompt.tokens
    assert stand_in.spent.total() == sum(e.sent + e.received for e in asked)
    assert fold(events).evidence
