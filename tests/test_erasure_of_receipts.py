"""What earlier receipts say of people, and what a memory is called, can be erased as any other words can."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from building import TOWN
from secrets_said import OFFICER, SETTINGS, Killed, Numbers, dies, erased, imported, opened

from memcore.access.permissions import Viewer
from memcore.access.roles import MAY
from memcore.cli import main
from memcore.editing import Who
from memcore.erasure import Receipt, Wanted
from memcore.errors import InputError, NotAllowed, ScopeError
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.store import Store
from memcore.store.doctor import examine
from memcore.store.receipts import sealed

NAME = "Quillwyn"
ASKED = Who("officer", f"{NAME} asked for it")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory of which something was erased because somebody asked, whom the receipt names."""
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Ann", f"{NAME} is at the harbour."), ("Bo", "The pier is old.")])
    carried_out(memory, Wanted(text="The pier is old"), ASKED)
    return memory


def carried_out(memory: Memory, wanted: Wanted, who: Who = OFFICER) -> Receipt:
    planned = memory.erasure.plan(memory.erasure.find(wanted).hits)
    *_, last = memory.erasure.erase(planned, who, wanted=[wanted.text])
    assert last.receipt is not None
    return last.receipt


def on_disk(folder: Path, word: str) -> list[str]:
    """The files that say a word."""
    files = [p for p in folder.rglob("*") if p.is_file()]
    return [str(p.relative_to(folder)) for p in files if word.casefold().encode() in p.read_bytes().lower()]


def problems(folder: Path) -> set[str]:
    store = Store.open(folder, embedder=None, create=False)
    return {f.problem for f in examine(store) if not f.harmless}


def test_the_reason_in_an_earlier_receipt_is_found_planned_and_taken_out(
    memory: Memory, tmp_path: Path
) -> None:
    (earlier,) = memory.erasure.receipts()
    hits = memory.erasure.find(Wanted(text=NAME)).hits
    assert [(h.id, h.field, h.part) for h in hits if h.kind == "receipt"] == [(earlier.id, "reason", "words")]
    assert memory.erasure.plan(hits).counts()["blank"]["receipt"] == 1
    receipt = carried_out(memory, Wanted(text=NAME))
    assert receipt.status == "verified" and receipt.counts["blank"]["receipt"] == 1
    now = memory.erasure.receipt(earlier.id)
    assert (now.author, now.reason, now.taken_out) == ("officer", "", ("reason",))
    assert now.status == "verified" and now.as_written(memory.erasure.scope)
    assert on_disk(tmp_path / "store", NAME) == []
    assert memory.erasure.find(Wanted(text=NAME)).hits == () and problems(tmp_path / "store") == set()


def test_a_person_is_found_in_the_reason_and_a_redaction_takes_it_out_too(memory: Memory) -> None:
    hits = memory.erasure.find(Wanted(person="officer")).hits
    assert {(h.kind, h.field) for h in hits} == {("receipt", "author")}
    planned = memory.erasure.redaction(memory.erasure.find(Wanted(text=NAME)).hits)
    list(memory.erasure.erase(planned, OFFICER))
    assert {r.reason for r in memory.erasure.receipts()} == {"", OFFICER.reason}


def test_a_receipt_that_was_altered_is_not_sealed_anew(memory: Memory) -> None:
    (earlier,) = memory.erasure.receipts()
    path = memory.erasure.scope.receipts / f"{earlier.id}.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"undo_lost": 99}), "utf-8")
    carried_out(memory, Wanted(text=NAME))
    assert memory.erasure.receipt(earlier.id).status == "altered"
    assert memory.erasure.receipt(earlier.id).reason == ""


