"""Verifying again adds to a receipt: what was found stays found until the same was looked for and is gone."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from building import TOWN
from secrets_said import (
    OFFICER,
    SAID,
    TEXT,
    WORDS,
    Killed,
    Numbers,
    content_of,
    dies,
    erased,
    everything,
    fresh,
    imported,
    opened,
    steps,
)

from memcore.erasure import Check, Receipt, Wanted
from memcore.erasure.check import standing
from memcore.erasure.needles import Needles
from memcore.erasure.verify import Gone, verify
from memcore.importing import DraftTurn
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.store import purging, removal
from memcore.view.printed_receipt import page
from memcore.view.privacy_receipt import again, status


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    return memory


def standing_of(receipt: Receipt) -> dict[str, Check]:
    return {check.name: check for check in receipt.standing}


def made(receipt: Receipt) -> set[str]:
    return {check.name for check in receipt.again[-1].checks}


def test_what_was_found_is_not_taken_back_by_looking_for_less(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory)
    assert {"files", "columns", "search", "vectors", "graph", "older"} <= {c.name for c in receipt.checks}
    copy = tmp_path / "store" / "copied.txt"
    copy.write_text(SAID, "utf-8")
    found = memory.erasure.verify(receipt, [TEXT])
    assert (found.status, standing_of(found)["files"].found) == ("found", 1)
    for words in ([], ["zeppelin"], ["Kim"]):
        later = memory.erasure.verify(memory.erasure.receipt(receipt.id), words)
        assert later.status == "found" and standing_of(later)["files"].where == ("copied.txt",)
    copy.unlink()
    assert memory.erasure.verify(receipt).status == "found"
    clean = memory.erasure.verify(receipt, [TEXT.upper()])
    assert clean.status == "verified" and standing_of(clean)["files"].ok
    stored = memory.erasure.receipt(receipt.id)
    assert stored == clean and len(stored.again) == 6
    assert (stored.checks, stored.ended, stored.steps) == (receipt.checks, receipt.ended, receipt.steps)
    assert stored.as_written(memory.erasure.scope)


def test_a_copy_handed_out_earlier_overwrites_no_later_verification(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory)
    (tmp_path / "store" / "copied.txt").write_text(SAID, "utf-8")
    memory.erasure.verify(receipt, [TEXT])
    assert not memory.erasure.verify(receipt).ok
    assert [a.ok for a in memory.erasure.receipt(receipt.id).again] == [False, True]


def test_two_things_found_are_both_to_be_looked_for_again() -> None:
    one, other = (Check("files", "", 9, 1, ("a",), (word,)) for word in "xy")
    clean = Check("files", "", 9, 0, (), ("x",))
    (left,) = standing([one, other, clean])
    assert left.words == ("x", "y") and not left.ok
    assert standing([one, other, clean._replace(words=("y", "z", "x"))])[0].ok


@pytest.mark.parametrize(("words", "says"), [([], "no word was given"), (["Kim"], "too short")])
def test_a_disk_that_was_looked_through_for_nothing_is_not_said_to_be_clean(
    memory: Memory, words: list[str], says: str
) -> None:
    later = memory.erasure.verify(erased(memory), words)
    assert later.ok and not {"files", "columns"} & made(later)
    assert later.again[-1].too_short == len(words)
    ((told, _),) = again(later)
    assert says in told and says in page(later, "mine")


def test_a_short_name_is_looked_for_as_a_whole_word_in_every_text(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Ann", "Kim, the plumber, found the kimono.")])
    planned = memory.erasure.redaction(memory.erasure.find(Wanted(pattern=r"\bKim\b")).hits)
    receipt = [*memory.erasure.erase(planned, OFFICER, wanted=["Kim"])][-1].receipt
    assert receipt is not None and receipt.ok and receipt.too_short >= 1
    assert "too short to be looked for there" in page(receipt, "mine")
    assert memory.erasure.verify(receipt, ["Kim"]).ok  # a kimono is no Kim
    memory.absorb("town", [_said("Kim called.")])
    later = memory.erasure.verify(receipt, ["kim"])
    assert later.status == "found"
    assert standing_of(later)["texts"].found and standing_of(later)["search"].found


def test_texts_that_no_hash_is_kept_of_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memcore.erasure.needles.MOST_HASHES", 2)
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    receipt = erased(memory)
    assert len(receipt.gone.hashes) == 2 and receipt.not_hashed > 2
    assert f"{receipt.not_hashed:,} of the texts" in page(receipt, "mine")


def test_an_erased_vector_that_is_in_the_graph_again_is_found(memory: Memory) -> None:
    content = content_of(memory, TEXT)
    vector = Numbers().embed([content.spoken])[0]
    held = [*steps(memory)]
    assert held[-1].receipt is not None and held[-1].receipt.ok
    scope = memory.erasure.scope
    asked = Needles(nearest=(np.asarray(vector, "<f4").tobytes(),))
    gone = Gone((), (), ())
    began = held[-1].receipt.started
    assert {c.name: c.ok for c in verify(scope, gone, asked, began)}["vectors"]
    memory.absorb("town", [_said(SAID)])
    assert not {c.name: c.ok for c in verify(scope, gone, asked, began)}["vectors"]


def test_a_file_of_a_table_from_before_the_erasure_is_found_later(memory: Memory) -> None:
    table = memory.erasure.scope.items.folder
    old = next((table / "data").glob("*.lance"))
    kept = old.read_bytes()
    receipt = erased(memory)
    assert not old.exists()
    old.write_bytes(kept)
    os.utime(old, (1_700_000_000, 1_700_000_000))
    later = memory.erasure.verify(receipt)
    assert later.status == "found" and standing_of(later)["older"].where == (f"items/data/{old.name}",)


@pytest.mark.parametrize(
    ("module", "name"), [(removal, "_take_out"), (purging, "_drop_versions"), (removal, "_remove")]
)
def test_what_the_next_start_completes_it_also_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    monkeypatch.setattr("memcore.memories.embedder_named", lambda *_: Numbers())
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(module, name, dies)
        with pytest.raises(Killed):
            erased(memory)
    (receipt,) = memory.erasure.receipts()
    assert receipt.status == "underway"
    again = Memories.open(tmp_path / "store").scope("mine")
    (receipt,) = again.erasure.receipts()
    assert (receipt.status, receipt.ok, receipt.held_back > 0) == ("completed", True, True)
    assert {"versions", "texts", "older"} <= {c.name for c in receipt.checks}
    assert "interrupted" in status(receipt) and "interrupted" in page(receipt, "mine")
    assert everything(again) == []
    assert again.erasure.verify(receipt, WORDS).status == "verified"


def test_a_receipt_of_what_never_began_goes_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcore.memories.embedder_named", lambda *_: Numbers())
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(removal, "_write_rows", dies)
        with pytest.raises(Killed):
            erased(memory)
    assert len(memory.erasure.receipts()) == 1
    again = Memories.open(tmp_path / "store").scope("mine")
    assert again.erasure.receipts() == [] and everything(again) != []


def test_what_somebody_is_just_carrying_out_is_left_alone(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcore.memories.embedder_named", lambda *_: Numbers())
    under_way = steps(memory)
    next(step for step in under_way if step.doing == "indexing")
    other = Memories.open(tmp_path / "store").scope("mine")
    assert [r.status for r in other.erasure.receipts()] == ["underway"]
    assert [*under_way][-1].receipt == other.erasure.receipts()[0]


def _said(text: str) -> DraftTurn:
    return DraftTurn("Ann", "user", text)
