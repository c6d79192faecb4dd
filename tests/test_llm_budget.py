"""What models may cost is asked before a call, and every call is on the bill, also one that failed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from llm_server import Act, Server, model_at

from memcore.errors import BudgetExceeded, ModelError, ReplyInvalid, StoreFull
from memcore.llm.asking import MOST_TOKENS, Called, Usage
from memcore.llm.budget import Bill, Budget, bill, bills, dollars, price_of
from memcore.llm.call_log import CallLog
from memcore.llm.choose import PROVIDERS
from memcore.llm.prompts import Prompt
from memcore.settings import DEFAULT, Price, Settings

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
PRICES = (
    Price("claude/a", 2.0, 10.0, 0.2),
    Price("claude/a-big", 20.0, 100.0, 2.0),
    Price("local/", 0, 0, 0),
)
NONE = replace(
    DEFAULT, run_calls=0, run_tokens=0, run_money=0, run_seconds=0,
    day_calls=0, day_tokens=0, day_money=0, day_seconds=0,
)  # fmt: skip
PROMPT = Prompt("Choose.", "the diary of Ada")
ANYTHING = {"type": "object", "additionalProperties": False}


def budget(log: CallLog | None = None, at: datetime = NOON, run: str = "run", **limits: Any) -> Budget:
    return Budget(log or CallLog(), replace(NONE, **limits), run, PRICES, lambda: at)


def called(model: str = "claude/a", sent: int = 600, received: int = 400, **more: Any) -> Called:
    return Called(
        more.get("task", "merge"), model, Usage(sent, received, more.get("cached", 0)),
        more.get("milliseconds", 1500), more.get("outcome", "ok"),
    )  # fmt: skip


def line_with(**other: Any) -> bytes:
    """A line of the book in which one thing cannot be."""
    right = {
        "at": NOON.isoformat(), "run": "run", "task": "merge", "model": "claude/a", "outcome": "ok",
        "sent": 1, "received": 1, "cached": 0, "milliseconds": 1, "dollars": 0.5,
    }  # fmt: skip
    return json.dumps({**right, **other}).encode() + b"\n"


@pytest.mark.parametrize("of", ["run", "day"])
@pytest.mark.parametrize(
    ("what", "limit", "passes"),
    [("calls", 2, 2), ("tokens", 2_100, 2), ("money", 0.0105, 2), ("seconds", 3.0, 2)],
)
def test_a_budget_that_is_used_up_stops_the_next_call(of: str, what: str, limit: float, passes: int) -> None:
    kept = budget(**{f"{of}_{what}": limit})
    for _ in range(passes):
        kept.after(called(), kept.before("merge", "claude/a", Usage(100, 0)))
    with pytest.raises(BudgetExceeded, match=f"budget of this {of}") as failed:
        kept.before("merge", "claude/a", Usage(200, 0))
    assert failed.value.limit == f"{of}_{what}"


def test_a_prompt_that_alone_is_beyond_the_budget_is_not_sent() -> None:
    with pytest.raises(BudgetExceeded):
        budget(run_tokens=1_000).before("merge", "claude/a", Usage(1_001, 0))
    with pytest.raises(BudgetExceeded):
        budget(day_money=0.001).before("merge", "claude/a", Usage(501, 0))
    budget(run_tokens=1_000, day_money=0.001).before("merge", "claude/a", Usage(500, 0))


def test_zero_is_no_limit() -> None:
    kept = budget()
    kept.after(called(sent=10**9))
    kept.before("merge", "claude/nobody-knows", Usage(10**9, 0))
    assert kept.of_run().calls == 1


def test_another_run_has_its_own_budget_and_the_same_day() -> None:
    log = CallLog()
    budget(log, run="one").after(called())
    budget(log, run="two", run_calls=1).before("merge", "claude/a", Usage(1, 0))
    with pytest.raises(BudgetExceeded, match="this day"):
        budget(log, run="two", day_calls=1).before("merge", "claude/a", Usage(1, 0))


@pytest.mark.parametrize("programs", [1, 6])
def test_runs_at_once_do_not_use_up_the_rest_of_a_day_twice(tmp_path: Path, programs: int) -> None:
    logs = [CallLog(tmp_path / "calls.jsonl") for _ in range(programs)] * (6 // programs)
    refused, log = Queue[str](), logs[0] if programs == 1 else CallLog(tmp_path / "calls.jsonl")

    def ask(server: Server, run: int) -> None:
        try:
            kept = budget(logs[run], run=f"run {run}", day_calls=3)
            model_at(server, kept).ask("choose", PROMPT, ANYTHING)
        except BudgetExceeded as error:
            refused.put(error.limit)

    with Server() as server:
        server.gate.clear()
        runs = [Thread(target=ask, args=(server, run)) for run in range(6)]
        for run in runs:
            run.start()
        limits = [refused.get(timeout=20) for _ in range(3)]
        server.gate.set()
        for run in runs:
            run.join()
    assert (limits, refused.empty()) == (["day_calls"] * 3, True)
    assert (len(server.asked), bill(log.entries()).calls) == (3, 3)
    with pytest.raises(BudgetExceeded):
        budget(log, day_calls=3).before("merge", "claude/a", Usage(1, 0))


KILLED = """
import os, sys
from pathlib import Path
from memcore.llm.asking import Usage
from memcore.llm.budget import Budget
from memcore.llm.call_log import CallLog
Budget(CallLog(Path(sys.argv[1])), run="killed").before("answer", "claude/claude-haiku-5-5", Usage(600, 400))
os.kill(os.getpid(), 9)
"""


def test_a_call_that_was_killed_is_on_the_bill_with_the_most_it_may_have_taken(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)]).returncode
    log, at = CallLog(path), datetime.now(UTC)
    (entry,) = log.entries()
    assert entry.called == Called("answer", "claude/claude-haiku-5-5", Usage(600, 400), 0, "begun")
    assert entry.dollars == dollars(entry.called.model, Usage(600, 400))
    assert budget(log, entry.at, run="killed").of_run() == bill([entry])
    assert bills(log.entries(), ["run", "outcome"])[("killed", "begun")].tokens == 1_000
    with pytest.raises(BudgetExceeded):
        budget(log, at, day_calls=1).before("merge", "claude/a", Usage(1, 0))
    budget(log, at + timedelta(days=1), day_calls=1).before("merge", "claude/a", Usage(1, 0))


def test_a_call_that_ended_is_on_the_bill_once(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    one, other = CallLog(path), CallLog(path)
    call = budget(one).before("merge", "claude/a", Usage(600, 4_096))
    assert not one.entries() and [e.called.usage for e in other.entries()] == [Usage(600, 4_096)]
    budget(one).after(called(), call)
    assert list(one.entries()) == list(other.entries()) == list(CallLog(path).entries())
    assert [e.called for e in other.entries()] == [called()]


def test_what_was_never_written_down_is_never_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Server() as server:
        with pytest.raises(StoreFull, match="bill"):
            model_at(server, budget(CallLog(tmp_path / "file" / "calls.jsonl"))).ask(
                "choose", PROMPT, ANYTHING
            )
        assert server.asked == []


@pytest.mark.parametrize(
    ("act", "charged"),
    [
        (Act("silent"), True), (Act("hanging", "x" * 40), True), (Act("quiet_end"), True),
        (Act("status", status=429), False), (Act("status", status=503), False),
    ],
)  # fmt: skip
def test_a_service_that_took_the_prompt_and_fell_silent_moves_the_budget(act: Act, charged: bool) -> None:
    kept = budget()
    with Server(script=[act]) as server:
        model = model_at(server, kept, model_silence_seconds=0.15, model_retries=0)
        with pytest.raises(ModelError):
            model.ask("choose", PROMPT, ANYTHING)
    assert (kept.of_run().usage.sent == PROMPT.tokens) is charged
    assert kept.of_run().usage.sent in (0, PROMPT.tokens)


def test_a_service_that_is_not_there_took_nothing() -> None:
    with Server() as gone:
        pass
    kept = budget()
    with pytest.raises(ModelError):
        model_at(gone, kept, model_retries=0).ask("choose", PROMPT, ANYTHING)
    assert (kept.of_run().calls, kept.of_run().tokens) == (1, 0)


def test_a_day_is_one_in_utc_wherever_a_call_was_entered(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(line_with(at="2026-11-30T23:30:00-05:00") + line_with(at="2026-11-30T08:00:00"))
    kept = budget(CallLog(path))
    assert [kept.of_day(NOON.date() + timedelta(days=n)).calls for n in (0, 1)] == [1, 1]


def test_the_next_day_begins_with_a_full_budget() -> None:
    log = CallLog()
    budget(log).after(called())
    tomorrow = NOON + timedelta(days=1)
    budget(log, tomorrow, run="later", day_calls=1).before("merge", "claude/a", Usage(1, 0))
    assert budget(log, tomorrow).of_day() == Bill()
    assert budget(log, tomorrow).of_day(NOON.date()).calls == 1


def test_without_a_price_a_limit_of_dollars_lets_nothing_through() -> None:
    with pytest.raises(BudgetExceeded, match="no price"):
        budget(run_money=5).before("merge", "claude/nobody-knows", Usage(1, 0))
    budget(run_money=5).before("merge", "local/anything", Usage(1, 0))


def test_the_longest_name_gives_the_price_and_cached_tokens_cost_less() -> None:
    assert price_of("claude/a-big-2", PRICES) == PRICES[1]
    assert price_of("gemini/a", PRICES) is None
    assert dollars("claude/a", Usage(1_000_000, 100_000, 0), PRICES) == pytest.approx(3.0)
    assert dollars("claude/a", Usage(1_000_000, 100_000, 1_000_000), PRICES) == pytest.approx(1.2)
    assert dollars("gemini/a", Usage(1, 1), PRICES) is None


def test_every_suggested_model_has_a_price() -> None:
    for name, provider in PROVIDERS.items():
        for model in provider.suggests:
            assert price_of(f"{name}/{model}") is not None, model


def test_a_call_over_budget_is_never_made() -> None:
    with Server() as server:
        kept = budget(run_calls=1)
        model = model_at(server, kept)
        model.ask("choose", PROMPT, ANYTHING)
        with pytest.raises(BudgetExceeded) as failed:
            model.ask("choose", PROMPT, ANYTHING)
    assert isinstance(failed.value, ModelError)
    assert len(server.asked) == 1
    assert kept.of_run().calls == 1


def test_what_failed_and_what_was_asked_again_is_on_the_bill() -> None:
    with Server(script=[Act("status", status=503), Act("ok", "no json"), Act("ok", "nor this")]) as server:
        kept = budget()
        with pytest.raises(ReplyInvalid):
            model_at(server, kept).ask("choose", PROMPT, ANYTHING)
    spent = kept.of_run()
    assert (spent.calls, spent.failed) == (3, 3)
    assert spent.usage == Usage(200, 40, 160)
    assert {k[0]: b.calls for k, b in bills(kept.log.entries(), ["outcome"]).items()} == {
        "Overloaded": 1,
        "ReplyInvalid": 2,
    }


@pytest.mark.parametrize("sent", [-(10**9), 10**400])
def test_a_server_that_miscounts_gives_no_budget_anything_back(sent: int) -> None:
    kept = budget()
    with Server(script=[Act("ok", "{}", sent=sent)]) as server:
        model_at(server, kept).ask("choose", PROMPT, ANYTHING)
    assert kept.of_run().usage == (Usage(PROMPT.tokens, 20, 0) if sent < 0 else Usage(MOST_TOKENS, 20, 80))


def test_an_asking_again_that_is_beyond_the_budget_is_not_made() -> None:
    with Server(reply="no json") as server:
        with pytest.raises(BudgetExceeded):
            model_at(server, budget(run_calls=1)).ask("choose", PROMPT, ANYTHING)
        assert len(server.asked) == 1


def test_the_book_can_be_read_by_task_model_run_and_day() -> None:
    log = CallLog()
    for run, task, model in [
        ("r1", "merge", "claude/a"),
        ("r1", "refine", "claude/a"),
        ("r2", "merge", "x/y"),
    ]:
        budget(log, run=run).after(called(model, task=task))
    budget(log, NOON + timedelta(days=1), run="r2").after(called(outcome="TimedOut", sent=0, received=0))
    by_task = bills(log.entries(), ["task"])
    assert by_task[("merge",)].calls == 3
    assert by_task[("refine",)].dollars == pytest.approx(0.0052)
    assert bills(log.entries(), ["model"])[("x/y",)].unpriced == 1
    assert list(bills(log.entries(), ["run", "day"])) == [
        ("r1", "2026-11-30"),
        ("r2", "2026-11-30"),
        ("r2", "2026-12-01"),
    ]
    assert bill(log.entries()) == Bill(4, 1, Usage(1800, 1200), 6.0, pytest.approx(0.0104), 1)


def test_the_book_of_a_store_is_there_again_and_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "store" / "calls.jsonl"
    one, other = CallLog(path), CallLog(path)
    assert list(one.entries()) == []
    budget(one).after(called(cached=7))
    budget(other, run="two").after(called("x/y"))
    assert list(one.entries()) == list(other.entries()) == list(CallLog(path).entries())
    assert [e.run for e in one.entries()] == ["run", "two"]
    assert one.entries()[0].called == called(cached=7)
    assert one.entries()[0].at == NOON
    assert one.entries()[1].dollars is None


@pytest.mark.parametrize(
    "damage",
    [
        b'{"at": "2026-', b"\xff\xfe\n", b"[]\n", b'{"at": 5}\n', b"[" * 9_000 + b"\n",
        line_with(at="yesterday"), line_with(at="2026-11-30T10:00:00+99:00"), line_with(dollars=-5),
        line_with(dollars=float("nan")), line_with(sent=-1), line_with(milliseconds=10**400),
    ],
)  # fmt: skip
def test_a_line_that_a_crash_left_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "calls.jsonl"
    budget(CallLog(path)).after(called())
    with path.open("ab") as file:
        file.write(damage)
    budget(CallLog(path)).after(called())
    assert budget(CallLog(path)).of_run().calls == 2


def test_the_book_holds_no_word_of_a_memory(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with Server(reply='{"said": "the secret garden"}') as server, pytest.raises(ReplyInvalid):
        model_at(server, budget(CallLog(path))).ask("choose", PROMPT, ANYTHING)
    text = path.read_text("utf-8")
    assert "ReplyInvalid" in text
    assert "diary" not in text and "garden" not in text and "Choose" not in text


def test_a_bill_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFull, match="bill"):
        budget(CallLog(tmp_path / "file" / "calls.jsonl")).after(called())


def test_limits_are_on_by_default() -> None:
    assert Settings().run_calls and Settings().run_money and Settings().day_tokens and Settings().day_money