def test_what_a_crash_left_in_a_receipt_is_taken_out_by_the_next_start(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (earlier,) = memory.erasure.receipts()
    with monkeypatch.context() as patch:
        patch.setattr("memcore.store.removal.silence", dies)
        with pytest.raises(Killed):
            carried_out(memory, Wanted(text=NAME))
    assert memory.erasure.receipt(earlier.id).reason == ASKED.reason
    again = Store.open(tmp_path / "store", embedder=Numbers())
    scope = again.scope("mine", memory.viewer)
    assert Memory(scope, Numbers(), SETTINGS).erasure.receipt(earlier.id).taken_out == ("reason",)
    assert on_disk(tmp_path / "store", NAME) == []


def test_what_the_own_receipt_says_is_no_finding(memory: Memory) -> None:
    """Of what goes by its id no word is known: who asked may be called as somebody who spoke."""
    turns = [t for talk in memory.conversations() for t in memory.turns(talk.id) if t.speaker == "Ann"]
    hits = memory.erasure.find(Wanted(ids=tuple(t.id for t in turns))).hits
    *_, last = memory.erasure.erase(memory.erasure.plan(hits), Who("Ann", "by post"))
    assert last.receipt is not None and last.receipt.status == "verified" and last.receipt.elsewhere > 0


def test_a_renamed_memory_leaves_its_old_name_nowhere(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = Store.open(folder, embedder=Numbers())
    memory = Memory(store.create_scope(NAME), Numbers(), SETTINGS)
    imported(memory, tmp_path, [*TOWN, ("Bo", "The pier is old.")])
    receipt = carried_out(memory, Wanted(text="The pier is old"))
    assert receipt.scope == memory.erasure.scope.table
    as_older_ones_do = sealed(receipt.as_dict() | {"scope": NAME}, memory.erasure.scope.hash)
    (folder / "receipts" / f"{receipt.id}.json").write_text(json.dumps(as_older_ones_do), "utf-8")
    assert {*on_disk(folder, NAME)} == {"store.json", f"receipts/{receipt.id}.json"}
    store.rename_scope(NAME, "a person")
    assert on_disk(folder, NAME) == []
    again = Memory(store.scope("a person", memory.viewer), Numbers(), SETTINGS)
    assert again.erasure.receipts() == [replace(receipt, seal=again.erasure.receipts()[0].seal)]
    assert again.count() == memory.count()
    assert carried_out(again, Wanted(text="Felix")).ok


def test_an_officer_may_rename_and_the_audit_says_so_without_a_name(tmp_path: Path) -> None:
    memories = Memories.open(tmp_path / "store", embedder="none")
    for name in (NAME, "Bo"):
        memories.scope(name, create=True)
    table = memories.tables()[NAME]
    for refused in (Viewer("editor", 3, may=MAY["editor"]), Viewer("officer", 2, may=MAY["officer"])):
        with pytest.raises(NotAllowed):
            memories.rename(NAME, "a person", refused)
    for to in ("Bo", NAME):
        with pytest.raises(InputError, match="already"):
            memories.rename(NAME, to)
    for name, to in (("Nobody", "a person"), (NAME, " ")):
        with pytest.raises(ScopeError):
            memories.rename(name, to)
    with pytest.raises(InputError, match="could not enter"):
        memories.rename(NAME, "a person", Viewer("officer", 3, frozenset({NAME})))
    memories.rename(NAME, "a person", Viewer("officer", 3, may=MAY["officer"]))
    assert memories.scopes() == ["a person", "Bo"] and memories.tables()["a person"] == table
    assert memories.audit.entries(limit=1)[0].what == "renamed"
    assert on_disk(tmp_path / "store", NAME) == []


def test_the_command_line_renames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "store")
    Memories.open(folder, embedder="none").scope(NAME, create=True)
    assert main(["rename", NAME, "a person", "--store", folder]) == 0
    assert "old name" in capsys.readouterr().out
    assert Memories.open(folder).scopes() == ["a person"]
    assert main(["rename", NAME, "another", "--store", folder]) == 1


def test_a_receipt_that_was_altered_or_is_lost_is_noticed(memory: Memory, tmp_path: Path) -> None:
    (receipt,) = memory.erasure.receipts()
    assert problems(tmp_path / "store") == set() and memory.erasure.lost() == 0
    path = memory.erasure.scope.receipts / f"{receipt.id}.json"
    told = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(told | {"status": "verified", "undo_lost": 99}), "utf-8")
    assert memory.erasure.receipt(receipt.id).status == "altered"
    assert problems(tmp_path / "store") == {"altered_receipt"}
    path.unlink()
    assert memory.erasure.receipts() == [] and memory.erasure.lost() == 1
    assert problems(tmp_path / "store") == {"lost_receipt"}


def test_other_sentences_in_a_later_version_alter_no_receipt(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcore.erasure.receipt.NOT_PROVED", ("that nobody remembers",))
    assert [r.status for r in memory.erasure.receipts()] == ["verified"]


def test_exports_that_left_before_are_told_in_the_plan_and_in_the_receipt(memory: Memory) -> None:
    memory.handed_out("receipt", 1)  # holds no word of the memory
    hits = memory.erasure.find(Wanted(text=NAME)).hits
    assert memory.erasure.plan(hits).exports == (0, None)
    list(memory.exported())
    memory.handed_out("trace", 3)
    exports = memory.erasure.plan(hits).exports
    assert exports.exports == 2 and exports.last is not None
    assert memory.erasure.redaction(hits).exports == exports
    receipt = erased(memory, hits)
    assert (receipt.exports, receipt.exported) == exports
    assert memory.erasure.receipt(receipt.id) == receipt


def test_an_audit_that_was_taken_away_is_missed_by_the_journal(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    assert problems(folder) == set()
    for path in folder.glob("audit.*"):
        path.unlink()
    head = json.loads((folder / "store.json").read_text("utf-8"))
    del head["audited"]
    (folder / "store.json").write_text(json.dumps(head), "utf-8")
    assert Store.open(folder, embedder=None, create=False).audit.verify().ok
    assert problems(folder) == {"unaudited_commit"}
