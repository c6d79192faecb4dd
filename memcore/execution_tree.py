"""MAGE, section 3: the execution-state tree itself, the fold of what the four operations did.

Two layers over one task: raw nodes, one for each executed step, and subgoal nodes that stand for stretches
of them. Nothing is ever deleted: what was left stays as a sibling branch. `Tree.apply` is the only thing that
changes it; the operations that make its events are in state_tree.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from memcore.events import (
    Compressed,
    GaveUp,
    Grown,
    KnownPath,
    Maintained,
    Refused,
    Revised,
    RunStarted,
    TreeEvent,
)


@dataclass
class Raw:
    """A raw node: one executed step. `ends` are the subgoals of which it is the boundary.

    `visits` are later steps that walked it again; `left_by` is the mark by which it was left last, ""
    where none was stored.
    """

    step: int
    parent: int
    record: str = ""
    tokens: int = 0
    children: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    visits: list[int] = field(default_factory=list[int])
    left_by: str = ""


@dataclass
class Subgoal:
    """A subgoal node: it stands for `covers`, and its boundary is the last of them.

    `passed` is None until it was checked. `note` is the mark that holds the diagnosis, "" for none.
    """

    number: int
    parent: int
    covers: tuple[int, ...] = ()
    record: str = ""
    rule: str = ""
    tokens: int = 0
    children: list[int] = field(default_factory=list[int])
    passed: bool | None = None
    target: int | None = None
    note: str = ""
    note_tokens: int = 0

    @property
    def boundary(self) -> int:
        return self.covers[-1] if self.covers else 0


@dataclass
class Tree:
    """The execution-state tree, changed only by `apply`. Everything in it follows from the events alone.

    `step` is the position of the last executed step, `node_of` the raw node where each of them stands,
    `history_tokens` the size of all of them together: what an agent without a tree would read.
    """

    run_id: str = ""
    step: int = 0
    at: int = 0
    subgoal: int = 0
    raw: dict[int, Raw] = field(default_factory=lambda: {0: Raw(0, 0, ends=[0])})
    subgoals: dict[int, Subgoal] = field(default_factory=lambda: {0: Subgoal(0, 0, passed=True)})
    node_of: dict[int, int] = field(default_factory=lambda: {0: 0})
    revisions: dict[int, int] = field(default_factory=dict[int, int])
    gave_up: int | None = None
    history_tokens: int = 0

    def apply(self, event: TreeEvent) -> TreeEvent:
        """Take one event in, and hand it on."""
        _FOLD[event.kind](self, event)
        return event

    def chain(self) -> list[int]:
        """The active path in the raw layer: every node from the start to p_b."""
        return self._up_to(-1)

    def segment(self) -> list[int]:
        """The raw nodes since the last boundary, up to p_b."""
        return self._up_to(self.subgoals[self.subgoal].boundary)

    def path(self) -> list[int]:
        """The active path in the subgoal layer: every subgoal from the root to p_t."""
        numbers = [self.subgoal]
        while numbers[-1]:
            numbers.append(self.subgoals[numbers[-1]].parent)
        return numbers[::-1]

    def boundaries(self) -> dict[int, int]:
        """The steps one can go back to, each with the subgoal that ends there; 0 is the start."""
        return {self.subgoals[n].boundary: n for n in self.path()}

    def leads_to(self, node: int, below: int) -> bool:
        """Whether `node` is `below` or one of the raw nodes above it."""
        while below > node:  # a parent was always executed before its children
            below = self.raw[below].parent
        return below == node

    def subgoal_before(self, node: int) -> int:
        """The subgoal that ends at `node` or nearest above it; the active one, else the latest."""
        active = self.boundaries()
        while not self.raw[node].ends:
            node = self.raw[node].parent
        return active.get(node, self.raw[node].ends[-1])

    def _up_to(self, above: int) -> list[int]:
        nodes: list[int] = []
        node = self.at
        while node > above:
            nodes.append(node)
            node = self.raw[node].parent if node else -1
        return nodes[::-1]


def fold(events: Iterable[TreeEvent]) -> Tree:
    """The tree after these events: any prefix of them gives the tree at that point."""
    tree = Tree()
    for event in events:
        tree.apply(event)
    return tree


def _run_started(tree: Tree, event: RunStarted) -> None:
    tree.run_id = event.run_id


def _grown(tree: Tree, event: Grown) -> None:
    tree.raw[event.step] = Raw(event.step, event.parent, event.record, event.tokens)
    tree.raw[event.parent].children.append(event.step)
    tree.step = tree.at = tree.node_of[event.step] = event.step
    tree.history_tokens += event.tokens


def _known_path(tree: Tree, event: KnownPath) -> None:
    tree.raw[event.node].visits.append(event.step)
    tree.step, tree.at, tree.node_of[event.step] = event.step, event.node, event.node
    tree.history_tokens += event.tokens


def _compressed(tree: Tree, event: Compressed) -> None:
    tree.subgoals[event.subgoal] = Subgoal(
        event.subgoal, event.parent, event.covers, event.record, event.rule, event.tokens
    )
    tree.subgoals[event.parent].children.append(event.subgoal)
    tree.raw[event.covers[-1]].ends.append(event.subgoal)
    tree.subgoal = event.subgoal


def _maintained(tree: Tree, event: Maintained) -> None:
    checked = tree.subgoals[event.subgoal]
    checked.passed, checked.target = event.passed, event.target
    checked.note, checked.note_tokens = ("", 0) if event.passed else (event.record, event.tokens)


def _revised(tree: Tree, event: Revised) -> None:
    node = event.left
    while not tree.leads_to(node, event.target):
        tree.raw[node].left_by = event.record
        node = tree.raw[node].parent
    tree.at, tree.subgoal = event.target, event.subgoal
    tree.revisions[event.target] = tree.revisions.get(event.target, 0) + 1


def _refused(tree: Tree, event: Refused) -> None:
    """The tree stays as it was."""


def _gave_up(tree: Tree, event: GaveUp) -> None:
    tree.gave_up = event.target


_FOLD: dict[str, Callable[[Tree, Any], None]] = {
    "run_started": _run_started,
    "grown": _grown,
    "known_path": _known_path,
    "compressed": _compressed,
    "maintained": _maintained,
    "revised": _revised,
    "refused": _refused,
    "gave_up": _gave_up,
}
