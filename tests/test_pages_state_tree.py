"""The page State tree, run as Streamlit runs it: list, tree, events, what was seen, empty states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pages_running import empty_store, labels, page, press, words
from tree_pages import (
    SCOPE,
    TRIAL_1,
    TRIAL_2,
    asked,
    mark_of,
    opened,
    plainly,
    run_of,
    tab,
    with_runs,
)

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return empty_store(tmp_path, monkeypatch)


@pytest.fixture
def memory(store: Memories) -> Memory:
    return with_runs(store)


# samples


@pytest.mark.parametrize("name", ["quartet_runs", "gangneung_runs"])
def test_each_file_of_sample_runs_holds_two_trials_of_one_task_and_a_rollback(
    store: Memories, name: str
) -> None:
    memory = store.scope(SCOPE, create=True)
    list(memory.runs.import_path(samples.folder() / f"{name}.jsonl"))
    first, second = memory.runs.all()
    assert first.task_id == second.task_id and (first.reward, second.reward) == (1, 0)
    kinds = {event.kind for event in memory.runs.get(first.id).events()}
    assert {"revised", "known_path", "compressed", "maintained"} <= kinds and "refused" not in kinds


def test_the_first_sample_memory_comes_with_its_runs(store: Memories) -> None:
    for _ in samples.load(store):
        if len(store.scopes()) > 1:
            break
    assert {run.title for run in store.scope("Harbour Street").runs.all()} == {TRIAL_1, TRIAL_2}
    assert "2 runs" in words(page("state_tree", scope="Harbour Street"))


# list


def test_an_empty_store_offers_the_demo_and_the_samples(store: Memories) -> None:
    app = page("state_tree")
    assert "No agent run is stored here yet" in words(app)
    assert {"Play the demo agent", "Load the sample memories"} <= set(labels(app))


def test_a_store_that_cannot_be_read_is_an_outage_and_not_an_empty_list(
    memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "store" / "store.json").write_text("{", "utf-8")
    app = page("state_tree")
    assert not app.exception and "Try again" in labels(app)
    assert "No agent run is stored" not in words(app) and "match" not in words(app)


def test_a_memory_without_runs_offers_the_demo_and_an_import(store: Memories) -> None:
    list(store.scope("Talk", create=True).import_path(samples.folder() / "study_assistant.jsonl"))
    app = page("state_tree")
    assert {"Play the demo agent", "Import agent runs"} <= set(labels(app))
    press(app, "Import agent runs")
    assert "Preview" in labels(app)


def test_the_list_names_title_task_trial_reward_outcome_steps_and_source(memory: Memory) -> None:
    app = page("state_tree")
    (table,) = app.dataframe
    first = table.value.set_index("title").loc[TRIAL_1]
    assert (first["trial"], first["reward"], first["outcome"], first["steps"]) == ("1", "1", "booked", 13)
    assert first["source"] == "quartet-1" and "cello" in first["task"]
    assert "4 runs" in words(app)


def test_the_list_is_filtered_by_words_and_reward_and_says_when_nothing_is_left(memory: Memory) -> None:
    app = page("state_tree")
    app.text_input(key="tree:filter").set_value("강릉").run()
    assert len(app.dataframe[0].value) == 2
    app.segmented_control(key="tree:outcome").set_value("none").run()
    assert list(app.dataframe[0].value["outcome"]) == ["예산 초과"]
    app.text_input(key="tree:filter").set_value("no such run").run()
    assert "match" in words(app) and not app.dataframe
    press(app, "Clear the filters")
    assert len(app.dataframe[0].value) == 4


def test_a_run_that_is_not_there_is_said_in_one_sentence(memory: Memory) -> None:
    app = page("state_tree", run="0123456789abcdef")
    assert not app.exception
    assert "There is no such run" in app.warning[0].value
    press(app, "All runs")
    assert app.dataframe and asked(app, "run") == ""


def test_another_run_is_chosen_above_the_tree_and_the_way_back_leads_to_the_list(memory: Memory) -> None:
    app = opened(memory)
    other = run_of(memory, TRIAL_2).id
    app.selectbox(key=f"tree:switch:{run_of(memory).id}").set_value(other).run()
    (named,) = [box.value for box in app.selectbox if box.key == f"tree:switch:{other}"]
    assert asked(app, "run") == named == other
    press(app, "All runs")
    assert asked(app, "run") == "" and asked(app, "step") == ""


# events


def test_the_tree_is_shown_at_its_end_and_the_address_keeps_run_event_and_node(memory: Memory) -> None:
    app = opened(memory)
    last = len(memory.runs.get(run_of(memory).id).events())
    assert app.slider(key="tree:step").value == last == int(asked(app, "step"))
    app.button(key="prev").click().run()
    app.slider(key="tree:step").set_value(5).run()
    app.button(key="next").click().run()
    assert asked(app, "step") == "6"
    again = opened(memory, step="6", node="s2")
    assert again.slider(key="tree:step").value == 6 and asked(again, "node") == "s2"
    assert "Cello case: 142 cm tall" in plainly(again)


@pytest.mark.parametrize("step", ["0", "x", "999", "-1", "٣"])
def test_an_event_that_is_none_of_the_run_shows_the_end_and_says_so(memory: Memory, step: str) -> None:
    app = opened(memory, step=step)
    assert "is none of them" in words(app)


def test_playing_from_the_end_begins_at_the_first_event(memory: Memory) -> None:
    app = opened(memory)
    app.button(key="play").click().run()
    assert app.slider(key="tree:step").value == 1 and "Hold" in labels(app)
    assert "The run begins" in plainly(app)
    app.button(key="play").click().run()
    assert "Play" in labels(app)


def test_looking_at_a_run_calls_no_summariser_verifier_or_embedder(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memcore.llm.offline.summariser import ExtractiveSummariser
    from memcore.llm.offline.verifier import RuleVerifier

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("looking at a run asked a model")

    monkeypatch.setattr(RuleVerifier, "verify", refuse)
    monkeypatch.setattr(ExtractiveSummariser, "summarise", refuse)
    app = opened(memory, step="3")
    for name in ("Steps", "What happened", "Beside another run", "Choices", "What the agent saw"):
        tab(app, name)
        app.button(key="next").click().run()
        assert not app.exception


# what was seen


def test_what_the_agent_saw_is_shown_with_its_tokens_beside_the_full_history(memory: Memory) -> None:
    app = opened(memory)
    numbers = {m.label: m.value for m in app.metric}
    assert numbers.keys() == {"Compressed", "Raw", "Hints", "The agent reads", "Full history"}
    read, full = (int(numbers[n].split()[0]) for n in ("The agent reads", "Full history"))
    assert 0 < read < full
    text = app.get("code")[0].value
    assert "13:10 ferry takes vehicles up to 5.5 m" in text and "Done so far" in text
    assert "not undone" in words(app)


def test_what_it_saw_before_the_check_holds_no_hint_of_it(memory: Memory) -> None:
    events = memory.runs.get(run_of(memory).id).events()
    failed = next(n for n, e in enumerate(events, start=1) if e.kind == "maintained" and not e.passed)
    before, after = (opened(memory, step=str(n)).get("code")[0].value for n in (failed - 1, failed + 1))
    assert "turned away at the gate" not in before and "turned away at the gate" in after


def test_the_steps_are_a_table_that_says_where_each_stands(memory: Memory) -> None:
    (table,) = tab(opened(memory), "Steps").dataframe
    rows = table.value.set_index("step")
    assert rows.loc[5, "where"] == "abandoned" and rows.loc[13, "where"] == "active path"
    assert rows.loc[8, "where"] == "active path, as step 4"
    assert rows.loc[9, "may have failed"] == "the result begins with an error"
    early = tab(opened(memory, step="3"), "Steps").dataframe[0].value
    assert list(early["step"]) == [1, 2]


def test_two_trials_stand_side_by_side_with_the_step_at_which_they_part(memory: Memory) -> None:
    app = tab(opened(memory), "Beside another run")
    told = plainly(app)
    assert "They part at step 3" in told and "they do different things" in told
    assert "reward 1" in told and "reward 0" in told
    (table,) = app.dataframe
    assert list(table.value.loc[table.value[""] == "●", "step"]) == [3]


def test_a_run_without_another_trial_says_so(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(
        '{"format": "memcore.run", "run": "alone", "title": "Alone", "task": "Nothing else."}\n'
        '{"action": "look", "observation": "dark"}\n'
    )
    list(memory.runs.import_path(path))
    app = tab(opened(memory, "Alone"), "Beside another run")
    assert "no other run of this task" in words(app)
    assert tab(app, "Steps").dataframe and app.button(key="next").disabled


def test_the_choices_of_ours_and_the_limit_of_going_back_are_said(memory: Memory) -> None:
    told = plainly(tab(opened(memory), "Choices"))
    assert "choices of this program" in told and "12 steps or 2,000 tokens" in told
    assert "What its steps did outside is not undone" in told


def test_words_are_found_in_the_steps_and_walked_through(memory: Memory) -> None:
    app = opened(memory)
    app.text_input(key="tree:search").set_value("hold_room").run()
    assert "2 steps" in words(app)
    press(app, "Next match")
    assert "1 of 2 steps" in words(app) and asked(app, "node") == "s7"
    press(app, "Next match")
    assert asked(app, "node") == "s12"
    app.text_input(key="tree:search").set_value("zzz").run()
    assert "no step" in words(app) and app.button(key="tree:hit:next").disabled


def test_a_megabyte_of_hostile_observation_is_cut_shown_literally_and_whole_on_request(
    memory: Memory, tmp_path: Path
) -> None:
    hostile = "\x1b[31m<script>alert(1)</script>![x](http://beacon.invalid)" + "a" * 1_000_000
    lines = [
        {"format": "memcore.run", "run": "big", "title": "Big"},
        {"action": "cat", "observation": hostile},
        {"action": "stop", "observation": None},
    ]
    path = tmp_path / "big.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    list(memory.runs.import_path(path))
    app = opened(memory, "Big", node="s1")
    shown = next(t.value for t in app.text if "alert(1)" in t.value)
    assert len(shown) < 2_000 and "\x1b" not in shown
    assert "beacon" not in "".join(m.value for m in app.markdown if "![x](" in m.value)
    press(app, f"Show all {len(hostile):,} characters")
    assert any(len(t.value) > 1_000_000 for t in app.text)


def test_a_mark_says_its_rule_and_leads_to_the_steps_it_was_read_from(memory: Memory) -> None:
    flawed = mark_of(memory, "13:10 ferry held")
    app = opened(memory, node=flawed)
    told = plainly(app)
    assert "Abandoned: the agent went back" in told and "turned away at the gate" in told
    assert "Ended because:" in told and "the agent said so" in told
    assert "Abandoned because:" in told and "the check had failed" in told
    press(app, "step 3")
    assert asked(app, "node") == "s3"


# folding


def test_all_is_unfolded_and_folded_again(memory: Memory) -> None:
    app = opened(memory)
    press(app, "Unfold all")
    press(app, "Fold all")
    assert not app.exception
    app.segmented_control(key="tree:way").set_value("Left-right").run()
    assert not app.exception


def test_a_selected_node_is_opened_and_folded_by_a_button_too(memory: Memory) -> None:
    app = opened(memory, node=mark_of(memory, "The Skua"))
    press(app, "Unfold")
    assert "Fold" in labels(app)
    press(app, "Fold")
    assert "Unfold" in labels(app)


# subagents


def test_the_run_of_a_subagent_hangs_at_the_step_that_started_it_and_leads_back(
    memory: Memory, tmp_path: Path
) -> None:
    lines = [
        {"format": "memcore.run", "run": "above", "title": "Above"},
        {"action": "ask another", "observation": "asked"},
        {"format": "memcore.run", "run": "below", "title": "Below", "parent_run": "above", "parent_step": 1},
        {"action": "look", "observation": "seen"},
    ]
    path = tmp_path / "nested.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    list(memory.runs.import_path(path))
    below = run_of(memory, "Below")
    listed = page("state_tree")
    assert "Below" not in set(listed.dataframe[0].value["title"])
    listed.toggle(key="tree:subagents").set_value(True).run()
    assert "Below" in set(listed.dataframe[0].value["title"])
    app = opened(memory, "Above", node=f"r{below.id}")
    assert "A subagent's run" in plainly(app)
    links = [e.proto for e in app.get("page_link") if below.id in e.proto.query_string]
    assert [link.label for link in links] == ["Open this run"]
    back = opened(memory, "Below")
    press(back, "To the run that started it")
    assert asked(back, "run") == run_of(memory, "Above").id
