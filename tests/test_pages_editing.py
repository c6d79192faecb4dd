"""Hand-correction on the page Graph, run as Streamlit runs it: from form through preview to store."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_running import copied_store, labels, page, press, words
from streamlit.testing.v1 import AppTest

from memcore.editing import Delete, Set, Who
from memcore.erasure import Wanted
from memcore.graph import Graph
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Content, Cue, Tag


@pytest.fixture
def memory(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("MEMCORE_AUTHOR", "Jo")
    return copied_store(sample_store, tmp_path, monkeypatch).scope("Harbour Street")


@pytest.fixture
def graph(memory: Memory) -> Graph:
    return memory.snapshot().graph


@pytest.fixture
def cue(graph: Graph) -> str:
    return graph.columns.cue_ids[graph.columns.cue_names.index("barometer")]


def editing(node: str) -> AppTest:
    """The page with this node opened for editing."""
    app = page("graph", node=node)
    return app.button(key="tool-edit").click().run()


def field(app: AppTest, label: str):
    return next(
        w
        for kind in ("text_input", "text_area", "selectbox", "checkbox")
        for w in app.get(kind)
        if w.label == label
    )


def shown(memory: Memory, id_: str) -> Cue | Tag | Content:
    record = memory.get([id_])[id_]
    assert isinstance(record, Cue | Tag | Content)
    return record


def previewed(app: AppTest, label: str = "Preview the change") -> AppTest:
    press(app, label)
    assert not app.exception
    return app


def test_a_name_is_previewed_saved_once_with_author_and_reason_and_undone(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    previewed(app)
    assert "“barometer” is now called “weather glass”" in words(app)
    assert shown(memory, cue).name == "barometer"
    field(app, "Why (optional)").set_value("that is what she calls it")
    press(app, "Save")
    assert shown(memory, cue).name == "weather glass"
    (correction,) = memory.corrections().of(cue)
    assert (correction.author, correction.reason) == ("Jo", "that is what she calls it")
    assert "Extracted: barometer" in words(app) and "that is what she calls it" in words(app)
    press(app, "Undo")
    assert shown(memory, cue).name == "barometer"
    assert "Changed the name of the cue\\: “barometer” → “weather glass”" in words(app)


def test_what_the_notice_offers_to_bring_back_is_brought_back_by_the_key_too(
    memory: Memory, graph: Graph, cue: str
) -> None:
    app = page("graph", node=cue)
    app.button(key="tool-pin").click().run()
    app.button(key="tool-undo").click().run()
    memory.edit(Set("cue", (graph.columns.cue_ids[0],), "pinned", True), Who("Bea"))
    app.button(key="tool-redo").click().run()
    assert not app.exception and shown(memory, cue).pinned and "Brought back" in words(app)


def test_what_somebody_deleted_cannot_be_saved_over(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    memory.edit(Delete("cue", (cue,)), Who("Bea"))
    previewed(app)
    assert "It was deleted." in words(app) and "Save mine over it" not in labels(app)
    press(app, "Take what is there now")
    assert not app.exception and "Before you save" not in words(app)


def test_an_undo_on_which_a_later_edit_rests_offers_to_undo_that_too(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    previewed(app)
    press(app, "Save")
    memory.edit(Set("cue", (cue,), "name", "storm glass"), Who("Bea"))
    app.button(key="edit:turn").click().run()
    assert not app.exception and "1 later change rests on this one" in words(app)
    assert shown(memory, cue).name == "storm glass"
    press(app, "Undo those too (1)")
    assert not app.exception and shown(memory, cue).name == "barometer" and "Undone" in words(app)


def test_an_undo_of_what_was_undone_elsewhere_says_so(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    previewed(app)
    press(app, "Save")
    memory.undo()
    app.button(key="edit:turn").click().run()
    assert not app.exception and "This change is already undone" in words(app)
    assert shown(memory, cue).name == "barometer"


def test_the_name_of_the_person_is_remembered_in_the_session(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Pinned").set_value(True)
    previewed(app)
    field(app, "Your name").set_value("Ada")
    press(app, "Save")
    field(app, "Name").set_value("weather glass")
    previewed(app)
    assert field(app, "Your name").value == "Ada"
    press(app, "Save")
    assert [c.author for c in memory.corrections().all] == ["Ada", "Ada"]


def test_several_fields_are_saved_together_and_undone_together(memory: Memory, graph: Graph) -> None:
    node = graph.columns.content_ids[0]
    before = shown(memory, node)
    app = editing(node)
    field(app, "Text").set_value("Something <b>else</b> was said.")
    field(app, "Happened").set_value("May 2023")
    field(app, "Sensitivity").set_value(2)
    previewed(app)
    press(app, "Save")
    after = shown(memory, node)
    assert isinstance(after, Content) and isinstance(before, Content)
    assert (after.text, after.event.precision, after.sensitivity) == (
        "Something <b>else</b> was said.",
        "month",
        2,
    )
    press(app, "Undo")
    back = shown(memory, node)
    assert isinstance(back, Content)
    assert (back.text, back.event, back.sensitivity) == (before.text, before.event, before.sensitivity)


@pytest.mark.parametrize(
    ("label", "typed", "says"),
    [("Name", "  ", "A name cannot be empty"), ("Name", "x" * 300, "at most 200 characters")],
)
def test_what_cannot_be_is_refused_in_one_sentence_and_nothing_is_saved(
    memory: Memory, cue: str, label: str, typed: str, says: str
) -> None:
    app = editing(cue)
    field(app, label).set_value(typed)
    previewed(app)
    assert says in words(app) and "Save" not in labels(app)
    press(app, "Back")
    assert field(app, label).value == typed and shown(memory, cue).name == "barometer"


def test_a_time_that_is_none_is_refused_before_the_preview(memory: Memory, graph: Graph) -> None:
    app = editing(graph.columns.content_ids[0])
    field(app, "Happened").set_value("a while ago")
    previewed(app)
    assert "Write a time like" in words(app) and "Save" not in labels(app)


def test_a_taken_name_shows_the_other_and_merges_into_it(memory: Memory, graph: Graph, cue: str) -> None:
    other = graph.columns.cue_ids[graph.columns.cue_names.index("Pocket")]
    app = editing(cue)
    field(app, "Name").set_value("POCKET")
    previewed(app)
    assert "merge the two" in words(app) and "**Pocket**" in words(app) and "Save" not in labels(app)
    press(app, "Merge the two")
    assert "becomes part of the cue “Pocket”" in words(app)
    press(app, "Save")
    assert cue not in memory.get([cue]) and len(memory.relations(other)) > graph.cue_degree(
        graph.cue_index[other]
    )


def test_what_somebody_else_changed_meanwhile_is_shown_and_not_overwritten(memory: Memory, cue: str) -> None:
    app = editing(cue)
    memory.edit(Set("cue", (cue,), "name", "storm glass"), Who("Bea"))
    field(app, "Name").set_value("weather glass")
    previewed(app)
    assert "Somebody changed this" in words(app) and "storm glass" in words(app) and "Save" not in labels(app)
    press(app, "Take what is there now")
    assert field(app, "Name").value == "storm glass"
    memory.edit(Set("cue", (cue,), "name", "sea glass"), Who("Bea"))
    field(app, "Name").set_value("weather glass")
    previewed(app)
    press(app, "Save mine over it")
    press(app, "Save")
    assert shown(memory, cue).name == "weather glass"


def test_a_save_is_refused_when_somebody_was_quicker_after_the_preview(memory: Memory, cue: str) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    previewed(app)
    memory.edit(Set("cue", (cue,), "name", "storm glass"), Who("Bea"))
    press(app, "Save")
    assert shown(memory, cue).name == "storm glass" and "storm glass" in words(app)


def pick(app: AppTest, relation: str) -> None:
    """Press the chip of a relation."""
    next(p for p in app.pills if (p.key or "").startswith("edit:chips:")).set_value([relation]).run()


def test_a_relation_gets_another_tag_here_and_the_tag_stays_elsewhere(memory: Memory, cue: str) -> None:
    app = editing(cue)
    relation = next(r for r in memory.relations(cue) if shown(memory, r.tag_id).name == "barometer")
    pick(app, relation.id)
    field(app, "Tag them as").set_value("coffee cart").run()
    previewed(app, "Preview the new tag")
    assert "1 relation moved" in words(app)
    press(app, "Save")
    (moved,) = memory.get([relation.id]).values()
    assert moved.kind == "relation" and shown(memory, moved.tag_id).name == "coffee cart"
    assert shown(memory, relation.tag_id).name == "barometer"


def test_the_tag_of_a_relation_is_renamed_everywhere(memory: Memory, cue: str) -> None:
    app = editing(cue)
    relation = next(r for r in memory.relations(cue) if shown(memory, r.tag_id).name == "barometer")
    pick(app, relation.id)
    next(r for r in app.radio if r.label == "Where").set_value("Everywhere").run()
    field(app, "New name of the tag").set_value("weather glass")  # pressed before a run has seen it
    previewed(app, "Preview the new name")
    assert "is now called “weather glass”" in words(app)
    press(app, "Save")
    assert shown(memory, relation.tag_id).name == "weather glass"


def test_a_relation_is_moved_and_removed(memory: Memory, graph: Graph, cue: str) -> None:
    app = editing(cue)
    first, second = memory.relations(cue)[:2]
    pick(app, first.id)
    what(app, cue, "Move")
    field(app, "Lead from this cue instead").set_value("Pocket").run()
    previewed(app, "Preview the move")
    press(app, "Save")
    assert first.id not in [r.id for r in memory.relations(cue)]
    pick(app, second.id)
    what(app, cue, "Remove")
    previewed(app, "Preview the removal")
    assert "1 relation removed" in words(app)
    press(app, "Save")
    assert not memory.get([second.id])


def test_what_is_typed_stays_when_the_node_is_pinned_and_when_that_is_undone(
    memory: Memory, cue: str
) -> None:
    app = editing(cue)
    field(app, "Name").set_value("weather glass")
    app.button(key="tool-pin").click().run()
    assert field(app, "Name").value == "weather glass" and field(app, "Pinned").value
    press(app, "Undo")
    assert field(app, "Name").value == "weather glass" and not field(app, "Pinned").value
    previewed(app)
    press(app, "Save")
    assert shown(memory, cue).name == "weather glass" and "Discard" not in labels(app)
    field(app, "Name").set_value("storm glass").run()
    press(app, "Discard")
    assert field(app, "Name").value == "weather glass"


def what(app: AppTest, node: str, choice: str) -> None:
    app.segmented_control(key=f"edit:what:{node}").set_value(choice).run()


def test_added_tags_that_differ_only_in_case_are_one(memory: Memory, graph: Graph) -> None:
    node = graph.columns.content_ids[0]
    before = {r.id for r in memory.relations(node)}
    app = editing(node)
    field(app, "Cue").set_value("Pocket").run()
    tags = next(m for m in app.multiselect if m.label == "Tags")
    tags.set_value(["Brand New Tag", "brand new TAG", "COFFEE cart"]).run()
    assert "“Brand New Tag” is a new tag" in words(app) and "“coffee cart” is an existing tag" in words(app)
    previewed(app, "Preview the relation")
    press(app, "Save")
    added = [r for r in memory.relations(node) if r.id not in before]
    assert sorted(shown(memory, r.tag_id).name for r in added) == ["Brand New Tag", "coffee cart"]
    assert not field(app, "Cue").value and not next(m for m in app.multiselect if m.label == "Tags").value


def test_the_same_edit_on_what_a_filter_lets_through_is_one_step(memory: Memory, graph: Graph) -> None:
    app = page("graph")
    app.multiselect(key="graph:layers").set_value(["topic"]).run()
    app.segmented_control(key="edit:mode").set_value("Edit").run()
    topics = [
        i
        for i, layer in zip(graph.columns.content_ids, graph.columns.layers, strict=True)
        if layer == "topic"
    ]
    field(app, "What").set_value("Sensitivity").run()
    field(app, "Sensitivity").set_value(3).run()
    previewed(app)
    press(app, "Save")
    assert all(r.sensitivity == 3 for r in memory.get(topics).values())
    press(app, "Undo")
    assert all(r.sensitivity == 0 for r in memory.get(topics).values())


def test_the_cues_that_a_filter_lets_through_are_edited_together_even_with_one_node_selected(
    memory: Memory, graph: Graph, cue: str
) -> None:
    c = graph.columns
    verbs = [i for i, kind in zip(c.cue_ids, c.cue_kinds, strict=True) if kind == "verb"]
    app = editing(cue)
    app.multiselect(key="graph:kinds").set_value(["verb"]).run()
    assert field(app, "Name").value == "barometer"
    next(r for r in app.radio if r.label == "Edit").set_value("All that pass the filters").run()
    assert f"**{len(verbs)} cues**" in words(app)
    field(app, "What").set_value("Kind").run()
    field(app, "Kind").set_value("task")
    previewed(app)
    press(app, "Save")
    assert {shown(memory, i).cue_kind for i in verbs} == {"task"}


def test_a_time_that_is_none_is_told_and_the_next_one_is_previewed_at_once(memory: Memory) -> None:
    app = page("graph")
    app.multiselect(key="graph:layers").set_value(["topic"]).run()
    app.segmented_control(key="edit:mode").set_value("Edit").run()
    field(app, "What").set_value("Happened").run()
    field(app, "Happened").set_value("a while ago")
    previewed(app)
    assert "Write a time like" in words(app)
    field(app, "Happened").set_value("2022-01-01")
    previewed(app)
    assert "1 January 2022" in words(app) and "Save" in labels(app)


def test_a_disputed_correction_is_listed_and_decided(memory: Memory, graph: Graph) -> None:
    from dataclasses import replace

    node = graph.columns.content_ids[0]
    memory.edit(Set("content", (node,), "text", "What I wrote."), Who("Jo"))
    (correction,) = [c for c in memory.corrections().of(node) if c.slot == "text"]
    disputed = replace(correction, disputed="What it says now.", revision=correction.revision + 1)
    memory._scope.commit(memory.changes(1)[0].events[-1], upserts=[disputed])
    app = page("graph")
    assert any("Extraction disagrees with 1" in e.label for e in app.expander)
    assert "What it says now" in words(app)
    assert {"Keep the correction", "Take the new reading", "Keep both"} <= set(labels(app))
    press(app, "Take the new reading")
    press(app, "Save")
    assert shown(memory, node).text == "What it says now."
    assert not any("Extraction disagrees" in e.label for e in app.expander)


def test_cells_of_the_table_are_typed_once_and_saved_once_over_two_pages(
    memory: Memory, graph: Graph
) -> None:
    app = page("graph")
    app.segmented_control(key="graph:view").set_value("Table").run()
    app.toggle(key="edit:in_place").set_value(True).run()
    first, second = [w for w in app.text_input if (w.key or "").endswith(":name")][:2]
    first.set_value("typed into the first")
    second.set_value("typed into the second")
    press(app, "Next")
    third = next(w for w in app.text_area if (w.key or "").endswith(":text"))
    third.set_value("typed into a third")
    press(app, "Preview the changes")
    assert not app.exception and words(app).count("typed into") == 3
    press(app, "Save")
    for cell, text in ((first, "typed into the first"), (second, "typed into the second")):
        assert shown(memory, id_of(cell)).name == text
    assert shown(memory, id_of(third)).text == "typed into a third"
    (saved_together,) = [c for c in memory.changes() if c.events[-1].kind == "edited"]
    assert saved_together.made == 3
    app.button(key="edit:turn").click().run()
    assert shown(memory, id_of(first)).name == graph.columns.cue_names[graph.cue_index[id_of(first)]]


def test_a_cell_that_cannot_be_is_told_by_its_row_and_the_others_stay_typed(memory: Memory) -> None:
    app = page("graph")
    app.segmented_control(key="graph:view").set_value("Table").run()
    app.toggle(key="edit:in_place").set_value(True).run()
    first, second = [w for w in app.text_input if (w.key or "").endswith(":name")][:2]
    old = shown(memory, id_of(second)).name
    first.set_value("typed into the first")
    second.set_value("  ")
    press(app, "Next")
    press(app, "Preview the changes")
    assert f"“{old}” (page 1)" in words(app).replace("\\", "") and "A name cannot be empty" in words(app)
    assert "page 1 of" in words(app) and "Save" not in labels(app)
    app.toggle(key="edit:in_place").set_value(False).run()
    app.toggle(key="edit:in_place").set_value(True).run()
    first, second = [w for w in app.text_input if (w.key or "").endswith(":name")][:2]
    assert (first.value, second.value) == ("typed into the first", "  ")
    press(app, "Discard")
    assert old in [w.value for w in app.text_input]


def test_of_several_names_typed_only_the_one_that_is_taken_becomes_a_merge(
    memory: Memory, graph: Graph
) -> None:
    app = page("graph")
    app.segmented_control(key="graph:view").set_value("Table").run()
    app.toggle(key="edit:in_place").set_value(True).run()
    cells = [w for w in app.text_input if (w.key or "").endswith(":name") and id_of(w) in graph.cue_index]
    first, second, other = cells[:3]
    first.set_value("typed into the first")
    second.set_value(shown(memory, id_of(other)).name.upper())
    press(app, "Preview the changes")
    assert "merge the two" in words(app) and "Save" not in labels(app)
    assert f"It was typed for the cue “{shown(memory, id_of(second)).name}”" in words(app)
    press(app, "Merge the two")
    assert not app.exception and "is now called “typed into the first”" in words(app)
    assert "becomes part of the cue" in words(app)
    press(app, "Save")
    assert shown(memory, id_of(first)).name == "typed into the first"
    assert id_of(second) not in memory.get([id_of(second)])


def id_of(cell) -> str:
    return cell.key.split(":")[3]


def in_place() -> AppTest:
    """The table, opened for editing in place."""
    app = page("graph")
    app.segmented_control(key="graph:view").set_value("Table").run()
    return app.toggle(key="edit:in_place").set_value(True).run()


def cell(app: AppTest, id_: str):
    """The field of the table in which a record is named."""
    return next(
        w
        for w in (*app.text_input, *app.text_area)
        if (w.key or "").startswith("edit:table:") and id_of(w) == id_ and w.key.endswith((":name", ":text"))
    )


def at(app: AppTest, *nodes: str) -> AppTest:
    """The table edited in place, with these nodes selected for editing beside it."""
    app.session_state["graph:kept"] = {"hidden_kinds": [], "selection": {"nodes": [*nodes], "edges": []}}
    app.session_state["edit:mode"] = "Edit"
    return app.run()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_somebody_else_saved_is_not_written_over_after_something_of_ones_own_is_saved(
    memory: Memory, graph: Graph, cue: str, elsewhere: bool
) -> None:
    app = at(in_place(), cue)
    field(app, "Name").set_value("weather glass")
    memory.edit(Set("cue", (cue,), "name", "storm glass"), Who("Bea"))
    app.run()
    if elsewhere:
        at(app, graph.columns.cue_ids[0])
    app.button(key="tool-pin").click().run()
    at(app, cue)
    assert field(app, "Name").value == "weather glass" and "Somebody changed this" in words(app)
    previewed(app)
    assert "storm glass" in words(app) and "Save" not in labels(app)
    press(app, "Take what is there now")
    assert field(app, "Name").value == "storm glass" and "Somebody changed this" not in words(app)


def test_what_is_typed_in_a_cell_is_not_written_over_what_somebody_else_saved(memory: Memory) -> None:
    app = in_place()
    first, second = [id_of(w) for w in app.text_input if (w.key or "").endswith(":name")][:2]
    cell(app, first).set_value("weather glass")
    cell(app, second).set_value("coffee barrow")
    app.run()
    memory.edit(Set("cue", (first,), "name", "storm glass"), Who("Bea"))
    memory.edit(Set("cue", (second,), "pinned", True), Who("Bea"))
    app.run()
    previewed(app, "Preview the changes")
    assert "storm glass" in words(app) and "Save" not in labels(app)
    press(app, "Take what is there now")
    assert cell(app, first).value == "storm glass" and cell(app, second).value == "coffee barrow"
    previewed(app, "Preview the changes")
    press(app, "Save")
    assert [shown(memory, i).name for i in (first, second)] == ["storm glass", "coffee barrow"]


def test_what_is_typed_over_a_node_is_there_again_when_one_comes_back_to_it(
    memory: Memory, graph: Graph, cue: str
) -> None:
    other = graph.columns.cue_ids[0]
    app = at(in_place(), cue)
    field(app, "Name").set_value("weather glass")
    at(app, other)
    field(app, "Name").set_value("typed into the other")
    at(app, cue, other)
    app.button(key="tool-pin").click().run()
    memory.edit(Set("cue", (cue,), "cue_kind", "task"), Who("Bea"))
    at(app, cue)
    assert field(app, "Name").value == "weather glass" and field(app, "Kind").value == "task"
    app.button(key="edit:discard").click().run()
    assert field(app, "Name").value == "barometer"
    at(app, other)
    assert field(app, "Name").value == "typed into the other"


def test_discarding_in_the_table_leaves_what_is_typed_in_the_form(memory: Memory, cue: str) -> None:
    app = at(in_place(), cue)
    field(app, "Name").set_value("weather glass")
    cell(app, cue).set_value("typed in the table")
    memory.edit(Set("cue", (cue,), "pinned", True), Who("Bea"))
    press(app, "Discard")
    assert cell(app, cue).value == "barometer" and field(app, "Name").value == "weather glass"


def test_the_table_edited_in_place_shows_what_is_searched_and_what_is_typed_and_nothing_erased(
    memory: Memory, graph: Graph
) -> None:
    app = in_place()
    typed = next(id_of(w) for w in app.text_input if (w.key or "").endswith(":name"))
    cell(app, typed).set_value("typed before the search")
    app.text_input(key="graph:search").set_value("market").run()
    previewed(app, "Preview the changes")
    assert "typed before the search" in words(app)
    press(app, "Back")
    erased = next(w for w in app.text_area if graph.columns.layers[graph.content_index[id_of(w)]] == "turn")
    assert len({id_of(w) for w in (*app.text_input, *app.text_area) if ":table:" in (w.key or "")}) < len(
        graph
    )
    plan = memory.erasure.plan(memory.erasure.find(Wanted(text=erased.value)).hits)
    list(memory.erasure.erase(plan, Who("officer", "was asked"), wanted=[erased.value]))
    app.run()
    assert not app.exception and erased.value not in [w.value for w in app.text_area]


def test_what_is_under_way_and_what_was_said_stay_with_their_memory(
    memory: Memory, cue: str, tmp_path: Path
) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"conversation": "boats", "speaker": "Ann", "text": "I bought a boat in Oslo."}\n')
    boats = Memories.open(tmp_path / "store", embedder="none").scope("Boats", create=True)
    assert list(boats.import_path(talk))
    app = page("graph", scope=memory.name, node=cue)
    app.button(key="tool-pin").click().run()
    assert "barometer" in words(app) and "Undo" in labels(app)[-1:]
    app.selectbox(key="scope").set_value("Boats").run()
    assert not app.exception and "barometer" not in words(app)
    app = page("graph", scope=memory.name)
    app.multiselect(key="graph:layers").set_value(["turn"]).run()
    app.segmented_control(key="edit:mode").set_value("Edit").run()
    field(app, "What").set_value("Sensitivity").run()
    field(app, "Sensitivity").set_value(3)
    previewed(app)
    assert "Before you save" in words(app)
    app.selectbox(key="scope").set_value("Boats").run()
    assert not app.exception and "Before you save" not in words(app)
    assert field(app, "Sensitivity").value == 0
