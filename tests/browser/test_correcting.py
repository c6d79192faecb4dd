"""Hand-correction in a real Chromium: by mouse and by key, from canvas and from table, and in two tabs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from walking import camera, drawn, filled, idle, of, places, spot, visit

from memcore.editing import Set, Who
from memcore.memory import Memories, Memory

_NUMBER = count(1)
HOSTILE = "<img src=x onerror=alert(1)> ![](http://evil.example/x.png) **bold**"


@pytest.fixture
def theme() -> str:
    return "light"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editing") / "store"
    filled(folder, "Nobody's")
    return folder


@pytest.fixture(scope="module")
def address(app_server: Callable[..., str], store: Path) -> str:
    return app_server(store, MEMCORE_AUTHOR="Jo")


@pytest.fixture
def memory(store: Path) -> Memory:
    """A memory of the test's own."""
    name = f"Edited {next(_NUMBER)}"
    memories: Memories = filled(store, name)
    return memories.scope(name)


@pytest.fixture
def graph(page: Page, address: str, memory: Memory) -> Page:
    page.set_default_timeout(12_000)
    visit(page, f"{address}/graph?scope={memory.name.replace(' ', '+')}")
    drawn(page)
    return page


def named(memory: Memory, name: str) -> str:
    """The id of the cue or tag of this name."""
    c = memory.snapshot().graph.columns
    ids = dict(zip([*c.tag_names, *c.cue_names], [*c.tag_ids, *c.cue_ids], strict=True))
    return ids[name]


def tags(page: Page) -> list[str]:
    """The tags shown, in the order of the table."""
    return of(page, "[...s.rawNodes.values()].filter((n) => n.kind === 'tag').map((n) => n.id)")


def name_of(memory: Memory, id_: str) -> Any:
    return getattr(memory.get([id_]).get(id_), "name", None)


def side(page: Page) -> Locator:
    return page.locator(".st-key-edit-panel")


def notice(page: Page) -> Locator:
    return page.locator(".st-key-edit-notice")


def settled(page: Page) -> None:
    page.wait_for_timeout(250)
    idle(page)


def click(page: Page, *nodes: str) -> None:
    """Select nodes on the canvas with the mouse."""
    page.mouse.click(*spot(page, nodes[0]))
    for node in nodes[1:]:
        page.keyboard.down("Shift")
        page.mouse.click(*spot(page, node))
        page.keyboard.up("Shift")
    page.mouse.move(5, 5)
    settled(page)


def as_table(page: Page) -> None:
    page.get_by_text("Table", exact=True).click()
    settled(page)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()


def click_rows(page: Page, *rows: int) -> None:
    """Select rows of the table with the mouse."""
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    for row in rows:
        page.mouse.click(box["x"] + 18, box["y"] + 50 + 33 * row)
        settled(page)


def tool(page: Page, name: str, way: str) -> None:
    """Use the toolbar with the mouse, or by the key that stands for it."""
    keys = {
        "Edit": "e", "Relate": "r", "Merge": "m", "Split": "s", "Pin": "p", "Find similar": "n",
        "Delete": "Delete", "Undo": "Control+z", "Redo": "Control+Shift+z",
    }  # fmt: skip
    if way == "mouse":
        page.locator(".st-key-edit-bar").get_by_role("button", name=name, exact=True).click()
    else:
        page.keyboard.press(keys[name])
    settled(page)


def use(page: Page, name: str, way: str) -> None:
    """Press a button of the side panel, with the mouse or with Enter."""
    button = page.get_by_role("button", name=name, exact=True).last
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    settled(page)


WAYS = pytest.mark.parametrize("way", ["mouse", "keyboard"])
VIEWS = pytest.mark.parametrize("view", ["canvas", "table"])


def selected(page: Page, view: str, way: str, *nodes: str) -> None:
    """Select nodes in this view, in this way."""
    if view == "canvas" and way == "mouse":
        return click(page, *nodes)
    if view == "canvas":
        return walk_to(page, *nodes)
    order = of(page, "[...s.rawNodes.keys()]")
    as_table(page)
    rows = [order.index(node) for node in nodes]
    return click_rows(page, *rows) if way == "mouse" else row_keys(page, *rows)


def walk_to(page: Page, *nodes: str) -> None:
    """Reach nodes with the keys of the canvas alone: arrows, and Space to keep one."""
    page.locator(".mc").focus()
    for at, node in enumerate(nodes):
        assert found_by_arrows(page, node), node
        if at < len(nodes) - 1:
            page.keyboard.press(" ")
    settled(page)


