"""Whatever an agent does, and wherever it crashes: the invariants of the execution-state tree."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memcore.active_state import active_state
from memcore.agent_memory import AgentMemory
from memcore.errors import ModelUnavailable, Rejected, StoreFull
from memcore.events import dump, load
from memcore.execution_tree import Tree, fold
from memcore.records import MadeBy, RunMark, RunStep
from memcore.settings import Settings
from memcore.state_tree import Segment, Verdict, replay

ACTIONS = st.sampled_from(["look", "take", "look ", "go"])
SIGHTS = st.sampled_from(["a door", "a  door", "a key", ""])


class Chance:
    """Verifier and summariser whose answers the test chooses beforehand."""

    made_by: MadeBy = "rule"

    def __init__(self) -> None:
        self.verdict = Verdict(True)
        self.fails = False

    def verify(self, task: str, segment: Segment) -> Verdict:
        if self.fails:
            raise ModelUnavailable("out")
        return self.verdict

    def summarise(self, task: str, segment: Segment) -> str:
        if self.fails:
            raise ModelUnavailable("out")
        return f"{len(segment.steps)} steps"


class Disk(list[Any]):
    """A log that can be full."""

    full = False

    def append(self, record: RunStep | RunMark, /) -> None:
        if self.full:
            raise StoreFull("The disk is full.")
        super().append(record)


def check(tree: Tree) -> None:
    """All invariants of a tree at once."""
    chain, path = tree.chain(), [tree.subgoals[n] for n in tree.path()]
    assert chain[0] == 0 and chain[-1] == tree.at
    assert all(tree.raw[child].parent == parent for parent, child in itertools.pairwise(chain))
    assert all(child in tree.raw[tree.raw[child].parent].children for child in tree.raw if child)
    covered = [node for subgoal in path for node in subgoal.covers]
    assert [0, *covered, *tree.segment()] == chain
    assert all(b.parent == a.number for a, b in itertools.pairwise(path))
    for expanded in (False, True):
        state = active_state(tree, Settings(tree_compress=not expanded))
        on_path = {s.subgoal for s in state.compressed}
        assert on_path <= set(tree.path()) and set(state.raw) <= set(chain)
        assert not {d.subgoal for d in state.diagnoses} & set(tree.path())
        assert not {a.first for a in state.alternatives} & set(chain)
        assert set(state.boundaries) == set(tree.boundaries()) <= set(chain)


class Agent(RuleBasedStateMachine):
    """Random operations on a live memory, refused ones and failing models and disks among them."""

    @initialize(compress=st.booleans(), maintain=st.booleans(), revise=st.booleans(), steps=st.integers(2, 5))
    def begin(self, compress: bool, maintain: bool, revise: bool, steps: int) -> None:
        self.chance, self.log = Chance(), Disk()
        self.settings = Settings(
            tree_compress=compress, tree_maintain=maintain, tree_revise=revise, tree_segment_steps=steps
        )
        self.memory = AgentMemory("task", self.log, self.chance, self.chance, self.settings)

    @rule(action=ACTIONS, sight=SIGHTS)
    def grow(self, action: str, sight: str) -> None:
        self.memory.grow(action, sight)

    @rule(fails=st.booleans(), passed=st.booleans(), there=st.none() | st.integers(-1, 12))
    def the_models_say(self, fails: bool, passed: bool, there: int | None) -> None:
        self.chance.fails = fails
        self.chance.verdict = Verdict(passed, "" if passed else "a note", there)

    @rule()
    def subgoal_done(self) -> None:
        self._or_unchanged(lambda: self.memory.subgoal_done("done"))

    @rule(there=st.integers(-1, 15))
    def revise(self, there: int) -> None:
        self._or_unchanged(lambda: self.memory.revise(there))

    @rule(action=ACTIONS)
    def the_disk_is_full(self, action: str) -> None:
        before = copy.deepcopy(self.memory.tree)
        self.log.full = True
        with pytest.raises(StoreFull):
            self.memory.grow(action, "lost")
        self.log.full = False
        assert self.memory.tree == before

    @precondition(lambda self: len(self.log) > 1)
    @rule()
    def crash(self) -> None:
        tree, text = self.memory.tree, self.memory.state()
        told = self.memory._told
        self.memory = AgentMemory("task", self.log, self.chance, self.chance, self.settings)
        self.memory.resume(list(self.log))
        assert self.memory.tree == tree
        if not told:
            assert self.memory.state() == text

    @invariant()
    def the_tree_holds(self) -> None:
        if hasattr(self, "memory"):
            check(self.memory.tree)
            assert fold(self.memory.events) == self.memory.tree
            assert sum(self.memory.tree.revisions.values()) <= self.settings.tree_revisions

    def _or_unchanged(self, act: Any) -> None:
        before, stored = copy.deepcopy(self.memory.tree), len(self.log)
        try:
            act()
        except Rejected as error:
            assert str(error)
            assert self.memory.tree == before
            assert len(self.log) == stored


TestAgent = Agent.TestCase
TestAgent.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)

POSITIONS = st.integers(0, 12)
STEPS = st.lists(
    st.builds(
        lambda n, a, o, p: RunStep(f"s{n}", "run", n, a, o, parent=p),
        st.integers(1, 12),
        ACTIONS,
        SIGHTS,
        st.none() | POSITIONS,
    ),
    max_size=12,
)
MARKS = st.lists(
    st.builds(
        lambda after, action, rank, passed, target, rule: RunMark(
            f"{after}-{rank}", "run", after, action, rank, "s", "n", passed, target, rule
        ),
        POSITIONS,
        st.sampled_from(["compress", "compress", "maintain", "revise"]),
        st.integers(0, 3),
        st.booleans(),
        st.none() | POSITIONS,
        st.sampled_from(["agent", "maintain", "person", "edit_undone", "search_tree"]),
    ),
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(STEPS, MARKS)
def test_any_records_replay_into_a_valid_tree_after_every_event(
    steps: list[RunStep], marks: list[RunMark]
) -> None:
    events = list(replay(steps, marks))
    tree = Tree()
    for event in events:
        before = copy.deepcopy(tree) if event.kind == "refused" else None
        tree.apply(event)
        assert before is None or tree == before
        check(tree)
    assert len(events) >= 1 + len(steps) + len(marks)
    assert fold(load(dump(e)) for e in events) == tree  # type: ignore[misc]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 40), st.data())
def test_a_search_tree_of_any_shape_is_reproduced(size: int, data: st.DataObject) -> None:
    parents = {n: data.draw(st.integers(0, n - 1)) for n in range(1, size + 1)}
    tree = fold(replay([RunStep(f"s{n}", "run", n, "a", "o", parent=p) for n, p in parents.items()], ()))
    assert {n: tree.raw[n].parent for n in parents} == parents
    check(tree)
