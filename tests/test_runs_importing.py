"""Recorded runs are read whatever is broken: our own format, damaged files, identities, records, signals."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_files import (
    OWN,
    USER,
    acting,
    called,
    read,
    result,
    save,
    save_lines,
)

from memcore.errors import UnknownFormat
from memcore.importing.runs import all_runs, flat, read_runs, records_of
from memcore.importing.runs.signals import observed


def test_our_own_lines_carry_steps_marks_and_nested_runs(tmp_path: Path) -> None:
    [run], report = read(save_lines(tmp_path / "own.jsonl", OWN))
    assert [(s.action, s.signals) for s in run.steps] == [("search(seats)", ()), ("book(7A)", ("is_error",))]
    assert [(m.action, m.after, m.rank, m.target, m.evidence) for m in run.marks] == [
        ("compress", 2, 0, None, ()),
        ("revise", 2, 1, 0, (1, 2)),
    ]
    assert (run.reward, run.trial, run.started.zoned) == (1.0, 2, True)
    assert (run.nested[0].source, run.nested[0].parent_step) == ("r2", 1)
    assert (report.steps_read, report.marks) == (3, 2)


def test_bad_lines_of_our_own_are_reported_and_the_others_read(tmp_path: Path) -> None:
    lines = [
        {"action": "too early"},
        *OWN[:2],
        7,
        {"mark": "dance"},
        {"mark": "revise", "target": 9},
        {"x": 1},
    ]
    [run], report = read(save_lines(tmp_path / "own.jsonl", lines))
    assert len(run.steps) == 1
    assert {kind.why: kind.count for kind in report.skipped} == {
        "a line stands before the first header": 1,
        "a line is not a record": 1,
        "a mark is of no known kind, or names a step that is not there": 2,
        'a line has neither "action" nor "mark"': 1,
    }


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    plain = save_lines(tmp_path / "a.jsonl", OWN)
    marked = tmp_path / "b.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + save_lines(tmp_path / "c.jsonl", OWN, "\r\n").read_bytes())
    assert read(plain)[0] == read(marked)[0]


def test_a_file_cut_off_in_the_middle_is_read_up_to_there(tmp_path: Path) -> None:
    whole = save_lines(tmp_path / "a.jsonl", OWN[:3]).read_text("utf-8")
    cut = tmp_path / "cut.jsonl"
    cut.write_text(whole[:-40], "utf-8")
    [run], report = read(cut)
    assert len(run.steps) == 1
    assert [(kind.why, kind.first_where) for kind in report.skipped] == [("a line is no JSON", "line 3")]


@pytest.mark.parametrize(
    "text", ["", "no JSON at all", '{"truncated": [1, 2', "\x00\x01\x02", '{"a": 1}', "[]"]
)
def test_other_files_are_refused_with_what_was_looked_for(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UnknownFormat, match="Looked for: our own JSONL of runs"):
        read_runs(path)


def test_a_megabyte_terminal_codes_and_binary_output_stay_as_they_are(tmp_path: Path) -> None:
    long, colour = "x" * 1_000_000 + "the end", "\x1b[31mred\x1b[0m \ufffd\x07"
    chat = [USER, *(m for n, text in enumerate([long, colour, "a\x00b"])
                    for m in (acting(called(str(n), "f")), result(str(n), text)))]  # fmt: skip
    [run], report = read(save(tmp_path / "chat.json", chat))
    assert [step.observation for step in run.steps] == [long, colour, "ab"]
    assert any("NUL" in warning for warning in report.warnings)


def test_two_runs_with_one_id_are_both_kept_and_a_run_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    other = [{"format": "memcore.run", "run": "r1", "task": "Book."}, *OWN[1:2], {"action": "else"}]
    runs, report = read(save_lines(tmp_path / "own.jsonl", [*OWN[:3], *other, *OWN[:3]]))
    assert [len(run.steps) for run in runs] == [2, 2]
    assert len({run.identity for run in runs}) == 2
    assert report.repeated == 2
    assert any("same id" in text for text in report.warnings)


def test_records_carry_positions_random_ids_and_the_run_above(tmp_path: Path) -> None:
    [draft], _ = read(save_lines(tmp_path / "own.jsonl", OWN))
    found = records_of(draft, "file-1")
    assert [step.position for step in found.steps] == [1, 2]
    assert {step.run_id for step in found.steps} == {mark.run_id for mark in found.marks} == {found.run.id}
    assert (found.run.steps, found.run.file_id) == (2, "file-1")
    [nested] = found.nested
    assert (nested.run.parent_run, nested.run.parent_step) == (found.run.id, 1)
    assert found.run.id != records_of(draft, "file-1").run.id
    assert [run.source for run in all_runs(draft)] == ["r1", "r2"]
    assert [each.run.source for each in flat(found)] == ["r1", "r2"]


def test_an_action_done_again_after_failing_and_an_edit_put_back_are_signals(tmp_path: Path) -> None:
    chat = [
        USER,
        acting(called("1", "run", x=1)), result("1", "Error: no"),
        acting(called("2", "run", x=1)), result("2", "ok"),
        acting(called("3", "edit", path="a", old_str="x", new_str="y")), result("3", "ok"),
        acting(called("4", "edit", path="a", old_str="y", new_str="x")), result("4", "ok"),
    ]  # fmt: skip
    [run], _ = read(save(tmp_path / "chat.json", chat))
    assert [step.signals for step in run.steps] == [("error_text", "retried"), (), ("undone_edit",), ()]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Exit code 1\nboom", ("exit_code",)),
        ("exitcode: 0 (execution succeeded)\nError: printed", ()),
        ("<returncode>127</returncode>", ("exit_code",)),
        ("x\n[The command completed with exit code 0.]", ()),
        ("x\n[Command finished with exit code 3]", ("exit_code",)),
        ('{"output": "", "metadata": {"exit_code": 2}}', ("exit_code",)),
        ('{"status": "cancelled"}', ("status_error",)),
        ("Error: gift card balance is not enough", ("error_text",)),
        ("cat: x.py: No such file or directory", ("error_text",)),
        ("All errors were fixed.", ()),
        ("The exit code is documented in chapter 3", ()),
        ("", ()),
    ],
)
def test_an_observation_shows_whether_its_step_failed(text: str, codes: tuple[str, ...]) -> None:
    assert observed(text) == codes
