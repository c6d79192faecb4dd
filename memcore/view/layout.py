"""Where nodes stand: pure functions of the data, the same input giving the same picture.

`neighbourhood` puts cues, tags and contents into three lanes, each ordered by the mean place of its
neighbours (the barycentre method of Sugiyama et al., 1981) so that few edges cross; a long lane is
wrapped into columns. `trace_bands` lets time run to the right: one band per step, the three lanes
inside it, what was pruned hanging below. Nodes added later never move those that stand already.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from memcore.view.kinds import LANES, Lane, lane
from memcore.view.network import Area, Edge, Node, Point

ROW = 44.0
COLUMN = 150.0
LANE_GAP = 190.0
BAND_ROW = 68.0  # bands run to the right: what is wide is drawn small, and its rows need the room
BAND_GAP = 110.0
BAND_ROWS = 14
MIN_ROWS = 10
ASPECT = 1.7
SWEEPS = 4
_CAPTIONS: dict[Lane, str] = {"cue": "Cues", "tag": "Tags", "content": "Memories"}


class Stand(NamedTuple):
    """A node of a trace: its lane, the step at which it was first activated, and whether only as pruned."""

    id: str
    lane: Lane
    step: int
    pruned: bool = False


def neighbourhood(
    nodes: Sequence[Node], edges: Iterable[Edge], fixed: Mapping[str, Point] | None = None
) -> dict[str, Point]:
    """Three lanes from left to right. Nodes in `fixed` stay where they are; the others join them."""
    near = _neighbours(edges)
    lanes: dict[Lane, list[str]] = {name: [] for name in LANES}
    for node in nodes:
        lanes[lane(node.kind)].append(node.id)
    standing = {node.id: fixed[node.id] for node in nodes if node.id in fixed} if fixed else {}
    return _join(lanes, near, standing) if standing else _three_lanes(_uncross(lanes, near))


def trace_bands(stands: Sequence[Stand], edges: Iterable[Edge]) -> dict[str, Point]:
    """One band per step from left to right. A band depends on nothing after it, so steps can be appended.

    Give a step whole: within one band a node more can move its neighbours.
    """
    near = _neighbours(edges)
    places: dict[str, Point] = {}
    by_step: defaultdict[int, list[Stand]] = defaultdict(list)
    for stand in stands:
        by_step[stand.step].append(stand)
    x = 0.0
    for step in sorted(by_step):
        x = _band(by_step[step], near, places, x) + BAND_GAP
    return places


def band_areas(stands: Sequence[Stand], places: Mapping[str, Point]) -> list[Area]:
    """The tinted band of each step, captioned; all of the same height, so that they read as columns."""
    by_step: defaultdict[int, list[Point]] = defaultdict(list)
    for stand in stands:
        by_step[stand.step].append(places[stand.id])
    if not by_step:
        return []
    top = min(at.y for at in places.values()) - BAND_ROW
    bottom = max(at.y for at in places.values()) + BAND_ROW
    return [_band_area(step, by_step[step], top, bottom) for step in sorted(by_step)]


def lane_areas(nodes: Iterable[Node], places: Mapping[str, Point]) -> list[Area]:
    """A caption over each lane of a neighbourhood."""
    by_lane: defaultdict[Lane, list[Point]] = defaultdict(list)
    for node in nodes:
        by_lane[lane(node.kind)].append(places[node.id])
    top = min((at.y for at in places.values()), default=0.0) - ROW
    return [_lane_area(_CAPTIONS[name], by_lane[name], top) for name in LANES if by_lane[name]]


def _neighbours(edges: Iterable[Edge]) -> dict[str, list[str]]:
    near: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    return near


def _uncross(lanes: dict[Lane, list[str]], near: Mapping[str, list[str]]) -> dict[Lane, list[str]]:
    """Each lane ordered by the mean relative place of its neighbours, swept to and fro."""
    order: dict[Lane, list[str]] = {name: list(ids) for name, ids in lanes.items()}
    height = {id_: (i + 0.5) / len(ids) for ids in order.values() for i, id_ in enumerate(ids)}
    for sweep in range(SWEEPS):
        for name in (LANES[1], LANES[2], LANES[1], LANES[0])[: 4 if sweep < SWEEPS - 1 else 2]:
            ids = sorted(order[name], key=_barycentre(near, height))
            order[name] = ids
            height.update({id_: (i + 0.5) / len(ids) for i, id_ in enumerate(ids)})
    return order


def _barycentre(near: Mapping[str, list[str]], height: Mapping[str, float]) -> Callable[[str], float]:
    """A sort key: the mean height of the neighbours that have one, else the node's own."""

    def key(id_: str) -> float:
        found = [height[n] for n in near.get(id_, ()) if n in height]
        return math.fsum(found) / len(found) if found else height.get(id_, 0.0)

    return key


def _three_lanes(order: Mapping[Lane, Sequence[str]]) -> dict[str, Point]:
    rows = _rows([len(ids) for ids in order.values()])
    places: dict[str, Point] = {}
    x = 0.0
    for name in LANES:
        columns = math.ceil(len(order[name]) / rows)
        if columns:
            places.update(_grid(order[name], columns, x))
            x += (columns - 1) * COLUMN + LANE_GAP
    return places


def _rows(counts: Sequence[int]) -> int:
    """The fewest rows at which all columns together are no wider than the screen's shape allows."""
    rows = MIN_ROWS
    gaps = (len(LANES) - 1) * LANE_GAP
    while sum(math.ceil(c / rows) - 1 for c in counts if c) * COLUMN + gaps > ASPECT * rows * ROW:
        rows += 1
    return rows


