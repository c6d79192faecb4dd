"""Strategies side by side on one question at one budget: what each read and what it found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from memcore.events import TraceEvent
from memcore.reconstruction import State, fold
from memcore.records import Record, Turn
from memcore.view.naming import human_time

LANES = ("active", "fusion", "nhop")
LANE_NAMES = {"active": "Active reconstruction", "fusion": "Passive fusion", "nhop": "One-hop expansion"}


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


def lane_view(
    strategy: str, events: Iterable[TraceEvent], records: Mapping[str, Record], expected: Collection[str]
) -> LaneView:
    """`records` are the turns read, by id; `expected` the format's own ids of the turns hoped for."""
    state = fold(events)
    rows = [_row(records[t], step, expected) for t, step in state.turns.items() if t in records]
    found = {r.source for r in rows} & set(expected)
    recall = len(found) / len(expected) if expected else None
    return LaneView(LANE_NAMES.get(strategy, strategy), rows, _looked_at(state), recall)


def _row(record: Record, step: int, expected: Collection[str]) -> LaneRow:
    assert isinstance(record, Turn)
    said = human_time(record.said)
    return LaneRow(step, record.source, record.speaker, said, record.text, record.source in expected)


def _looked_at(state: State) -> int:
    """Contents scored in the last ranking, shown or not."""
    return len(state.ranked.candidates) + state.ranked.hidden if state.ranked else 0
