"""Benchmarks that are held to limits: how long it took, what was wrong (nothing), and that they can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcore.cli import main
from memcore.evaluation import edits
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


@pytest.mark.parametrize(("most", "code"), [(10_000, 0), (-1, 1)])
def test_a_benchmark_fails_where_a_limit_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], most: float, code: int
) -> None:
    monkeypatch.setattr(edits, "TIMES", 2)
    monkeypatch.setattr(edits, "SINGLE_MOST", most)
    monkeypatch.setattr(edits, "BULK_MOST", 10_000)
    assert main(["bench", "edits", "--contents", "300"]) == code
    assert f"holds {code == 0}" in capsys.readouterr().out
