"""A receipt says where words stand that were looked for and not chosen, and finds nothing that is no text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from building import TOWN, own_lines, write_lines
from secrets_said import OFFICER, opened

from memcore.cli import main
from memcore.erasure import Receipt, Wanted
from memcore.erasure.receipt import loaded
from memcore.erasure.remaining import REWRITTEN, STILL_IN, Remaining
from memcore.importing import DraftTurn
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.view.privacy_receipt import done


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    said = [*TOWN, ("Quillwyn", "I keep bees in Gdansk."), ("Ann", "Quillwyn plays the Xylophane.")]
    list(memory.import_path(write_lines(tmp_path / "Quillwyn-export.jsonl", own_lines(said))))
    return memory


def erased(memory: Memory, wanted: Wanted, *, near: bool = False) -> Receipt:
    """What was found goes; what was looked for is looked for on disk, as by page and command line."""
    found = memory.erasure.find(wanted)
    planned = memory.erasure.plan([*found.hits, *(found.near if near else ())])
    *_, last = memory.erasure.erase(planned, OFFICER, wanted=wanted.words)
    assert last.receipt is not None
    return last.receipt


@pytest.mark.parametrize("wanted", [Wanted(person="Quillwyn"), Wanted(text="Xylophane")])
def test_a_past_question_that_names_the_person_leaves_nothing_to_be_found(
    memory: Memory, wanted: Wanted
) -> None:
    for question in ("What did Quillwyn say?", "What did Quillwyn say about Xylophane?"):
        list(memory.ask(Ask(question, 3)))
    receipt = erased(memory, wanted)
    assert receipt.status == "verified", [c for c in receipt.checks if not c.ok]
    assert memory.erasure.verify(receipt, wanted.words).ok is (wanted.text != "")


def test_events_of_traces_hold_no_name(memory: Memory) -> None:
    list(memory.ask(Ask("What did Quillwyn say about the Xylophane in Gdansk?", 3)))
    bodies = memory.erasure.scope.runs.table.read(["body"]).column("body").to_pylist()
    said = "\n".join(body for body in bodies if body).lower()
    assert "query_read" in said
    assert not [word for word in ("quillwyn", "xylophane", "gdansk", "what did") if word in said]


def test_words_that_stay_are_counted_and_the_receipt_says_where(memory: Memory) -> None:
    receipt = erased(memory, Wanted(person="Quillwyn"))
    assert receipt.ok and receipt.elsewhere > 0
    assert receipt.still_in == ("what was said and is remembered", "names and titles")
    assert any(line.startswith(STILL_IN) for line in done(receipt))
    assert loaded(json.dumps(receipt.as_dict())) == receipt
    assert memory.erasure.receipt(receipt.id).as_written(memory.erasure.scope)


def test_nothing_stays_when_the_near_matches_go_too(memory: Memory) -> None:
    receipt = erased(memory, Wanted(person="Quillwyn"), near=True)
    assert receipt.ok and receipt.still_in == ()
    assert memory.erasure.verify(receipt, ["Quillwyn"]).ok


def test_a_short_name_stays_only_as_a_whole_word(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    list(memory.import_path(write_lines(tmp_path / "said.jsonl", own_lines([*TOWN, ("Kim", "Hello.")]))))
    memory.absorb("town", [DraftTurn("Ann", "user", "A kimono was found.")])
    assert erased(memory, Wanted(person="Kim")).still_in == ()


def test_places_are_told_in_plain_words() -> None:
    remaining = Remaining(
        {"Ann's file": "earlier name", "ann?": "trace question", "the plan": REWRITTEN, "x": "branch"}
    )
    assert remaining.where(["Ann"]) == ("earlier versions", "past questions")
    assert remaining.where(["plan", "x"]) == ("what is made again", "other fields")
    assert remaining.says("PLAN") and not remaining.says("planet") and not remaining.says("pla")


def test_the_command_line_looks_for_a_person_as_the_page_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [*TOWN, ("Quillwyn", "I keep bees."), ("Ann", "Quillwyn is away.")]
    file, store = write_lines(tmp_path / "said.jsonl", own_lines(said)), str(tmp_path / "store")
    assert main(["import", str(file), "--store", store, "--embedder", "none"]) == 0
    receipt = tmp_path / "receipt.json"
    asked = ["erase", "--person", "Quillwyn", "--yes", "--store", store]
    assert main([*asked, "--receipt", str(receipt)]) == 0
    assert STILL_IN in capsys.readouterr().out
    verify = ["erase", "verify", str(receipt), "--store", store, "--person", "Quillwyn"]
    assert main(verify) == 1  # as somebody speaks of the person
    capsys.readouterr()
    assert main([*asked, "--near"]) == 0
    assert STILL_IN not in capsys.readouterr().out
    assert main(verify) == 0
