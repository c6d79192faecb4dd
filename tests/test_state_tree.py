"""MAGE's four operations: what each does to the tree, and what the agent then sees."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memcore.active_state import ActiveState, active_state
from memcore.events import dump, load
from memcore.execution_tree import Tree, fold
from memcore.records import RunMark, RunStep
from memcore.settings import Settings
from memcore.state_text import Texts, clean, cut_middle, full_history, state_text
from memcore.state_tree import replay

RUN = "00000000000000aa"


def step(position: int, action: str = "", observation: str = "ok", parent: int | None = None) -> RunStep:
    return RunStep(f"s{position}", RUN, position, action or f"act {position}", observation, parent=parent)


def steps(*positions: int) -> list[RunStep]:
    return [step(p) for p in positions]


def done(after: int, summary: str = "done", **more: Any) -> RunMark:
    return RunMark(f"c{after}", RUN, after, "compress", 0, summary=summary, **more)


def failed(after: int, note: str = "wrong", target: int | None = None) -> RunMark:
    return RunMark(f"m{after}", RUN, after, "maintain", 1, note=note, passed=False, target=target)


def back(after: int, target: int | None, rule: str = "maintain", **more: Any) -> RunMark:
    return RunMark(f"r{after}", RUN, after, "revise", 2, target=target, rule=rule, **more)


def tree_of(run: Sequence[RunStep], marks: Sequence[RunMark] = ()) -> Tree:
    return fold(replay(run, marks))


def kinds(run: Sequence[RunStep], marks: Sequence[RunMark] = ()) -> list[str]:
    return [e.kind for e in replay(run, marks)]


def shown(run: Sequence[RunStep], marks: Sequence[RunMark] = (), **more: Any) -> str:
    state = active_state(tree_of(run, marks), Settings(**more))
    texts = Texts({s.position: s for s in run}, {m.id: m for m in marks})
    return state_text(state, texts, full_history(run)).text


def refusals(run: Sequence[RunStep], marks: Sequence[RunMark]) -> list[str]:
    return [e.why for e in replay(run, marks) if e.kind == "refused"]


def test_grow_appends_each_step_below_the_current_node() -> None:
    tree = tree_of(steps(1, 2, 3))
    assert tree.chain() == [0, 1, 2, 3]
    assert (tree.at, tree.subgoal) == (3, 0)


def test_a_run_without_steps_is_its_two_roots() -> None:
    tree = tree_of([])
    assert (tree.chain(), tree.path(), tree.boundaries()) == ([0], [0], {0: 0})


def test_compress_covers_the_steps_since_the_last_boundary_and_keeps_them() -> None:
    tree = tree_of(steps(1, 2, 3, 4), [done(2), done(4)])
    assert [tree.subgoals[n].covers for n in tree.path()] == [(), (1, 2), (3, 4)]
    assert sorted(tree.raw) == [0, 1, 2, 3, 4]


def test_the_summary_stands_for_its_steps_in_the_active_state() -> None:
    run, marks = [step(1, "open the drawer"), step(2, "take the key")], [done(1, "drawer is open")]
    text = shown(run, marks)
    assert "[step 1] drawer is open" in text
    assert "open the drawer" not in text
    assert "take the key" in text


def test_without_compress_the_steps_are_shown_and_the_boundaries_stay() -> None:
    state = active_state(tree_of(steps(1, 2, 3), [done(2)]), Settings(tree_compress=False))
    assert (state.compressed, state.raw, state.boundaries) == ((), (1, 2, 3), (0, 2))


def test_compress_of_an_empty_segment_is_refused() -> None:
    marks = [done(2), RunMark("again", RUN, 2, "compress", 5, summary="nothing new")]
    assert refusals(steps(1, 2), marks) == ["empty_segment"]
    assert tree_of(steps(1, 2), marks) == tree_of(steps(1, 2), marks[:1])


def test_after_a_failed_check_both_pointers_go_back_to_the_boundary_before() -> None:
    tree = tree_of(steps(1, 2, 3, 4), [done(2), done(4), failed(4), back(4, None)])
    assert (tree.at, tree.subgoal) == (2, 1)
    assert tree.subgoals[2].passed is False
    assert tree.subgoals[1].children == [2]


def test_a_failed_first_subgoal_goes_back_to_the_start() -> None:
    tree = tree_of(steps(1, 2), [done(2), failed(2), back(2, None)])
    assert (tree.at, tree.subgoal) == (0, 0)


def test_maintain_may_name_an_earlier_boundary_but_no_other_step() -> None:
    run, ends = steps(1, 2, 3, 4, 5, 6), [done(2), done(4), done(6)]
    assert tree_of(run, [*ends, failed(6, target=2), back(6, None)]).at == 2
    assert tree_of(run, [*ends, failed(6, target=5), back(6, None)]).at == 4


def test_maintain_without_a_subgoal_is_refused() -> None:
    assert refusals(steps(1), [failed(1)]) == ["nothing_compressed"]


def test_the_next_steps_open_a_new_branch_beside_the_one_that_was_left() -> None:
    marks = [done(2), failed(2), back(2, 0)]
    tree = tree_of(steps(1, 2, 3), marks)
    assert tree.raw[0].children == [1, 3]
    assert tree.chain() == [0, 3]


@pytest.mark.parametrize("target", [1, 3, 99, -1], ids=["inside", "raw", "unknown", "negative"])
def test_the_agent_goes_back_to_boundaries_only(target: int) -> None:
    marks = [done(2), back(3, target, rule="agent")]
    assert refusals(steps(1, 2, 3), marks) == ["no_boundary"]
    assert tree_of(steps(1, 2, 3), marks) == tree_of(steps(1, 2, 3), marks[:1])


def test_an_abandoned_boundary_is_no_target() -> None:
    marks = [done(2), failed(2), back(2, 0), back(3, 2, rule="agent")]
    assert refusals(steps(1, 2, 3), marks) == ["no_boundary"]


def test_going_back_to_where_one_stands_is_refused() -> None:
    assert refusals(steps(1, 2), [done(2), back(2, 2, rule="agent")]) == ["already_there"]


def test_what_was_detected_may_go_back_to_any_step_of_the_path() -> None:
    marks = [done(2), back(5, 1, rule="edit_undone")]
    tree = tree_of(steps(1, 2, 3, 4, 5, 6), marks)
    assert (tree.chain(), tree.subgoal) == ([0, 1, 6], 0)


def test_a_limit_that_was_reached_is_recorded_and_moves_nothing() -> None:
    marks = [done(2), failed(2), back(2, 0, passed=False)]
    tree = tree_of(steps(1, 2, 3), marks)
    assert (tree.gave_up, tree.chain()) == (0, [0, 1, 2, 3])


def test_the_note_of_the_branch_that_was_left_is_a_hint() -> None:
    run = [step(1, "pay cash", "no change given"), step(2, "leave")]
    text = shown(run, [done(2, "paid"), failed(2, "no receipt was taken"), back(2, 0)])
    assert "failed up to step 2 (it was left): no receipt was taken" in text
    assert "tried from step 0 and left: pay cash -> no change given" in text
    assert "leave" not in text


def test_a_note_stays_a_hint_further_down_the_new_branch() -> None:
    marks = [done(2), failed(2, "no receipt"), back(2, 0), done(4)]
    assert "no receipt" in shown(steps(1, 2, 3, 4, 5), marks)


def test_a_note_deep_in_the_branch_that_was_left_is_a_hint_too() -> None:
    marks = [done(2), done(4), failed(4, "the second was wrong"), back(4, 0, rule="agent")]
    assert "the second was wrong" in shown(steps(1, 2, 3, 4), marks)


def test_the_nearest_notes_come_first_and_only_so_many() -> None:
    marks = [done(1), failed(1, "far"), back(1, 0), done(2), done(3), failed(3, "near"), back(3, 2)]
    state = active_state(tree_of(steps(1, 2, 3), marks))
    assert [d.note for d in state.diagnoses] == ["m3", "m1"]
    nearest = active_state(tree_of(steps(1, 2, 3), marks), Settings(tree_hints=1))
    assert [d.note for d in nearest.diagnoses] == ["m3"]


def test_hints_count_as_long_as_the_settings_show_them() -> None:
    run = [step(1, "go " * 400, "seen " * 400), step(2)]
    marks = [done(1), failed(1, "wrong " * 400), back(1, 0)]
    tree = tree_of(run, marks)
    for settings in (Settings(), Settings(tree_hint_chars=40, tree_note_chars=80)):
        state = active_state(tree, settings)
        texts = Texts({s.position: s for s in run}, {m.id: m for m in marks}, settings)
        shown_as = state_text(state, texts, 0).sizes.hints
        assert state.sizes.hints == pytest.approx(shown_as, rel=0.5)


def test_a_failed_subgoal_that_is_not_left_says_so_in_its_place() -> None:
    text = shown(steps(1, 2), [done(2, "paid"), failed(2, "no receipt")])
    assert text.index("paid") < text.index("failed: no receipt")
    assert "Hints" not in text


def test_a_step_done_before_walks_the_known_path() -> None:
    run = [step(1, "look"), step(2, "jump", "you fall"), step(3, "look"), step(4, "jump ", "you  fall\n")]
    tree = tree_of(run, [done(2), failed(2), back(2, 0)])
    assert kinds(run, [done(2), failed(2), back(2, 0)])[-2:] == ["known_path", "known_path"]
    assert sorted(tree.raw) == [0, 1, 2]
    assert (tree.chain(), tree.node_of[4], tree.step) == ([0, 1, 2], 2, 4)


def test_on_a_known_path_the_later_note_comes_before_the_error_is_repeated() -> None:
    run = [step(1, "look"), step(2, "jump", "you fall"), step(3, "look")]
    text = shown(run, [done(2), failed(2, "jumping is deadly"), back(2, 0)])
    assert "failed up to step 2 (you are on this way again): jumping is deadly" in text
    assert "tried from step 1 and left: jump -> you fall" in text


def test_only_children_of_the_current_node_are_known() -> None:
    tree = tree_of([step(1, "wait"), step(2, "wait"), step(3, "wait")])
    assert tree.chain() == [0, 1, 2, 3]


def test_another_observation_is_another_node() -> None:
    run = [step(1, "roll", "three"), step(2, "roll", "five")]
    assert tree_of(run, [back(1, 0, rule="agent")]).raw[0].children == [1, 2]


def test_a_known_path_can_be_compressed_again() -> None:
    marks = [done(2), failed(2), back(2, 0), done(4, "once more")]
    tree = tree_of([step(1, "a"), step(2, "b"), step(3, "a"), step(4, "b")], marks)
    assert tree.subgoals[2].covers == (1, 2)
    assert tree.path() == [0, 2]
    assert active_state(tree).boundaries == (0, 2)


def test_a_search_tree_is_reproduced_exactly() -> None:
    parents = {1: 0, 2: 0, 3: 1, 4: 1, 5: 3, 6: 2, 7: 5}
    tree = tree_of([step(p, "same", "same", parent=q) for p, q in parents.items()])
    assert {n: tree.raw[n].parent for n in parents} == parents
    assert kinds([step(p, parent=q) for p, q in parents.items()]).count("revised") == 6
    assert tree.chain() == [0, 1, 3, 5, 7]


def test_a_search_tree_goes_back_into_the_subgoal_it_left() -> None:
    run = [step(1, parent=0), step(2, parent=1), step(3, parent=0), step(4, parent=2)]
    tree = tree_of(run, [done(2)])
    assert (tree.path(), tree.chain()) == ([0, 1], [0, 1, 2, 4])


def test_a_parent_that_is_not_in_the_run_is_told_and_the_step_kept() -> None:
    run = [step(1), step(2, parent=77)]
    assert refusals(run, []) == ["no_such_parent"]
    assert tree_of(run).chain() == [0, 1, 2]


def test_two_steps_of_one_position_are_told() -> None:
    assert refusals([step(1), RunStep("other", RUN, 1, "b", "b")], []) == ["known_position"]


def test_the_order_in_which_records_are_read_does_not_matter() -> None:
    run, marks = steps(1, 2, 3, 4), [done(2), done(4), failed(4), back(4, None)]
    assert list(replay(run, marks)) == list(replay(run[::-1], marks[::-1]))


def test_events_hold_no_text_and_come_back_from_json() -> None:
    run = [step(1, "SECRET action", "SECRET sight"), step(2)]
    marks = [done(2, "SECRET summary"), failed(2, "SECRET note"), back(2, None, note="SECRET why")]
    saved = json.dumps([dump(e) for e in replay(run, marks)])
    assert "SECRET" not in saved
    assert fold(load(e) for e in json.loads(saved)) == tree_of(run, marks)  # type: ignore[misc]


def test_sizes_count_the_parts_and_the_full_history() -> None:
    run = [step(n, "go", "word " * 50) for n in range(1, 9)]
    state: ActiveState = active_state(tree_of(run, [done(6, "six steps were walked")]))
    assert state.sizes.full_history > 400
    assert 100 < state.sizes.raw < 120
    assert 0 < state.sizes.compressed < 10
    assert state.sizes.total < state.sizes.full_history


def test_a_megabyte_of_terminal_output_is_shown_clean_and_cut() -> None:
    noise = "\x1b[31mred\x1b[0m\x00\x07 \x1b]0;title\x07line\r\n" * 40_000
    text = shown([step(1, "cat log", noise), step(2, "next", "")])
    assert len(text) < 20_000
    assert "\x1b" not in text and "\x00" not in text
    assert "characters left out" in text
    assert "(nothing)" in text


def test_cleaning_keeps_words_lines_and_tabs() -> None:
    assert clean("\x1b[1;32m한국어\x1b[0m\tb\r\nc") == "한국어\tb\nc"
    assert cut_middle("abcdefgh", 4) == "ab\n[4 characters left out]\ngh"


def test_three_thousand_steps_make_a_tree() -> None:
    run = steps(*range(1, 3_001))
    tree = tree_of(run, [done(n) for n in range(10, 3_001, 10)])
    assert len(tree.path()) == 301
    assert active_state(tree).raw == ()
