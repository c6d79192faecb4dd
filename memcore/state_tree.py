"""MAGE, section 3: memory as the state of an execution, a tree of two layers that four operations keep.

    grow      every executed step (action, observation) is a raw node below p_b, and p_b moves to it;
              a step that a child of p_b did and saw before is that child: a known path
    compress  the raw nodes since the last boundary get a subgoal node below p_t that stands for them
    maintain  the subgoal is checked against the task: passed, or a note and the step to go back to
    revise    both pointers go back to a boundary; what was left stays as a sibling, and gives hints

p_b is the current raw node (`Tree.at`), p_t the current subgoal node (`Tree.subgoal`). Raw node 0 and
subgoal 0 are the roots: step 0 is the start, and a boundary. An operation looks at the tree and returns an
event: what happened, or `Refused` and why. Applying events is all that changes a tree (execution_tree.py),
and what the agent sees is computed from it (active_state.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from memcore.events import (
    Compressed,
    GaveUp,
    Grown,
    KnownPath,
    Maintained,
    Refused,
    RefusedWhy,
    Revised,
    RunStarted,
    TreeEvent,
    TreeOperation,
)
from memcore.execution_tree import Tree
from memcore.records import MadeBy, RunMark, RunStep
from memcore.tokens import count

BY_THE_AGENT = ("agent", "maintain")  # rules of marks that may go back to a boundary only
SEARCH_TREE = "search_tree"
REASONS: dict[RefusedWhy, str] = {
    "empty_segment": "Nothing was done since the last boundary, so there is nothing to sum up.",
    "nothing_compressed": "There is no subgoal to check.",
    "no_boundary": "Step {step} is not a point to go back to: choose one that the state shows.",
    "already_there": "You stand at step {step} now, and nothing was done since.",
    "boundary_limit": "Step {step} was gone back to as often as allowed: go on, or choose another.",
    "run_limit": "The run went back as often as allowed: go on from here.",
    "switched_off": "Going back is switched off in the settings.",
    "no_such_parent": "Step {step}, which the next one follows, is not in the run.",
    "known_position": "There is a step {step} already, or a later one.",
    "model_failed": "The model that sums up or checks did not deliver.",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """What Compress and Maintain are given: the steps, the summary if there is one, what was done before.

    `before` are the boundaries of the active path with their summaries, the oldest first.
    """

    steps: tuple[RunStep, ...]
    summary: str = ""
    before: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Maintain's answer. A target that is no boundary counts as none: then it is the one before."""

    passed: bool
    note: str = ""
    target: int | None = None
    evidence: tuple[int, ...] = ()


class Verifier(Protocol):
    """The role of Maintain: missing information, an unmet requirement, a broken dependency?"""

    @property
    def made_by(self) -> MadeBy: ...

    def verify(self, task: str, segment: Segment) -> Verdict:
        """Raises ModelError when it cannot say."""
        ...


class Summariser(Protocol):
    """The role of Compress where the agent gave no summary."""

    @property
    def made_by(self) -> MadeBy: ...

    def summarise(self, task: str, segment: Segment) -> str:
        """Raises ModelError when it cannot."""
        ...


class Limits(NamedTuple):
    """How often a live run goes back: to one boundary, and in all."""

    per_boundary: int
    per_run: int


def grow(tree: Tree, step: RunStep, tokens: int, before: Mapping[int, RunStep]) -> TreeEvent:
    """Append an executed step below p_b, or walk on to the child that did and saw the same.

    `before` are the steps executed so far, by position. A step whose parent is named by its source is a
    node of its own there, whatever stands beside it.
    """
    if step.position <= tree.step:
        return refused(tree, "grow", "known_position", step.position, step.id)
    known = () if step.parent is not None else tree.raw[tree.at].children
    for child in known:
        if same(before[child], step):
            return KnownPath(step.position, child, step.id, tokens)
    return Grown(step.position, tree.at, step.id, tokens)


def compress(tree: Tree, mark: RunMark, tokens: int) -> TreeEvent:
    """A subgoal below p_t for the raw nodes since the last boundary. They stay, and it is a boundary."""
    covers = tuple(tree.segment())
    if not covers:
        return refused(tree, "compress", "empty_segment", record=mark.id)
    return Compressed(tree.step, len(tree.subgoals), tree.subgoal, covers, mark.id, mark.rule, tokens)


