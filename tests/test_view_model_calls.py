"""The models of a run in words: which role, what it took by the book, where rules went on, the whole bill."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from building import town

from memcore.events import (
    Activated,
    Asked,
    Judged,
    KeptNode,
    ModelAsked,
    Overridden,
    RoleFailed,
    TraceEvent,
    Woken,
)
from memcore.llm.asking import Called, Usage
from memcore.llm.budget import Bill
from memcore.llm.call_log import Entry
from memcore.settings import DEFAULT
from memcore.view.model_calls import (
    OUTCOMES,
    allowance,
    bill_line,
    by_whom,
    calls_at,
    calls_of,
    fallbacks,
    fell_back,
    money,
    not_asked,
    seconds,
    who_answered,
)
from memcore.view.naming import cue_phrase
from memcore.view.steps import step_cards

MODEL = "local/some-model"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
ASKED = Asked("active", 9, False, "ctc", 1, 36)


def asked(step: int, role: str = "route", attempts: int = 1, outcome: str = "ok") -> ModelAsked:
    return ModelAsked(step, role, MODEL, "hash", (), 100, 100, 20, 80, 1_200, attempts, outcome)  # type: ignore[arg-type]


def entry(dollars: float | None, outcome: str = "ok") -> Entry:
    return Entry(NOW, "run", Called("route", MODEL, Usage(100, 20, 80), 1_200, outcome), dollars)


def decision(step: int) -> Overridden:
    return Overridden(step, (), (), ())


def test_each_question_costs_what_the_book_entered_for_its_calls() -> None:
    """One that was asked again has two entries, one that was replayed has none."""
    events: list[TraceEvent] = [asked(1), asked(1, attempts=2), asked(2, attempts=0), asked(2)]
    calls = calls_of(events, [entry(0.01), entry(0.02, "ReplyInvalid"), entry(0.03), entry(0.5)])
    assert [c.dollars for c in calls] == [0.01, pytest.approx(0.05), 0, 0.5]
    assert [c.replayed for c in calls] == [False, False, True, False]
    assert calls[1].took == "100 tokens sent (80 from the cache), 20 received · $0.0500 · 1.2 s · 2 calls"
    assert calls[2].took == "nothing was spent" and calls[2].outcome == "a recorded reply"


def test_without_a_price_or_an_entry_the_money_is_not_known() -> None:
    unpriced, missing = calls_of([asked(1), asked(1)], [entry(None)])
    assert (unpriced.dollars, missing.dollars) == (None, None)
    assert "no price known" in bill_line([unpriced, missing])


def test_the_bill_of_a_run_is_one_line() -> None:
    calls = calls_of([asked(1), asked(2, attempts=3)], [entry(0.01)] * 4)
    assert bill_line(calls) == (
        f"4 calls of {MODEL} · 200 tokens sent (160 from the cache), 40 received · $0.0400 · 2.4 s"
    )
    assert bill_line([]) == ""


def test_recorded_replies_are_no_calls_and_cost_nothing() -> None:
    calls = calls_of([asked(1, attempts=0), asked(2, attempts=0)])
    assert bill_line(calls) == f"2 recorded replies of {MODEL}, nothing was spent"
    unasked = calls_of([asked(1, attempts=0, outcome="BudgetExceeded")])
    assert bill_line(unasked) == f"{MODEL} was not asked, nothing was spent"


def test_a_fork_pays_only_for_what_came_after_it() -> None:
    """The book has its own calls alone; those before it were asked in the other run."""
    calls = calls_of([asked(1), asked(1), decision(1), asked(2)], [entry(0.25)])
    assert [(c.earlier, c.dollars) for c in calls] == [(True, None), (True, None), (False, 0.25)]
    assert bill_line(calls).startswith(f"1 call of {MODEL}")
    assert bill_line(calls).endswith("; 2 questions to models before the fork")
    assert "no model was asked since the fork" in bill_line(calls_of([asked(1), decision(1)]))


def test_reading_belongs_to_the_first_step_and_a_stopped_choice_to_the_last() -> None:
    calls = calls_of([asked(0, "read"), asked(1), asked(2), asked(3, "choose", outcome="Cancelled")])
    assert [c.role for c in calls_at(calls, 1, 2)] == ["Reading the question", "Routing"]
    assert [(c.role, c.outcome) for c in calls_at(calls, 2, 2)] == [
        ("Routing", "answered"), ("Choosing paths", "it was stopped")
    ]  # fmt: skip


@pytest.mark.parametrize("error", [*OUTCOMES, "SomethingNew"])
@pytest.mark.parametrize("went_on", ["offline", "offline from here", "left the evidence"])
def test_a_role_that_fell_back_says_so_in_a_sentence_without_code_words(error: str, went_on: str) -> None:
    told = fell_back(RoleFailed(2, "enough", error, went_on))
    assert told.startswith("Sufficiency: ") and told.endswith(".")
    assert error not in told and "offline" not in told


def test_why_rules_took_over_is_told_once_for_each_reason_with_its_roles_and_steps() -> None:
    run: list[TraceEvent] = [
        RoleFailed(1, "route", "ReplyInvalid", "offline"),
        RoleFailed(1, "route", "ReplyInvalid", "offline"),
        RoleFailed(3, "enough", "ReplyInvalid", "offline"),
        RoleFailed(4, "choose", "BudgetExceeded", "offline from here"),
        RoleFailed(5, "answer", "ModelUnavailable", "left the evidence"),
    ]
    took = "rules took the model's place"
    assert fallbacks([ASKED, *run]) == [
        f"Routing and Sufficiency: its reply could not be used; {took} in steps 1 and 3.",
        f"Choosing paths: a budget was used up, so it was not asked; {took} from step 4 on.",
        "Answering: the model is not there; there is evidence, but no answer.",
    ]
    assert fallbacks([ASKED, asked(1)]) == []


def test_a_step_without_a_model_says_why_where_one_was_out_before_it() -> None:
    lost = RoleFailed(0, "read", "KeyRefused", "offline from here")
    assert not_asked([ASKED, lost], 1) == not_asked([ASKED], 9) == "Rules did this step; no model was asked."
    assert not_asked([ASKED, lost], 2).endswith("accepted; rules took the model's place from the start.")
    assert not_asked([RoleFailed(1, "route", "ReplyInvalid", "offline")], 2) == not_asked([ASKED], 2)


def test_time_that_was_hardly_taken_is_not_told_as_none() -> None:
    assert [seconds(ms) for ms in (0, 8, 50, 9_999)] == ["0.0 s", "under 0.1 s", "0.1 s", "10.0 s"]


def test_a_run_is_by_rules_only_where_a_model_was_to_take_part() -> None:
    assert by_whom([ASKED]) == by_whom([ASKED, asked(0, "read", outcome="Cancelled")]) == ""
    assert by_whom([ASKED, RoleFailed(0, "read", "KeyRefused", "offline from here")]) == "by rules"
    assert by_whom([ASKED, asked(1)]) == f"by {MODEL}"


def test_who_answered_names_models_and_rules_where_they_took_over() -> None:
    failed = RoleFailed(1, "route", "ReplyInvalid", "offline")
    assert who_answered([ASKED]) == "rules"
    assert who_answered([ASKED, asked(1)]) == MODEL
    assert who_answered([ASKED, asked(1), asked(1, outcome="ReplyInvalid"), failed]) == f"{MODEL} and rules"
    assert who_answered([ASKED, asked(1, outcome="Unreachable"), failed]) == "rules"


@pytest.mark.parametrize(
    ("dollars", "said"),
    [
        (None, "no price known"), (0, "$0"), (0.00002, "under $0.0001"), (0.0123, "$0.0123"),
        (1234.5, "$1,234.50"),
    ],
)  # fmt: skip
def test_money_is_as_exact_as_it_is_read(dollars: float | None, said: str) -> None:
    assert money(dollars) == said


def test_what_a_run_may_take_is_said_beside_what_the_day_has_taken() -> None:
    told = allowance(DEFAULT, Bill(dollars=0.25))
    assert told == (
        "A model may take up to 200 calls, 1,000,000 tokens and $1.00 in one run; "
        "today $0.2500 of $5.00 are spent."
    )
    free = replace(DEFAULT, run_calls=0, run_tokens=0, run_money=0, day_money=0)
    assert allowance(free, Bill()) == "No limit is set for one run; today $0 are spent."


def test_the_steps_tell_a_fallback_and_a_decision_where_they_happened() -> None:
    graph = town().graph
    cue, content = graph.columns.cue_ids[0], graph.columns.content_ids[0]
    woken = Woken(1, (Activated(cue, "exact", 1.0),), ())
    hand = Overridden(1, (KeptNode(content, 1, 1.0),), (), (Activated(cue, "by_hand", 1.0),), (), 4)
    events: list[TraceEvent] = [
        ASKED, asked(0, "read", outcome="Unreachable"),
        RoleFailed(0, "read", "Unreachable", "offline from here"), woken, Judged(1, False, 9, (), 0.0), hand,
    ]  # fmt: skip
    (card,) = step_cards(events, graph)
    assert "Reading the question: there was no connection, or it broke off; rules did it from here on." in (
        card.sentence
    )
    assert card.sentence.endswith(
        f"By hand: kept 1 memory, followed {cue_phrase(graph, cue)}, 4 more turns to read."
    )
