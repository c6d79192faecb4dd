"""The page Reconstruction, run as Streamlit runs it: asking, opening by address, stepping, missing runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_running import copied_store, page
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.configuration import Configuration
from memcore.editing import Who
from memcore.erasure import Wanted
from memcore.llm.offline.embedder import NoEmbedder
from memcore.llm.offline.router import OfflineRouter
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import fold

SCOPE = "Harbour Street"
CHAIN = "Which instrument can be heard from whoever looks after Admiral when Idris travels?"
HOW, EXAMPLES = "How it is answered", "Example questions"
PAGES = {"evidence": "Evidence", "compare": "Compare"}


@pytest.fixture
def memory(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    return copied_store(sample_store, tmp_path, monkeypatch).scope(SCOPE)


def opened(**query: str) -> AppTest:
    app = page("reconstruction", **query)
    assert not app.exception
    return app


def typed(app: AppTest, question: str, **choices: object) -> AppTest:
    """Fill the form in and press Ask."""
    app.text_input(key="ask:question").set_value(question)
    for name, value in choices.items():
        next(
            w
            for kind in ("selectbox", "number_input", "checkbox")
            for w in app.get(kind)
            if w.key == f"ask:{name}"
        ).set_value(value)
    next(b for b in app.button if b.label == "Ask").click()
    app.run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    kinds = ("markdown", "caption", "text", "subheader", "warning", "info", "error")
    return "\n".join(str(e.value).replace("\\", "") for kind in kinds for e in app.get(kind))


def folded(app: AppTest) -> list[str]:
    """What of the form is behind a button."""
    found = [block.proto.popover.label for block in app.main.get("popover")]
    return [label for label in found if label in (HOW, EXAMPLES)]


def tab(app: AppTest, name: str) -> AppTest:
    app.session_state["trace:tab"] = name
    app.run()
    assert not app.exception
    return app


def at(app: AppTest) -> tuple[str, str]:
    """Trace and step in the address."""
    value = {k: v[0] if isinstance(v, list) else v for k, v in app.query_params.items()}
    return value.get("trace", ""), value.get("step", "")


def recorded(memory: Memory, question: str = CHAIN, budget: int = 12) -> tuple[str, int]:
    run = memory.ask(Ask(question, budget))
    return run.header.id, max(getattr(e, "step", 0) for e in run)


def test_a_typed_question_is_asked_with_the_choices_of_the_form(memory: Memory) -> None:
    app = typed(opened(), f"  {CHAIN} ", budget=5, strategy="fusion")
    (header,) = memory.traces()
    assert (header.question, header.budget, header.strategy) == (CHAIN, 5, "fusion")
    assert at(app) == (header.id, "1")
    assert "Passive fusion · 5 of 5 turns read" in words(app)


@pytest.mark.parametrize("budget", [3, 500])
def test_the_form_begins_with_the_turns_that_the_settings_say(memory: Memory, budget: int) -> None:
    memory.models.configure(Configuration(changed={"budget": budget}))
    assert opened().number_input(key="ask:budget").value == budget


def test_a_budget_that_may_grow_begins_with_half(memory: Memory) -> None:
    typed(opened(), CHAIN, budget=10, auto=True)
    _, events = memory.trace(memory.traces()[0].id)
    (first,) = [e for e in events if e.kind == "asked"]
    assert first.auto_budget and first.budget == 5


@pytest.mark.parametrize("nothing", ["", "   ", "\n\t"])
def test_an_empty_question_gets_one_clear_sentence_and_leaves_no_trace(memory: Memory, nothing: str) -> None:
    app = typed(opened(), nothing)
    assert len(app.warning) == 1 and "question" in app.warning[0].value.lower()
    assert memory.traces() == [] and at(app) == ("", "")


def test_a_question_in_another_language_ends_with_an_answer_or_says_that_there_is_none(
    memory: Memory,
) -> None:
    app = typed(opened(), "선장은 폭풍이 지나간 뒤에 무엇을 했나요?")
    (header,) = memory.traces()
    assert header.status == "finished"
    assert "Nothing in this memory answers it." in words(app) or "word for word" in words(app)
    assert "선장은 폭풍이" in app.subheader[0].value


def test_a_run_that_a_link_opened_has_its_question_in_the_form(memory: Memory) -> None:
    """It can be asked again as it is; what is typed over it is asked, and stays."""
    trace, _ = recorded(memory)
    app = opened(trace=trace, step="2")
    assert app.text_input(key="ask:question").value == CHAIN
    typed(app, "Who sings?")
    app.button(key="prev").click().run()
    assert app.text_input(key="ask:question").value == "Who sings?"


def test_the_question_of_an_open_run_is_in_the_form_when_one_comes_back_to_the_page(memory: Memory) -> None:
    trace, _ = recorded(memory)
    app = opened(trace=trace)
    app.switch_page("pages/overview.py").run()
    app.switch_page("pages/reconstruction.py").run()
    assert not app.exception and at(app)[0] == trace
    assert app.text_input(key="ask:question").value == CHAIN


def test_a_question_that_was_erased_meanwhile_goes_out_of_the_form(memory: Memory) -> None:
    trace, _ = recorded(memory, "What does Maren sell zanily?")
    app = opened(trace=trace)
    wanted = Wanted(text="zanily")
    list(memory.erasure.erase(memory.erasure.plan(memory.erasure.find(wanted).hits), Who("Vera", "")))
    app.run()
    assert not app.exception and app.text_input(key="ask:question").value == ""
    assert "zanily" not in words(app)


def test_the_choices_are_folded_away_over_a_run_and_hold_for_the_next_one(memory: Memory) -> None:
    app = typed(opened(), CHAIN, budget=5, strategy="fusion")
    assert folded(app) == [HOW, EXAMPLES] and not folded(opened())
    typed(app, "Who repaired the bicycle?")
    assert {(h.budget, h.strategy) for h in memory.traces()} == {(5, "fusion")}


@pytest.mark.parametrize("number", range(6))
def test_the_answer_to_an_example_begins_with_a_turn_it_should_rest_on(memory: Memory, number: int) -> None:
    """What is offered first is what rules answer well."""
    asked = samples.examples(SCOPE)[number]
    (wanted,) = [q["evidence"] for q in samples.questions(SCOPE) if q["question"] == asked]
    answer = fold(list(memory.events(Ask(asked, memory.settings.budget)))).answer
    assert answer is not None
    (content,) = memory.get([answer.sentences[0].content_id]).values()
    (turn,) = memory.get([content.origin[0]]).values()
    assert turn.source in wanted


def test_an_unknown_trace_in_the_address_is_one_clear_sentence(memory: Memory) -> None:
    app = opened(trace="0123456789abcdef", step="2")
    assert len(app.warning) == 1 and "trace" in app.warning[0].value
    assert not app.slider and app.text_input(key="ask:question")


def test_an_address_from_another_memory_shows_nothing_of_it(memory: Memory, tmp_path: Path) -> None:
    """Isolation: the id of a trace opens nothing in a scope that did not record it."""
    trace, _ = recorded(memory)
    other = Memories.open(tmp_path / "store", embedder="none").scope("Other", create=True)
    list(other.import_path(samples.folder() / "study_assistant.jsonl"))
    app = opened(trace=trace, scope="Other")
    assert len(app.warning) == 1
    assert "Admiral" not in words(app)


@pytest.mark.parametrize("step", ["0", "99", "-1", "two", "²"])
def test_a_step_that_the_run_does_not_have_shows_the_last_one_and_says_so(memory: Memory, step: str) -> None:
    trace, last = recorded(memory)
    app = opened(trace=trace, step=step)
    assert app.slider(key="trace:step").value == last
    assert f"This run has {last} steps; the step in the address is none of them" in words(app)
    assert at(app) == (trace, str(last))


def test_the_address_follows_the_steps_and_opens_the_same_again(memory: Memory) -> None:
    trace, _ = recorded(memory)
    app = opened(trace=trace, step="2")
    app.button(key="next").click().run()
    assert at(app) == (trace, "3")
    app.slider(key="trace:step").set_value(5).run()
    app.button(key="prev").click().run()
    assert at(app) == (trace, "4")
    again = opened(trace=trace, step="4")
    assert again.slider(key="trace:step").value == 4
    assert "**Step 4** of" in words(again)


def test_asking_again_leaves_the_run_that_was_open(memory: Memory) -> None:
    trace, _ = recorded(memory)
    app = typed(opened(trace=trace, step="2"), "Who repaired the bicycle?")
    newest = memory.traces()[0].id
    assert at(app)[0] == newest != trace
    assert app.subheader[0].value.replace("\\", "") == "Who repaired the bicycle?"


def test_looking_at_a_run_asks_neither_router_nor_embedder(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open, step, play, every tab that shows what was recorded: all of it from the events."""
    trace, _ = recorded(memory)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a replay asked a model")

    monkeypatch.setattr(Memory, "events", refuse)
    monkeypatch.setattr(OfflineRouter, "__init__", refuse)
    monkeypatch.setattr(NoEmbedder, "embed", refuse)
    app = opened(trace=trace, step="1")
    for name in ("Evidence", "Steps", "Candidates", "Pruned branches"):
        tab(app, name)
        app.slider(key="trace:step").set_value(2).run()
        app.button(key="next").click().run()
        app.button(key="prev").click().run()
        assert not app.exception
        assert app.slider(key="trace:step").value == 2
    app.button(key="play").click().run()
    assert not app.exception
    with pytest.raises(AssertionError, match="asked a model"):
        list(memory.events(Ask(CHAIN, 12)))


