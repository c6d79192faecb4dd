"""`memcore erase`: a plan changes nothing, nothing goes unasked, a receipt can be verified later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, own_lines, write_lines

from memcore.cli import main
from memcore.memories import Memories

SECRET = "Zqxwobble"


@pytest.fixture
def store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = write_lines(tmp_path / "said.jsonl", own_lines([*TOWN, ("Ann", f"The word is {SECRET}.")]))
    folder = str(tmp_path / "store")
    assert main(["import", str(file), "--store", folder, "--embedder", "none"]) == 0
    capsys.readouterr()
    return folder


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[dict[str, Any]], str]:
    code = main([*argv, "--json"])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


def test_a_plan_says_what_would_go_and_changes_nothing(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        code, (said,), _ = ran(capsys, "erase", "--match", SECRET, "--store", store, "--plan")
        assert code == 0 and said["plan"]["erase"]["turn"] == 1
        assert {h["kind"] for h in said["hits"]} >= {"turn", "content"}


def test_what_reads_alike_is_listed_once_and_what_goes_whole_by_its_name(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["erase", "--person", "Ann", "--store", store, "--plan"]) == 0
    (said,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("  turn speaker: "))
    assert said == f"  turn speaker: Ann ({1 + sum(who == 'Ann' for who, _ in TOWN)} times)"
    assert main(["erase", "--file", "said.jsonl", "--store", store, "--plan"]) == 0
    assert "  conversation: town\n" in capsys.readouterr().out


def test_nothing_is_erased_unasked(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = ran(capsys, "erase", "--match", SECRET, "--store", store)
    assert code == 1 and "--yes" in err
    code, _, err = ran(capsys, "erase", "--match", "nobody said this", "--store", store, "--yes")
    assert code == 1 and "Nothing was found" in err


def test_a_receipt_is_kept_and_verified(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt = tmp_path / "receipt.json"
    argv = ("erase", "--match", SECRET, "--store", store, "--yes", "--receipt", str(receipt))
    code, (_, saved), _ = ran(capsys, *argv)
    assert (code, saved["status"]) == (0, "verified")
    assert SECRET.lower() not in receipt.read_text("utf-8").lower()
    code, (again,), _ = ran(capsys, "erase", "verify", str(receipt), "--store", store, "--match", SECRET)
    assert (code, again["status"]) == (0, "verified")
    code, (found,), _ = ran(capsys, "erase", "verify", str(receipt), "--store", store, "--match", "Saffron")
    assert (code, found["status"]) == (1, "found")


def test_a_receipt_can_be_a_page(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = tmp_path / "receipt.html"
    argv = ["erase", "--person", "Bo", "--since", "2024-05-07", "--store", store, "--yes"]
    assert main([*argv, "--receipt", str(shown)]) == 0
    told = capsys.readouterr().out
    assert "go for good." in told and "Verified: nothing of it was found" in told
    (receipt,) = (line.split()[1] for line in told.splitlines() if line.startswith("Receipt "))
    printed = shown.read_text("utf-8")
    assert printed.startswith("<!doctype html>") and f"memcore erase verify {receipt}" in printed
    code, (again,), _ = ran(capsys, "erase", "verify", receipt, "--store", store)
    assert (code, again["status"]) == (0, "verified")
    assert ran(capsys, "erase", "verify", "0" * 16, "--store", store)[0] == 1


@pytest.mark.parametrize("content", ["", "{}", '{"version": 99}', "[1]"])
def test_another_file_is_no_receipt(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    other = tmp_path / "other.json"
    other.write_text(content, "utf-8")
    code, _, err = ran(capsys, "erase", "verify", str(other), "--store", store)
    assert code == 1 and "receipt" in err


@pytest.mark.parametrize("place", ["missing/receipt.html", "missing/receipt.json", ""])
def test_nothing_is_erased_where_its_receipt_could_not_be_written(
    store: str, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("erase", "--match", SECRET, "--store", store, "--yes", "--receipt", str(tmp_path / place))
    code, _, err = ran(capsys, *asked)
    assert code == 1 and "Nothing was erased" in err
    code, (said,), _ = ran(capsys, "erase", "--match", SECRET, "--store", store, "--plan")
    assert code == 0 and said["plan"]["erase"]["turn"] == 1


def test_receipts_and_what_is_held_back_are_listed_and_lifted(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "erase", "--match", SECRET, "--store", store, "--yes", "--reason", "request 12")
    _, (told,), _ = ran(capsys, "erase", "receipts", "--store", store)
    (receipt,) = told["receipts"]
    assert (receipt["status"], receipt["reason"], told["lost"]) == ("verified", "request 12", 0)
    _, (told,), _ = ran(capsys, "erase", "held", "--store", store)
    assert [h["id"] for h in told["held"]] == [receipt["id"]] and told["held"][0]["sources"] >= 1
    code, _, err = ran(capsys, "erase", "lift", receipt["id"], "--store", store)
    assert code == 1 and "--yes" in err
    code, _, err = ran(capsys, "erase", "lift", "nobody", "--store", store, "--yes")
    assert code == 1 and "held lists" in err
    code, (told,), _ = ran(capsys, "erase", "lift", receipt["id"], "--store", store, "--yes")
    assert code == 0 and told["sources"] >= 1
    _, (told,), _ = ran(capsys, "erase", "held", "--store", store)
    assert told == {"held": []}


def test_a_receipt_that_somebody_altered_or_removed_is_said_so(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "erase", "--match", SECRET, "--store", store, "--yes")
    (path,) = (Path(store) / "receipts").glob("*.json")
    path.write_text(path.read_text("utf-8").replace('"turn": 1', '"turn": 99'), "utf-8")
    assert main(["erase", "receipts", "--store", store]) == 0
    assert "not as it was written" in capsys.readouterr().out
    assert main(["doctor", "--store", store]) == 1
    assert "altered receipt" in capsys.readouterr().out
    path.unlink()
    _, (told,), _ = ran(capsys, "erase", "receipts", "--store", store)
    assert told == {"receipts": [], "lost": 1}
    assert main(["doctor", "--store", store]) == 1
    assert "lost receipt" in capsys.readouterr().out


def test_a_memory_that_is_called_by_what_goes_is_to_be_renamed(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["erase", "--match", SECRET, "--store", store]
    assert main([*asked, "--plan"]) == 0 and "called so" not in capsys.readouterr().out
    (name,) = Memories.open(store).scopes()
    assert main(["rename", name, f"of {SECRET}", "--store", store]) == 0
    capsys.readouterr()
    assert main([*asked, "--plan"]) == 0 and "called so" in capsys.readouterr().out
    assert main([*asked, "--yes"]) == 1 and "files" in capsys.readouterr().out.lower()
    assert main(["rename", f"of {SECRET}", "mine", "--store", store]) == 0
    capsys.readouterr()
    _, (told,), _ = ran(capsys, "erase", "receipts", "--store", store)
    id_ = told["receipts"][0]["id"]
    code, (again,), _ = ran(capsys, "erase", "verify", id_, "--match", SECRET, "--store", store)
    assert (code, again["status"]) == (0, "verified")


def test_what_is_like_an_example_is_offered_and_never_taken_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_lines(tmp_path / "said.jsonl", own_lines(TOWN))
    folder = str(tmp_path / "store")
    assert main(["import", str(file), "--store", folder]) == 0
    capsys.readouterr()
    code, (said,), _ = ran(capsys, "erase", "--like", TOWN[0][1], "--store", folder, "--plan")
    assert code == 0 and said["hits"] == [] and said["near"] and said["plan"] == {}
