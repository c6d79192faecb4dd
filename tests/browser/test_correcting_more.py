"""Relations one by one, disputes, many rows at once, and cells of the table, corrected in a real Chromium."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from correcting import (
    WAYS,
    a_turn,
    asked_for_a_tag,
    at_once,
    choose_name,
    name_of,
    named,
    notice,
    pick_relation,
    press_in,
    selected,
    settled,
    side,
    tool,
    typed,
    use,
)
from playwright.sync_api import Locator, Page, expect
from walking import drawn, idle, link, spot, visit

from memcore.editing import Set, Who
from memcore.extraction import Extraction
from memcore.llm.offline.extractor import RuleExtractor
from memcore.memory import Memory
from memcore.records import Content, Relation, Turn

JO = Who("Jo", "misread")


def edits(memory: Memory) -> list:
    """The changes made by hand that stand."""
    return [c for c in memory.changes() if c.events[-1].kind == "edited" and not c.undone]


def relation(memory: Memory, id_: str) -> Relation | None:
    found = memory.get([id_]).get(id_)
    assert found is None or isinstance(found, Relation)
    return found


def one_relation(memory: Memory, page: Page, way: str) -> Relation:
    """Pick one relation of a cue in the panel."""
    cue = named(memory, "cart")
    selected(page, "canvas", way, cue)
    tool(page, "Edit", way)
    found = next(r for r in memory.relations(cue) if name_of(memory, r.tag_id) == "weather")
    pick_relation(page, "weather", way)
    return found


# one relation


@WAYS
def test_one_relation_is_removed_and_comes_back(graph: Page, memory: Memory, way: str) -> None:
    picked = one_relation(memory, graph, way)
    others = {r.id for r in memory.relations(picked.cue_id)} - {picked.id}
    press_in(graph, "Remove", way)
    use(graph, "Preview the removal", way)
    expect(side(graph)).to_contain_text("1 relation removed")
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert {r.id for r in memory.relations(picked.cue_id)} == others
    use(graph, "Undo", way)
    expect(notice(graph)).to_contain_text("Undone")
    back = relation(memory, picked.id)
    assert back and (back.cue_id, back.tag_id, back.content_id) == (
        picked.cue_id, picked.tag_id, picked.content_id,
    )  # fmt: skip


@WAYS
def test_one_relation_is_moved_to_another_cue(graph: Page, memory: Memory, way: str) -> None:
    picked = one_relation(memory, graph, way)
    near = {r.cue_id for r in memory.relations(picked.content_id)}
    name = next(n for n in ("barometer", "degree", "Idris") if named(memory, n) not in near)
    other = named(memory, name)
    press_in(graph, "Move", way)
    choose_name(graph, "Lead from this cue instead", name, way)
    use(graph, "Preview the move", way)
    expect(side(graph)).to_contain_text("1 relation")
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    moved = relation(memory, picked.id)
    assert moved and (moved.cue_id, moved.tag_id, moved.content_id) == (
        other, picked.tag_id, picked.content_id,
    )  # fmt: skip
    assert len(edits(memory)) == 1


@WAYS
def test_one_relation_gets_a_tag_of_its_own_and_the_tag_stays_elsewhere(
    graph: Page, memory: Memory, way: str
) -> None:
    picked = one_relation(memory, graph, way)
    elsewhere = {r.id for r in memory.relations(picked.tag_id)} - {picked.id}
    assert elsewhere
    choose_name(graph, "Tag them as", "market day", way)
    expect(side(graph)).to_contain_text("“market day” is a new tag")
    use(graph, "Preview the new tag", way)
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    tagged = relation(memory, picked.id)
    assert tagged and name_of(memory, tagged.tag_id) == "market day"
    assert {r.id for r in memory.relations(picked.tag_id)} == elsewhere
    assert name_of(memory, picked.tag_id) == "weather"


@WAYS
def test_a_tag_is_renamed_everywhere_from_one_of_its_relations(graph: Page, memory: Memory, way: str) -> None:
    picked = one_relation(memory, graph, way)
    users = {r.id for r in memory.relations(picked.tag_id)}
    where = side(graph).get_by_role("radio", name="Everywhere")
    if way == "mouse":
        side(graph).get_by_text("Everywhere", exact=True).click()
    else:
        where.focus()
        graph.keyboard.press(" ")
    settled(graph)
    at_once(graph, "New name of the tag", "the weather then", "Preview the new name", way)
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert name_of(memory, picked.tag_id) == "the weather then"
    assert {r.id for r in memory.relations(picked.tag_id)} == users and len(users) > 1


# the fields of a memory


@WAYS
def test_text_time_layer_and_sensitivity_of_a_memory_are_saved_together(
    graph: Page, memory: Memory, way: str
) -> None:
    node = a_turn(graph)
    selected(graph, "canvas", way, node)
    tool(graph, "Edit", way)
    typed(graph, "Happened", "2023-05-01 to 2023-05-07", way)
    choose_name(graph, "Sensitivity", "most sensitive", way)
    typed(graph, "Text", "밤의 제빵사 was here. 🥐", way)
    use(graph, "Preview the change", way)
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    found = memory.get([node])[node]
    assert isinstance(found, Content) and found.text == "밤의 제빵사 was here. 🥐"
    assert found.event.start and found.event.end and found.sensitivity == 3
    assert [f"{at:%Y-%m-%d}" for at in (found.event.start, found.event.end)] == ["2023-05-01", "2023-05-07"]
    assert len(edits(memory)) == 1
    use(graph, "Undo", way)
    expect(notice(graph)).to_contain_text("Undone")
    back = memory.get([node])[node]
    assert isinstance(back, Content) and back.sensitivity == 0 and back.text != found.text


# a new relation


@WAYS
def test_the_same_relation_is_drawn_with_the_mouse_or_made_with_keys_alone(
    graph: Page, memory: Memory, way: str
) -> None:
    cue, content = named(memory, "bun"), a_turn(graph)
    if way == "mouse":
        graph.get_by_role("button", name="Connect a cue with a memory (C)").click()
        graph.mouse.move(*spot(graph, cue))
        graph.mouse.down()
        graph.mouse.move(*spot(graph, content), steps=4)
        graph.mouse.up()
        settled(graph)
    else:
        selected(graph, "canvas", way, cue, content)
        tool(graph, "Relate", way)
    expect(side(graph)).to_contain_text("Add a relation")
    asked_for_a_tag(graph, "Harbour bread", way)
    (made,) = [r for r in memory.relations(content) if r.made_by == "person"]
    assert (made.cue_id, name_of(memory, made.tag_id)) == (cue, "Harbour bread")
    assert len(edits(memory)) == 1


# disputed corrections


class Otherwise(RuleExtractor):
    """Reads no relation from any turn, so that it disagrees with every corrected one."""

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        return [Extraction((), (), ()) for _ in turns]


@pytest.fixture
def disputed(memory: Memory) -> str:
    """The id of a relation that was tagged by hand, and that extraction no longer reads at all."""
    found = memory.relations(named(memory, "cart"))[0].id
    memory.edit(Set("relation", (found,), "tag", "the right tag"), JO)
    list(memory.reextract(Otherwise()))
    assert [c for c in memory.corrections().all if c.disputed is not None]
    return found


@WAYS
@pytest.mark.parametrize("choice", ["Keep the correction", "Remove it"])
def test_a_disputed_correction_is_decided_on_the_graph(
    page: Page, address: str, memory: Memory, disputed: str, choice: str, way: str
) -> None:
    page.set_default_timeout(12_000)
    visit(page, link(address, "graph", memory.name))
    drawn(page)
    expect(page.get_by_text("Extraction disagrees with 1 of your corrections")).to_be_visible()
    use(page, choice, way)
    use(page, "Save", way)
    expect(notice(page)).to_contain_text("Saved")
    expect(page.get_by_text("Extraction disagrees with")).to_have_count(0)
    assert not [c for c in memory.corrections().all if c.disputed is not None]
    kept = relation(memory, disputed)
    assert (kept is not None) == (choice == "Keep the correction")
    assert kept is None or name_of(memory, kept.tag_id) == "the right tag"


@WAYS
@pytest.mark.parametrize("choice", ["Keep the correction", "Remove it"])
def test_a_disputed_correction_is_decided_in_the_history(
    page: Page, address: str, memory: Memory, disputed: str, choice: str, way: str
) -> None:
    page.set_default_timeout(12_000)
    visit(page, link(address, "history", memory.name, part="Disputed"))
    expect(page.get_by_text("the right tag")).to_be_visible(timeout=15_000)
    use(page, choice, way)
    expect(page.get_by_text("Extraction agrees with every correction.")).to_be_visible()
    assert (relation(memory, disputed) is not None) == (choice == "Keep the correction")


# many at once


def filter_layer(page: Page, layer: str, way: str) -> None:
    box = page.get_by_test_id("stMultiSelect").filter(has_text="Layer").locator("input")
    if way == "mouse":
        box.click()
        page.get_by_role("option", name=layer, exact=True).click()
    else:
        box.focus()
        page.keyboard.type(layer)
        page.keyboard.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    settled(page)


def layer(memory: Memory, name: str) -> list[Content]:
    c = memory.snapshot().graph.columns
    ids = [i for i, of_ in zip(c.content_ids, c.layers, strict=True) if of_ == name]
    return [r for r in memory.get(ids).values() if isinstance(r, Content)]


@WAYS
def test_what_a_filter_lets_through_is_edited_in_one_step_and_undone_in_one(
    graph: Page, memory: Memory, way: str
) -> None:
    topics = len(layer(memory, "topic"))
    assert topics > 1
    filter_layer(graph, "topic", way)
    press_in(graph, "Edit", way)
    expect(side(graph)).to_contain_text(f"{topics} memories")
    choose_name(graph, "What", "Pinned", way)
    use(graph, "Preview the change", way)
    expect(side(graph)).to_contain_text("in one step; it can be undone")
    assert edits(memory) == [] and not any(c.pinned for c in layer(memory, "topic"))
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert len(edits(memory)) == 1 and all(c.pinned for c in layer(memory, "topic"))
    assert not any(c.pinned for c in layer(memory, "turn"))
    use(graph, "Undo", way)
    expect(notice(graph)).to_contain_text("Undone")
    assert edits(memory) == [] and not any(c.pinned for c in layer(memory, "topic"))


@WAYS
def test_a_large_save_and_its_undo_go_on_in_the_background_with_their_progress(
    graph: Page, memory: Memory, way: str
) -> None:
    before = {(r.cue_id, r.tag_id, r.content_id) for r in every_relation(memory)}
    filter_layer(graph, "turn", way)
    press_in(graph, "Edit", way)
    choose_name(graph, "What", "Tag of all their relations", way)
    choose_name(graph, "Tag them as", "everything", way)
    use(graph, "Preview the change", way)
    with memory._scope.writing():  # somebody else writes: the save waits, and the page does not
        press_without_waiting(graph, "Save", way)
        expect(graph.get_by_text("Saving: 0 of")).to_be_visible()
        graph.get_by_text("Table", exact=True).click()
        expect(graph.get_by_test_id("stDataFrame")).to_be_visible()
        assert edits(memory) == []
    expect(notice(graph)).to_contain_text("Saved", timeout=40_000)
    idle(graph)
    (edit,) = edits(memory)
    assert edit.made + edit.updated + edit.deleted > 1000
    (tag,) = {r.tag_id for r in turn_relations(memory)}
    assert name_of(memory, tag) == "everything"
    with memory._scope.writing():
        press_without_waiting(graph, "Undo", way)
        expect(graph.get_by_text("Undoing: 0 of")).to_be_visible()
        graph.get_by_text("Graph", exact=True).first.click()
        assert edits(memory) != []
    expect(notice(graph)).to_contain_text("Undone", timeout=40_000)
    idle(graph)
    assert {(r.cue_id, r.tag_id, r.content_id) for r in every_relation(memory)} == before


def press_without_waiting(page: Page, name: str, way: str) -> None:
    """Press a button of the panel, whatever it begins."""
    button = page.get_by_role("button", name=name, exact=True).last
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")


def every_relation(memory: Memory) -> list[Relation]:
    return memory.relations(*memory.snapshot().graph.columns.content_ids)


def turn_relations(memory: Memory) -> list[Relation]:
    return memory.relations(*(c.id for c in layer(memory, "turn")))


# cells


def cells(page: Page) -> Locator:
    return page.locator(".st-key-edit-cells input[type=text]:not([role=combobox])")


@WAYS
def test_a_cell_is_typed_in_the_table_and_saved_once(graph: Page, memory: Memory, way: str) -> None:
    graph.get_by_text("Table", exact=True).click()
    settled(graph)
    graph.get_by_text("Edit in place").click()
    settled(graph)
    old = cells(graph).nth(1).input_value()
    cue = named(memory, old)
    if way == "mouse":
        cells(graph).nth(1).click(click_count=3)
    else:
        cells(graph).nth(0).focus()
        while of_focus(graph) != old:
            graph.keyboard.press("Tab")
        graph.keyboard.press("Control+a")
    graph.keyboard.type("typed once")
    if way == "keyboard":
        graph.keyboard.press("Enter")
        settled(graph)
    else:
        use(graph, "Preview the changes", way)
    expect(side(graph)).to_contain_text("is now called “typed once”")
    use(graph, "Save", way)
    expect(notice(graph)).to_contain_text("Saved")
    assert name_of(memory, cue) == "typed once"
    (edit,) = edits(memory)
    assert edit.updated == 1 and [e.action for e in edit.events if e.kind == "edited"] == ["set"]
    expect(cells(graph).nth(1)).to_have_value("typed once")


def of_focus(page: Page) -> str:
    """What stands in the field that has the focus."""
    return page.evaluate("document.activeElement.value ?? ''")
