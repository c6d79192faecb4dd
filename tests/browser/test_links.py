"""A link as the very first request of a fresh server, and the first start on a machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT
from playwright.sync_api import Page, expect
from walking import SAMPLE, filled, idle, visit

from memcore.memories import Memories
from memcore.reconstruction import Ask

QUESTION = "Who repaired the bicycle?"
PAGES = ["Overview", "Conversations", "Graph", "Reconstruction", "History"]


class Link(NamedTuple):
    """Where a link leads, which page that is, and what stands on it."""

    path: str
    page: str
    says: str


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("links") / "store"
    found = filled(folder, SAMPLE, "Second")
    list(found.scope("Second").ask(Ask(QUESTION, 5)))
    return folder


def link_to(store: Path, name: str) -> Link:
    """A link into the second memory: nothing opens it by chance."""
    memory = Memories.open(store).scope("Second")
    graph = memory.snapshot().graph
    turn = memory.turns(memory.conversations()[0].id)[60]
    links = {
        "overview": Link("?", "Overview", "Said between"),
        "turn": Link(f"conversations?turn={turn.id}&", "Conversations", "The turn you came for"),
        "files": Link("conversations?view=Files&", "Conversations", "harbour_street.jsonl"),
        "node": Link(f"graph?node={graph.columns.content_ids[60]}&", "Graph", "Where it comes from"),
        "trace": Link(f"reconstruction?trace={memory.traces()[0].id}&step=2&", "Reconstruction", QUESTION),
    }
    return links[name]


@pytest.mark.parametrize("name", ["overview", "turn", "files", "node", "trace"])
def test_a_link_is_the_first_request_of_a_fresh_server(
    page: Page, app_server: Callable[..., str], store: Path, name: str
) -> None:
    link = link_to(store, name)
    visit(page, f"{app_server(store)}/{link.path}scope=Second")
    expect(page.get_by_text(link.says).first).to_be_visible(timeout=20_000)
    assert page.title() == link.page
    expect(page.locator("h1")).to_have_text("Second" if link.page == "Overview" else link.page)
    menu = page.get_by_test_id("stSidebarNav").get_by_role("link")
    expect(menu).to_contain_text(PAGES)
    expect(page.get_by_test_id("stSidebarNav").locator("a[aria-current='page']")).to_contain_text(link.page)
    expect(page.get_by_role("combobox", name="Whose memory")).to_have_value("Second")


def test_the_first_start_shows_a_sample_memory_without_being_asked(
    page: Page, serve: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMCORE_STORE", raising=False)
    assert "MEMCORE_STORE" not in os.environ
    visit(page, serve(ROOT / "app.py", HOME=str(tmp_path)))
    expect(page.locator("h1")).to_have_text(SAMPLE, timeout=30_000)
    expect(page.get_by_text("Relations", exact=True)).to_be_visible()
    expect(page.get_by_text("Loading the sample memories")).to_have_count(0, timeout=60_000)
    idle(page)
    expect(page.get_by_test_id("stSidebar").get_by_text("Whose memory")).to_be_visible()
    assert (tmp_path / ".memcore" / "store").is_dir()
