"""Where the nodes of an execution-state tree stand: a pure function of what is drawn, no physics.

The active path is straight, the steps of an open subgoal a little beside it, and every branch that was left
has a line of its own beside the node where it was left. A line takes the nearest free column; what begins
further down takes it first, so that lines cross little. Opening something moves only what comes after it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal, NamedTuple

from memcore.view.network import Point
from memcore.view.tree_folding import Line

Direction = Literal["down", "right"]
ROW, COLUMN, INDENT = 40.0, 250.0, 26.0
WIDE_ROW, WIDE_COLUMN, WIDE_INDENT = 96.0, 84.0, 18.0


class Spot(NamedTuple):
    """A place in the grid: how far along, in which column, and whether a little beside it."""

    row: int
    column: int
    beside: bool


def spots(found: list[Line]) -> dict[str, Spot]:
    """The place of every node in the grid. `found` is what tree_folding.drawn gives."""
    taken: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    where: dict[str, Spot] = {}
    waiting = [(found[0], 0, 0)] if found else []
    while waiting:
        line, row, column = waiting.pop()
        last = row + len(line) - 1
        while any(first <= last and row <= end for first, end in taken[column]):
            column += 1
        taken[column].append((row, last))
        for at, entry in enumerate(line, start=row):
            where[entry.id] = Spot(at, column, bool(entry.inside))
        sides = [(side, where[entry.id].row + 1, column + 1) for entry in line for side in entry.lines]
        by_row = sorted(range(len(sides)), key=lambda at: (sides[at][1], -at))
        waiting += [sides[at] for at in by_row]
    return where


def places(found: list[Line], direction: Direction = "down") -> dict[str, Point]:
    """The place of every node in the canvas's own units."""
    return {id_: _point(spot, direction) for id_, spot in spots(found).items()}


def _point(spot: Spot, direction: Direction) -> Point:
    if direction == "down":
        return Point(spot.column * COLUMN + spot.beside * INDENT, spot.row * ROW)
    return Point(spot.row * WIDE_ROW, spot.column * WIDE_COLUMN + spot.beside * WIDE_INDENT)
