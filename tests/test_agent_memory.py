"""A live agent's memory: what it is told, what is stored, and what happens when something does not work."""

from __future__ import annotations

from typing import Any

import pytest

from memcore.agent_memory import AgentMemory, Move, as_text, react
from memcore.errors import InputError, ModelUnavailable, Rejected
from memcore.execution_tree import fold
from memcore.llm.offline.summariser import ExtractiveSummariser
from memcore.llm.offline.verifier import RuleVerifier
from memcore.records import MadeBy
from memcore.settings import DEFAULT, Settings
from memcore.state_tree import Segment, Verdict, replay

TASK = "Pack for the trip. Spend at most 50."


class Strict:
    """A verifier that passes nothing, and a model that is out of order."""

    made_by: MadeBy = "model"

    def __init__(self, out: bool = False) -> None:
        self.out = out
        self.asked: list[Segment] = []

    def verify(self, task: str, segment: Segment) -> Verdict:
        self.asked.append(segment)
        if self.out:
            raise ModelUnavailable("The model is out.")
        return Verdict(False, "the bag is too heavy")

    def summarise(self, task: str, segment: Segment) -> str:
        raise ModelUnavailable("The model is out.")


def memory_of(settings: Settings = DEFAULT, verifier: Any = None, summariser: Any = None) -> AgentMemory:
    log: list[Any] = []
    return AgentMemory(
        TASK, log, verifier or RuleVerifier(), summariser or ExtractiveSummariser(), settings, "run"
    )


def kinds(events: Any) -> list[str]:
    return [e.kind for e in events]


def test_a_declared_subgoal_is_compressed_and_checked_at_once() -> None:
    memory = memory_of()
    memory.grow("buy a bag", "bought. total: 30")
    assert kinds(memory.subgoal_done("bag: bought for 30")) == ["compressed", "maintained"]
    assert "[step 1] bag: bought for 30" in memory.state().text


def test_a_failed_check_goes_back_by_itself_and_the_hints_say_why() -> None:
    memory = memory_of()
    memory.grow("buy a bag", "bought. total: 80")
    assert kinds(memory.subgoal_done("bag: bought for 80")) == ["compressed", "maintained", "revised"]
    text = memory.state().text
    assert "the total 80 is above the 50 that the task allows" in text
    assert "tried from step 0 and left: buy a bag -> bought. total: 80" in text
    assert "[step 1]" not in text


def test_the_same_step_after_going_back_walks_the_known_path() -> None:
    memory = memory_of()
    memory.grow("buy a bag", "bought. total: 80")
    memory.subgoal_done("bag: bought")
    assert kinds(memory.grow("buy a bag", "bought. total: 80")) == ["known_path"]
    assert "you are on this way again" in memory.state().text


def test_what_is_stored_replays_into_the_same_tree_and_the_same_text() -> None:
    memory = memory_of()
    memory.grow("buy a bag", "total: 80")
    memory.subgoal_done("bag: bought")
    memory.grow("buy a sack", "total: 20")
    memory.subgoal_done("sack: bought")
    memory.grow("look", "a shirt")
    log: list[Any] = memory.log  # type: ignore[assignment]
    marks = [r for r in log if r.kind == "mark"]
    steps = [r for r in log if r.kind == "step"]
    assert list(replay(steps, marks)) == memory.events
    again = memory_of()
    again.resume(log)
    assert again.state() == memory.state()
    assert kinds(again.grow("take it", "taken")) == ["grown"]


def test_who_made_a_mark_and_by_which_rule_is_stored() -> None:
    memory = memory_of(verifier=Strict())
    memory.grow("a", "b")
    memory.subgoal_done("done")
    made = [(m.action, m.rule, m.made_by, m.evidence) for m in memory.marks.values()]
    assert made == [
        ("compress", "agent", "raw", (1,)),
        ("maintain", "verifier", "model", ()),
        ("revise", "maintain", "model", ()),
    ]


