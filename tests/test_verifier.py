"""Maintain and Compress without a model: what the rules see, and what they let pass."""

from __future__ import annotations

import pytest

from memcore.llm.offline.summariser import ExtractiveSummariser
from memcore.llm.offline.verifier import RuleVerifier, failure_in
from memcore.records import RunStep
from memcore.state_tree import Segment, Verdict

TASK = "Equip the van. The tent must be waterproof. Spend at most 1,200."


def checked(observation: str, summary: str = "", before: tuple[tuple[int, str], ...] = ()) -> Verdict:
    steps = (RunStep("a", "r", 4, "look", "error: lost"), RunStep("b", "r", 5, "do", observation))
    return RuleVerifier().verify(TASK, Segment(steps, summary, before))


@pytest.mark.parametrize(
    ("observation", "says"),
    [
        ("Traceback (most recent call last):\n  File", "Traceback"),
        ("output\nprocess exited with code 2", "exited with code 2"),
        ("bash: foo: command not found", "command not found"),
        ("Error: no seat left", "no seat left"),
    ],
)
def test_a_subgoal_whose_last_step_failed_is_not_passed(observation: str, says: str) -> None:
    verdict = checked(observation)
    assert not verdict.passed
    assert says in verdict.note
    assert verdict.evidence == (5,)


@pytest.mark.parametrize(
    "observation", ["exit code: 0", "no errors found", "The error was fixed.", "", "terror strikes"]
)
def test_what_only_speaks_of_errors_is_passed(observation: str) -> None:
    assert checked(observation).passed


def test_an_earlier_step_that_failed_is_no_failure_of_the_subgoal() -> None:
    assert checked("it worked in the end").passed


def test_a_signal_of_the_last_step_counts() -> None:
    step = RunStep("a", "r", 1, "do", "", signals=("is_error",))
    assert "is_error" in RuleVerifier().verify(TASK, Segment((step,))).note


def test_a_broken_dependency_names_both_sides() -> None:
    verdict = checked("needs plug type: C; gives volts: 12", before=((2, "cable: gives plug type: F."),))
    assert verdict.note == "this subgoal needs plug type: c, but step 2 gives plug type: f"


def test_a_later_change_can_break_what_was_done_before() -> None:
    verdict = checked("gives plug type: F", before=((1, "gives plug type: C"), (2, "needs plug type: C")))
    assert verdict.note == "step 2 needs plug type: c, but this subgoal gives plug type: f"


def test_a_dependency_that_holds_or_is_not_known_is_passed() -> None:
    assert checked("needs plug type: C", before=((2, "gives plug type: c"),)).passed
    assert checked("needs plug type: C").passed


def test_a_limit_of_the_task_is_kept() -> None:
    assert checked("total: 1,200").passed
    assert "above the 1,200" in checked("total: 1,201").note


def test_a_requirement_is_asked_of_its_own_subgoal_only() -> None:
    assert checked("bought", "stove: a small one beside the tent").passed
    assert checked("bought a waterproof one", "tent: the green one").passed
    assert checked("bought", "tent: the green one").note == "the tent must be waterproof, and is not"


def test_a_failure_is_looked_for_near_both_ends_of_a_megabyte() -> None:
    assert failure_in("x\n" * 500_000 + "Error: out of memory") == "Error: out of memory"
    assert failure_in("x\n" * 250_000 + "Error: lost\n" + "x\n" * 250_000) == ""


def test_a_summary_says_what_was_done_and_found_word_for_word() -> None:
    steps = (
        RunStep("a", "r", 1, "open page 1", "A long introduction.\nIt says nothing."),
        RunStep("b", "r", 2, "open page 2", "The tent gives shelter type: A. Total: 40"),
    )
    summary = ExtractiveSummariser().summarise(TASK, Segment(steps))
    assert summary.startswith("Did: open page 1; open page 2.")
    assert "The tent gives shelter type: A." in summary


def test_a_summary_of_much_is_short_and_of_nothing_not_empty() -> None:
    steps = tuple(RunStep(str(n), "r", n, f"act {n} " * 50, "word. " * 100_000) for n in range(1, 13))
    summary = ExtractiveSummariser().summarise(TASK, Segment(steps))
    assert len(summary) < 2_000
    assert "and 4 more before" in summary
    assert ExtractiveSummariser().summarise(TASK, Segment((RunStep("a", "r", 1, "", ""),)))
