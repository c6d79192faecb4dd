"""An execution-state tree as it is drawn: blocks, folding, places, marks at an event, words, edits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.editing import Add, Delete
from memcore.events import TreeEvent
from memcore.execution_tree import fold
from memcore.records import AgentRun, RunMark, RunStep, new_id
from memcore.state_tree import replay
from memcore.view import tree_editing as editing
from memcore.view.network import LABEL_LENGTH
from memcore.view.tree_folding import Folding, drawn, holders
from memcore.view.tree_graph import Source, edges, marks_at, nodes
from memcore.view.tree_inspect import seen
from memcore.view.tree_layout import places, spots
from memcore.view.tree_outline import START, outline
from memcore.view.tree_search import parting, search
from memcore.view.tree_words import action_words, run_name, told

RUN = new_id()


def step(position: int, action: str = "", observation: str = "done", **more) -> RunStep:
    return RunStep(new_id(), RUN, position, action or f"do {position}", observation, **more)


def mark(after: int, action: str, rank: int = 0, **more) -> RunMark:
    return RunMark(new_id(), RUN, after, action, rank, **more)  # type: ignore[arg-type]


class Run:
    """A run with everything derived from it."""

    def __init__(self, steps: list[RunStep], marks: list[RunMark]) -> None:
        self.events: list[TreeEvent] = list(replay(steps, marks))
        self.outline = outline(self.events)
        self.source = Source(self.outline, {s.position: s for s in steps}, {m.id: m for m in marks}, {})
        self.notes = {m.id for m in marks if m.note}

    def folding(self, *toggled: str) -> Folding:
        return Folding(self.outline, frozenset(toggled), notes=self.notes)


def rolled_back() -> Run:
    """Three steps done; two that failed the check and were left; two others."""
    return Run(
        [step(n, signals=("error_text",) if n == 5 else ()) for n in range(1, 8)],
        [
            mark(3, "compress", summary="first"),
            mark(5, "compress", summary="flawed"),
            mark(5, "maintain", 1, passed=False, target=3, note="it does not fit"),
            mark(5, "revise", 2, target=3, rule="maintain"),
            mark(7, "compress", summary="second"),
        ],
    )


def kinds(run: Run, folding: Folding) -> dict[str, str]:
    return {node.label: node.kind for node in nodes(run.source, drawn(folding))}


def of(run: Run, summary: str) -> str:
    return next(m.id for m in run.source.marks.values() if m.summary == summary)


def test_subgoals_stand_for_their_steps_until_they_are_opened() -> None:
    run = rolled_back()
    folded = kinds(run, run.folding())
    assert folded == {
        "Start": "tree_start",
        "first": "tree_subgoal",
        "second": "tree_subgoal",
        "flawed": "tree_failed",
        "it does not fit": "tree_note",
    }
    opened = kinds(run, run.folding(of(run, "flawed")))
    assert opened.keys() - folded.keys() == {"4 do 4", "5 do 5"}
    assert (opened["4 do 4"], opened["5 do 5"]) == ("tree_step", "tree_mistake")


def test_the_active_path_is_straight_and_what_was_left_stands_beside_it() -> None:
    run = rolled_back()
    where = spots(drawn(run.folding()))
    straight = {where[id_].column for id_ in (START, of(run, "first"), of(run, "second"))}
    assert straight == {0} and where[of(run, "flawed")].column == 1
    down, right = (places(drawn(run.folding()), way) for way in ("down", "right"))
    assert {down[id_].x for id_ in (START, of(run, "first"))} == {0}
    assert {right[id_].y for id_ in (START, of(run, "first"))} == {0}


def test_opening_a_subgoal_moves_only_what_comes_after_it() -> None:
    run = rolled_back()
    before, after = (places(drawn(f)) for f in (run.folding(), run.folding(of(run, "second"))))
    assert {id_: after[id_] for id_ in before} == before
    later = places(drawn(run.folding(of(run, "first"))))
    assert later[START] == before[START] and later[of(run, "first")] == before[of(run, "first")]
    assert later[of(run, "second")].y > before[of(run, "second")].y


def test_marks_at_an_event_are_those_of_the_fold_of_the_events_before_it() -> None:
    run = rolled_back()
    lines = drawn(run.folding())
    left = next(n for n, e in enumerate(run.events, start=1) if e.kind == "revised")
    at_flaw = marks_at(run.source, lines, fold(run.events[: left - 1])).nodes
    after = marks_at(run.source, lines, fold(run.events[:left])).nodes
    assert "path" in at_flaw[of(run, "flawed")] and after[of(run, "flawed")] == ["rolled_back"]
    assert after[of(run, "second")] == ["later"] == at_flaw[of(run, "second")]
    assert "evidence" in after[of(run, "first")], "the agent stands at the boundary again"
    note = next(id_ for id_ in after | {e.id: [] for line in lines for e in line} if id_[0] == "n")
    assert at_flaw[note] == ["later"] and "later" not in after.get(note, [])


def test_before_its_check_a_failed_subgoal_looks_like_any_other() -> None:
    run = rolled_back()
    failed = next(n for n, e in enumerate(run.events, start=1) if e.kind == "maintained")
    looks = [
        {n.label: n.kind for n in nodes(replace(run.source, now=fold(run.events[:n])), drawn(run.folding()))}
        for n in (failed - 1, failed)
    ]
    assert [look["flawed"] for look in looks] == ["tree_flawed", "tree_failed"]


def test_a_known_path_is_one_node_that_is_drawn_on_the_active_path() -> None:
    steps = [step(1), step(2, "look"), step(3), step(4, "look"), step(5)]
    run = Run(
        steps,
        [
            mark(1, "compress", summary="first"),
            mark(3, "compress", summary="flawed"),
            mark(3, "revise", 1, target=1),
            mark(5, "compress", summary="second"),
        ],
    )
    folding = run.folding(of(run, "flawed"), of(run, "second"))
    found = {n.label: n.kind for n in nodes(run.source, drawn(folding))}
    assert found["2 look"] == "tree_known"
    assert run.outline.block_of[2] == of(run, "second")
    branch = [e for e in edges(run.source, drawn(folding)) if e.kind == "tree_branch"]
    assert [(e.source, e.target) for e in branch] == [("s2", "s3")]


def test_a_whole_branch_folds_into_its_first_node_and_says_how_much_it_hides() -> None:
    run = rolled_back()
    shut = run.folding(f"below {of(run, 'first')}")
    assert len([e for line in drawn(shut) for e in line]) == 2
    assert "first +2" in kinds(run, shut)
    assert holders(drawn(shut))[7] == of(run, "first")


def test_a_run_without_any_boundary_is_drawn_in_its_steps() -> None:
    run = Run([step(n) for n in range(1, 4)], [])
    assert list(kinds(run, run.folding())) == ["Start", "1 do 1", "2 do 2", "3 do 3"]
    long = Run([step(n) for n in range(1, 61)], [])
    assert list(kinds(long, long.folding())) == ["Start", "Steps 1–25", "Steps 26–50", *(
        f"{n} do {n}" for n in range(51, 61)
    )]  # fmt: skip


def test_one_step_and_no_step_are_drawn_too() -> None:
    assert len(drawn(Run([step(1)], []).folding())[0]) == 2
    assert [e.id for e in drawn(Run([], []).folding())[0]] == [START]


def test_a_run_of_3000_steps_opens_folded_in_a_few_dozen_nodes_and_every_step_can_be_revealed() -> None:
    steps = [step(n) for n in range(1, 3_001)]
    run = Run(steps, [mark(n, "compress", summary=f"part {n}") for n in range(10, 3_001, 10)])
    lines = drawn(run.folding())
    assert sum(map(len, lines)) < 40
    for node in (1, 777, 1_500, 3_000):
        folding = run.folding(*run.folding().revealing(node))
        assert holders(drawn(folding))[node] == f"s{node}"


@given(
    st.lists(
        st.tuples(st.sampled_from(["step", "compress", "revise", "fail"]), st.integers(0, 30)), max_size=60
    ),
    st.integers(0, 40),
)
@settings(max_examples=150, deadline=None)
def test_every_step_is_held_by_one_drawn_node_and_no_two_stand_in_one_place(
    moves: list[tuple[str, int]], pick: int
) -> None:
    steps: list[RunStep] = []
    marks: list[RunMark] = []
    for rank, (kind, number) in enumerate(moves):
        at = len(steps)
        if kind == "step":
            steps.append(step(at + 1, f"do {number % 3}"))
        elif kind == "compress":
            marks.append(mark(at, "compress", rank, summary=f"part {rank}"))
        elif kind == "fail":
            marks.append(mark(at, "maintain", rank, passed=False, note="no"))
        elif at:
            marks.append(mark(at, "revise", rank, target=number % (at + 1), rule="person", note="back"))
    run = Run(steps, marks)
    raw = sorted(run.outline.tree.raw)
    node = raw[pick % len(raw)]
    for folding in (run.folding(), run.folding(*run.folding().revealing(node))):
        lines = drawn(folding)
        entries = [e.id for line in lines for e in line]
        where = places(lines)
        assert len(set(entries)) == len(entries) == len(set(where.values()))
        assert set(holders(lines)) == set(raw)
        shown = set(entries)
        assert all({e.source, e.target} <= shown for e in edges(run.source, lines))
        for n in range(len(run.events) + 1):
            found = marks_at(run.source, lines, fold(run.events[:n])).nodes
            assert sum("evidence" in given for given in found.values()) == 1
    assert node == 0 or f"s{node}" in where


def test_the_inspector_says_where_a_step_stands_at_that_event() -> None:
    run = rolled_back()
    end, early = run.outline.tree, fold(run.events[:3])
    assert "was abandoned" in seen(run.source, "s5", end).sentence  # type: ignore[union-attr]
    assert "still to come" in seen(run.source, "s5", early).sentence  # type: ignore[union-attr]
    found = seen(run.source, of(run, "flawed"), end)
    assert found is not None and [t.label for t in found.texts] == ["Summary", "Diagnosis"]
    assert {r.why for r in found.reasons} >= {"the agent said so", "the check had failed"}
    assert found.links == ((5, "failed"),)
    assert seen(run.source, "s99", end) is None and seen(run.source, "nothing", end) is None


def test_a_long_text_is_cut_for_display_and_cleaned_of_terminal_codes() -> None:
    red = "\x1b[31mred\x1b[0m\x00" + "x" * 1_000_000
    run = Run([step(1, observation=red)], [])
    found = seen(run.source, "s1", run.outline.tree)
    assert found is not None
    shown, left = found.texts[1].shown(100)
    assert shown.startswith("redx") and left == len(red) - 100


def test_search_finds_all_words_in_action_observation_or_thought() -> None:
    steps = dict(enumerate([step(1, "Open DOOR"), step(2, "wait", "a door"), step(3)], start=1))
    steps[3] = replace(steps[3], thought="문을 연다")
    assert search(steps, "door") == [1, 2] and search(steps, "door open") == [1]
    assert search(steps, "문을") == [3] and search(steps, "  ") == []


def test_two_runs_part_at_the_first_step_that_differs() -> None:
    one = {n: step(n) for n in range(1, 4)}
    assert parting(one, one | {2: step(2, "else")}).position == 2
    seen_else = parting(one, one | {3: step(3, "do 3", "something else")})
    assert seen_else == (3, "they do the same and see something else")
    assert parting(one, {1: one[1]}).position == 2
    assert parting(one, {n: replace(s, action=f"  {s.action}\n") for n, s in one.items()}).position is None


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ('Bash({"command": "git status", "timeout": 5})', "Bash: git status · 5"),
        ("ls -la\n/tmp", "ls -la /tmp"),
        ('broken({"a": )', 'broken({"a": )'),
        ("call({})", "call"),
    ],
)
def test_a_call_is_told_by_its_arguments(action: str, words: str) -> None:
    assert action_words(step(1, action)) == words


def test_every_event_is_told_in_one_sentence() -> None:
    run = rolled_back()
    lines = [told(e, run.source.steps, run.source.marks) for e in run.events]
    assert all(line and "\n" not in line for line in lines)
    assert "The check failed: it does not fit" in lines
    assert told(run.events[3], {}, {})  # records that are gone


# edits


def after(run: Run, edits: list) -> Run:
    """The run as it is after these edits."""
    marks = dict(run.source.marks)
    for edit in edits:
        if edit.action == "delete":
            marks = {id_: m for id_, m in marks.items() if id_ not in edit.ids}
        elif edit.action == "add":
            marks[edit.mark.id] = edit.mark
    return Run(list(run.source.steps.values()), list(marks.values()))


def summaries(run: Run) -> dict[str, tuple[int, ...]]:
    tree = run.outline.tree
    return {run.source.marks[s.record].summary: s.covers for s in tree.subgoals.values() if s.number}


def test_a_boundary_is_added_before_what_the_run_did_next() -> None:
    run = rolled_back()
    changed = after(run, editing.add_boundary(run.source, RUN, 6, "between"))
    assert summaries(changed)["between"] == (6,) and summaries(changed)["second"] == (7,)
    left = Run([step(1), step(2), step(3)], [mark(1, "compress", summary="a"), mark(2, "revise", target=1)])
    added = after(left, editing.add_boundary(left.source, RUN, 2, "left"))
    assert summaries(added)["left"] == (2,), "what was left is summed up before it is left"


def test_a_boundary_is_moved_with_its_check_as_one_change() -> None:
    run = rolled_back()
    first = run.source.marks[of(run, "first")]
    edits = editing.move_boundary(run.source, first, 2)
    assert [type(e) for e in edits] == [Delete, Add, Delete, Add]  # and the agent's return to it stays
    assert summaries(after(run, edits))["first"] == (1, 2)
    flawed = run.source.marks[of(run, "flawed")]
    assert [len(e.ids) for e in editing.remove_boundary(run.source, flawed) if isinstance(e, Delete)] == [2]


def test_a_branch_is_marked_as_rolled_back_with_a_failed_check_and_a_step_back() -> None:
    run = rolled_back()
    offered = editing.offer(run.source, of(run, "second"))
    assert editing.targets(run.outline.tree, 7) == [3, 0]
    changed = after(run, editing.roll_back(run.source, offered, 3, "not this"))
    tree = changed.outline.tree
    assert tree.at == 3 and tree.subgoals[3].passed is False
    assert any(n.label == "not this" for n in nodes(changed.source, drawn(changed.folding())))
    back = editing.offer(changed.source, of(changed, "second")).back
    assert back is not None
    assert after(changed, editing.take_back(back)).outline.tree.at == 7


def test_loose_steps_are_rolled_back_by_a_step_back_alone() -> None:
    run = Run([step(1), step(2), step(3)], [mark(1, "compress", summary="a")])
    edits = editing.roll_back(run.source, editing.offer(run.source, "s3"), 1, "no")
    assert [e.mark.action for e in edits if isinstance(e, Add)] == ["revise"]
    assert after(run, edits).outline.tree.at == 1


def test_an_edit_names_the_revisions_on_which_it_was_decided() -> None:
    run = rolled_back()
    first = run.source.marks[of(run, "first")]
    edits = editing.reword(first, "summary", "better")
    assert editing.seen_of(run.source, edits) == {first.id: 1}
    assert editing.reword(first, "summary", " first ") == []


def test_a_run_is_named_with_its_trial_once() -> None:
    run = AgentRun(new_id(), "", "A quartet, trial 1", "", "", trial=1, outcome="booked", steps=13)
    assert run_name(run) == "A quartet, trial 1 · booked · 13 steps"
    assert run_name(replace(run, title="A quartet")) == "A quartet · trial 1 · booked · 13 steps"


def test_labels_have_the_room_up_to_the_next_column_of_a_tree_that_grows_down() -> None:
    summary = "The van is held, and the cello case can stand in it"
    run = Run([step(1)], [mark(1, "compress", summary=summary)])
    down, right = (nodes(run.source, drawn(run.folding()), way) for way in ("down", "right"))
    assert "The van is held, and the cello case can…" in {node.label for node in down}
    assert max(len(node.label) for node in right) <= LABEL_LENGTH
