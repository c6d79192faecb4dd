"""The audit: everything is entered, nothing in it can be changed unseen, and no word of anybody is in it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from building import own_lines, write_lines

from memcore.audit import FACTS, Changed, Exported, SettingChanged, SignedIn, dumped, kinds, loaded
from memcore.cli import main
from memcore.configuration import Configuration
from memcore.editing import Set, Who
from memcore.erasure import Wanted
from memcore.errors import InputError, ScopeError, StoreFull
from memcore.events import KeptNode, Opened, Overridden, PrunedNode, Routed
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.recorded_run import read
from memcore.records import TraceHeader, new_id, now
from memcore.settings import DEFAULT
from memcore.store import Store
from memcore.store.audit import Audit
from memcore.store.doctor import examine
from memcore.store.folder import Folder
from memcore.view.audited import GROUPS, sentence

SAID = [("Zoltanka", "I keep the zqxkey of the glimmershed."), ("Bo", "The ferry to Quibblenook is red.")]
WORDS = (
    "zoltanka", "zqxkey", "glimmershed", "quibblenook", "wobbletalk", "frotzfile", "mumblescope",
    "plinkauthor", "grumblereason", "sprongquestion", "flimscope", "blorfnote",
)  # fmt: skip


@pytest.fixture
def memories(tmp_path: Path) -> Memories:
    return Memories.open(tmp_path / "store", embedder="none")


@pytest.fixture
def memory(memories: Memories, tmp_path: Path) -> Memory:
    """A memory of two turns; every name in it is a word that stands nowhere else."""
    found = memories.scope("mumblescope", create=True)
    list(found.import_path(write_lines(tmp_path / "frotzfile.jsonl", own_lines(SAID, "wobbletalk"))))
    return found


def file_of(memories: Memories) -> Path:
    return memories.store.folder.path / "audit.jsonl"


def whats(audit: Audit) -> list[str]:
    """The kinds of all entries, oldest first."""
    return [e.what for e in reversed(audit.entries(1_000))]


def some(audit: Audit, number: int) -> None:
    for n in range(number):
        audit.enter(Exported("corrections", n))


def everything_done(memories: Memories, memory: Memory) -> None:
    """One of each thing that is entered."""
    for _ in memory.ask(Ask("Where is sprongquestion of Zoltanka?", 5)):
        pass
    cue = next(i for i, c in memory.get(memory.snapshot().graph.columns.cue_ids).items() if c)
    memory.edit(Set("cue", (cue,), "name", "blorfnote"), Who("plinkauthor", "grumblereason"))
    memory.undo()
    memory.redo()
    list(memory.exported())
    with pytest.raises(ScopeError):
        memories.scope("flimscope")
    with pytest.raises(ScopeError):
        memories.scope(None)
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="Quibblenook")).hits)
    *_, last = memory.erasure.erase(planned, Who("plinkauthor", "grumblereason"))
    assert last.receipt is not None
    memory.erasure.lift([last.receipt.id])
    memories.audit.enter(SettingChanged("budget"), who="plinkauthor")
    memories.audit.enter(SignedIn("officer", "0" * 16), who="officer")


def test_everything_that_is_done_is_entered_in_its_order(memories: Memories, memory: Memory) -> None:
    everything_done(memories, memory)
    assert whats(memories.audit) == [
        "imported", "read", "edited", "undone", "redone", "exported", "refused", "refused", "erased",
        "lifted", "setting_changed", "signed_in",
    ]  # fmt: skip
    assert memories.audit.verify().ok


def test_no_word_that_anybody_said_or_is_called_is_in_it(memories: Memories, memory: Memory) -> None:
    everything_done(memories, memory)
    for name in ("audit.jsonl", "audit.head"):
        content = (memories.store.folder.path / name).read_bytes().lower()
        assert [w for w in WORDS if w.encode() in content] == []


def test_a_word_is_refused_where_only_codes_and_ids_belong(memories: Memories) -> None:
    for fact in (
        SettingChanged("Zoltanka"),
        SignedIn("Zoltanka", "0" * 16),
        Changed("edited", 1, "Bo", 1, 0, 1),
    ):
        with pytest.raises(InputError, match="no text") as said:
            memories.audit.enter(fact)
        assert "Zoltanka" not in str(said.value)
    assert memories.audit.count() == 0


def test_a_read_names_its_path_and_its_evidence(memories: Memories, memory: Memory) -> None:
    run = memory.ask(Ask("Who keeps the zqxkey?", 5))
    opened = [i for e in run if e.kind == "opened" for i in e.content_ids]
    (entry,) = memories.audit.entries(kinds=["read"])
    assert entry.fact.kind == "read" and entry.together == 2
    assert (entry.fact.trace, entry.fact.path, entry.fact.opened) == (
        run.header.id,
        tuple(opened),
        len(opened),
    )
    assert 0 < entry.fact.kept == len(entry.fact.evidence)
    assert memories.audit.entries(who="mumblescope") == [] and entry.memory == "mumblescope"


def test_a_read_counts_what_no_event_names_and_what_a_person_decided(memories: Memories) -> None:
    kept, left, by_hand = new_id(), new_id(), new_id()
    events = [
        Opened(1, (kept, left), (), 2),
        Routed(
            1,
            (KeptNode(kept, 1, 0.9), KeptNode(left, 1, 0.8)),
            tuple(PrunedNode(new_id(), "content", "withheld", 0.1) for _ in range(12)),
            withheld=18,
        ),
        Overridden(
            1, (KeptNode(by_hand, 1, 1.0),), (PrunedNode(left, "content", "by_hand", 0.8),), (), (new_id(),)
        ),
    ]
    fact = read(TraceHeader(new_id(), None, now(), "", "mragent", 5), events)
    assert (fact.withheld, fact.opened, fact.kept) == (30, 3, 2)
    assert fact.path == (kept, left, by_hand) and fact.evidence == (kept, by_hand)


def test_settings_that_could_not_be_kept_say_so(memories: Memories, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise StoreFull("The disk is full.")

    monkeypatch.setattr(Folder, "write_settings", full)
    with pytest.raises(StoreFull):
        memories.configure(Configuration(changed={"budget": 12, "idle_minutes": 5.0}))
    assert memories.settings == DEFAULT
    assert whats(memories.audit) == ["setting_changed", "setting_changed", "failed", "failed"]
    failed = memories.audit.entries(kinds=["failed"])
    assert {e.fact.entry for e in failed if e.fact.kind == "failed"} == {1, 2}


def test_who_takes_a_copy_of_the_audit_is_in_it(memories: Memories, memory: Memory) -> None:
    list(memories.audit.exported("officer"))
    (taken,) = memories.audit.entries(kinds=["exported"])
    assert memories.audit.known_as(["officer"])[taken.who] == "officer"


def test_entries_are_found_by_kind_and_time_a_page_at_a_time(memories: Memories) -> None:
    some(memories.audit, 5)
    memories.audit.enter(SettingChanged("budget"))
    numbers = [e.number for e in memories.audit.entries(kinds=["exported"])]
    assert numbers == [5, 4, 3, 2, 1]
    assert [e.number for e in memories.audit.entries(2, 2, kinds=["exported"])] == [3, 2]
    third = memories.audit.entries(1, 2, kinds=["exported"])[0].at
    assert [e.number for e in memories.audit.entries(since=third, before=third)] == []
    assert {e.number for e in memories.audit.entries(since=third)} == {3, 4, 5, 6}
    assert {e.number for e in memories.audit.entries(before=third)} == {1, 2}
    assert memories.audit.count() == 6


def test_a_read_that_is_broken_off_is_entered_with_what_it_had_opened(
    memories: Memories, memory: Memory
) -> None:
    events = iter(memory.ask(Ask("Who keeps the zqxkey?", 5)))
    while next(events).kind != "opened":
        pass
    events.close()  # type: ignore[attr-defined]
    (entry,) = memories.audit.entries(kinds=["read"])
    assert entry.fact.kind == "read" and entry.fact.status == "stopped" and entry.fact.opened > 0


def test_who_did_it_is_a_keyed_hash_that_is_found_by_the_name(memories: Memories, memory: Memory) -> None:
    everything_done(memories, memory)
    found = memories.audit.entries(who="plinkauthor")
    assert {e.what for e in found} == {"edited", "erased", "setting_changed"}
    assert memories.audit.known_as(["plinkauthor"]) == {found[0].who: "plinkauthor"}
    other = Memories.open(memories.store.folder.path.parent / "other", embedder="none")
    assert other.audit.hash_of("plinkauthor") != found[0].who


def test_the_batches_of_an_import_are_entries_of_their_own_shown_as_one(
    memories: Memories, tmp_path: Path
) -> None:
    settings = replace(DEFAULT, import_batch=2)
    memory = Memories.open(memories.store.folder.path, settings=settings).scope("mine", create=True)
    said = [("Ann", f"It is day {n}.") for n in range(7)]
    list(memory.import_path(write_lines(tmp_path / "days.jsonl", own_lines(said))))
    (entry,) = memories.audit.entries()
    assert entry.fact.kind == "changed" and entry.fact.meant == 7
    assert entry.together == memories.audit.count() == memory.count()["change"]
    assert "7 turns" in sentence(entry)


def test_what_fails_is_entered_before_and_once_more(memories: Memories, memory: Memory, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise StoreFull("The disk is full.")

    monkeypatch.setattr(type(memory._scope.items), "merge", full)
    monkeypatch.setattr(type(memory._scope.items), "add", full)
    cue = memory.snapshot().graph.columns.cue_ids[0]
    with pytest.raises(StoreFull):
        memory.edit(Set("cue", (cue,), "name", "blorfnote"), Who("plinkauthor"))
    failed, edited = memories.audit.entries(2)
    assert (failed.fact.kind, edited.what) == ("failed", "edited")
    assert (
        failed.fact.kind == "failed" and failed.fact.entry == edited.number and failed.fact.why == "StoreFull"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no limit for the size of files")
def test_where_nothing_can_be_entered_nothing_is_done(memories: Memories, memory: Memory) -> None:
    import resource

    kept, size = memory.count(), file_of(memories).stat().st_size
    cue = memory.snapshot().graph.columns.cue_ids[0]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
    try:
        with pytest.raises(StoreFull, match="disk is full"):
            memory.edit(Set("cue", (cue,), "name", "blorfnote"), Who("plinkauthor"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert memory.count() == kept and file_of(memories).stat().st_size == size + 20
    assert memories.audit.verify().interrupted
    some(memories.audit, 1)
    verdict = memories.audit.verify()
    assert verdict.ok and not verdict.interrupted


def test_every_byte_of_an_entry_is_covered(memories: Memories) -> None:
    some(memories.audit, 3)
    path = file_of(memories)
    good = path.read_bytes()
    first, second, third = good.splitlines(keepends=True)
    for at in range(len(second) - 1):
        path.write_bytes(first + second[:at] + bytes([second[at] ^ 1]) + second[at + 1 :] + third)
        verdict = memories.audit.verify()
        assert not verdict.ok and verdict.broken_at == 2, at


TAMPERED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a line removed": (lambda e: e[:1] + e[2:], 2),
    "the first removed": (lambda e: e[1:], 1),
    "the last removed": (lambda e: e[:-1], 5),
    "two removed at the end": (lambda e: e[:-2], 4),
    "all removed": (lambda e: [], 1),
    "two swapped": (lambda e: [e[0], e[2], e[1], *e[3:]], 2),
    "one repeated": (lambda e: [*e[:2], *e[1:]], 3),
    "the last repeated": (lambda e: [*e, e[-1]], 6),
    "cut within the last": (lambda e: [*e[:-1], e[-1][:40]], 5),
    "something added": (lambda e: [*e, b'{"number":6,"hash":"0"}\n'], 6),
    "an empty line": (lambda e: [*e[:3], b"\n", *e[3:]], 4),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_is_done_to_the_file_is_found_and_stays_found(memories: Memories, how: str) -> None:
    some(memories.audit, 5)
    change, broken_at = TAMPERED[how]
    file_of(memories).write_bytes(b"".join(change(file_of(memories).read_bytes().splitlines(keepends=True))))
    verdict = memories.audit.verify()
    assert (verdict.ok, verdict.broken_at) == (False, broken_at), verdict.says
    again = Store.open(memories.store.folder.path, embedder=None, create=False)
    some(again.audit, 2)
    assert again.audit.verify().broken_at == broken_at
    assert "broken_audit" in {f.problem for f in examine(again)}
    assert main(["audit", "verify", "--store", str(again.folder.path)]) == 1


@pytest.mark.parametrize("gone", [("audit.head",), ("audit.jsonl",), ("audit.head", "audit.jsonl")])
def test_a_file_that_is_gone_is_found_and_stays_found(memories: Memories, gone: tuple[str, ...]) -> None:
    some(memories.audit, 3)
    for name in gone:
        (memories.store.folder.path / name).unlink()
    assert not memories.audit.verify().ok
    again = Store.open(memories.store.folder.path, embedder=None, create=False)
    some(again.audit, 1)
    assert not again.audit.verify().ok


def test_a_head_that_somebody_wrote_is_none(memories: Memories) -> None:
    some(memories.audit, 3)
    head, lines = memories.store.folder.path / "audit.head", file_of(memories).read_bytes().splitlines(True)
    plain, seal = head.read_bytes().split(b"\n")
    fewer = json.loads(plain) | {
        "entries": 2,
        "bytes": len(lines[0] + lines[1]),
        "hash": json.loads(lines[1])["hash"],
    }
    head.write_bytes(json.dumps(fewer).encode() + b"\n" + seal)
    file_of(memories).write_bytes(lines[0] + lines[1])
    assert not memories.audit.verify().ok


def test_an_older_copy_of_both_files_is_told_by_the_hash_that_was_noted(memories: Memories) -> None:
    folder = memories.store.folder.path
    some(memories.audit, 2)
    older = {name: (folder / name).read_bytes() for name in ("audit.head", "audit.jsonl")}
    some(memories.audit, 2)
    noted = memories.audit.verify().hash
    assert memories.audit.verify(noted).ok
    for name, content in older.items():
        (folder / name).write_bytes(content)
    assert memories.audit.verify().ok and not memories.audit.verify(noted).ok


_KILLED = """
import os, signal, sys
sys.path[:0] = {paths!r}
from memcore.audit import Exported
from memcore.store import Store
from memcore.store.chain import Chain
audit = Store.open({folder!r}, embedder=None, create=False).audit
at = {at!r}
whole = Chain._write_line
def half(self, line):
    whole(self, line[: len(line) // 2])
    os.kill(os.getpid(), signal.SIGKILL)
def never(self, head):
    os.kill(os.getpid(), signal.SIGKILL)
audit.enter(Exported("trace", 1))
if at == "line":
    Chain._write_line = half
else:
    Chain._write_head = never
audit.enter(Exported("trace", 2))
"""


@pytest.mark.parametrize(("at", "entries"), [("line", 2), ("head", 3)])
def test_a_killed_process_is_no_tampering(memories: Memories, at: str, entries: int) -> None:
    some(memories.audit, 1)
    code = _KILLED.format(paths=sys.path, folder=str(memories.store.folder.path), at=at)
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    verdict = memories.audit.verify()
    assert verdict.ok and verdict.interrupted and "interrupted" in verdict.says
    again = Store.open(memories.store.folder.path, embedder=None, create=False).audit
    verdict = again.verify()
    assert (verdict.ok, verdict.interrupted, verdict.entries) == (True, False, entries)
    some(again, 1)
    assert again.verify().ok and again.count() == entries + 1


_WRITING = """
import sys
sys.path[:0] = {paths!r}
from memcore.audit import Exported
from memcore.store import Store
audit = Store.open({folder!r}, embedder=None, create=False).audit
for n in range(60):
    audit.enter(Exported("trace", n))
"""


def test_processes_that_write_at_once_make_one_chain(memories: Memories) -> None:
    code = _WRITING.format(paths=sys.path, folder=str(memories.store.folder.path))
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [p.wait() for p in running] == [0, 0, 0]
    verdict = memories.audit.verify()
    assert verdict.ok and verdict.entries == 180


def test_the_newest_are_read_without_reading_all(memories: Memories) -> None:
    some(memories.audit, 400)  # more than one block of the file
    assert file_of(memories).stat().st_size > 100_000
    numbers = [e.number for e in memories.audit.entries(1_000)]
    assert numbers == list(range(400, 0, -1))
    assert [e.number for e in memories.audit.entries(2, 3)] == [397, 396]
    assert len(list(memories.audit.exported("owner"))) == 400 and whats(memories.audit)[-1] == "exported"


def test_every_kind_has_a_sentence_and_a_group(memories: Memories, memory: Memory) -> None:
    everything_done(memories, memory)
    for entry in memories.audit.entries(100):
        assert sentence(entry).endswith(".") and not any(w in sentence(entry).lower() for w in WORDS)
    grouped = {kind for of in GROUPS.values() for kind in of}
    assert {*kinds()} <= grouped
    assert {t.__dataclass_fields__["kind"].default for t in FACTS} - {"changed"} <= {*kinds()}


def test_a_fact_is_the_same_after_it_was_saved() -> None:
    fact = Changed("imported", 3, "0" * 16, 5, 0, 4)
    said = json.loads(json.dumps(dumped(fact)))
    assert loaded(said.pop("kind"), said) == fact
    with pytest.raises(InputError, match="newer"):
        loaded("dreamt", {})


def test_the_command_lists_verifies_and_copies(
    memories: Memories, memory: Memory, tmp_path: Path, capsys
) -> None:
    store = ["--store", str(memories.store.folder.path)]
    everything_done(memories, memory)
    assert main(["audit", "list", *store, "--json", "--who", "plinkauthor", "--kind", "edited"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["what"] == "edited"
    assert main(["audit", "list", *store]) == 0 and "Imported 2 turns" in capsys.readouterr().out
    assert main(["audit", "export", str(tmp_path / "copy.jsonl"), *store]) == 0
    assert main(["audit", "verify", *store, "--noted", "ff"]) == 1
    assert main(["audit", "verify", *store]) == 0
    assert (tmp_path / "copy.jsonl").read_bytes() in file_of(memories).read_bytes()
