"""A receipt is proof only as it was written: what somebody changed is found, and changes nothing itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from building import TOWN
from secrets_said import SAID, TEXT, erased, fresh, imported, opened

from memcore.editing import Who
from memcore.erasure import Receipt, Wanted, loaded
from memcore.errors import InputError, StoreFull
from memcore.memory import Memory
from memcore.store import removal


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    return memory


def failed(receipt: Receipt) -> list[str]:
    return [c.name for c in receipt.standing if not c.ok]


def test_a_receipt_changed_by_hand_is_found_and_not_written_over_the_true_one(memory: Memory) -> None:
    receipt = erased(memory)
    path = memory.erasure.scope.receipts / f"{receipt.id}.json"
    told = json.loads(path.read_text("utf-8"))
    for change in (
        {"counts": {"erase": {"turn": 99}}},
        {"gone": {name: [] for name in told["gone"]}},
        {"author": "somebody else"},
        {"seal": ""},
        {"seal": told["seal"][::-1]},
    ):
        changed = loaded(json.dumps(told | change))
        assert failed(memory.erasure.verify(changed)) == ["receipt"]
    assert memory.erasure.receipts() == [receipt]
    again = memory.erasure.verify(loaded(path.read_text("utf-8")))
    assert again.ok and memory.erasure.verify(again).ok


def test_a_receipt_names_no_other_file_to_be_written(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory)
    head = (tmp_path / "store" / "store.json").read_bytes()
    assert not memory.erasure.verify(replace(receipt, id="../store")).ok
    assert (tmp_path / "store" / "store.json").read_bytes() == head


@pytest.mark.parametrize("content", [b"{", b"[]", b"null", b"\xff\xfe", b'{"version": "x"}'])
def test_a_file_that_is_no_receipt_hides_no_other(memory: Memory, content: bytes) -> None:
    receipt = erased(memory)
    (memory.erasure.scope.receipts / "other.json").write_bytes(content)
    assert memory.erasure.receipts() == [receipt]


def test_no_receipt_says_that_an_erasure_is_under_way_which_never_began(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(removal, "_write_rows", full)
        with pytest.raises(StoreFull):
            erased(memory)
    assert memory.erasure.receipts() == []
    assert erased(memory).ok


def test_a_reason_that_names_the_person_who_goes_is_refused(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Cleo", SAID)])
    planned = memory.erasure.plan(memory.erasure.find(Wanted(person="Cleo")).hits)
    for who, is_named in ((("officer", "CLEO's request"), True), (("Cleopatra", "by post"), False)):
        assert memory.erasure.named(planned, Who(*who)) is is_named
    assert memory.erasure.named(planned, Who("officer", "about the shed"), ["Shed"])
    with pytest.raises(InputError, match="leave that out"):
        list(memory.erasure.erase(planned, Who("officer", "CLEO's request")))
    assert memory.search(TEXT) != []
    *_, last = memory.erasure.erase(planned, Who("Cleopatra", "a request by post"))  # another name
    assert last.receipt is not None and last.receipt.ok