def _grid(
    ids: Sequence[str], columns: int, x: float, top: float | None = None, row: float = ROW
) -> dict[str, Point]:
    """Row by row into columns, each column a little lower, so that no two nodes share a height.

    Centred about y = 0, or hanging from `top`.
    """
    start = -row * math.ceil(len(ids) / max(columns, 1)) / 2 if top is None else top
    return {
        id_: Point(x + (i % columns) * COLUMN, start + (i // columns + (i % columns) / columns) * row)
        for i, id_ in enumerate(ids)
    }


def _band(
    stands: Sequence[Stand], near: Mapping[str, list[str]], places: dict[str, Point], x: float
) -> float:
    """Place one step from x on; returns the x of its last column."""
    split: defaultdict[tuple[Lane, bool], list[str]] = defaultdict(list)
    for stand in stands:
        split[stand.lane, stand.pruned].append(stand.id)
    wide = {s: max(_columns(split[s, False]), _columns(split[s, True])) for s in LANES}
    rows = max(math.ceil(len(split[s, False]) / wide[s]) for s in LANES if wide[s])
    last = x
    for name in LANES:
        if not wide[name]:
            continue
        kept = _by_height(split[name, False], near, places)
        places.update(_grid(kept, wide[name], x, row=BAND_ROW))
        pruned = _by_height(split[name, True], near, places)
        places.update(_grid(pruned, wide[name], x, top=(rows / 2 + 1) * BAND_ROW, row=BAND_ROW))
        last = x + (wide[name] - 1) * COLUMN
        x = last + COLUMN
    return last


def _columns(ids: Sequence[str]) -> int:
    return math.ceil(len(ids) / BAND_ROWS)


def _by_height(ids: Sequence[str], near: Mapping[str, list[str]], places: Mapping[str, Point]) -> list[str]:
    return sorted(ids, key=_barycentre(near, {id_: at.y for id_, at in places.items()}))


def _join(
    lanes: Mapping[Lane, Sequence[str]], near: Mapping[str, list[str]], standing: Mapping[str, Point]
) -> dict[str, Point]:
    """New nodes take the free place in their lane nearest to the height of their neighbours."""
    places = dict(standing)
    top, bottom = min(p.y for p in standing.values()), max(p.y for p in standing.values())
    for name in (LANES[1], LANES[0], LANES[2]):
        columns = _Columns(_lane_columns(name, lanes, places), name)
        for id_ in lanes[name]:
            if id_ in standing:
                columns.take(standing[id_])
        for id_ in _by_height([i for i in lanes[name] if i not in standing], near, places):
            found = [places[n].y for n in near.get(id_, ()) if n in places]
            wanted = sum(found) / len(found) if found else (top + bottom) / 2
            places[id_] = columns.place(wanted)
    return places


def _lane_columns(
    name: Lane, lanes: Mapping[Lane, Sequence[str]], places: Mapping[str, Point]
) -> list[float]:
    """The columns a lane has, from the middle of the picture outwards; if none, one of its own."""
    own = sorted({round(places[i].x, 1) for i in lanes[name] if i in places})
    if own:
        return own[::-1] if name == "cue" else own
    left = [places[i].x for i in lanes["cue"] if i in places]
    right = [places[i].x for i in lanes["content"] if i in places]
    if name == "tag" and left and right:
        return [(max(left) + min(right)) / 2]
    everything = [at.x for at in places.values()]
    before = name == "cue" or (name == "tag" and right)
    return [min(everything) - LANE_GAP if before else max(everything) + LANE_GAP]


class _Columns:
    """The columns of one lane while nodes join it: the heights taken in each, sorted."""

    def __init__(self, xs: list[float], name: Lane) -> None:
        self.xs, self.name = xs, name
        self.taken: list[list[float]] = [[] for _ in xs]

    def take(self, at: Point) -> None:
        nearest = min(range(len(self.xs)), key=lambda i: abs(self.xs[i] - at.x))
        insort(self.taken[nearest], at.y)

    def place(self, wanted: float) -> Point:
        """The first column with room near the wanted height; tags, between the others, grow downwards."""
        for i, x in enumerate(self.xs):
            y = _free(self.taken[i], wanted)
            if abs(y - wanted) <= 4 * ROW or (self.name == "tag" and i == len(self.xs) - 1):
                insort(self.taken[i], y)
                return Point(x, y)
        self.xs.append(self.xs[-1] + (-COLUMN if self.name == "cue" else COLUMN))
        self.taken.append([])
        return self.place(wanted)


def _free(taken: Sequence[float], wanted: float) -> float:
    """The height nearest to the wanted one that is a row away from every taken one."""
    for k in range(2 * len(taken) + 2):
        for y in (wanted + k * ROW / 2, wanted - k * ROW / 2):
            i = bisect_left(taken, y - ROW + 0.1)
            if i == len(taken) or taken[i] >= y + ROW - 0.1:
                return y
    return (taken[-1] if taken else wanted) + ROW


def _band_area(step: int, at: Sequence[Point], top: float, bottom: float) -> Area:
    left, right = min(p.x for p in at) - COLUMN / 3, max(p.x for p in at) + COLUMN / 3
    name, short = (f"Step {step}", str(step)) if step else ("Question", "")
    return Area(name, left, top, right - left, bottom - top, short=short)


def _lane_area(caption: str, at: Sequence[Point], top: float) -> Area:
    left, right = min(p.x for p in at), max(p.x for p in at)
    return Area(caption, left, top, right - left, 0.0, filled=False)