def test_what_is_too_long_is_summed_up_before_the_next_step_and_the_newest_stays_raw() -> None:
    memory = memory_of(Settings(tree_segment_steps=3))
    for n in range(3):
        memory.grow(f"walk {n}", "on")
    assert kinds(memory.grow("walk 3", "arrived")) == ["compressed", "maintained", "grown"]
    state = memory.state()
    assert state.state.raw == (4,)
    assert "Did: walk 0; walk 1; walk 2." in state.text
    assert next(m for m in memory.marks.values() if m.action == "compress").rule == "too_long"


def test_a_long_observation_is_seen_once_before_it_is_summed_up() -> None:
    memory = memory_of()
    memory.grow("read", "word " * 3_000)
    assert memory.state().sizes.raw > 2_000
    memory.grow("next", "ok")
    assert memory.state().sizes.total < 300


def test_a_check_that_fails_on_the_way_goes_back_after_the_step_that_was_executed() -> None:
    memory = memory_of(Settings(tree_segment_steps=1), Strict())
    memory.grow("a", "b")
    assert kinds(memory.grow("c", "d")) == ["compressed", "maintained", "grown", "revised"]
    assert (memory.tree.at, memory.tree.step) == (0, 2)


def test_at_most_two_revisions_of_a_boundary_then_it_gives_up_and_goes_on() -> None:
    memory = memory_of(verifier=Strict())
    for n in range(3):
        memory.grow("try", f"number {n}")
        memory.subgoal_done(f"try {n}")
    assert kinds(memory.events).count("revised") == 2
    assert (memory.events[-1].kind, memory.tree.gave_up) == ("gave_up", 0)
    assert memory.tree.chain() == [0, 3]
    assert "failed: the bag is too heavy" in memory.state().text


def test_at_most_six_revisions_in_a_run() -> None:
    memory = memory_of(Settings(tree_revisions_per_boundary=100), Strict())
    for n in range(8):
        memory.grow("try", f"number {n}")
        memory.subgoal_done(f"try {n}")
    assert kinds(memory.events).count("revised") == 6
    assert kinds(memory.events).count("gave_up") == 2


@pytest.mark.parametrize(
    ("step", "why"), [(2, "no_boundary"), (99, "no_boundary"), (1, "already_there")], ids=str
)
def test_a_wrong_target_is_refused_with_a_reason_and_nothing_is_stored(step: int, why: str) -> None:
    memory = memory_of()
    memory.grow("a", "b")
    memory.subgoal_done("done")
    stored = list(memory.log)  # type: ignore[call-overload]
    with pytest.raises(Rejected, match=f"[Ss]tep {step}") as refused:
        memory.revise(step)
    assert refused.value.why == why
    assert list(memory.log) == stored  # type: ignore[call-overload]
    assert memory.events[-1].kind == "refused"
    assert f"not possible: {refused.value}" in memory.state().text


def test_a_subgoal_without_a_step_is_refused() -> None:
    with pytest.raises(Rejected, match="nothing to sum up"):
        memory_of().subgoal_done("nothing")


def test_the_agent_beyond_its_limits_is_refused() -> None:
    memory = memory_of(Settings(tree_revisions_per_boundary=1))
    memory.grow("a", "b")
    memory.revise(0)
    memory.grow("c", "d")
    with pytest.raises(Rejected, match="as often as allowed"):
        memory.revise(0)


def test_the_agents_own_reason_is_a_hint() -> None:
    memory = memory_of()
    memory.grow("turn left", "a wall")
    memory.revise(0, "left is a dead end")
    assert "turn left -> a wall (left is a dead end)" in memory.state().text


def test_without_maintain_nothing_is_checked() -> None:
    verifier = Strict()
    memory = memory_of(Settings(tree_maintain=False), verifier)
    memory.grow("a", "b")
    assert kinds(memory.subgoal_done("done")) == ["compressed"]
    assert verifier.asked == []


