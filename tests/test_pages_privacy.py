"""The page Privacy, run as Streamlit runs it: find, plan, typed word, receipt, held back, rules, audit."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_running import copied_store, empty_store, eventually, labels, page, press, words
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.audit import SettingChanged
from memcore.editing import Set, Who
from memcore.erasure import Progress, Wanted
from memcore.errors import StoreBusy
from memcore.importing import DraftTurn
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.retention import Rule
from pages._parts.privacy import erasing
from pages._parts.privacy.rows import PAGE

BY = "privacy:by:"
HOSTILE = (
    "<img src=x onerror=alert(1)> [link](javascript:x) ![x](http://example.invalid/x.png) \u202egnp.exe 🧠"
)
AGAIN = "Find something else to erase"


@pytest.fixture
def store(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return copied_store(sample_store, tmp_path, monkeypatch)


@pytest.fixture
def memory(store: Memories) -> Memory:
    return store.scope("Harbour Street")


def said(app: AppTest) -> str:
    """Everything on the page with the backslashes of markdown taken away."""
    return re.sub(r"\\(.)", r"\1", words(app))


def ticks(app: AppTest) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", c.label) for c in app.checkbox]


def find(app: AppTest, **typed: str) -> AppTest:
    for name, value in typed.items():
        app.text_input(key=f"{BY}{name}").set_value(value)
    press(app, "Find")
    assert not app.exception
    return app


def plan(app: AppTest) -> AppTest:
    press(app, next(label for label in labels(app) if label.startswith("Show the plan")))
    assert not app.exception
    return app


def confirm(app: AppTest, word: str = "erase", does: str = "Erase for good") -> AppTest:
    app.text_input(key="privacy:show:typed").set_value(word)
    press(app, does)
    assert not app.exception
    return app


def erased(app: AppTest, word: str = "erase") -> AppTest:
    confirm(app, word)
    return eventually(app, lambda: AGAIN in labels(app), "no receipt")


def stays(memory: Memory, text: str) -> int:
    return len(memory.erasure.find(Wanted(text=text)).hits)


def test_what_is_found_is_grouped_marked_and_ticked_and_nothing_is_changed(memory: Memory) -> None:
    before = memory.erasure.scope.seq()
    app = find(page("privacy"), text="barometer")
    assert "Turns" in said(app) and "Memories" in said(app) and "Cues" in said(app)
    assert all(":orange-background[barometer]" in t.lower() for t in ticks(app))
    assert all(box.value for box in app.checkbox)
    plan(app)
    assert "nothing has been changed yet" in said(app)
    assert memory.erasure.scope.seq() == before
    assert "barometer" not in str(app.query_params).lower()


def test_nothing_found_an_empty_store_and_an_outage_are_three_states(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = find(page("privacy"), text="zeppelin")
    assert "Nothing in this memory holds that" in said(app) and "Look for something else" in labels(app)
    press(app, "Look for something else")
    assert app.text_input(key=f"{BY}text").value == ""

    def busy(*_: Any) -> None:
        raise StoreBusy("Somebody else writes at the moment.")

    monkeypatch.setattr("memcore.erasure.Erasure.find", busy)
    assert "cannot be reached" in said(find(app, text="barometer"))
    empty_store(tmp_path / "other", monkeypatch)
    assert "Nothing is stored here yet" in said(page("privacy"))


def test_what_the_filters_hide_is_told_and_stays_chosen(memory: Memory) -> None:
    app = find(page("privacy"), text="barometer")
    number = next(label for label in labels(app) if label.startswith("Show the plan"))
    app.text_input(key="privacy:show:with").set_value("no such words").run()
    assert "No memory matches these filters" in said(app)
    assert number in labels(app)
    press(app, "Clear the filters")
    assert ticks(app)


def test_a_name_that_is_nobodys_and_a_bad_expression_are_told_in_a_sentence(memory: Memory) -> None:
    app = find(page("privacy"), cue="nobody at all")
    assert "no cue called" in said(app)
    app = find(page("privacy"), pattern="(")
    assert "cannot be read" in said(app) and not app.exception
    app = find(page("privacy"))
    assert "Say what is to be found" in said(app)


def test_near_matches_are_offered_unticked_with_their_reason(memory: Memory) -> None:
    app = find(page("privacy"), text="barometre")
    assert "Nothing holds exactly that." in said(app) and "Nearly the same word" in said(app)
    assert not any(box.value for box in app.checkbox)
    assert "Show the plan for 0 chosen" in labels(app)
    app.checkbox[0].check().run()
    assert "Show the plan for 1 chosen" in labels(app)
    press(app, "Choose all")
    assert "Show the plan for 1 chosen" not in labels(app) and all(box.value for box in app.checkbox)


def test_all_means_those_on_later_pages_too(memory: Memory) -> None:
    memory.absorb("talk", [DraftTurn("Mina", "user", f"Quillwyn fed bee {i}.") for i in range(2 * PAGE)])
    app = find(page("privacy"), text="Quilwyn")
    found = memory.erasure.find(Wanted(text="Quilwyn"))
    assert found.hits == () and len(found.near) >= 4 * PAGE
    press(app, "Choose all")
    assert f"Show the plan for {len(found.near):,} chosen" in labels(app)
    plan(app)
    assert f"{2 * PAGE:,} turns" in said(app)


def test_what_is_unticked_is_not_in_the_plan_nor_erased(memory: Memory) -> None:
    app = find(page("privacy"), text="barometer")
    press(app, "Choose none")  # the turns
    assert "0 of" in said(app)
    all_of = len(memory.erasure.find(Wanted(text="barometer")).hits)
    turns = len([h for h in memory.erasure.find(Wanted(text="barometer")).hits if h.kind == "turn"])
    assert f"Show the plan for {all_of - turns:,} chosen" in labels(app)


def test_the_plan_is_a_graph_a_table_and_words_before_and_after(memory: Memory) -> None:
    app = plan(find(page("privacy"), text="barometer"))
    canvas = next(c for c in app.get("bidi_component") if c.key == "privacy-graph")
    drawn = json.loads(canvas.proto.json)
    assert {n["kind"] for n in drawn["nodes"]} >= {"plan_goes", "plan_again", "plan_stays"}
    view = next(c for c in app.segmented_control if c.key == "privacy:show:view")
    view.set_value("Table").run()
    table = app.dataframe[0].value
    assert {*table["what happens"]} >= {"Goes", "Made again", "Stays"}
    assert not [w for w in table["why"] if "_" in w]
    ids = {t.id for t in memory.erasure.plan(memory.erasure.find(Wanted(text="barometer")).hits).touched}
    assert not ids & {str(v) for v in table.to_numpy().ravel()}


def test_nothing_is_erased_without_the_typed_word(memory: Memory) -> None:
    app = plan(find(page("privacy"), text="barometer"))
    confirm(app, "yes")
    assert "Nothing was changed: type erase" in said(app)
    app.text_input(key="privacy:show:reason").set_value("The Barometer must go")
    confirm(app)
    assert "says what is to be erased" in said(app)
    assert stays(memory, "barometer")


def test_an_erasure_ends_with_a_receipt_and_a_search_that_finds_nothing(memory: Memory) -> None:
    app = plan(find(page("privacy"), text="barometer"))
    app.text_input(key="edit:author").set_value("Officer")
    app.text_input(key="privacy:show:reason").set_value("request 12")
    erased(app, "지우기")
    assert "Verified: nothing of it was found" in said(app)
    assert "Officer" in said(app) and "request 12" in said(app)
    assert "that nobody remembers it" in said(app) and "kept out of later imports" in said(app)
    assert stays(memory, "barometer") == 0
    receipt = memory.erasure.receipts()[0]
    assert app.query_params["receipt"] in (receipt.id, [receipt.id])
    assert receipt.author == "Officer" and not [i for i in receipt.gone.ids if i in said(app)]
    assert "barometer" not in str(app.session_state).lower()
    app.text_input(key="privacy:show:words").set_value("barometer")
    press(app, "Verify again")
    eventually(app, lambda: "Verified again just now" in said(app), "not verified")
    assert "with 1 word given" in said(app)
    press(app, "Verify again")
    eventually(app, lambda: "no word was given, so the disk was not looked through" in said(app), "not told")
    again = memory.erasure.receipt(receipt.id)
    assert (again.checks, len(again.again)) == (receipt.checks, 2)
    app.text_input(key="privacy:show:words").set_value("Kim")
    press(app, "Verify again")
    eventually(app, lambda: "too short to be looked for in every byte" in said(app), "not told")
    assert len([e for e in app.expander if "Verified again" in e.label]) == 3
    press(app, AGAIN)
    assert "Nothing in this memory holds that" in said(find(app, text="barometer"))


def test_importing_again_brings_nothing_back_until_it_is_lifted(memory: Memory) -> None:
    erased(plan(find(page("privacy"), text="barometer")))
    file = samples.folder() / "harbour_street.jsonl"
    list(memory.import_path(file))
    assert stays(memory, "barometer") == 0
    app = page("privacy", part="Receipts")
    assert "Kept out of later imports" in said(app)
    group = memory.erasure.held_back()[0].erasure
    lift = next(label for label in labels(app) if label.startswith("Let "))
    app.text_input(key=f"privacy:show:lift:{group}").set_value("please")
    press(app, lift)
    assert "Nothing was lifted" in said(app) and memory.erasure.held_back()
    app.text_input(key=f"privacy:show:lift:{group}").set_value("lift")
    press(app, lift)
    assert "can be imported again" in said(app) and not memory.erasure.held_back()
    list(memory.import_path(file))
    assert stays(memory, "barometer")


def test_redaction_replaces_the_words_and_keeps_the_rest(memory: Memory) -> None:
    turns = memory.count()["turn"]
    app = plan(find(page("privacy"), text="barometer"))
    next(c for c in app.segmented_control if c.key == "privacy:show:way").set_value("redact").run()
    app.text_input(key="privacy:show:put").set_value("[thing]").run()
    assert not app.exception and "get a mark in place of words" in said(app)
    next(c for c in app.segmented_control if c.key == "privacy:show:view").set_value("Before and after").run()
    assert "[thing]" in said(app)
    confirm(app, "redact", "Redact for good")
    eventually(app, lambda: AGAIN in labels(app), "no receipt")
    assert "with a mark in place of words" in said(app)
    assert stays(memory, "barometer") == 0 and stays(memory, "[thing]") and memory.count()["turn"] == turns


def test_a_stale_plan_says_so_and_is_made_again(memory: Memory) -> None:
    app = plan(find(page("privacy"), text="barometer"))
    c = memory.snapshot().graph.columns
    memory.edit(Set("cue", (c.cue_ids[c.cue_names.index("Maren")],), "name", "Maren Holt"), Who("Bo", ""))
    app.run()
    assert "Somebody changed this memory" in said(app) and "Erase for good" not in labels(app)
    press(app, "Plan again")
    assert "Somebody changed this memory" not in said(app) and "Erase for good" in labels(app)


def test_a_plan_is_let_go_where_another_memory_takes_the_name(memory: Memory, store: Memories) -> None:
    app = plan(find(page("privacy", scope=memory.name), text="barometer"))
    assert "Erase for good" in labels(app)
    other = store.scope("Another street", create=True)
    other.absorb("said", [DraftTurn("Ann", "user", "The barometer is broken.")])
    name = memory.name
    store.rename(name, "as it was")
    store.rename("Another street", name)
    app.session_state["scope"] = name
    confirm(app)
    eventually(app, lambda: "another memory" in said(app), "nothing was said")
    assert stays(store.scope(name), "barometer") and stays(store.scope("as it was"), "barometer")


@pytest.fixture
def held(memory: Memory) -> Iterator[threading.Event]:
    """An erasure that waits after its first step until it is let go."""
    going = threading.Event()

    def steps() -> Iterator[Progress]:
        yield Progress("indexing", 1, 4)
        going.wait(20)

    erasing.begin(memory.id, steps, "erase", "Officer")
    yield going
    going.set()


def test_an_erasure_under_way_is_seen_by_every_session_and_by_nobody_else(
    memory: Memory, held: threading.Event
) -> None:
    first, second = page("privacy"), page("privacy")
    for app in (first, second):
        assert "is being erased" in said(app) and "asked for by Officer" in said(app)
        assert "Find" not in labels(app)
    assert "Something is being erased" in said(page("graph"))
    assert not erasing.begin(memory.id, lambda: iter(()), "erase", "Bo")
    held.set()
    eventually(first, lambda: "Find" in labels(first), "still under way")


def test_a_link_from_any_record_opens_its_plan(memory: Memory) -> None:
    turn = next(h for h in memory.erasure.find(Wanted(text="barometer")).hits if h.kind == "turn")
    app = page("privacy", erase=turn.id, scope=memory.name)
    assert "nothing has been changed yet" in said(app) and "1 turn" in said(app)
    assert "Back to the search" in labels(app)
    press(app, "Back to the search")
    assert "Find" in labels(app) and "erase" not in app.query_params
    list(memory.ask(Ask("Who has the barometer?", 5)))
    trace = memory.traces()[0]
    app = page("privacy", erase=trace.id, scope=memory.name)
    assert "1 past question goes for good" in said(app)
    app = page("privacy", erase="0" * 32, scope=memory.name)
    assert "not in this memory" in said(app) and "Find" in labels(app)


def test_past_receipts_are_listed_opened_by_their_address_and_an_unknown_one_is_told(memory: Memory) -> None:
    assert "Nothing was erased yet" in said(page("privacy", part="Receipts"))
    for word in ("barometer", "flea market"):
        hits = memory.erasure.find(Wanted(text=word)).hits
        list(memory.erasure.erase(memory.erasure.plan(hits), Who(f"Officer {word[:1]}", "")))
    newest, older = memory.erasure.receipts()
    app = page("privacy", part="Receipts", receipt=older.id)
    assert app.radio[0].value == older.id and older.author in said(app)
    app = page("privacy", part="Receipts", receipt="f" * 16)
    assert app.radio[0].value == newest.id and "not one of this memory" in said(app)


def test_a_rule_is_added_off_previewed_switched_on_and_applied(memory: Memory) -> None:
    app = page("privacy", part="Retention")
    assert "There is no rule yet" in said(app)
    press(app, "Add the rule, switched off")
    assert memory.retention.rules() == (Rule("conversation", 365),)
    press(app, "Show what is due now")
    assert "1 conversation:" in said(app) and "No rule is on" in said(app)
    next(t for t in app.toggle if t.label == "On").set_value(True).run()
    assert memory.retention.rules()[0].on
    press(app, "Show what is due now")
    app.text_input(key="privacy:show:due-typed").set_value("no")
    press(app, "Erase what is due, for good")
    assert "type erase to confirm" in said(app) and memory.count()["turn"]
    app.text_input(key="privacy:show:due-typed").set_value("erase")
    press(app, "Erase what is due, for good")
    eventually(app, lambda: AGAIN in labels(app), "no receipt")
    assert not memory.count().get("turn")


def test_a_rule_is_edited_and_removed(memory: Memory) -> None:
    memory.retention.set([Rule("trace", 30)], Who("Bo", ""))
    app = page("privacy", part="Retention")
    assert "Past questions that were asked more than 30 days ago" in said(app)
    app.number_input[0].set_value(10)
    press(app, "Save the rule")
    assert memory.retention.rules() == (Rule("trace", 10),)
    press(app, "Remove")
    assert memory.retention.rules() == ()


def test_the_audit_is_listed_filtered_and_verified(memory: Memory, store: Memories) -> None:
    app = page("privacy", part="Audit")
    assert "Imported 181 turns." in list(app.dataframe[0].value["what"])
    app.multiselect(key="privacy:audit:kinds").set_value(["Erasures"]).run()
    assert "No memory matches these filters" in said(app)
    press(app, "Clear the filters")
    press(app, "Verify the audit")
    assert store.audit.verify().says in said(app)
    app.text_input(key="privacy:show:noted").set_value("0" * 64)
    press(app, "Verify the audit")
    assert store.audit.verify("0" * 64).says in said(app)


def test_the_audit_is_walked_through_to_its_first_entry(memory: Memory, store: Memories) -> None:
    for _ in range(60):
        store.audit.enter(SettingChanged("budget"), scope=memory._scope.scribe.scope)
    app = page("privacy", part="Audit")
    assert f"the record holds {store.audit.count():,} entries" in said(app)
    assert len(app.dataframe[0].value) == 50 and "Newer" not in labels(app)
    newest = app.dataframe[0].value["number"][0]
    press(app, "Older")
    assert app.dataframe[0].value["number"][0] == newest - 50
    assert "Imported 181 turns." in list(app.dataframe[0].value["what"])
    press(app, "Newer")
    assert app.dataframe[0].value["number"][0] == newest
    press(app, "Older")
    app.multiselect(key="privacy:audit:kinds").set_value(["Imports"]).run()
    assert "Imported 181 turns." in list(app.dataframe[0].value["what"]) and "Older" not in labels(app)


def test_who_may_not_see_everything_is_told_so(memory: Memory) -> None:
    app = page("privacy", scope=memory.name, seen="open")
    assert not app.exception and "everything shown" in said(app)
    assert "Find" not in labels(app)


def test_hostile_names_are_text_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = empty_store(tmp_path, monkeypatch).scope("Odd", create=True)
    lines = [
        {"conversation": HOSTILE, "speaker": HOSTILE, "text": f"{HOSTILE} needle"},
        {"conversation": HOSTILE, "speaker": "شخص", "text": "x" * 100_000 + " needle " + "y" * 1000},
    ]
    file = tmp_path / f"{HOSTILE[:3]}odd.jsonl".replace("/", "")
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    list(memory.import_path(file))
    app = find(page("privacy"), text="needle")
    raw = "\n".join(c.label for c in app.checkbox) + words(app)
    assert not re.search(r"(?<!\\)[<\[](img|link|x\])", raw) and "\u202e" not in raw
    assert all("needle" in t and len(t) < 1500 for t in ticks(app) if "orange" in t)
    plan(app)
    for view in ("Table", "Before and after", "Graph"):
        next(c for c in app.segmented_control if c.key == "privacy:show:view").set_value(view).run()
        assert not app.exception
    erased(app)
    assert stays(memory, "needle") == 0


def test_the_history_leads_from_an_erasure_to_its_receipt(memory: Memory) -> None:
    hits = memory.erasure.find(Wanted(text="barometer")).hits
    list(memory.erasure.erase(memory.erasure.plan(hits), Who("Officer", "")))
    app = page("history")
    assert not app.exception and "Erased" in said(app)
    link = next(e for e in app.get("page_link") if e.proto.label == "Open its receipt")
    assert memory.erasure.receipts()[0].id in link.proto.query_string


def test_the_page_asks_the_erasure_and_never_reaches_through_it_to_the_store() -> None:
    parts = Path(erasing.__file__).parent
    assert [p.name for p in parts.glob("*.py") if "erasure.scope" in p.read_text("utf-8")] == []
