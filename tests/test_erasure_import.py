"""What was erased stays out when its file is imported again, until somebody lets it in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from building import TOWN, own_lines, write_lines
from by_name import turn_texts
from run_files import OWN, save_lines
from secrets_said import OFFICER, SAID, SETTINGS, TEXT, Numbers, erased, everything, opened

from memcore.erasure import Hit, Wanted
from memcore.importing import FileReport
from memcore.importing.runs.report import RunFileReport
from memcore.memory import Memory

FILE = "said.jsonl"


def again(memory: Memory, path: Path) -> FileReport:
    return next(s for s in memory.import_path(path) if isinstance(s, FileReport))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    again(memory, write_lines(tmp_path / FILE, own_lines([*TOWN, ("Cleo", SAID)])))
    return memory


def test_the_same_file_brings_nothing_back(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory, list(memory.erasure.find(Wanted(text=TEXT)).hits))
    before = memory.count()
    report = again(memory, tmp_path / FILE)
    assert (report.turns_written, report.turns_known, report.held_back) == (0, 12, 1)
    assert memory.count() == before
    assert memory.erasure.verify(receipt).ok


def test_what_is_lifted_comes_back(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory, list(memory.erasure.find(Wanted(text=TEXT)).hits))
    assert [(h.erasure, h.records) for h in memory.erasure.held_back()] == [(receipt.id, 1)]
    assert memory.erasure.lift([receipt.id]) == 1
    report = again(memory, tmp_path / FILE)
    assert (report.turns_written, report.held_back) == (1, 0)
    assert SAID in turn_texts(memory)
    assert memory.erasure.held_back() == []
    assert not memory.erasure.verify(receipt).ok


def test_an_erasure_can_leave_the_door_open(memory: Memory, tmp_path: Path) -> None:
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text=TEXT)).hits)
    for _ in memory.erasure.erase(planned, OFFICER, hold_back=False):
        pass
    assert again(memory, tmp_path / FILE).turns_written == 1


def test_a_longer_export_adds_only_what_was_not_erased(memory: Memory, tmp_path: Path) -> None:
    erased(memory, list(memory.erasure.find(Wanted(person="Cleo")).hits))
    assert memory.conversations()[0].speakers == ("Ann", "Bo")
    longer = write_lines(tmp_path / FILE, own_lines([*TOWN, ("Cleo", SAID), ("Ann", "Good night.")]))
    report = again(memory, longer)
    assert (report.turns_written, report.turns_known, report.held_back) == (1, 12, 1)
    assert turn_texts(memory)[-1] == "Good night." and SAID not in turn_texts(memory)
    assert memory.conversations()[0].speakers == ("Ann", "Bo")


def test_a_conversation_that_was_erased_whole_stays_out_with_all_that_joins_it(
    memory: Memory, tmp_path: Path
) -> None:
    erased(memory, list(memory.erasure.find(Wanted(conversation="town")).hits))
    longer = write_lines(tmp_path / FILE, own_lines([*TOWN, ("Cleo", SAID), ("Ann", "Good night.")]))
    for mode in ("lazy", "eager"):
        assert memory.would_cost.importing(longer, mode, "local/unasked").lines == ()
    report = again(memory, longer)
    assert (report.turns_written, report.held_back) == (0, 14)
    assert memory.conversations() == [] == memory.files()


def test_another_conversation_is_not_held_back(memory: Memory, tmp_path: Path) -> None:
    erased(memory, list(memory.erasure.find(Wanted(conversation="town")).hits))
    other = write_lines(tmp_path / "other.jsonl", own_lines(TOWN, "village"))
    assert again(memory, other).turns_written == 12


def test_a_file_without_ids_stays_out_too(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    path = write_lines(tmp_path / FILE, own_lines([*TOWN, ("Cleo", SAID)], ids=False))
    again(memory, path)
    erased(memory, list(memory.erasure.find(Wanted(text=TEXT)).hits))
    report = again(memory, path)
    assert (report.turns_written, report.held_back) == (0, 1)


def test_an_erased_run_stays_out(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    head = {"format": "memcore.run", "run": "r1", "task": "look around"}
    lines = [head, *({"step": i, "action": f"look {i}", "observation": f"saw {i}"} for i in (1, 2, 3))]
    path = write_lines(tmp_path / "runs.jsonl", [json.dumps(line) for line in lines])
    first = next(s for s in memory.runs.import_path(path) if isinstance(s, RunFileReport))
    run = memory.runs.all()[0]
    receipt = erased(memory, [Hit(run.id, "run", "whole", "run")])
    assert receipt.ok and memory.runs.all() == []
    report = next(s for s in memory.runs.import_path(path) if isinstance(s, RunFileReport))
    assert (first.steps_written, report.steps_written, report.held_back) == (3, 0, 1)
    assert memory.count().get("step", 0) == 0


def test_words_taken_out_of_a_run_do_not_come_back_with_a_longer_export(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    head = {"format": "memcore.run", "run": "r1", "task": "look around", "outcome": f"it was {TEXT}"}
    lines = [head, *({"step": i, "action": f"look {i}", "observation": f"saw {i}"} for i in (1, 2))]
    path = write_lines(tmp_path / "runs.jsonl", [json.dumps(line) for line in lines])
    list(memory.runs.import_path(path))
    assert erased(memory, list(memory.erasure.find(Wanted(text=TEXT)).hits)).ok
    lines.append({"step": 3, "action": f"look for {TEXT}", "observation": "nothing"})
    write_lines(path, [json.dumps(line) for line in lines])
    report = next(s for s in memory.runs.import_path(path) if isinstance(s, RunFileReport))
    assert (report.steps_written, report.held_back) == (0, 1)
    assert memory.runs.all()[0].outcome == "" and memory.runs.all()[0].steps == 2


def in_small_batches(memory: Memory) -> Memory:
    return Memory(memory.erasure.scope, Numbers(), replace(SETTINGS, import_batch=2))


def test_a_file_erased_while_it_is_imported_does_not_come_back_by_its_name(tmp_path: Path) -> None:
    memory = in_small_batches(opened(tmp_path))
    path = write_lines(tmp_path / f"{TEXT}.jsonl", own_lines([*TOWN, ("Cleo", SAID)]))
    steps = memory.import_path(path)
    next(steps)
    receipt = erased(memory, list(memory.erasure.find(Wanted(file=path.name)).hits))
    *_, report = steps
    assert isinstance(report, FileReport) and report.held_back == 9
    assert memory.files() == [] == memory.conversations()
    assert memory.erasure.verify(receipt, [TEXT]).ok


def test_what_follows_in_an_import_stays_reachable_when_all_before_it_was_erased(tmp_path: Path) -> None:
    memory = in_small_batches(opened(tmp_path))
    spoke = [("Cleo", f"{SAID} It was day {n}.") for n in range(4)]
    steps = memory.import_path(write_lines(tmp_path / FILE, own_lines([*spoke, *TOWN])))
    next(steps)
    receipt = erased(memory, list(memory.erasure.find(Wanted(person="Cleo")).hits))
    assert memory.conversations() == []
    for _ in steps:
        pass
    assert turn_texts(memory) == [text for _, text in TOWN]
    (talk,) = memory.conversations()
    assert (talk.speakers, talk.file_id) == (("Ann", "Bo"), memory.files()[0].id)
    assert memory.get(receipt.gone.ids) == {} and everything(memory) == []


def test_a_file_of_runs_erased_while_it_is_imported_is_filed_anew_with_what_follows(tmp_path: Path) -> None:
    memory = in_small_batches(opened(tmp_path))
    runs = [[{**OWN[0], "run": name}, *OWN[1:3]] for name in ("first", "second", "third")]
    path = save_lines(tmp_path / "runs.jsonl", [line for run in runs for line in run])
    steps = memory.runs.import_path(path)
    next(steps)
    before = memory.files()[0].id
    receipt = erased(memory, list(memory.erasure.find(Wanted(file=path.name)).hits))
    for _ in steps:
        pass
    (file,) = memory.files()
    assert file.id != before and {r.file_id for r in memory.runs.all()} == {file.id}
    assert memory.get(receipt.gone.ids) == {}
