"""The page History in Chromium: undo and redo, filters, links, a replay, and names that are no markup."""

from __future__ import annotations

from pathlib import Path

from by_name import ANN, cue, rename
from playwright.sync_api import Page, expect
from walking import SAMPLE, drawn, filled, idle, inspector, link, menu, press, visit

from memcore.editing import Set, Who
from memcore.memories import Memories
from memcore.memory import Memory

HOSTILE = '<img src=x onerror="alert(1)"> **bold** '


def detail(page: Page):
    return page.locator(".st-key-history-change")


def test_an_edit_is_found_undone_and_redone(page: Page, address: str, memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    visit(page, link(address, "", memory.name))
    menu(page, "History")
    expect(detail(page)).to_contain_text("Changed the name of the cue: “Maren” → “Maren Holt”")
    press(page, "Undo")
    expect(page.get_by_text("undone").first).to_be_visible()
    assert "Maren" in memory.snapshot().graph.columns.cue_names
    press(page, "Redo")
    assert "Maren Holt" in memory.snapshot().graph.columns.cue_names
    expect(detail(page).get_by_role("button", name="Undo")).to_be_visible()


def test_the_selected_change_is_in_the_address_and_survives_a_reload(
    page: Page, address: str, memory: Memory
) -> None:
    groups = [rename(memory, "Maren", "Maren Holt"), rename(memory, "Idris", "Idris Vale", Who("Bo"))]
    visit(page, link(address, "history", memory.name))
    expect(detail(page)).to_contain_text("Idris Vale")
    page.get_by_text("Changed the name of the cue: “Maren” → “Maren Holt”").click()
    idle(page)
    assert f"change={groups[0]}" in page.url
    visit(page, page.url)
    expect(detail(page)).to_contain_text("Why: it was misread")


def test_filters_stay_when_they_match_nothing_and_can_be_cleared(
    page: Page, address: str, memory: Memory
) -> None:
    rename(memory, "Maren", "Maren Holt")
    rename(memory, "Idris", "Idris Vale", Who("Bo"))
    visit(page, link(address, "history", memory.name))
    for label, option in (("Authors", "Bo"), ("Kinds", "Imports")):
        page.get_by_label(label).first.click()
        page.get_by_role("option", name=option, exact=True).click()
        page.keyboard.press("Escape")
        idle(page)
    expect(page.get_by_text("No memory matches these filters")).to_be_visible()
    expect(page.get_by_text("Authors", exact=True)).to_be_visible()
    press(page, "Clear the filters")
    expect(page.get_by_text("3 changes, newest first")).to_be_visible()


def test_a_file_of_corrections_is_seen_then_carried_out(
    page: Page, address: str, memory: Memory, tmp_path: Path
) -> None:
    other = filled(tmp_path / "copy").scope(SAMPLE)
    rename(other, "Maren", "Maren Holt")
    file = tmp_path / "corrections.jsonl"
    file.write_text("\n".join([*other.exported(), "{broken"]), "utf-8")
    visit(page, link(address, "history", memory.name, part="Export and replay"))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("1 of 2 lines would be carried out")).to_be_visible(timeout=15_000)
    assert "Maren Holt" not in memory.snapshot().graph.columns.cue_names
    press(page, "Carry out 1 correction")
    expect(page.get_by_text("1 of 2 lines carried out")).to_be_visible(timeout=15_000)
    assert "Maren Holt" in memory.snapshot().graph.columns.cue_names


