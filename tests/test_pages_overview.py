"""The pages Overview and Conversations, run as Streamlit runs them, on a small store."""

from __future__ import annotations

import json
import re
import time
from datetime import date
from pathlib import Path

import pytest
from pages_running import copied_store, empty_store, labels, page, press, settled, words

from memcore import samples
from memcore.editing import Delete, Relate, Who
from memcore.llm.offline import choose
from memcore.memories import Memories
from memcore.reconstruction import Ask
from memcore.view.naming import counted

HOSTILE = "<script>alert(1)</script> ![x](http://example.invalid/x.png) \u202egnp"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return empty_store(tmp_path, monkeypatch)


@pytest.fixture
def memories(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return copied_store(sample_store, tmp_path, monkeypatch)


def written(tmp_path: Path, *texts: str) -> Path:
    """A message list with these utterances, in turn."""
    said = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"messages": said}), "utf-8")
    return path


def test_the_overview_counts_what_is_stored(memories: Memories) -> None:
    app = page("overview")
    assert not app.exception
    shown = {metric.label: metric.value for metric in app.metric}
    count = memories.scope("Harbour Street").count()
    assert shown["Turns"] == f"{count['turn']:,}" and shown["Relations"] == f"{count['relation']:,}"
    assert "9 March 2024" in words(app) and "English" in words(app) and "Zero\\-model" in words(app)


def test_an_app_goes_on_where_its_empty_store_gets_a_first_memory_of_another_embedder(
    store: Memories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "DEFAULT", "multilingual")
    app = page("overview")
    assert "Load the sample memories" in labels(app)
    list(store.scope("mine", create=True).import_path(written(tmp_path, "I bought a boat.", "Good.")))
    app.run()
    assert not app.exception and app.title[0].value == "mine"
    assert {metric.label: metric.value for metric in app.metric}["Turns"] == "2"


def test_a_past_question_is_listed_with_how_it_ended(memories: Memories) -> None:
    list(memories.scope("Harbour Street").ask(Ask("Who repaired the bicycle?", 5)))
    app = page("overview")
    assert "Active reconstruction · 5 turns to read" in words(app) and "finished" in words(app)


def test_examining_a_sound_store_says_so(memories: Memories) -> None:
    app = page("overview")
    app.button(key="examine").click().run()
    assert not app.exception and app.success[0].value == "The store is consistent."