def maintain(tree: Tree, mark: RunMark, tokens: int) -> TreeEvent:
    """p_t passed, or failed with a note; without a target, back to the boundary just before it."""
    if not tree.subgoal:
        return refused(tree, "maintain", "nothing_compressed", mark.target, mark.id)
    target = mark.target
    if mark.passed:
        target = None
    elif target not in tree.boundaries():
        target = tree.subgoals[tree.subgoals[tree.subgoal].parent].boundary
    return Maintained(tree.step, tree.subgoal, mark.passed, target, mark.id, mark.rule, tokens)


def revise(tree: Tree, mark: RunMark, limits: Limits | None = None) -> TreeEvent:
    """Both pointers go back to the mark's target, or to the one that Maintain named.

    The agent goes back to boundaries of the active path only. What is recorded of others happened: they
    go back to any step of the active path, and a search tree to any step at all. A mark that did not
    pass says that the limit was reached then.
    """
    target = fallback(tree) if mark.target is None else mark.target
    if not mark.passed:
        return GaveUp(tree.step, target, mark.id)
    node = tree.node_of.get(target)
    if node is None or not _may_go_back(tree, node, mark.rule):
        return refused(tree, "revise", "no_boundary", target, mark.id)
    if node == tree.at:
        return refused(tree, "revise", "already_there", target, mark.id)
    if limits and tree.revisions.get(node, 0) >= limits.per_boundary:
        return refused(tree, "revise", "boundary_limit", target, mark.id)
    if limits and sum(tree.revisions.values()) >= limits.per_run:
        return refused(tree, "revise", "run_limit", target, mark.id)
    return Revised(tree.step, tree.at, node, tree.subgoal_before(node), mark.id, mark.rule)


def fallback(tree: Tree) -> int:
    """Where to go back when nobody says: what Maintain named of a failed p_t, else the last boundary."""
    current = tree.subgoals[tree.subgoal]
    return current.boundary if current.target is None else current.target


def _may_go_back(tree: Tree, node: int, rule: str) -> bool:
    if rule in BY_THE_AGENT:
        return node in tree.boundaries()
    return rule == SEARCH_TREE or tree.leads_to(node, tree.at)


def refused(
    tree: Tree, operation: TreeOperation, why: RefusedWhy, asked: int | None = None, record: str = ""
) -> Refused:
    """The event that an operation was not possible."""
    return Refused(tree.step, operation, why, asked, record)


def same(one: RunStep, other: RunStep) -> bool:
    """Whether two steps did and saw the same, white space aside."""
    return _plain(one.action) == _plain(other.action) and _plain(one.observation) == _plain(other.observation)


def _plain(text: str) -> str:
    return " ".join(text.split())


def replay(
    steps: Iterable[RunStep], marks: Iterable[RunMark], size: Callable[[str], int] = count
) -> Iterator[TreeEvent]:
    """The events of a stored run: its steps by position, and after each the marks that come after it.

    `size` counts the tokens of a text. A mark that is not possible (any more) gives a `Refused`.
    """
    tree, before = Tree(), dict[int, RunStep]()
    records = sorted([*steps, *marks], key=_when)
    yield tree.apply(RunStarted(records[0].run_id if records else ""))
    for record in records:
        if record.kind == "mark":
            yield tree.apply(_MARKED[record.action](tree, record, size))
            continue
        if record.parent is not None and tree.node_of.get(record.parent) != tree.at:
            yield tree.apply(_follow(tree, record))
        yield tree.apply(grow(tree, record, size(record.action) + size(record.observation), before))
        before.setdefault(record.position, record)


def _when(record: RunStep | RunMark) -> tuple[int, int, int, str]:
    if record.kind == "step":
        return (record.position, 0, 0, record.id)
    return (record.after, 1, record.rank, record.id)


def _follow(tree: Tree, step: RunStep) -> TreeEvent:
    """A search tree's step goes on from its parent, wherever that stands."""
    if step.parent not in tree.node_of:
        return refused(tree, "revise", "no_such_parent", step.parent, step.id)
    return revise(tree, RunMark("", step.run_id, tree.step, "revise", target=step.parent, rule=SEARCH_TREE))


_MARKED: dict[str, Callable[[Tree, RunMark, Callable[[str], int]], TreeEvent]] = {
    "compress": lambda tree, mark, size: compress(tree, mark, size(mark.summary)),
    "maintain": lambda tree, mark, size: maintain(tree, mark, size(mark.note)),
    "revise": lambda tree, mark, _: revise(tree, mark),
}
