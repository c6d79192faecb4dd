"""Copies of uploaded files hold memories too: none is left lying about for good."""

from __future__ import annotations

import os
import tempfile
from io import BytesIO
from pathlib import Path

import pytest

from pages._parts.import_desk import Desk

DAYS = 2 * 86_400


class Upload(BytesIO):
    name = "../said.jsonl"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_copies_go_when_the_import_is_put_away(place: Path) -> None:
    desk = Desk()
    (path,) = desk.keep([Upload(b"{}")])
    assert path.read_bytes() == b"{}" and path.name == "said.jsonl" and place in path.parents
    desk.clear()
    assert list(place.iterdir()) == []


def test_copies_that_a_killed_server_left_go_with_the_next_import(place: Path) -> None:
    old, new = Desk(), Desk()
    old.keep([Upload(b"old")])
    (kept,) = new.keep([Upload(b"new")])
    long_ago = Path(old.folder).stat().st_mtime - DAYS
    os.utime(old.folder, (long_ago, long_ago))
    Desk().keep([])
    assert not Path(old.folder).exists() and kept.exists()