def found_by_arrows(page: Page, node: str) -> bool:
    for _ in range(60):
        lead = of(page, "s.lead")
        if lead == node:
            return True
        here, there = of(page, f"[s.net.getPosition('{lead or node}'), s.net.getPosition('{node}')]")
        dx, dy = there["x"] - here["x"], there["y"] - here["y"]
        steps = ("ArrowRight" if dx > 0 else "ArrowLeft", "ArrowDown" if dy > 0 else "ArrowUp")
        page.keyboard.press(steps[0] if abs(dx) > abs(dy) else steps[1])
        if of(page, "s.lead") == lead:
            page.keyboard.press(steps[1] if abs(dx) > abs(dy) else steps[0])
    return False


def row_keys(page: Page, *rows: int) -> None:
    """Select rows of the table with its keys: arrows, and Shift with Space."""
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.mouse.click(box["x"] + 120, box["y"] + 50)
    at = 0
    for row in rows:
        for _ in range(abs(row - at)):
            page.keyboard.press("ArrowDown" if row > at else "ArrowUp")
            page.wait_for_timeout(200)  # the grid drops keys that come quicker than it draws
        page.keyboard.press("Shift+Space")
        at = row
        settled(page)


@VIEWS
@WAYS
def test_a_cue_is_renamed_in_place_and_undone_and_redone(
    graph: Page, memory: Memory, view: str, way: str
) -> None:
    cue = named(memory, "bun")
    before = places(graph), camera(graph)
    selected(graph, view, way, cue)
    tool(graph, "Edit", way)
    box = graph.get_by_label("Name", exact=True)
    box.fill("currant bun")
    if way == "keyboard":
        box.press("Enter")
        settled(graph)
    else:
        use(graph, "Preview the change", way)
    expect(side(graph)).to_contain_text("is now called “currant bun”")
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert name_of(memory, cue) == "currant bun"
    if view == "canvas":
        assert of(graph, f"s.rawNodes.get('{cue}').label") == "currant bun"
        assert of(graph, f"s.rawNodes.get('{cue}').marks.includes('edited')")
        assert (places(graph), camera(graph)) == before and of(graph, "s.mounts") == 1
    graph.locator("h1").click()
    tool(graph, "Undo", way)
    expect(notice(graph)).to_contain_text("Undone")
    assert name_of(memory, cue) == "bun"
    tool(graph, "Redo", way)
    expect(notice(graph)).to_contain_text("Brought back")
    assert name_of(memory, cue) == "currant bun"
    assert len([c for c in memory.changes() if c.events[-1].kind == "edited"]) == 1


@VIEWS
@WAYS
def test_a_cue_and_a_memory_are_related_from_the_toolbar(
    graph: Page, memory: Memory, view: str, way: str
) -> None:
    cue, content = named(memory, "bun"), a_turn(graph)
    selected(graph, view, way, cue, content)
    tool(graph, "Relate", way)
    asked_for_a_tag(graph, "Harbour bread", way)
    (made,) = [r for r in memory.relations(content) if r.made_by == "person"]
    assert (made.cue_id, name_of(memory, made.tag_id)) == (cue, "Harbour bread")


@pytest.mark.parametrize("held", ["button", "key", "Alt"])
def test_a_drag_from_a_cue_to_a_memory_asks_for_the_tag_and_moves_nothing(
    graph: Page, memory: Memory, held: str
) -> None:
    cue, content, before = named(memory, "bun"), a_turn(graph), (places(graph), camera(graph))
    if held == "button":
        graph.get_by_role("button", name="Connect a cue with a memory (C)").click()
    elif held == "key":
        graph.locator(".mc").focus()
        graph.keyboard.press("c")
    else:
        graph.keyboard.down("Alt")
    start, end = spot(graph, cue), spot(graph, content)
    graph.mouse.move(*start)
    graph.mouse.down()
    graph.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    graph.mouse.move(*end)
    graph.mouse.up()
    graph.keyboard.up("Alt")
    settled(graph)
    asked_for_a_tag(graph, "Harbour bread", "mouse")
    tag = named(memory, "Harbour bread")
    after = places(graph)
    assert tag in after and {i: after[i] for i in before[0]} == before[0] and camera(graph) == before[1]
    assert of(
        graph, f"s.rawEdges.has('cue_tag:{cue}>{tag}') && s.rawEdges.has('tag_content:{tag}>{content}')"
    )


