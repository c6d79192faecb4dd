"""Every setting says what it does and where it comes from."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import get_args

import pytest

from memcore.reach import Bounds
from memcore.settings import DEFAULT, Settings, Source, store_folder


def test_every_setting_has_a_sentence_and_a_source() -> None:
    rows = DEFAULT.about()
    assert [row.name for row in rows] == [f.name for f in fields(Settings)]
    for row in rows:
        assert row.says.strip()
        assert row.source in get_args(Source)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fine", 20),
        ("topics", 8),
        ("rank_tags_above", 15),
        ("keep_tags", 10),
        ("open_before_loop", 0.7),
        ("window_lists_below", 50),
        ("pair_rank_above", 20),
        ("steps", 8),
        ("jaccard", 0.6),
    ],
)
def test_the_defaults_of_the_reference_are_kept(name: str, value: float) -> None:
    row = next(row for row in DEFAULT.about() if row.name == name)
    assert (row.value, row.source) == (value, "reference")


def test_weights_and_thresholds_are_shares() -> None:
    shares = {"keep_above", "jaccard", "common_cue", "fusion_dense"}
    values = {r.name: r.value for r in DEFAULT.about() if r.name.startswith("w_") or r.name in shares}
    assert shares < values.keys()
    assert {name for name, value in values.items() if not 0 <= value <= 1} == set()


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT.budget = 3  # type: ignore[misc]


def test_every_setting_is_read_somewhere() -> None:
    """From settings, that is: other things have a `budget` too, and a default is not what was set."""
    root = Path(__file__).resolve().parents[1]
    files = [p for folder in ("memcore", "pages") for p in (root / folder).rglob("*.py")]
    text = "\n".join(p.read_text("utf-8") for p in files if p != root / "memcore" / "settings.py")
    read = set(re.findall(r"\b(?:settings|_?set|s)(?:\(\))?\.(\w+)", text)) | {*Bounds._fields}
    assert [f.name for f in fields(Settings) if f.name not in read] == []


def test_the_store_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCORE_STORE", "/somewhere/else")
    assert store_folder() == "/somewhere/else"
    monkeypatch.delenv("MEMCORE_STORE")
    assert store_folder().startswith(str(Path.home()))


def test_every_setting_stands_in_the_group_it_belongs_to() -> None:
    group = {about.name: about.group for about in DEFAULT.about()}
    assert all(group.values())
    for name in ("clearance_viewer", "withheld_named", "idle_minutes", "wrong_tokens"):
        assert group[name] == "Viewers and signing in"
    assert (group["w_dense"], group["theta_count"], group["day_money"]) == (
        "Scores", "Recurrence", "Budgets of models",
    )  # fmt: skip
