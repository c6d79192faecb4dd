"""The page Privacy in Chromium: a person is found, planned, erased, proved gone, and stays away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from walking import SAMPLE, drawn, filled, idle, inspector, menu, press, visit

from memcore import samples
from memcore.erasure import Wanted
from memcore.memory import Memory

PERSON = "Idris"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return filled(tmp_path / "store").scope(SAMPLE)


@pytest.fixture
def address(app_server: Callable[..., str], memory: Memory, tmp_path: Path) -> str:
    return app_server(tmp_path / "store")


def receipt(page: Page):
    return page.locator(".st-key-privacy-receipt")


def confirm(page: Page) -> None:
    """Type the word and press Enter, as one does on a keyboard."""
    page.get_by_role("textbox", name="to confirm").fill("erase")
    page.get_by_role("textbox", name="to confirm").press("Enter")
    expect(receipt(page)).to_contain_text("Verified", timeout=60_000)
    idle(page)


def fits(page: Page) -> bool:
    """Nothing is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_person_is_erased_proved_gone_and_stays_away(page: Page, address: str, memory: Memory) -> None:
    other = page.context.new_page()
    visit(page, f"{address}/privacy")  # the first request of a fresh server
    visit(other, f"{address}/conversations")
    page.get_by_role("combobox", name="A person").click()
    page.get_by_role("option", name=PERSON).click()
    press(page, "Find")
    expect(page.get_by_text(re.compile(r"Found \d+ turns"))).to_be_visible()
    mentions = page.locator(".st-key-privacy-near-mention")
    expect(mentions.get_by_role("checkbox").first).not_to_be_checked()
    mentions.get_by_role("button", name="Choose all").press("Enter")
    idle(page)
    expect(mentions.get_by_role("checkbox").first).to_be_checked()
    mentions.get_by_role("checkbox").first.press("Space")
    idle(page)
    expect(mentions.get_by_role("checkbox").first).not_to_be_checked()
    mentions.get_by_role("checkbox").first.press("Space")
    idle(page)
    page.get_by_role("button", name=re.compile("Show the plan for")).click()
    expect(page.get_by_text("nothing has been changed yet")).to_be_visible()
    page.wait_for_function("() => globalThis.__memcore?.inst.get('privacy-graph')?.drawnAt")
    assert PERSON.lower() not in page.url.lower() and memory.count()["turn"] > 100
    page.set_viewport_size({"width": 1024, "height": 800})
    idle(page)
    assert fits(page)
    confirm(page)
    expect(receipt(page)).to_contain_text("kept out of later imports")
    expect(receipt(page)).to_contain_text("What this does not prove")
    assert "receipt=" in page.url and fits(page)
    expect(other.get_by_text("Something was erased from this memory")).to_be_visible(timeout=20_000)
    page.get_by_role("textbox", name="Look for these words too (optional)").fill(PERSON)
    press(page, "Verify again")
    expect(receipt(page)).to_contain_text("Verified again just now", timeout=30_000)
    with page.expect_download() as printed:
        page.get_by_role("button", name="Download as a page to print").click()
    assert PERSON not in printed.value.path().read_text("utf-8")
    press(page, "Find something else to erase")
    page.get_by_role("textbox", name="Words", exact=True).fill(PERSON)
    page.get_by_role("textbox", name="Words", exact=True).press("Enter")
    expect(page.get_by_text("Nothing in this memory holds that")).to_be_visible(timeout=20_000)
    _import_again(page, address)
    assert memory.erasure.find(Wanted(text=PERSON)).hits == ()


def _import_again(page: Page, address: str) -> None:
    """The same file once more, through the page."""
    visit(page, f"{address}/conversations?view=Import")
    page.locator("input[type=file]").set_input_files(samples.folder() / "harbour_street.jsonl")
    preview = page.get_by_role("button", name="Preview", exact=True)
    expect(preview).to_be_enabled(timeout=15_000)
    preview.click()
    page.get_by_role("button", name="Import", exact=True).click(timeout=20_000)
    expect(page.get_by_text(re.compile(r"\d+ kept out, as they were erased before")).first).to_be_visible(
        timeout=60_000
    )


def test_the_way_from_the_graph_and_an_erasure_that_outlives_a_reload(
    page: Page, address: str, memory: Memory
) -> None:
    columns = memory.snapshot().graph.columns
    node = columns.cue_ids[columns.cue_names.index("Maren")]
    visit(page, f"{address}/graph?node={node}")
    drawn(page)
    expect(inspector(page)).to_contain_text("Deleting, as an edit, can be undone")
    inspector(page).get_by_role("link", name="Erase for good…").click()
    idle(page)
    expect(page.get_by_text("nothing has been changed yet")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Back to the search")).to_be_visible()
    assert f"erase={node}" in page.url
    page.reload()
    idle(page)
    page.get_by_text("Table", exact=True).click()
    idle(page)
    page.get_by_role("textbox", name="to confirm").fill("no")
    press(page, "Erase for good")
    expect(page.get_by_text("type erase to confirm")).to_be_visible()
    assert memory.get([node])
    page.get_by_role("textbox", name="to confirm").fill("erase")
    page.get_by_role("button", name="Erase for good").click()
    page.wait_for_timeout(300)
    menu(page, "History")
    visit(page, f"{address}/privacy?part=Receipts")
    expect(receipt(page)).to_contain_text("Verified", timeout=60_000)
    expect(page.get_by_text("1 erasure of this memory")).to_be_visible()
    assert not memory.get([node])
    page.get_by_text("Audit", exact=True).click()
    idle(page)
    press(page, "Verify the audit")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