def a_turn(page: Page) -> str:
    return of(page, "[...s.rawNodes.values()].filter((n) => n.kind === 'turn')[2].id")


def asked_for_a_tag(page: Page, tag: str, way: str) -> None:
    box = side(page).get_by_test_id("stMultiSelect").locator("input")
    box.click()
    box.type(tag)
    page.wait_for_timeout(200)
    box.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    expect(side(page)).to_contain_text(f"“{tag}” is a new tag")
    use(page, "Preview the relation", way)
    expect(side(page)).to_contain_text("1 relation added")
    use(page, "Save", way)
    expect(notice(page)).to_contain_text("Saved")


@VIEWS
@WAYS
def test_two_tags_are_merged(graph: Page, memory: Memory, view: str, way: str) -> None:
    one, other = tags(graph)[:2]
    selected(graph, view, way, one, other)
    tool(graph, "Merge", way)
    expect(side(graph)).to_contain_text("Merge 2 tags")
    use(graph, "Preview the merge", way)
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("becomes part of")
    assert len(memory.get([one, other])) == 1


@VIEWS
@WAYS
def test_a_cue_is_split(graph: Page, memory: Memory, view: str, way: str) -> None:
    cue = named(memory, "bun")
    relations = len(memory.relations(cue))
    selected(graph, view, way, cue)
    tool(graph, "Split", way)
    side(graph).get_by_test_id("stMultiSelect").locator("input").click()
    graph.get_by_role("option").nth(1).click()  # the first is "Select all"
    settled(graph)
    graph.keyboard.press("Escape")
    box = graph.get_by_label("Name of the new cue")
    box.fill("the other bun")
    box.press("Tab")
    settled(graph)
    use(graph, "Preview the split", way)
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("a new cue “the other bun”")
    assert len(memory.relations(cue)) == relations - 1
    assert len(memory.relations(named(memory, "the other bun"))) == 1


@VIEWS
@WAYS
def test_a_node_is_deleted_disappears_and_comes_back_where_it_stood(
    graph: Page, memory: Memory, view: str, way: str
) -> None:
    tag, before = tags(graph)[0], places(graph)
    selected(graph, view, way, tag)
    tool(graph, "Delete", way)
    expect(side(graph)).to_contain_text("Delete the tag")
    assert memory.get([tag])
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert not memory.get([tag])
    if view == "canvas":
        assert places(graph) == {i: at for i, at in before.items() if i != tag}
    graph.locator("h1").click()
    tool(graph, "Undo", way)
    expect(notice(graph)).to_contain_text("Undone")
    assert memory.get([tag])
    if view == "canvas":
        assert places(graph) == before


