"""The pages run as Streamlit runs them, on a small store: what the tests of the pages share."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from memcore.llm.offline import choose
from memcore.memories import Memories

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("overview", "conversations", "recurrence", "graph", "reconstruction", "privacy", "history")
KINDS = ("title", "markdown", "caption", "text", "subheader", "success", "info", "warning", "error")


def empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    """An empty store."""
    return _named(tmp_path / "store", monkeypatch)


def copied_store(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    """A copy of a store that was filled already."""
    shutil.copytree(made, tmp_path / "store")
    return _named(tmp_path / "store", monkeypatch)


def _named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    """The store is named explicitly, no page remembers another one, and while it is empty the app opens it
    in zero-model mode, as the test does."""
    st.cache_resource.clear()
    monkeypatch.setattr(choose, "DEFAULT", "none")
    monkeypatch.setenv("MEMCORE_STORE", str(folder))
    monkeypatch.delenv("MEMCORE_SAMPLES", raising=False)
    return Memories.open(folder, embedder="none")


def page(name: str, **query: str | list[str]) -> AppTest:
    """A page, opened by its address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{name}.py")
    return app.run()


def words(app: AppTest) -> str:
    """Everything a page says, except in tables and buttons."""
    return "\n".join(str(e.value) for kind in KINDS for e in app.get(kind))


def labels(app: AppTest) -> list[str]:
    """What can be pressed."""
    return [button.label for button in app.button]


def press(app: AppTest, label: str) -> AppTest:
    """Press the first button of this label."""
    return next(b for b in app.button if b.label == label).click().run()


def settled(app: AppTest, *wanted: str) -> AppTest:
    """The page after the background work, when one of these buttons is there."""
    return eventually(app, lambda: any(label in wanted for label in labels(app)), f"none of {wanted}")


def eventually(app: AppTest, holds: Callable[[], bool], otherwise: str) -> AppTest:
    """The page once something holds of it; it is run again until then."""
    for _ in range(150):
        assert not app.exception
        if holds():
            return app
        time.sleep(0.1)
        app.run()
    raise AssertionError(f"{otherwise}: {words(app)}")
