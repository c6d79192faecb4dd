"""A plan of an erasure as a graph: what goes, what is made again, what loses words, and what stays beside it.

Lanes from left to right: where it came from, what was said, what was made of it, by what it is found. The
colour says what becomes of a record; its kind stands in its label. A pure function of the plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from memcore.erasure.plan import Plan
from memcore.records import Record, Relation
from memcore.view.network import Area, Edge, Node, Point
from memcore.view.privacy_plan import Row
from memcore.view.text import shorten

DRAWN = 300
KIND = {
    "erase": "plan_goes", "rebuild": "plan_again", "redact": "plan_words", "blank": "plan_words",
    "strip": "plan_words", "stays": "plan_stays",
}  # fmt: skip
_LANES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Came from", ("file", "conversation", "run")),
    ("Said and done", ("turn", "step")),
    ("Made of it", ("unit", "content", "version", "mark", "correction")),
    ("Found by", ("cue", "tag")),
    ("Asked", ("trace",)),
)
FEWEST_ROWS, WIDE = 14, 2.2  # rows of a lane before it is wrapped; how wide a picture is for its height
ROW, COLUMN, GAP = 44.0, 240.0, 90.0


class Picture(NamedTuple):
    """Nodes with their edges and places, and how many there would be in all."""

    nodes: list[Node]
    edges: list[Edge]
    places: dict[str, Point]
    areas: list[Area]
    total: int


def picture(plan: Plan, rows: Sequence[Row], records: Mapping[str, Record]) -> Picture:
    """At most `DRAWN` rows of a plan, some of each fate; `records` are those that stay."""
    drawn = _some(rows)
    nodes = [_node(row) for row in drawn]
    edges = _edges(plan, {row.id for row in drawn})
    known = {**records, **plan.before}
    lanes = _lanes(drawn, known)
    places, areas = _places(_uncrossed(lanes, edges))
    return Picture(nodes, edges, places, areas, len(rows))


def _some(rows: Sequence[Row]) -> list[Row]:
    """The first of each fate, so that no fate crowds out the others: what goes gets half of the room."""
    if len(rows) <= DRAWN:
        return list(rows)
    by_fate: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_fate[row.fate].append(row)
    rest = max(1, len(by_fate) - 1)
    room = {fate: DRAWN // 2 if fate == "erase" else DRAWN // 2 // rest for fate in by_fate}
    drawn = [row for fate, of in by_fate.items() for row in of[: room[fate]]]
    left = [row for fate, of in by_fate.items() for row in of[room[fate] :]]
    return [*drawn, *left[: DRAWN - len(drawn)]]


def _node(row: Row) -> Node:
    says = shorten(row.before, 60)
    title = f"{row.what}: {shorten(row.before, 300)}\n{row.why}"
    rank = {"erase": 3.0, "rebuild": 2.0, "blank": 2.0}.get(row.fate, 1.0)
    return Node(row.id, KIND[row.fate], says or row.what, title, rank, side="right", room=20)


def _edges(plan: Plan, drawn: set[str]) -> list[Edge]:
    """From a source to what rests on it, and from a memory to the cues and tags that lead to it."""
    found: dict[str, Edge] = {}
    for record in (*plan.before.values(), *plan.after.values()):
        for source, target in _ends(record):
            if source in drawn and target in drawn and source != target:
                edge = Edge(source, target, "plan_rests")
                found[edge.id] = edge
    return list(found.values())


def _ends(record: Record) -> list[tuple[str, str]]:
    if isinstance(record, Relation):
        return [(record.content_id, record.cue_id), (record.content_id, record.tag_id)]
    of = [i for f in ("origin", "units") for i in cast(Any, getattr(record, f, ()))]
    frame = [str(getattr(record, f, "")) for f in ("conversation_id", "file_id", "run_id")]
    rests = [str(getattr(record, f, "")) for f in ("content_id", "record_id", "episode_id")]
    sources = [*of, *rests] if of or any(rests) else frame
    return [(source, record.id) for source in sources if source]


def _lanes(rows: Sequence[Row], known: Mapping[str, Record]) -> list[list[str]]:
    lane_of = {kind: at for at, (_, kinds) in enumerate(_LANES) for kind in kinds}
    lanes: list[list[str]] = [[] for _ in _LANES]
    for row in rows:
        record = known.get(row.id)
        lanes[lane_of.get(record.kind if record else "trace", len(_LANES) - 1)].append(row.id)
    return lanes


def _uncrossed(lanes: list[list[str]], edges: Sequence[Edge]) -> list[list[str]]:
    """Each lane ordered by the mean place of what it is joined with in the lanes before it."""
    near: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    at: dict[str, float] = {}
    ordered: list[list[str]] = []
    for lane in lanes:
        own = {id_: float(n) for n, id_ in enumerate(lane)}
        weight = {i: _mean([at[j] for j in near[i] if j in at], own[i]) for i in lane}
        lane = sorted(lane, key=lambda i: (weight[i], own[i]))
        at |= {id_: n / max(1, len(lane)) for n, id_ in enumerate(lane)}
        ordered.append(lane)
    return ordered


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _places(lanes: Sequence[Sequence[str]]) -> tuple[dict[str, Point], list[Area]]:
    """Lanes from left to right, a long one wrapped into columns, each captioned."""
    places: dict[str, Point] = {}
    areas: list[Area] = []
    rows = _rows(lanes)
    x, tallest = 0.0, max((min(len(lane), rows) for lane in lanes), default=0)
    for (label, _), lane in zip(_LANES, lanes, strict=True):
        if not lane:
            continue
        columns = -(-len(lane) // rows)
        for n, id_ in enumerate(lane):
            places[id_] = Point(x + COLUMN * (n // rows), ROW * (n % rows))
        areas.append(Area(label, x - 30, -60, COLUMN * columns + 30, ROW * tallest + 70))
        x += COLUMN * columns + GAP
    return places, areas


def _rows(lanes: Sequence[Sequence[str]]) -> int:
    """How many rows a lane has before it goes on in another column: as many as fill the canvas."""
    rows = FEWEST_ROWS
    while sum(-(-len(lane) // rows) for lane in lanes) * COLUMN > WIDE * rows * ROW:
        rows += 1
    return rows
