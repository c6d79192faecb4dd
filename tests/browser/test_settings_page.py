"""The page Settings in Chromium, against a model server on this machine: tested, chosen, saved, kept, reset;
what an import would cost is told, and one that nobody answers to changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from building import own_lines, write_lines
from llm_server import Act, Server
from obedient import obedient
from playwright.sync_api import Page, expect
from walking import SAMPLE, filled, idle, menu, press, visit

from memcore.memories import Memories

KEY = "sk-never-to-be-seen"
MODEL = "local/qwen3:4b"


@pytest.fixture
def theme() -> str:
    return "dark"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply=obedient) as made:
        yield made


def kept(store: Path) -> dict[str, Any]:
    """What is in the file; nothing before the first Save."""
    file = store / "settings.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def choose(page: Page, label: str, option: str) -> None:
    """Choose in a list, or type what is not in it."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    box.press("Enter")
    idle(page)


def part(page: Page, name: str) -> None:
    page.get_by_test_id("stButtonGroup").first.get_by_role("radio", name=name).click()
    idle(page)


def test_a_provider_is_tested_roles_are_saved_and_an_import_goes_on_without_the_model(
    page: Page, app_server: Callable[..., str], tmp_path: Path, server: Server
) -> None:
    store = tmp_path / "store"
    filled(store)
    address = app_server(store, MEMCORE_LOCAL_KEY=KEY, ANTHROPIC_API_KEY="")
    visit(page, f"{address}/settings?scope={SAMPLE.replace(' ', '+')}")
    expect(page.get_by_text("A key was found in MEMCORE_LOCAL_KEY.")).to_be_visible()
    expect(page.get_by_text("There is no key: set ANTHROPIC_API_KEY")).to_be_visible()

    local = page.get_by_label("Address (base URL)").nth(2)
    test = page.get_by_role("button", name="Test", exact=True).nth(2)
    local.fill("http://127.0.0.1:9/v1")
    local.press("Enter")
    idle(page)
    test.click()
    expect(page.get_by_text("The local model server cannot be reached")).to_be_visible(timeout=15_000)
    local.fill(f"{server.url}/v1")
    local.press("Enter")
    idle(page)
    test.click()
    expect(page.get_by_text(f"{MODEL} answers")).to_be_visible(timeout=15_000)
    assert kept(store) == {}
    press(page, "Save addresses")
    expect(page.get_by_text("The addresses are saved.")).to_be_visible()

    choose(page, "Construction", MODEL)
    choose(page, "Writing", "nobody/knows")
    press(page, "Save roles")
    expect(page.get_by_text("A model is named like one of these")).to_be_visible()
    choose(page, "Writing", MODEL)
    press(page, "Save roles")
    expect(page.get_by_text("The roles are saved.")).to_be_visible()
    expect(page.get_by_text(f"{MODEL} answers")).to_have_count(2)  # tested above, and when it is chosen
    assert kept(store)["roles"] == {"construct": MODEL, "write": MODEL}
    visit(page, page.url)
    expect(page.get_by_role("combobox", name="Writing")).to_have_value(MODEL)

    part(page, "Budgets")
    expect(page.get_by_test_id("stMetric").first).to_contain_text("3")
    calls = page.get_by_label("Calls", exact=True).nth(1)
    calls.fill("40")
    calls.press("Enter")
    idle(page)
    press(page, "Save budgets")
    expect(page.get_by_text("of 40 allowed")).to_be_visible()
    part(page, "Thresholds")
    press(page, "Reset all 1 changed")
    expect(page.get_by_text("All settings are as they were at first.")).to_be_visible()
    assert kept(store)["changed"] == {}

    _import(page, store, tmp_path, server)
    menu(page, "Settings")
    part(page, "Bill")
    expect(page.get_by_text("An eager system, on what")).to_be_visible()
    assert KEY not in page.content()


def _import(page: Page, store: Path, folder: Path, server: Server) -> None:
    """What it would cost is told; a model that does not answer changes nothing; rules do it instead."""
    said = [("Ada", "The garden blossoms everywhere."), ("Bo", "How wonderful that must be.")]
    path = write_lines(folder / "garden.jsonl", own_lines(said))
    menu(page, "Conversations")
    page.get_by_test_id("stButtonGroup").first.get_by_role("radio", name="Import").click()
    idle(page)
    page.get_by_label("Or a file or folder on this machine").fill(str(path))
    page.get_by_label("Or a file or folder on this machine").press("Enter")
    idle(page)
    press(page, "Preview")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible(timeout=15_000)
    page.get_by_role("radio", name="Every session").click()
    idle(page)
    press(page, "What would it cost?")
    expect(page.get_by_text(f"of {MODEL}: $0.0000 by the prices of October 2026")).to_be_visible()
    before = len(server.asked)
    server.script = [Act("status", status=401, words="no")]
    press(page, "Import")
    expect(page.get_by_text("does not accept the key")).to_be_visible(timeout=15_000)
    memory = Memories.open(store, create=False).scope(SAMPLE)
    turns = memory.count()["turn"]
    assert len(server.asked) == before + 1
    page.get_by_role("button", name="Import by rules instead").click()
    expect(page.get_by_text("2 turns written")).to_be_visible(timeout=15_000)
    assert (memory.count()["turn"], len(server.asked)) == (turns + 2, before + 1)
