"""Logs that repeat the whole history with every entry: only the longest of each line is kept.

An entry that continues an earlier one takes its place; an entry that an earlier one already begins
with is dropped. What was read again is counted, so that no turn is lost in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memcore.importing.draft import DraftTurn
from memcore.importing.report import Report
from memcore.importing.shapes import fingerprint


class Snapshot(NamedTuple):
    """A dialogue as one entry of a log shows it. `final` entries are runs and never merged."""

    name: str
    title: str
    turns: tuple[DraftTurn, ...]
    final: bool


def whole(snapshots: Iterable[Snapshot], report: Report) -> Iterator[Snapshot]:
    """The snapshots that no other one continues, each in the place where its line begins.

    Only snapshots of the same name (or without one) belong together.
    """
    kept: dict[int, Snapshot] = {}
    ends: dict[str, int] = {}  # digest of a kept snapshot's whole history -> its place
    inside: set[str] = set()  # digests of everything a kept snapshot begins with
    for place, snapshot in enumerate(snapshots):
        history = _histories(snapshot, place)
        if history and history[-1] in inside:
            report.repeat(len(snapshot.turns))
            continue
        earlier = next((digest for digest in reversed(history) if digest in ends), None)
        at = ends.pop(earlier) if earlier else place
        if earlier:
            report.repeat(len(kept[at].turns))
        kept[at] = snapshot
        if history:
            ends[history[-1]] = at
        inside.update(history)
    yield from kept.values()


def _histories(snapshot: Snapshot, place: int) -> list[str]:
    """A digest for each turn that covers everything up to it."""
    digest = f"run {place}" if snapshot.final else snapshot.name
    digests: list[str] = []
    for turn in snapshot.turns:
        digest = fingerprint(digest, turn.role, turn.text, *turn.attachments)
        digests.append(digest)
    return digests
