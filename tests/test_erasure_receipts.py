"""A receipt is proof only as it was written: what somebody changed is found, and changes nothing itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from building import TOWN
from secrets_said import SAID, SETTINGS, TEXT, Numbers, erased, fresh, imported, opened

from memcore.editing import Who
from memcore.erasure import Receipt, Wanted, loaded
from memcore.erasure.receipt import save
from memcore.errors import InputError, StoreBusy, StoreFull
from memcore.memory import Memory
from memcore.store import Store, removal
from memcore.store.receipts import silence


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


def test_a_verification_gives_back_no_author_that_an_erasure_took_out_meanwhile(
    memory: Memory, tmp_path: Path
) -> None:
    receipt = erased(memory)
    verifying, other = memory.erasure.verifying(receipt), opened(tmp_path).erasure
    with other.scope.writing():
        ended = Thread(target=lambda: list(verifying))
        ended.start()
        ended.join(1)  # with all it looked for, up to the lock
        assert ended.is_alive()
        silence(other.scope.receipts, [(receipt.id, "author")], other.scope.hash)
    ended.join()
    now = memory.erasure.receipt(receipt.id)
    assert (now.author, now.taken_out, len(now.again)) == ("", ("author",), 1) and now.ok


def test_nobody_else_can_write_while_an_erasure_writes_its_receipt(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, saved = Store.open(tmp_path / "store", embedder=Numbers()), list[str]()

    def save_locked(receipt: Receipt, path: Path) -> None:
        with pytest.raises(StoreBusy), other.folder.writing(wait=0):
            pass
        save(receipt, path)
        saved.append(receipt.status)

    monkeypatch.setattr("memcore.erasure.erasing.save", save_locked)
    assert erased(memory).ok and saved == ["underway", "verified"]


@pytest.mark.parametrize("before", [5, None, "author", [5], {}])
def test_anything_can_stand_in_a_receipt_that_somebody_changed(memory: Memory, before: object) -> None:
    receipt = erased(memory)
    scope = memory.erasure.scope
    path = scope.receipts / f"{receipt.id}.json"
    path.write_text(json.dumps(receipt.as_dict() | {"taken_out": before}), "utf-8")
    silence(scope.receipts, [(receipt.id, "author")], scope.hash)
    told = json.loads(path.read_text("utf-8"))
    assert told["author"] == "" and "author" in told["taken_out"]
    path.write_text(json.dumps(told | {"counts": 5, "version": "x"}), "utf-8")
    assert memory.erasure.receipts() == [] and memory.erasure.lost() == 0
    assert memory.erasure.unreadable() == 1


def test_a_plan_is_carried_out_in_the_memory_it_was_made_for_alone(memory: Memory, tmp_path: Path) -> None:
    hits = memory.erasure.find(Wanted(text=TEXT)).hits
    store = Store.open(tmp_path / "store", embedder=Numbers())
    other = Memory(store.create_scope("hers"), Numbers(), SETTINGS)
    for planned in (memory.erasure.plan(hits), memory.erasure.redaction(hits)):
        with pytest.raises(InputError, match="another memory"):
            list(other.erasure.erase(replace(planned, seq=other.erasure.seq()), Who("officer")))
    assert other.count() == {} and other.erasure.receipts() == [] and memory.search(TEXT) != []


def test_no_memory_takes_the_name_by_which_receipts_name_another(memory: Memory, tmp_path: Path) -> None:
    receipt = erased(memory)
    store = Store.open(tmp_path / "store", embedder=Numbers())
    store.create_scope("hers")
    with pytest.raises(InputError, match="choose another"):
        store.create_scope(receipt.scope)
    with pytest.raises(InputError, match="choose another"):
        store.rename_scope("hers", receipt.scope)


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