def test_the_answer_stands_over_the_steps_and_each_step_shows_its_evidence(memory: Memory) -> None:
    trace, last = recorded(memory)
    early, end = opened(trace=trace, step="1"), opened(trace=trace, step=str(last))
    for app in (early, end):
        assert words(app).index("**Answer**") < words(app).index("**Step ")
    assert "up to step 1" in words(early)
    assert "Stopped after" in words(end) and "Stopped after" not in words(early)


def test_candidates_show_their_fate_and_path_and_every_component_on_request(memory: Memory) -> None:
    trace, _ = recorded(memory)
    app = tab(opened(trace=trace, step="1"), "Candidates")
    (table,) = app.dataframe
    assert {"fate", "memory", "total", "path"} <= set(table.value.columns)
    assert set(table.value["fate"]) == {"kept", "not read"}
    shown = table.value
    parts = ["dense", "lexical", "speaker", "time", "tag", "cue", "neighbour", "reverse", "evidence"]
    assert (shown[parts].sum(axis=1) - shown["total"]).abs().max() < 1e-6
    app.toggle(key="trace:components").set_value(True).run()
    assert not app.exception


def test_every_pruned_branch_is_listed_with_its_reason_in_words(memory: Memory) -> None:
    trace, _ = recorded(memory)
    _, events = memory.trace(trace)
    pruned = [p for e in events if e.kind == "routed" and e.step == 1 for p in e.pruned]
    (table,) = tab(opened(trace=trace, step="1"), "Pruned branches").dataframe
    assert len(table.value) == len(pruned) > 0
    assert set(table.value["why"]) == {"scored below what was read"}


