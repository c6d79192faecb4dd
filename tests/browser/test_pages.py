"""The real pages in a real Chromium: what stays where it is, what a click shows, keys, and two tabs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import ROOT, Log
from playwright.sync_api import Page, expect
from walking import SAMPLE, camera, drawn, filled, idle, inspector, link, menu, of, places, press, spot, visit

NAMES = sorted(file.stem for file in (ROOT / "pages").glob("[a-z]*.py"))


@pytest.fixture(scope="module")
def address(app_server: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    store = tmp_path_factory.mktemp("pages") / "store"
    filled(store, SAMPLE, "Second")
    return app_server(store)


@pytest.fixture
def graph(page: Page, address: str) -> Page:
    visit(page, f"{address}/graph?scope=Harbour+Street")
    drawn(page)
    return page


def a_content(page: Page) -> str:
    """The memory that stands nearest to the middle of the screen."""
    far = "((p) => Math.hypot(p.x - c.x, p.y - c.y))(s.net.getPosition(n.id))"
    turns = "[...s.rawNodes.values()].filter((n) => n.kind === 'turn')"
    nearest = f"{turns}.map((n) => [{far}, n.id]).sort((a, b) => a[0] - b[0])[0][1]"
    return of(page, f"((c) => {nearest})(s.net.getViewPosition())")


def test_camera_and_places_stay_after_a_rerun_and_after_another_page(graph: Page) -> None:
    for _ in range(3):
        graph.get_by_role("button", name="Zoom in (+)").click()
    before = camera(graph), places(graph)
    graph.mouse.click(*spot(graph, a_content(graph)))
    expect(inspector(graph)).to_contain_text("Where it comes from")
    idle(graph)
    assert (camera(graph), places(graph)) == before
    menu(graph, "Overview")
    menu(graph, "Graph")
    drawn(graph)
    assert (camera(graph), places(graph)) == before
    expect(inspector(graph)).to_contain_text("Where it comes from")


def test_a_filter_moves_nothing_and_greys_out(graph: Page) -> None:
    before = camera(graph), places(graph)
    graph.get_by_label("Cue kind").click()
    graph.get_by_role("option", name="people", exact=True).click()
    graph.keyboard.press("Escape")
    expect(graph.locator(".mc-counts")).to_contain_text("dimmed")
    after = places(graph)
    assert {id_: after[id_] for id_ in before[1]} == before[1]
    assert camera(graph) == before[0]


def test_a_click_shows_the_chain_from_the_memory_to_its_file_and_leads_to_the_turn(graph: Page) -> None:
    node = a_content(graph)
    graph.mouse.click(*spot(graph, node))
    for stage in ("Memory", "Turn H", "Conversation", "File", "harbour_street.jsonl", "Reached by"):
        expect(inspector(graph)).to_contain_text(stage)
    graph.get_by_role("link", name="Read in context").click()
    expect(graph.get_by_text("The turn you came for")).to_be_visible()
    expect(graph.locator("h1")).to_have_text("Conversations")


def test_following_a_neighbour_selects_it_in_the_graph_and_undo_takes_it_back(graph: Page) -> None:
    before = of(graph, "s.rawNodes.size")
    graph.mouse.click(*spot(graph, a_content(graph)))
    near = inspector(graph).get_by_test_id("stButtonGroup").locator("button").first
    name = near.inner_text().split("\n")[0]
    near.click()
    expect(inspector(graph)).to_contain_text("The cue")
    graph.wait_for_function("() => __memcore.inst.get('graph').selected.size === 1")
    idle(graph)
    assert of(graph, "s.rawNodes.get([...s.selected][0]).label").split("…")[0] in name
    press(graph, "Undo expand")
    graph.wait_for_function("(n) => __memcore.inst.get('graph').rawNodes.size === n", arg=before)


def test_the_table_keeps_the_selection_and_the_graph_takes_it_back(graph: Page) -> None:
    graph.mouse.click(*spot(graph, a_content(graph)))
    expect(inspector(graph)).to_contain_text("Where it comes from")
    sentence = inspector(graph).locator("p").first.inner_text()
    graph.get_by_text("Table", exact=True).click()
    idle(graph)
    expect(graph.get_by_test_id("stDataFrame")).to_be_visible()
    expect(inspector(graph)).to_contain_text(sentence)
    graph.get_by_text("Graph", exact=True).last.click()
    drawn(graph)
    expect(inspector(graph)).to_contain_text(sentence)
    assert of(graph, "s.selected.size") == 1


def test_keys_search_walk_fit_help_and_escape(graph: Page) -> None:
    graph.locator(".mc").focus()
    graph.keyboard.press("ArrowRight")
    expect(inspector(graph)).not_to_contain_text("Nothing selected")
    graph.keyboard.press("?")
    expect(graph.locator(".mc-help")).to_be_visible()
    graph.keyboard.press("Escape")
    expect(graph.locator(".mc-help")).not_to_be_visible()
    assert of(graph, "s.selected.size") == 1
    graph.keyboard.press("Escape")
    expect(inspector(graph)).to_contain_text("Nothing selected")
    scale = of(graph, "s.net.getScale()")
    graph.keyboard.press("+")
    assert of(graph, "s.net.getScale()") > scale
    graph.keyboard.press("f")
    assert of(graph, "s.net.getScale()") == pytest.approx(scale)
    graph.keyboard.press("/")
    graph.keyboard.type("barometer?+f")
    assert graph.get_by_label("Search cues, tags and memories").input_value() == "barometer?+f"


def test_enter_in_the_search_box_walks_through_what_was_found(graph: Page) -> None:
    box = graph.get_by_label("Search cues, tags and memories")
    box.fill("barometer")
    box.press("Enter")
    graph.wait_for_function("() => __memcore.inst.get('graph').matches.length > 2")
    idle(graph)
    found = of(graph, "s.matches")
    box.press("Enter")
    assert of(graph, "[...s.selected]") == [found[0]]
    box.press("Enter")
    assert of(graph, "[...s.selected]") == [found[1]]
    box.press("Shift+Enter")
    assert of(graph, "[...s.selected]") == [found[0]]
    expect(inspector(graph)).not_to_contain_text("Nothing selected")


def test_two_tabs_show_two_memories_and_do_not_disturb_each_other(graph: Page, address: str) -> None:
    node = a_content(graph)
    graph.mouse.click(*spot(graph, node))
    expect(inspector(graph)).to_contain_text("Where it comes from")
    other = graph.context.new_page()
    visit(other, f"{address}/graph?scope=Second")
    drawn(other)
    expect(inspector(other)).to_contain_text("Nothing selected")
    assert not set(of(other, "[...s.rawNodes.keys()]")) & set(of(graph, "[...s.rawNodes.keys()]"))
    press(graph, "Begin here")
    expect(inspector(graph)).to_contain_text("Where it comes from")
    expect(inspector(other)).to_contain_text("Nothing selected")
    menu(other, "Overview")
    expect(other.locator("h1")).to_have_text("Second")
    menu(graph, "Overview")
    expect(graph.locator("h1")).to_have_text(SAMPLE)


def test_no_page_asks_for_anything_beyond_this_machine(page: Page, address: str, log: Log) -> None:
    addresses = {link(address, "" if name == "overview" else name, SAMPLE) for name in NAMES}
    for view in ("Import", "Files"):
        addresses.add(link(address, "conversations", SAMPLE, view=view))
    for url in addresses:
        visit(page, url)
    assert addresses <= set(log.requests) and log.outside() == []


def test_a_search_is_still_there_when_one_comes_back(page: Page, address: str) -> None:
    visit(page, f"{address}/conversations?scope=Harbour+Street")
    page.get_by_label("Search turns").fill("barometer")
    page.keyboard.press("Enter")
    expect(page.get_by_text("best first")).to_be_visible()
    menu(page, "Graph")
    expect(page.get_by_text("best first")).to_have_count(0)
    menu(page, "Conversations")
    expect(page.get_by_text("best first")).to_be_visible()
