"""Hand-correction in a real Chromium: by mouse and by key, from canvas and from table, and in two tabs."""

from __future__ import annotations

import pytest
from correcting import (
    VIEWS,
    WAYS,
    a_turn,
    asked_for_a_tag,
    at_once,
    click,
    name_of,
    named,
    notice,
    pick_relation,
    press_in,
    selected,
    settled,
    side,
    tags,
    tool,
    use,
)
from playwright.sync_api import Page, expect
from walking import camera, drawn, link, of, places, spot, visit

from memcore.editing import Set, Who
from memcore.memory import Memory

HOSTILE = "<img src=x onerror=alert(1)> ![](http://evil.example/x.png) **bold**"


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


def test_the_box_at_the_pointer_tells_no_old_name_and_goes_with_the_pointer(
    graph: Page, memory: Memory
) -> None:
    cue = named(memory, "bun")
    click(graph, cue)
    at = spot(graph, cue)
    graph.mouse.move(*at, steps=4)
    graph.wait_for_timeout(350)
    assert tip(graph).startswith("bun\n")
    tool(graph, "Edit", "keyboard")
    graph.get_by_label("Name", exact=True).fill("currant bun")
    use(graph, "Preview the change", "keyboard")
    use(graph, "Save", "keyboard")
    expect(notice(graph)).to_contain_text("Saved")
    assert tip(graph) == ""
    graph.mouse.move(at[0] + 2, at[1])
    graph.wait_for_timeout(350)
    assert tip(graph).startswith("currant bun\n")
    graph.mouse.move(5, 5)
    assert tip(graph) == ""


def tip(page: Page) -> str:
    """What the box at the pointer says; "" where none is shown."""
    shown = "(t) => t?.style.visibility === 'visible' ? t.innerText : ''"
    return of(page, f"({shown})(s.root.querySelector('.vis-tooltip'))")


def test_a_link_to_two_cues_selects_both_so_that_they_can_be_merged(
    page: Page, address: str, memory: Memory
) -> None:
    both = [named(memory, name) for name in ("bun", "Maren")]
    visit(page, link(address, "graph", memory.name, node=both[0]) + f"&node={both[1]}")
    drawn(page)
    settled(page)
    assert of(page, "s.net.getSelectedNodes()") == both
    tool(page, "Merge", "keyboard")
    expect(side(page)).to_contain_text("Maren")


@VIEWS
@WAYS
def test_a_cue_and_a_memory_are_related_from_the_toolbar(
    graph: Page, memory: Memory, view: str, way: str
) -> None:
    cue, content = named(memory, "bun"), a_turn(graph)
    selected(graph, view, way, cue, content)
    tool(graph, "Relate", way)
    asked_for_a_tag(graph, "ton", way)  # letters of "pontoon" and others, and begins no name
    (made,) = [r for r in memory.relations(content) if r.made_by == "person"]
    assert (made.cue_id, name_of(memory, made.tag_id)) == (cue, "ton")


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
    at_once(graph, "Name of the new cue", "the other bun", "Preview the split", way)
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
    visit(other, link(address, "graph", memory.name))
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


def test_what_is_typed_outlives_whatever_is_pressed_beside_it(graph: Page, memory: Memory) -> None:
    click(graph, named(memory, "cart"))
    tool(graph, "Edit", "mouse")
    name = graph.get_by_label("Name", exact=True)
    name.fill("coffee barrow")
    pick_relation(graph, "weather", "mouse")
    press_in(graph, "Remove", "mouse")
    use(graph, "Preview the removal", "mouse")
    use(graph, "Back", "mouse")
    expect(name).to_have_value("coffee barrow")
    graph.get_by_text("Table", exact=True).click()
    settled(graph)
    graph.get_by_text("Edit in place").click()
    settled(graph)
    cell = graph.locator(".st-key-edit-cells input[type=text]:not([role=combobox])").first
    cell.fill("typed in a cell")
    graph.get_by_text("Graph", exact=True).last.click()
    settled(graph)
    graph.get_by_text("Table", exact=True).click()
    settled(graph)
    expect(cell).to_have_value("typed in a cell")


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