def test_three_strategies_are_compared_at_equal_budget_with_recall_of_the_expected_turns(
    memory: Memory,
) -> None:
    trace, _ = recorded(memory)
    app = tab(opened(trace=trace), "Compare")
    told = words(app)
    for lane in ("Active reconstruction", "Passive fusion", "N-hop expansion"):
        assert f"**{lane}** · " in told
    assert "Each may read 12 turns." in told
    assert "**Active reconstruction** · 100 % of the expected turns" in told
    assert len(app.dataframe) == 3
    app.multiselect(key="compare:lanes").set_value(["bm25", "graph"]).run()
    assert not app.exception and len(app.dataframe) == 2
    app.multiselect(key="compare:lanes").set_value([]).run()
    assert "Choose at least one strategy." in words(app)


def test_expected_turns_can_be_marked_by_hand(memory: Memory) -> None:
    trace, _ = recorded(memory, "Who repaired the bicycle?")
    app = tab(opened(trace=trace), "Compare")
    assert "no expected turns marked" in words(app)
    read = memory.trace(trace)[1]
    turn = next(t for e in read if e.kind == "opened" for t in e.turn_ids)
    app.multiselect(key=f"expected:{trace}").set_value([turn]).run()
    assert "**Active reconstruction** · 100 % of the expected turns" in words(app)


def test_a_memory_that_was_erased_shows_as_erased_in_an_old_trace(memory: Memory) -> None:
    trace, _ = recorded(memory)
    memory.undo()  # takes the import back: everything the run read is gone
    list(memory.import_path(samples.folder() / "study_assistant.jsonl"))
    app = opened(trace=trace, step="1")
    assert "of evidence was erased since" in words(app)
    for name in ("Steps", "Candidates", "Pruned branches"):
        tab(app, name)
    assert "erased" in str(app.dataframe[0].value)


def test_past_runs_name_strategy_and_outcome_and_link_to_their_memory(memory: Memory) -> None:
    trace, _ = recorded(memory)
    app = opened()
    link = next(e for e in app.get("page_link") if trace in e.proto.query_string)
    assert "scope=Harbour" in link.proto.query_string
    told = next(caption.value for caption in app.expander[-1].caption)
    assert told.startswith("Active reconstruction · 12 turns to read") and told.endswith("finished")


def test_choosing_another_memory_closes_the_run_of_the_first(memory: Memory, tmp_path: Path) -> None:
    trace, _ = recorded(memory)
    other = Memories.open(tmp_path / "store", embedder="none").scope("Other", create=True)
    list(other.import_path(samples.folder() / "study_assistant.jsonl"))
    app = opened(trace=trace, scope=SCOPE, step="2")
    assert app.subheader
    app.selectbox(key="scope").set_value("Other").run()
    assert not app.exception and not app.warning and not app.subheader
    assert at(app) == ("", "")


def test_a_question_of_a_megabyte_is_refused_in_one_clear_sentence(memory: Memory) -> None:
    app = typed(opened(), "Who? " * 200_000)
    assert len(app.warning) == 1 and "shorten it" in app.warning[0].value
    assert memory.traces() == []


def test_a_long_hostile_question_is_shown_by_its_beginning_and_is_no_markup(memory: Memory) -> None:
    trace, _ = recorded(memory, "Who? ![x](http://beacon.invalid/x.png) </script>\u202e " + "a " * 1_900)
    app = opened(trace=trace)
    (shown,) = (e.value for e in app.subheader)
    assert len(shown) < 1_000 and "\\!\\[x\\]" in shown and "\u202e" not in shown
    assert max(len(e.proto.label) for e in app.get("page_link")) < 1_000
