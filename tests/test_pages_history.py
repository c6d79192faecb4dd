"""The page History, run as Streamlit runs it: changes in words, undo, redo, disputes, carried corrections."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from by_name import ANN, cue, rename
from pages_running import copied_store, labels, page, press, words
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.editing import Add, Delete, Relate, Set, Who
from memcore.erasure import Hit, Wanted
from memcore.extraction import Extraction
from memcore.llm.offline.extractor import RuleExtractor
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import AgentRun, RunMark, RunStep, Turn, new_id
from memcore.view.privacy_receipt import done
from pages._parts.editing import turning

BO = Who("Bo", "")
HOSTILE = "<script>alert(1)</script> ![x](http://example.invalid/x.png)"
FILTERED = "No memory matches these filters"


@pytest.fixture
def memory(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    return copied_store(sample_store, tmp_path, monkeypatch).scope("Harbour Street")


def names(memory: Memory) -> list[str]:
    return memory.snapshot().graph.columns.cue_names


def listed(app: AppTest) -> list[str]:
    return [unescaped(label) for label in app.radio[0].options]


def said(app: AppTest) -> str:
    """Everything on the page with the backslashes of markdown taken away."""
    return unescaped(words(app))


def unescaped(markdown: str) -> str:
    return re.sub(r"\\(.)", r"\1", markdown)


def test_a_change_is_told_in_words_with_who_why_before_and_after(memory: Memory) -> None:
    group = rename(memory, "Maren", "Maren Holt")
    app = page("history", change=group)
    assert not app.exception
    assert "Changed the name of the cue: “Maren” → “Maren Holt”" in said(app)
    assert "Ann ·" in said(app) and "Why: it was misread" in said(app)
    assert {"Maren", "Maren Holt"} <= {t.value for t in app.text}
    ids = [cue(memory, "Maren Holt"), group]
    assert not [i for i in ids if i in said(app) + "".join(listed(app))]


def test_an_edit_is_undone_and_redone_here(memory: Memory) -> None:
    group = rename(memory, "Maren", "Maren Holt")
    app = press(page("history", change=group), "Undo")
    assert not app.exception and "Maren" in names(memory)
    assert any("undone" in label for label in listed(app))
    assert any("Took back" in label for label in listed(app))
    press(app, "Redo")
    assert not app.exception and "Maren Holt" in names(memory)


def test_what_rests_on_a_change_is_named_and_undone_with_it_on_request(memory: Memory) -> None:
    first = rename(memory, "Maren", "Maren Holt")
    rename(memory, "Maren Holt", "M. Holt")
    app = page("history", change=first)
    assert "1 later change rests on this one" in said(app) and "Undo" not in labels(app)
    press(app, "Undo all 2")
    assert not app.exception and "Maren" in names(memory)


def test_an_import_is_undone_under_edits_only_after_saying_what_is_lost_for_good(memory: Memory) -> None:
    edit = rename(memory, "Maren", "Maren Holt")
    imported = memory.changes()[-1].group
    app = page("history", change=imported)
    assert "1 edit goes with this import, and cannot be redone" in said(app)
    (press_it,) = [b for b in app.button if b.label == "Undo all 2"]
    assert press_it.disabled and "Download the corrections" in [b.label for b in app.get("download_button")]
    lines = list(memory.exported())
    app.checkbox(key=f"history:sure:{imported}").set_value(True).run()
    press(app, "Undo all 2")
    assert app.session_state["edit:turning"].job.wait(60)
    assert not app.run().exception and not memory.conversations()
    for _ in range(2):
        app = page("history", change=edit)
        assert "Redo" not in labels(app) and "It went with an import that was undone" in said(app)
        list(memory.import_path(samples.folder() / "harbour_street.jsonl"))
    assert [o.state for o in memory.replay(lines)] == ["applied"] and "Maren Holt" in names(memory)


def test_an_erasure_is_told_by_its_receipt_and_not_by_the_rows_of_the_journal(memory: Memory) -> None:
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="barometer")).hits)
    receipt = [step.receipt for step in memory.erasure.erase(planned, Who("Vera", "request 14"))][-1]
    app = page("history")
    assert not app.exception and receipt is not None
    assert "Vera ·" in said(app) and "Why: request 14" in said(app) and done(receipt)[0] in said(app)
    assert "Made by the program" not in said(app) and " made, " not in said(app)


def test_an_import_of_agent_runs_is_told_by_kind_with_the_way_to_each_run(memory: Memory) -> None:
    list(memory.runs.import_path(samples.folder() / "quartet_runs.jsonl"))
    app = page("history")
    assert "Brought 20 steps of runs, 12 marks of runs, 2 agent runs and 1 file." in said(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert len([label for label in links if label.startswith("Open “")]) == 2
    assert "was not there" not in said(app)


def test_an_undo_is_by_whom_it_was_and_the_authors_filter_finds_it(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCORE_AUTHOR", "Cy")
    group = rename(memory, "Maren", "Maren Holt")
    press(page("history", change=group), "Undo")
    app = page("history")
    assert "Cy ·" in said(app) and "Made by the program" not in said(app)
    app.multiselect(key="history:who").set_value(["Cy"]).run()
    assert [label.split(":")[0] for label in listed(app)] == ["Took back"]


def test_an_undo_of_what_was_erased_meanwhile_says_that_nothing_came_of_it(memory: Memory) -> None:
    content = memory.snapshot().graph.columns.content_ids[0]
    group = memory.edit(Set("content", (content,), "pinned", True), ANN)
    planned = memory.erasure.plan([Hit(content, "content", "whole", "named")])
    list(memory.erasure.erase(planned, ANN))
    app = page("history", change=group)
    assert "By somebody" in said(app) and "Undo" in labels(app)
    told: list[Exception | None] = []
    turning.turn(memory, next(row for row in memory.changes() if row.group == group), told.append)
    assert "has been erased" in str(told[0]) and memory.changes()[0].events[-1].kind == "undone"


def test_a_cue_is_found_by_its_name_of_now_and_of_before_and_one_that_is_gone(memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    rename(memory, "Idris", "Idris Vale")
    memory.edit(Delete("cue", (cue(memory, "barometer"),)), BO)
    for typed, title in (("maren", "Maren Holt"), ("barom", "barometer"), ("idris", "Idris Vale")):
        app = page("history")
        app.text_input(key="history:find").set_value(typed).run()
        next(b for b in app.button if b.label.startswith(f"{title} :small[:gray[cue")).click().run()
        assert not app.exception and len(listed(app)) == 1 and f"Only of {title}" in said(app)
        press(app, "Show all changes")
        assert len(listed(app)) == 4 and app.text_input(key="history:find").value == ""
    app.text_input(key="history:find").set_value("xyzzyq").run()
    assert "No cue, tag or memory is called" in said(app)


def test_the_newest_is_selected_and_an_undo_leads_to_what_it_took_back(memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    memory.undo()
    app = page("history")
    assert "By somebody" in said(app)
    assert "Took back: Changed the name of the cue: “Maren” → “Maren Holt”" in said(app)
    press(app, "Open that change")
    assert not app.exception and "Why: it was misread" in said(app) and "Redo" in labels(app)


def test_filters_by_kind_author_and_day(memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    memory.edit(Delete("cue", (cue(memory, "Tide"),)) if "Tide" in names(memory) else _pin(memory), BO)
    app = page("history")
    assert len(listed(app)) == 3
    app.multiselect(key="history:who").set_value(["Bo"]).run()
    assert len(listed(app)) == 1 and "2 hidden by the filters" in said(app)
    app.multiselect(key="history:kinds").set_value(["import"]).run()
    assert FILTERED in said(app) and "Nothing is stored" not in said(app)
    press(app, "Clear the filters")
    assert len(listed(app)) == 3
    app.date_input(key="history:when").set_value((date(2020, 1, 1), date(2020, 1, 2))).run()
    assert FILTERED in said(app)


def _pin(memory: Memory) -> Set:
    return Set("cue", (memory.snapshot().graph.columns.cue_ids[0],), "pinned", True)


def test_a_link_from_a_node_shows_its_changes_relations_that_are_gone_included(memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    maren = cue(memory, "Maren Holt")
    gone = memory.relations(maren)[0]
    memory.edit(Delete("relation", (gone.id,)), ANN)
    other = next(i for i in memory.snapshot().graph.columns.cue_ids if i not in (maren, gone.cue_id))
    memory.edit(Set("cue", (other,), "pinned", True), BO)
    app = page("history", node=maren)
    assert not app.exception and "Only of Maren Holt" in said(app)
    assert len(listed(app)) == 2 and not any("pin" in label for label in listed(app))
    press(app, "Show all changes")
    assert len(listed(app)) == 4


def test_a_content_leads_to_the_import_that_brought_it(memory: Memory) -> None:
    rename(memory, "Maren", "Maren Holt")
    content = memory.snapshot().graph.columns.content_ids[0]
    app = page("history", node=content)
    (label,) = listed(app)
    assert "Imported" in label


def test_many_changes_come_in_pages_and_a_link_opens_the_right_one(memory: Memory) -> None:
    groups = [rename(memory, "Maren", "Maren 0")]
    groups += [rename(memory, f"Maren {n}", f"Maren {n + 1}") for n in range(20)]
    app = page("history", change=groups[0])
    assert not app.exception and "Maren 0" in [t.value for t in app.text]
    assert app.radio[0].value == groups[0] and len(listed(app)) < len(groups)


def test_hostile_names_and_reasons_are_never_markup(memory: Memory) -> None:
    name = f"Quay {HOSTILE}"
    memory.edit(Set("cue", (cue(memory, "Maren"),), "name", name), Who(HOSTILE, HOSTILE))
    content = memory.snapshot().graph.columns.content_ids[0]
    memory.edit(Relate(content, name, f"tag {HOSTILE}"), Who(HOSTILE, HOSTILE))
    for part in ("Changes", "Disputed", "Export and replay"):
        app = page("history", part=part)
        assert not app.exception
        markup = "\n".join(
            [str(e.value) for kind in ("title", "markdown", "caption") for e in app.get(kind)]
            + [o for r in app.radio for o in r.options]
            + labels(app)
        )
        assert not re.search(r"(?<!\\)[<!]", markup)
        assert "Quay" in markup or part != "Changes"


def test_agent_runs_and_marks_made_by_hand_are_told_in_words_and_undone(memory: Memory) -> None:
    run = AgentRun(new_id(), "", "Book a table", "live-1", "book a table for two")
    log = memory.runs.live(run)
    log.append(RunStep(new_id(), run.id, 1, "open()", "a form"))
    mark = RunMark(new_id(), run.id, 1, "compress", summary="found the form", rule="boundary")
    log.append(mark)
    memory.edit(Add(RunMark(new_id(), run.id, 1, "revise", target=0)), ANN)
    memory.edit(Set("mark", (mark.id,), "summary", "the form was found"), ANN)
    memory.edit(Delete("mark", (mark.id,)), ANN)
    app = page("history")
    assert not app.exception
    assert [title.split(" *")[0] for title in listed(app)[:4]] == [
        "Deleted the mark of a run “the form was found”",
        "Changed the summary of the mark of a run: “found the form” → “the form was found”",
        "Added a mark of a run",
        "Recorded the agent run “Book a table”",
    ]
    assert "dropped" in said(app)
    press(app, "Undo")
    assert not app.exception
    (back,) = [m for m in memory.runs.get(run.id).marks if m.id == mark.id]
    assert not back.dropped
    assert not page("history", node=run.id).exception


def test_the_export_says_what_is_not_in_it(memory: Memory) -> None:
    run = AgentRun(new_id(), "", "Book a table", "live-1", "book a table for two")
    memory.runs.live(run).append(RunStep(new_id(), run.id, 1, "open()", "a form"))
    memory.edit(Set("run", (run.id,), "title", "Book two tables"), ANN)
    memory.edit(Add(RunMark(new_id(), run.id, 1, "revise", target=0)), ANN)
    app = page("history", part="Export and replay")
    assert "Not in it" in said(app) and "1 edit of marks of runs, 1 edit of the title of agent runs" in said(
        app
    )
    memory.undo()
    memory.undo()
    assert "Not in it" not in said(page("history", part="Export and replay"))


class Later(RuleExtractor):
    """Reads no relation from any turn."""

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        return [Extraction((), (), ()) for _ in turns]


def test_a_disputed_correction_is_listed_and_decided(memory: Memory) -> None:
    relation = memory.relations(cue(memory, "Maren"))[0]
    memory.edit(Set("relation", (relation.id,), "tag", "the right tag"), ANN)
    list(memory.reextract(Later()))
    app = page("history", part="Disputed")
    assert not app.exception and "1 correction that extraction" in said(app)
    assert "nothing any more" in [t.value for t in app.text]
    assert "nothing any more" in words(page("graph"))
    assert {"Keep the correction", "Remove it"} <= set(labels(page("graph")))
    press(app, "Keep the correction")
    assert not app.exception and "Extraction agrees with every correction" in said(app)
    assert not [c for c in memory.corrections().all if c.disputed is not None]


def test_a_decision_is_signed_and_what_is_read_no_more_is_removed(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCORE_AUTHOR", "Jo")
    relation = memory.relations(cue(memory, "Maren"))[0]
    memory.edit(Set("relation", (relation.id,), "tag", "the right tag"), ANN)
    list(memory.reextract(Later()))
    app = page("history", part="Disputed")
    next(box for box in app.text_input if box.label == "Why (optional)").set_value("seen to be wrong")
    assert "Take the new reading" not in labels(app)
    press(app, "Remove it")
    assert not app.exception and not memory.get([relation.id])
    (decided,) = memory.changes(1)[0].events
    assert (decided.author, decided.reason) == ("Jo", "seen to be wrong")


def test_a_file_of_corrections_is_tried_then_carried_out(memory: Memory, tmp_path: Path) -> None:
    other = Memories.open(tmp_path / "copy", embedder="none").scope("Harbour Street", create=True)
    list(other.import_path(samples.folder() / "harbour_street.jsonl"))
    rename(other, "Maren", "Maren Holt")
    lines = [*other.exported(), "{broken", json.dumps({"target": "cue", "slot": "name"})]
    app = page("history", part="Export and replay")
    assert not app.exception and "Nothing was corrected by hand" in said(app)
    app.get("file_uploader")[0].set_value(("corrections.jsonl", "\n".join(lines).encode(), "")).run()
    assert not app.exception and "1 of 3 lines would be carried out" in said(app)
    assert "Maren Holt" not in names(memory)
    press(app, "Carry out 1 correction")
    assert not app.exception and "1 of 3 lines carried out" in said(app)
    assert "Maren Holt" in names(memory)
    app = page("history")
    assert "Changed the name of the cue: “Maren” → “Maren Holt”" in said(app) and "Ann ·" in said(app)