def test_everything_is_read_again_by_rules_and_what_came_of_it_is_said(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    before = memory.count()
    app = press(page("overview"), "Read everything again")
    assert f"All {before['turn']} turns are read again by rules" in words(app)
    assert "What would it cost?" not in labels(app)  # nobody is asked
    settled(press(app, "Read again"), "Done")
    read = f"Read {counted(before['conversation'], 'conversation')} again: 0 records made, 0 removed"
    assert f"{read}; no correction is disputed." in words(app)
    assert memory.count() == before and "Undo" not in labels(app)
    assert "Read everything again" in labels(press(app, "Done"))


@pytest.mark.parametrize("others", [(), ("Another",)])
def test_a_memory_is_renamed_and_every_open_tab_goes_on_with_it(
    memories: Memories, others: tuple[str, ...]
) -> None:
    for other in others:
        memories.scope(other, create=True)
    other_tab = page("overview", scope="Harbour Street")
    app = page("overview")
    app.text_input(key="renaming:name").set_value("A street")
    assert "Rename" in labels(press(app, "Rename"))
    assert not app.exception and app.title[0].value == "A street" and "A street" in memories.scopes()
    other_tab.run()
    assert not other_tab.exception and other_tab.title[0].value == "A street"
    assert "There is no memory called" not in words(other_tab)
    memories.scope("Harbour Street", create=True)  # a new one of the old name is another memory
    other_tab.run()
    assert other_tab.title[0].value == "A street"
    assert "Nothing is stored here yet" in words(page("overview", scope="Harbour Street"))


def test_a_tab_goes_on_with_its_memory_where_another_takes_its_name_at_once(memories: Memories) -> None:
    memories.scope("Another", create=True)
    tab = page("overview", scope="Harbour Street")
    memories.rename("Harbour Street", "Between")
    memories.rename("Another", "Harbour Street")
    tab.run()
    assert tab.title[0].value == "Between"
    assert memories.scope("Harbour Street").key != memories.scope("Between").key


def test_a_name_that_is_taken_is_refused_with_a_sentence(memories: Memories) -> None:
    memories.scope("Another", create=True)
    app = page("overview")
    app.text_input(key="renaming:name").set_value("Another")
    assert "already" in words(press(app, "Rename")) and app.title[0].value == "Harbour Street"


def test_in_a_view_that_leaves_something_out_nothing_is_read_again(memories: Memories) -> None:
    app = page("overview", seen="open")
    assert "Read everything again" not in labels(app) and "Rename" not in labels(app)


def test_what_to_mend_is_counted_listed_and_leads_to_the_node(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    c = memory.snapshot().graph.columns
    bare = c.content_ids[3]
    memory.edit(Delete("relation", tuple(r.id for r in memory.relations(bare))), Who("Ann"))
    app = page("overview", mend="handles")
    assert not app.exception
    assert any(o.startswith("Memories with few or no handles") for o in app.radio[0].options)
    assert "no cue leads here" in words(app)
    links = [
        link.proto.page_link if hasattr(link.proto, "page_link") else link.proto
        for link in app.get("page_link")
    ]
    assert any(f"node={bare}" in str(link) for link in links)


def test_two_cues_that_may_be_the_same_are_opened_together(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    graph = memory.snapshot().graph
    memory.edit(Relate(graph.columns.content_ids[0], "Marem", "a slip of the pen", "people"), Who("Ann"))
    c = memory.snapshot().graph.columns
    both = [c.cue_ids[c.cue_names.index(name)] for name in ("Maren", "Marem")]
    app = page("overview", mend="near")
    assert not app.exception
    assert any("node={}&node={}&".format(*both) in str(link.proto) for link in app.get("page_link"))


def test_a_kind_of_fault_that_is_gone_is_no_dead_link(memories: Memories) -> None:
    app = page("overview", mend="skipped")
    assert not app.exception and "What to mend" in words(app)
    assert app.radio[0].value != "skipped"


def test_another_kind_of_fault_can_be_chosen(memories: Memories) -> None:
    app = page("overview")
    app.radio[0].set_value("dates").run()
    assert not app.exception and "known only as" in words(app)


@pytest.mark.parametrize("name", ["overview", "conversations"])
def test_an_empty_store_that_was_named_stays_empty_and_offers_two_actions(store: Memories, name: str) -> None:
    app = page(name)
    assert not app.exception
    assert "Nothing is stored here yet" in words(app)
    assert "Load the sample memories" in [button.label for button in app.button]
    assert store.scopes() == []


def test_the_sample_memories_are_loaded_on_request_and_the_page_goes_on(store: Memories) -> None:
    app = press(page("overview"), "Load the sample memories")
    settled(app, "Ask a question")
    assert app.title[0].value == "Harbour Street"
    for _ in range(100):
        if len(store.scopes()) == len(samples.SAMPLES):
            return
        time.sleep(0.1)
    raise AssertionError("not every sample was loaded")


def test_a_preview_writes_nothing_and_the_import_says_what_it_wrote(store: Memories, tmp_path: Path) -> None:
    app = page("conversations")
    app.text_input(key="import:path").set_value(
        str(written(tmp_path, "I keep bees.", "How many hives?"))
    ).run()
    settled(press(app, "Preview"), "Import")
    assert "nothing is written" in words(app) and store.scopes() == []
    settled(press(app, "Import"), "Import something else")
    assert "2 turns written" in app.success[0].value
    assert store.scope("default").count()["turn"] == 2


@pytest.mark.parametrize(("mode", "episodes"), [("lazy", 0), ("eager", 1)])
def test_the_person_chooses_whether_every_session_is_consolidated(
    store: Memories, tmp_path: Path, mode: str, episodes: int
) -> None:
    app = page("conversations")
    path = written(tmp_path, "I keep bees.", "How many hives?")
    app.text_input(key="import:path").set_value(str(path)).run()
    settled(press(app, "Preview"), "Import")
    app.segmented_control(key="import:mode").set_value(mode).run()  # type: ignore[attr-defined]
    settled(press(app, "Import"), "Import something else")
    assert len(store.scope("default").recurrence.episodes()) == episodes


def test_importing_the_same_file_again_says_that_nothing_is_new(store: Memories, tmp_path: Path) -> None:
    path = written(tmp_path, "I keep bees.", "How many hives?")
    list(store.scope("default", create=True).import_path(path))
    app = page("conversations", view="Import")
    app.text_input(key="import:path").set_value(str(path)).run()
    settled(press(app, "Preview"), "Import")
    settled(press(app, "Import"), "Import something else")
    assert "Nothing new: all 2 turns were known already." in words(app)


def test_a_file_that_cannot_be_read_is_told_and_cannot_be_imported(store: Memories, tmp_path: Path) -> None:
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    app = page("conversations")
    app.text_input(key="import:path").set_value(str(tmp_path / "noise.bin")).run()
    settled(press(app, "Preview"), "Import")
    assert app.button(key="import:start").disabled
    assert "noise" in app.warning[0].value


def test_the_last_import_can_be_taken_back(memories: Memories) -> None:
    app = page("conversations", view="Files")
    press(app, "Undo this import")
    assert not app.exception
    assert memories.scope("Harbour Street").count().get("turn", 0) == 0
    assert "Nothing is stored here yet" in words(app)


def test_turns_are_verbatim_in_pages_with_their_cues(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    turns = memory.turns(memory.conversations()[0].id)
    app = page("conversations")
    assert not app.exception
    shown = [text.value for text in app.text]
    assert turns[0].text in shown and turns[24].text in shown and turns[25].text not in shown
    assert "Turns 1 to 25 of 181" in words(app)


def test_filters_that_match_nothing_are_told_apart_and_can_be_cleared(memories: Memories) -> None:
    app = page("conversations")
    between = date(2024, 5, 30), date(2024, 5, 31)
    app.date_input(key="turns:when").set_value(between).run()
    assert "No memory matches these filters" in words(app) and "Nothing is stored" not in words(app)
    press(app, "Clear the filters")
    assert "Turns 1 to 25 of 181" in words(app)


def test_a_search_shows_the_words_and_opens_the_turn_in_its_conversation(memories: Memories) -> None:
    app = page("conversations")
    app.text_input(key="turns:search").set_value("barometer").run()
    assert not app.exception and "**barometer**" in words(app)
    press(app, "Open in its conversation")
    assert not app.exception and "The turn you came for" in words(app)
    app.text_input(key="turns:search").set_value("zzqqxx").run()
    assert "Nothing holds these words" in words(app) and "filters" not in words(app)
    assert app.text_input(key="turns:search").value == "zzqqxx"


def test_a_search_honours_the_filters_and_says_how_much_they_hide(memories: Memories) -> None:
    app = page("conversations")
    app.multiselect(key="turns:who").set_value(["Maren"]).run()
    app.text_input(key="turns:search").set_value("barometer").run()
    assert not app.exception and "more hidden by the filters" in words(app)
    heads = [m.value for m in app.markdown if m.value.startswith("**") and ":small[" in m.value]
    assert heads and all(head.startswith("**Maren**") for head in heads)
    app.date_input(key="turns:when").set_value((date(2024, 3, 10), date(2024, 3, 10))).run()
    assert "No memory matches these filters" in words(app)
    press(app, "Clear the filters")
    assert "these words, best first" in words(app)


def test_a_wall_clock_without_a_zone_is_shown_as_written_and_says_so(store: Memories, tmp_path: Path) -> None:
    said = {"conversation": "c", "speaker": "Ann", "text": "The tide is out."}
    for name, at in (("written", "2024-03-09T10:12:00"), ("zoned", "2024-03-09T10:12:00+02:00")):
        (tmp_path / "talk.jsonl").write_text(json.dumps(said | {"at": at, "id": name}), "utf-8")
        list(store.scope(name, create=True).import_path(tmp_path / "talk.jsonl"))
    assert "10\\:12 \\(as written\\, no zone named\\)" in words(page("conversations", scope="written"))
    assert "08\\:12 UTC" in words(page("conversations", scope="zoned"))


def test_a_link_to_a_turn_opens_the_page_on_which_it_stands(memories: Memories) -> None:
    memory = memories.scope("Harbour Street")
    turn = memory.turns(memory.conversations()[0].id)[100]
    app = page("conversations", turn=turn.id)
    assert not app.exception
    assert turn.text in [text.value for text in app.text] and "Turns 101 to 125" in words(app)


def test_hostile_text_reaches_no_markdown_as_markup(store: Memories, tmp_path: Path) -> None:
    path = written(tmp_path, f"Barometer {HOSTILE}", "Quite so.")
    list(store.scope(f"A {HOSTILE}"[:60], create=True).import_path(path))
    for name, search in (("overview", ""), ("conversations", ""), ("conversations", "barometer")):
        app = page(name)
        if search:
            app.text_input(key="turns:search").set_value(search).run()
        assert not app.exception
        markup = "\n".join(str(e.value) for kind in ("title", "markdown", "caption") for e in app.get(kind))
        assert not re.search(r"(?<!\\)[<!]", markup) and "\u202e" not in words(app)
        assert "Barometer" in words(app) or not search


def test_a_scope_that_does_not_exist_shows_no_other_memory_silently(memories: Memories) -> None:
    memories.scope("Second", create=True)
    app = page("overview", scope="Nobody")
    assert not app.exception
    assert "There is no memory called Nobody" in words(app)
