"""An execution-state tree in the blocks in which it is drawn and folded.

A block is the start, a subgoal with the steps that it stands for, or a stretch of steps that no subgoal
stands for. A step that several subgoals cover (the agent walked a known path again) belongs to the one on the
active path, else to the first. Blocks hang in the subgoal layer; the child on the active path goes on in the
line of its parent, every other child begins a line of its own. A long line is cut into stretches that are
folded as one.

Everything follows from the events alone, so that the same run always gives the same blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from memcore.events import TreeEvent
from memcore.execution_tree import Tree

START = "s0"
PIECE = 25  # steps that no subgoal stands for, in one block
LONG = 24  # blocks in one line from which on it is cut into stretches
STRETCH = 10  # blocks in a stretch, at least
STRETCHES = 20  # stretches in one line, about
CROWDED = 40  # blocks from which on branches that were left begin folded


@dataclass(slots=True)
class Block:
    """A block: its id, the block above it, the raw nodes that are its own, and the blocks below it.

    `main` is the one of them that goes on in the same line, "" for none. `subgoal` is its number.
    """

    id: str
    kind: Literal["start", "subgoal", "steps"]
    parent: str
    steps: list[int] = field(default_factory=list[int])
    subgoal: int = 0
    children: list[str] = field(default_factory=list[str])
    main: str = ""


@dataclass(slots=True)
class Outline:
    """All blocks of a tree, `tree` as it stands after its last event.

    `block_of` names the block of each raw node. `stretches` are the blocks of each stretch, `stretch_of`
    the stretch of a block. `sides` are the blocks that begin a line beside another.
    """

    tree: Tree
    blocks: dict[str, Block]
    block_of: dict[int, str]
    stretches: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    stretch_of: dict[str, str] = field(default_factory=dict[str, str])
    sides: set[str] = field(default_factory=set[str])

    @property
    def crowded(self) -> bool:
        return len(self.blocks) > CROWDED

    def below(self, id_: str) -> Iterator[Block]:
        """Every block below this one."""
        waiting = list(self.blocks[id_].children)
        while waiting:
            block = self.blocks[waiting.pop()]
            yield block
            waiting += block.children

    def above(self, id_: str) -> Iterator[Block]:
        """Every block above this one, the nearest first."""
        while parent := self.blocks[id_].parent:
            id_ = parent
            yield self.blocks[id_]


def step_id(node: int) -> str:
    """The id of a raw node in the picture and in an address."""
    return f"s{node}"


def outline(events: Iterable[TreeEvent]) -> Outline:
    """The blocks of the tree that these events make."""
    tree, stood = Tree(), dict[int, int]()
    for event in events:
        if event.kind == "grown":
            stood[event.step] = tree.subgoal
        tree.apply(event)
    blocks = {START: Block(START, "start", "", [0])}
    found = Outline(tree, blocks, {0: START})
    _subgoals(found)
    _loose(found, stood)
    for block in sorted(blocks.values(), key=lambda block: block.subgoal):
        if block.parent:
            blocks[block.parent].children.append(block.id)
    _lines(found)
    return found


def lines(found: Outline) -> Iterator[list[str]]:
    """Every line of blocks from its first to its last, that of the start first."""
    waiting = [START]
    while waiting:
        line = [waiting.pop()]
        while main := found.blocks[line[-1]].main:
            line.append(main)
        for id_ in line:
            block = found.blocks[id_]
            waiting += [child for child in block.children if child != block.main]
        yield line


def _subgoals(found: Outline) -> None:
    """A block for each subgoal. What several cover belongs to the active one, else to the first."""
    tree = found.tree
    path = [number for number in tree.path() if number]
    for number in dict.fromkeys([*path, *sorted(tree.subgoals)[1:]]):
        subgoal = tree.subgoals[number]
        above = tree.subgoals[subgoal.parent].record or START
        own = [node for node in subgoal.covers if node not in found.block_of]
        found.blocks[subgoal.record] = Block(subgoal.record, "subgoal", above, own, number)
        found.block_of |= dict.fromkeys(own, subgoal.record)


def _loose(found: Outline, stood: dict[int, int]) -> None:
    """Blocks of steps that no subgoal stands for, cut where they branch and where they are long."""
    raw = found.tree.raw
    loose: set[str] = set()
    for node in sorted(raw):
        if node in found.block_of:
            continue
        above = raw[node].parent
        block = found.blocks[found.block_of[above]]
        goes_on = block.id in loose and block.steps[-1] == above and len(raw[above].children) == 1
        if goes_on and len(block.steps) < PIECE:
            block.steps.append(node)
            found.block_of[node] = block.id
            continue
        if block.id not in loose:
            block = found.blocks[found.tree.subgoals[stood.get(node, 0)].record or START]
        made = Block(f"l{node}", "steps", block.id, [node])
        found.blocks[made.id] = made
        found.block_of[node] = made.id
        loose.add(made.id)


def _lines(found: Outline) -> None:
    """Which child goes on in the line of its parent, and the stretches of long lines."""
    subgoals, tree = found.tree.subgoals, found.tree
    path = {subgoals[number].record or START for number in tree.path()}
    active = path | {found.block_of[node] for node in tree.chain()}
    sizes = _sizes(found)
    for block in found.blocks.values():
        here = [child for child in block.children if child in active]
        here = [child for child in here if child in path] or here
        if here:
            block.main = here[-1]
        elif block.id not in active and block.children:
            block.main = max(block.children, key=lambda child: sizes[child])
        found.sides.update(child for child in block.children if child != block.main)
    for line in lines(found):
        _cut(found, [id_ for id_ in line if id_ != START])


def _sizes(found: Outline) -> dict[str, int]:
    """How many blocks each block has below it. The largest branch going straight on keeps lines few."""
    order = [START]
    for id_ in order:
        order += found.blocks[id_].children
    sizes: dict[str, int] = {}
    for id_ in reversed(order):
        sizes[id_] = 1 + sum(sizes[child] for child in found.blocks[id_].children)
    return sizes


def _cut(found: Outline, line: list[str]) -> None:
    """The last blocks of a line stay outside a stretch: that is where the run stands."""
    if len(line) <= LONG:
        return
    size = max(STRETCH, math.ceil(len(line) / STRETCHES))
    for at in range(0, len(line) - size - 2, size):
        members = line[at : at + size]
        id_ = f"x{members[0]}"
        found.stretches[id_] = members
        found.stretch_of |= dict.fromkeys(members, id_)
