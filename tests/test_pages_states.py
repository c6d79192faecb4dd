"""Nothing stored, filtered away, not found and an outage are different states, on every page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pages_running import PAGES, copied_store, empty_store, labels, page, words

from memcore.memories import Memories

EMPTY = "Nothing is stored here yet"
OUTAGE = ("The memory cannot be opened", "This cannot be reached at the moment")
FILTERED = "No memory matches these filters"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return empty_store(tmp_path, monkeypatch)


@pytest.fixture
def filled(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store with the first sample in it."""
    copied_store(sample_store, tmp_path, monkeypatch)
    return tmp_path / "store"


@pytest.mark.parametrize("name", PAGES)
def test_an_empty_store_says_that_nothing_is_stored_and_what_to_do(store: Memories, name: str) -> None:
    app = page(name)
    assert not app.exception
    assert EMPTY in words(app) and not any(o in words(app) for o in (*OUTAGE, FILTERED))
    assert "Load the sample memories" in labels(app)


@pytest.mark.parametrize("name", PAGES)
def test_a_memory_without_turns_says_that_nothing_is_stored(store: Memories, name: str) -> None:
    store.scope("Empty", create=True)
    app = page(name)
    assert not app.exception and EMPTY in words(app)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("broken", ["head", "tables", "folder"])
def test_a_store_that_cannot_be_read_is_an_outage_and_not_an_empty_memory(
    filled: Path, name: str, broken: str
) -> None:
    _break(filled, broken)
    app = page(name)
    assert not app.exception
    assert EMPTY not in words(app) and FILTERED not in words(app)
    assert any(o in words(app) for o in OUTAGE), words(app)
    assert "Try again" in labels(app)
    assert app.title[0].value == name.capitalize()


def _break(folder: Path, what: str) -> None:
    if what == "head":
        (folder / "store.json").write_text("{", "utf-8")
    elif what == "tables":
        for table in (folder / "lance").iterdir():
            table.rename(table.with_suffix(".away"))
    else:
        folder.rename(folder.with_name("moved"))
        folder.write_text("this is no folder", "utf-8")


@pytest.mark.parametrize(("name", "key"), [("conversations", "turns:search"), ("graph", "graph:search")])
def test_a_search_without_hits_is_neither_empty_nor_filtered(filled: Path, name: str, key: str) -> None:
    app = page(name)
    app.text_input(key=key).set_value("zzqqxx").run()
    assert not app.exception and "Nothing holds these words" in words(app)
    assert EMPTY not in words(app) and FILTERED not in words(app)


def test_what_the_store_holds_is_back_when_the_outage_is_over(filled: Path) -> None:
    head = filled / "store.json"
    before = head.read_text("utf-8")
    head.write_text("{", "utf-8")
    app = page("overview")
    assert "Try again" in labels(app)
    assert json.loads(before)["scopes"]
    head.write_text(before, "utf-8")
    next(b for b in app.button if b.label == "Try again").click().run()
    assert app.title[0].value == "Harbour Street" and app.metric
