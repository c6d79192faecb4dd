"""The benchmark of erasing says how long it took and what was wrong, which is nothing."""

from __future__ import annotations

from pathlib import Path

from memcore.evaluation.erasing import killed, measured
from memcore.evaluation.scale import write


def test_one_memory_and_a_tenth_are_erased_and_verified(tmp_path: Path) -> None:
    write(tmp_path / "store", 300)
    one, tenth = (measured(tmp_path / "store", turns) for turns in (1, 30))
    assert (one["of"], tenth["of"]) == (300, 299)
    assert {one["status"], tenth["status"]} == {"verified"}


def test_kills_leave_nothing_wrong(tmp_path: Path) -> None:
    rows = list(killed(tmp_path, 2))
    assert [(r["killed"], r["kills"], r["with something wrong"]) for r in rows] == [
        ("erase", 1, 0), ("redact", 1, 0),
    ]  # fmt: skip
