"""Strategies side by side on one question at one budget: what each read and what it found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from memcore.events import TraceEvent
from memcore.records import Record, Turn
from memcore.run_state import State, fold
from memcore.view.naming import strategy_name
from memcore.view.times import brief

LANES = ("active", "fusion", "nhop")


class LaneRow(NamedTuple):
    """A turn that a strategy read: in which step, and whether it was expected."""

    step: int
    source: str
    who: str
    said: str
    text: str
    expected: bool


class LaneView(NamedTuple):
    """One strategy. `recall` is the share of the expected turns it read; None where none are marked."""

    name: str
    rows: list[LaneRow]
    looked_at: int
    recall: float | None


def default_lanes(strategy: str) -> list[str]:
    """The lanes shown unasked; a run of another strategy stands before them."""
    return list(dict.fromkeys([*(() if strategy in LANES else (strategy,)), *LANES]))


def turns_read(lanes: Iterable[Iterable[TraceEvent]]) -> set[str]:
    """The ids of all turns that any of the lanes read."""
    return {turn for lane in lanes for e in lane if e.kind == "opened" for turn in e.turn_ids}


def lane_view(
    strategy: str,
    events: Iterable[TraceEvent],
    records: Mapping[str, Record],
    expected: Collection[str],
    zone: str = "",
) -> LaneView:
    """`records` are the turns read, by id; `expected` the turns hoped for, by id or own id in the file.
    Times are told in this zone."""
    state = fold(events)
    turns = [(r, step) for t, step in state.turns.items() if isinstance(r := records.get(t), Turn)]
    rows = [_row(turn, step, expected, zone) for turn, step in turns]
    found = {name for turn, _ in turns for name in (turn.id, turn.source)} & set(expected)
    recall = len(found) / len(set(expected)) if expected else None
    return LaneView(strategy_name(strategy), rows, _looked_at(state), recall)


def _row(turn: Turn, step: int, expected: Collection[str], zone: str) -> LaneRow:
    hoped = turn.id in expected or turn.source in expected
    return LaneRow(step, turn.source, turn.speaker, brief(turn.said, zone), turn.text, hoped)


def _looked_at(state: State) -> int:
    """Contents scored in the last ranking, shown or not."""
    return len(state.ranked.candidates) + state.ranked.hidden if state.ranked else 0