def test_corrections_are_downloaded(page: Page, address: str, memory: Memory, tmp_path: Path) -> None:
    rename(memory, "Maren", "밤의 제빵사")
    visit(page, link(address, "history", memory.name, part="Export and replay"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the corrections").click()
    download.value.save_as(tmp_path / "got.jsonl")
    assert (tmp_path / "got.jsonl").read_text("utf-8").splitlines() == list(memory.exported())
    fresh = filled(tmp_path / "other").scope(SAMPLE)
    assert [o.state for o in fresh.replay((tmp_path / "got.jsonl").read_text("utf-8").splitlines())] == [
        "applied"
    ]


def test_hostile_names_are_shown_as_they_are(page: Page, address: str, memory: Memory) -> None:
    rename(memory, "Maren", f"Quay {HOSTILE}", Who(HOSTILE, HOSTILE))
    visit(page, link(address, "history", memory.name))
    expect(detail(page)).to_contain_text("<img src=x")
    expect(detail(page)).to_contain_text("**bold**")
    assert page.locator("img[src$='/x']").count() == 0


def test_a_fault_leads_to_where_it_is_mended(page: Page, address: str, memory: Memory) -> None:
    rename(memory, "barometer", "Quayside Tavorn")
    rename(memory, "Idris", "Quayside Tavern")
    visit(page, link(address, "", memory.name))
    for kind, name in (("dates", "Dates that are uncertain"), ("near", "Cues that may be the same")):
        page.get_by_text(name).click()
        idle(page)
        assert f"mend={kind}" in page.url
    visit(page, page.url)
    expect(page.get_by_text("Cues that may be the same")).to_be_visible(timeout=15_000)
    page.get_by_role("link", name="Quayside Tavorn").click()
    expect(page.locator("h1")).to_have_text("Graph", timeout=15_000)
    assert f"node={cue(memory, 'Quayside Tavorn')}" in page.url


def test_two_stores_are_not_mixed(page: Page, address: str, memory: Memory, store: Path) -> None:
    """A change of another memory is not shown for its link."""
    second = Memories.open(store, embedder="none").scope("Second", create=True)
    group = rename(memory, "Maren", "Maren Holt")
    assert second.changes() == []
    visit(page, link(address, "history", "Second", change=group))
    expect(page.get_by_text("Nothing is stored here yet")).to_be_visible(timeout=15_000)


def test_a_large_change_is_undone_and_redone_with_its_progress_while_the_page_stays_usable(
    page: Page, address: str, memory: Memory
) -> None:
    rename(memory, "Maren", "Maren Holt")
    relations = memory.relations(*memory.snapshot().graph.columns.content_ids)
    memory.edit(Set("relation", tuple(r.id for r in relations), "tag", "everything"), ANN)
    (large,) = [c for c in memory.changes() if c.rows > 1000 and c.events[-1].kind == "edited"]
    visit(page, link(address, "history", memory.name, change=large.group))
    for name, word in (("Undo", "Undoing"), ("Redo", "Bringing back")):
        with memory._scope.writing():  # somebody else writes: it waits, and the page does not
            detail(page).get_by_role("button", name=name).click()
            expect(page.get_by_text(f"{word}: 0 of")).to_be_visible()
            page.get_by_text("Changed the name of the cue: “Maren” → “Maren Holt”").click()
            expect(detail(page)).to_contain_text("Maren Holt", timeout=15_000)
            expect(detail(page).get_by_role("button", name="Undo")).to_have_count(0)
            page.get_by_text("Changed the tag of").first.click()
        expect(page.get_by_text(word)).to_have_count(0, timeout=30_000)
        idle(page)
        (row,) = [c for c in memory.changes() if c.group == large.group]
        assert row.undone == (name == "Undo")
    tags = {r.tag_id for r in memory.relations(*memory.snapshot().graph.columns.content_ids)}
    assert len(tags) == 1


def test_the_inspector_of_a_node_leads_to_its_history(page: Page, address: str, memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    rename(memory, "Idris", "Idris Vale")
    node = cue(memory, "Idris Vale")
    visit(page, link(address, "graph", memory.name, node=node))
    drawn(page)
    inspector(page).get_by_role("link", name="History of this name").click()
    expect(page.locator("h1")).to_have_text("History", timeout=15_000)
    idle(page)
    assert f"node={node}" in page.url
    expect(page.get_by_text("Only of Idris Vale")).to_be_visible()
    expect(detail(page)).to_contain_text("Idris Vale")
    expect(page.get_by_text("Maren Holt")).to_have_count(0)
    press(page, "Show all changes")
    expect(page.get_by_text("Maren Holt").first).to_be_visible()