@VIEWS
@WAYS
def test_a_cue_is_pinned_and_what_is_like_it_is_found(
    graph: Page, memory: Memory, view: str, way: str
) -> None:
    cue = named(memory, "barometer")
    selected(graph, view, way, cue)
    tool(graph, "Pin", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert getattr(memory.get([cue])[cue], "pinned")  # noqa: B009
    graph.locator("h1").click()
    tool(graph, "Find similar", way)
    expect(side(graph)).to_contain_text("Most like “barometer”")
    use(graph, "Show it", way)
    expect(graph.locator(".st-key-edit-bar")).to_be_visible()


def test_a_taken_name_offers_to_merge(graph: Page, memory: Memory) -> None:
    cue, other = named(memory, "bun"), named(memory, "cart")
    click(graph, cue)
    tool(graph, "Edit", "mouse")
    graph.get_by_label("Name", exact=True).fill("CART")
    graph.keyboard.press("Enter")
    settled(graph)
    expect(side(graph)).to_contain_text("The other record")
    use(graph, "Merge the two", "mouse")
    use(graph, "Save", "mouse")
    expect(notice(graph)).to_contain_text("becomes part of the cue “cart”")
    assert not memory.get([cue]) and memory.get([other])
    assert of(graph, f"!s.rawNodes.has('{cue}')")


def test_two_tabs_on_one_node_and_the_second_is_told(graph: Page, memory: Memory, address: str) -> None:
    cue = named(memory, "bun")
    other = graph.context.new_page()
    visit(other, f"{address}/graph?scope={memory.name.replace(' ', '+')}")
    drawn(other)
    for tab, name in ((graph, "currant bun"), (other, "sticky bun")):
        click(tab, cue)
        tool(tab, "Edit", "mouse")
        tab.get_by_label("Name", exact=True).fill(name)
    for tab in (graph, other):
        use(tab, "Preview the change", "mouse")
    expect(side(other)).to_contain_text("is now called “sticky bun”")
    use(graph, "Save", "mouse")
    expect(notice(graph)).to_contain_text("Saved")
    use(other, "Save", "mouse")
    expect(side(other)).to_contain_text("Somebody changed this")
    expect(side(other)).to_contain_text("currant bun")
    assert name_of(memory, cue) == "currant bun"
    use(other, "Take what is there now", "mouse")
    expect(other.get_by_label("Name", exact=True)).to_have_value("currant bun")
    other.close()


def test_cells_typed_one_after_the_other_are_each_saved_once(graph: Page, memory: Memory) -> None:
    cues = [named(memory, name) for name in ("barometer", "cart", "bun")]
    graph.get_by_text("Table", exact=True).click()
    settled(graph)
    graph.get_by_text("Edit in place").click()
    settled(graph)
    boxes = graph.locator(".st-key-edit-cells input[type=text]:not([role=combobox])")
    boxes.nth(0).click()
    for name in ("first", "second", "third"):
        graph.keyboard.press("Control+a")
        graph.keyboard.type(f"typed {name}")
        graph.keyboard.press("Tab")
        graph.keyboard.press("Tab")
        graph.keyboard.press("Tab")
    use(graph, "Preview the changes", "mouse")
    expect(side(graph)).to_contain_text("typed third")
    use(graph, "Save", "mouse")
    expect(notice(graph)).to_contain_text("Saved")
    assert [name_of(memory, cue) for cue in cues] == ["typed first", "typed second", "typed third"]
    assert len([c for c in memory.changes() if c.events[-1].kind == "edited"]) == 1


def test_hostile_text_that_is_typed_is_shown_as_text(graph: Page, memory: Memory) -> None:
    content = a_turn(graph)
    click(graph, content)
    tool(graph, "Edit", "mouse")
    graph.get_by_label("Text", exact=True).fill(HOSTILE)
    use(graph, "Preview the change", "mouse")
    expect(side(graph)).to_contain_text("<img src=x onerror=alert(1)>")
    use(graph, "Save", "mouse")
    expect(notice(graph)).to_contain_text("<img src=x")
    graph.get_by_text("Read", exact=True).click()
    settled(graph)
    expect(graph.locator(".st-key-graph-panel-panel")).to_contain_text(HOSTILE)
    assert graph.locator(".stMain img").count() == 0


def test_keys_do_nothing_while_one_types(graph: Page, memory: Memory) -> None:
    click(graph, named(memory, "bun"))
    tool(graph, "Edit", "mouse")
    box = graph.get_by_label("Name", exact=True)
    box.click()
    graph.keyboard.type("demsp")
    graph.keyboard.press("Control+z")
    settled(graph)
    expect(notice(graph)).to_have_count(0)
    expect(box).to_be_visible()
    assert [c for c in memory.changes() if c.events[-1].kind != "imported"] == []


def test_a_selection_is_edited_together_in_one_step(graph: Page, memory: Memory) -> None:
    cues = [named(memory, name) for name in ("bun", "cart", "degree")]
    click(graph, *cues)
    tool(graph, "Edit", "mouse")
    expect(side(graph)).to_contain_text("3 cues")
    side(graph).get_by_label("What", exact=True).click()
    graph.get_by_role("option", name="Pinned").click()
    settled(graph)
    use(graph, "Preview the change", "mouse")
    use(graph, "Save", "mouse")
    expect(notice(graph)).to_contain_text("Saved")
    (edit,) = [c for c in memory.changes() if c.events[-1].kind == "edited"]
    assert not edit.undone and all(getattr(r, "pinned", False) for r in memory.get(cues).values())
    use(graph, "Undo", "mouse")
    expect(notice(graph)).to_contain_text("Undone")
    assert not any(getattr(r, "pinned", True) for r in memory.get(cues).values())


def test_a_change_made_elsewhere_is_seen_before_the_preview(graph: Page, memory: Memory) -> None:
    cue = named(memory, "bun")
    click(graph, cue)
    tool(graph, "Edit", "mouse")
    memory.edit(Set("cue", (cue,), "name", "roll"), Who("Bea"))
    graph.get_by_label("Name", exact=True).fill("currant bun")
    use(graph, "Preview the change", "mouse")
    expect(side(graph)).to_contain_text("Somebody changed this")
    assert name_of(memory, cue) == "roll"