def test_without_revise_the_note_stays_and_nobody_goes_back() -> None:
    memory = memory_of(Settings(tree_revise=False), Strict())
    memory.grow("a", "b")
    assert kinds(memory.subgoal_done("done")) == ["compressed", "maintained"]
    assert "failed: the bag is too heavy" in memory.state().text
    with pytest.raises(Rejected, match="switched off"):
        memory.revise(0)


def test_without_compress_all_steps_are_read_and_nothing_is_summed_up_unasked() -> None:
    memory = memory_of(Settings(tree_compress=False, tree_segment_steps=2))
    for n in range(5):
        memory.grow(f"walk {n}", "on")
    memory.subgoal_done("walked")
    text = memory.state().text
    assert all(f"walk {n}" in text for n in range(5))
    assert "go back to step 0, 5" in text


def test_a_model_that_fails_leaves_the_steps_and_the_subgoal_as_they_are() -> None:
    memory = memory_of(Settings(tree_segment_steps=1), Strict(out=True), Strict(out=True))
    memory.grow("a", "b")
    assert kinds(memory.grow("c", "d")) == ["refused", "grown"]
    assert kinds(memory.subgoal_done("done")) == ["compressed", "refused"]
    assert memory.tree.subgoals[1].passed is None


def test_the_verifier_reads_the_segment_and_what_was_done_before() -> None:
    verifier = Strict()
    memory = memory_of(Settings(tree_revise=False), verifier)
    memory.grow("a", "b")
    memory.subgoal_done("first")
    memory.grow("c", "d")
    memory.subgoal_done("second")
    assert verifier.asked[1].summary == "second"
    assert verifier.asked[1].before == ((1, "first"),)
    assert [s.action for s in verifier.asked[1].steps] == ["c"]


def test_the_tokens_of_the_parts_stand_beside_the_full_history() -> None:
    memory = memory_of()
    for n in range(30):
        memory.grow(f"read page {n}", f"page {n}: " + "some words of it " * 20)
        if n % 5 == 4:
            memory.subgoal_done(f"pages up to {n} are read")
    sizes = memory.state().sizes
    assert sizes.raw == 0 and sizes.compressed > 0
    assert sizes.full_history > 10 * sizes.total


@pytest.mark.parametrize(
    ("given", "kept"),
    [(None, ""), (b"\xff\x00ab", "\ufffdab"), ("", ""), ("\ud800x", "\ufffdx"), ("\x1b[1mx", "\x1b[1mx")],
    ids=["none", "bytes", "empty", "half a character", "terminal codes"],
)  # fmt: skip
def test_an_observation_is_kept_as_far_as_it_is_text(given: str | bytes | None, kept: str) -> None:
    assert as_text(given) == kept
    memory = memory_of()
    memory.grow("act", given)
    assert memory.steps[1].observation == kept
    assert "\x1b" not in memory.state().text


def test_a_run_is_not_resumed_in_the_middle_of_another() -> None:
    memory = memory_of()
    memory.grow("a", "b")
    with pytest.raises(InputError):
        memory.resume(memory.log)  # type: ignore[arg-type]


def test_any_react_loop_runs_on_it_and_is_told_what_was_refused() -> None:
    memory, read = memory_of(), list[str]()
    script = [Move("act", "open door"), Move("done", "door is open"), Move("back", step=7), Move("finish")]

    def decide(state: str) -> Move:
        read.append(state)
        return script[len(read) - 1]

    events = list(react(memory, decide, lambda action: f"did {action}"))
    assert kinds(events) == ["grown", "compressed", "maintained", "refused"]
    assert "not possible: Step 7" in read[3]
    assert fold([memory.events[0], *events]) == memory.tree


def test_a_loop_ends_after_so_many_moves() -> None:
    events = list(react(memory_of(), lambda _: Move("act", "wait"), lambda _: None, most=5))
    assert kinds(events) == ["grown"] * 5
