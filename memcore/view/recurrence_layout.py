"""Where clusters stand: packed in rows by their size, always in the place that they end up in.

`places` is a pure function of the clusters as they are now. An earlier state is drawn in the same places:
a group that later became part of an episode grows where the episode will be.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from memcore.view.clusters import Cluster
from memcore.view.network import Point

WIDTH = 170.0  # a label stands below
GAP = 62.0
ASPECT = 2.4
LEAST, MOST = 9.0, 40.0
AROUND = 64.0


def radius(units: int) -> float:
    """The area grows with the number of units, up to a limit."""
    return min(MOST, LEAST + 5.5 * math.sqrt(max(0, units - 1)))


def places(found: Sequence[Cluster]) -> dict[str, Point]:
    """Rows from the largest to the smallest, about as wide as a screen is to its height.

    Every second row is set in by half a place, so that an edge upwards does not cross what stands above.
    """
    sizes = [radius(len(c.units)) for c in found]
    area = sum(_width(r) * (2 * r + GAP) for r in sizes)
    wide = max(math.sqrt(area * ASPECT), 3 * WIDTH)
    at: dict[str, Point] = {}
    x = y = height = 0.0
    row = 0
    for cluster, r in zip(found, sizes, strict=True):
        if x and x + _width(r) > wide:
            row += 1
            x, y, height = WIDTH / 2 * (row % 2), y + height, 0.0
        height = max(height, 2 * r + GAP)
        at[cluster.id] = Point(x + _width(r) / 2, y + r)
        x += _width(r)
    return at


def anchored(
    then: Sequence[Cluster], final: Sequence[Cluster], standing: Mapping[str, Point]
) -> dict[str, Point]:
    """Where the clusters of an earlier state stand among the `final` ones; what came to nothing, below."""
    owner = {unit: c.id for c in reversed(final) for unit in c.units}
    at: dict[str, Point] = {c.id: standing[c.id] for c in then if c.id in standing}
    beside: dict[str, int] = defaultdict(int)
    below = max((p.y for p in standing.values()), default=0.0) + 2 * MOST + GAP
    last = 0
    for cluster in (c for c in then if c.id not in standing):
        home = next((owner[u] for u in cluster.units if u in owner), "")
        if not home:
            at[cluster.id] = Point(WIDTH / 2 + WIDTH * last, below)
            last += 1
            continue
        taken = beside[home] + (home in at)
        beside[home] += 1
        at[cluster.id] = _around(standing[home], taken)
    return at


def _width(r: float) -> float:
    return max(WIDTH, 2 * r + 40)


def _around(centre: Point, number: int) -> Point:
    if not number:
        return centre
    turn = (number - 1) * 2.4
    return Point(centre.x + AROUND * math.cos(turn), centre.y + AROUND * math.sin(turn))
