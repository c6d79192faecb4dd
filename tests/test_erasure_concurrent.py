"""While one process erases, readers see the memory before or after it; another writer waits or is told."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from building import TOWN
from secrets_said import SAID, SAID_IN_KOREAN, TEXT, Numbers, erased, everything, imported, opened, steps

from memcore.access.permissions import OWNER
from memcore.erasure import Hit, Wanted
from memcore.errors import StoreBusy
from memcore.events import Imported
from memcore.importing import DraftTurn
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Tag, new_id
from memcore.settings import Settings
from memcore.store import Store
from memcore.store.doctor import examine

HERE = Path(__file__).parent
SECONDS = 60.0 if os.environ.get("MEMCORE_LONG_PROPERTIES") else 4.0
_START = """
import sys, time
sys.path[:0] = {paths!r}
from pathlib import Path
from secrets_said import *
memory = opened(Path({folder!r}))
print("ready", flush=True)
"""
_READ = """
seen = set()
while "stop" not in seen:
    texts = [t.text for talk in memory.conversations() for t in memory.turns(talk.id)]
    found = [i for i, _ in memory.search(TEXT)]
    columns = memory.snapshot().graph.columns
    seen.add((len(texts), len(columns.content_ids)))
    list(memory.ask(Ask("Who is Felix?", 3)))
    if len(texts) == 12:
        break
print(sorted(seen), flush=True)
"""
_WRITE = """
from memcore.importing import DraftTurn
until, written = time.monotonic() + {seconds}, 0
while time.monotonic() < until:
    written += memory.absorb({talk!r}, [DraftTurn("Cleo", "user", f"This is number {{written}} of {talk}.")])
print(written, flush=True)
"""


def child(folder: Path, body: str) -> subprocess.Popen[str]:
    """A process that has opened the memory and goes on with `body`."""
    code = _START.format(paths=[str(HERE.parent), str(HERE)], folder=str(folder)) + body
    started = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None and started.stdout.readline() == "ready\n"
    return started


def said(process: subprocess.Popen[str]) -> Sequence[str]:
    out = process.communicate(timeout=200)[0]
    assert process.returncode == 0
    assert process.stdout is not None
    process.stdout.close()
    return out.splitlines()


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Ann", SAID), ("Bo", SAID_IN_KOREAN)])
    return memory


def test_a_reader_in_another_process_sees_before_or_after(memory: Memory, tmp_path: Path) -> None:
    before = memory.count()["turn"], memory.count()["content"]
    reader = child(tmp_path, _READ)
    time.sleep(0.5)
    assert erased(memory).ok
    after = memory.count()["turn"], memory.count()["content"]
    (seen,) = said(reader)
    pairs = {(t, c) for t, c in eval(seen)}  # two reads in a row may fall on both sides of it
    assert (after in pairs) and {t for t, _ in pairs} <= {before[0], after[0]}
    assert {c for _, c in pairs} <= {before[1], after[1]}


def test_a_second_writer_waits_for_its_turn(memory: Memory, tmp_path: Path) -> None:
    other, done = opened(tmp_path), list[str]()

    def write() -> None:
        other.absorb("aside", [DraftTurn("Cleo", "user", "I was told to wait.")])
        done.append("written")

    thread = threading.Thread(target=write)
    for step in steps(memory):
        if step.doing == "taking out":
            thread.start()
        if step.doing in ("indexing", "traces"):
            assert done == []
    thread.join()
    assert done == ["written"]
    assert memory.search("told to wait") != [] and everything(memory) == []


def test_a_writer_that_would_wait_too_long_is_refused_clearly(memory: Memory, tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", embedder=Numbers(), settings=Settings(lock_seconds=0.05))
    refused: list[StoreBusy] = []

    def write() -> None:
        try:
            store.scope("mine", OWNER).commit(Imported("", 0), inserts=[Tag(new_id(), "late", "late")])
        except StoreBusy as error:
            refused.append(error)

    for step in steps(memory):
        if step.doing == "writing anew":
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
    assert len(refused) == 1 and "nothing was changed" in str(refused[0])


def test_opening_the_store_meanwhile_neither_waits_nor_interferes(memory: Memory, tmp_path: Path) -> None:
    opened_counts: list[int] = []

    def look() -> None:
        store = Store.open(tmp_path / "store", embedder=Numbers(), create=False)
        opened_counts.append(store.scope("mine", OWNER).count()["turn"])

    for step in steps(memory):
        if step.doing == "indexing":
            thread = threading.Thread(target=look)
            thread.start()
            thread.join()
    assert set(opened_counts) == {12}


def test_writers_and_repeated_erasures_leave_a_sound_store(memory: Memory, tmp_path: Path) -> None:
    talks = ("first", "second")
    writers = [child(tmp_path, _WRITE.format(seconds=SECONDS, talk=talk)) for talk in talks]
    until, erasures = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        memory.absorb("secrets", [DraftTurn("Ann", "user", f"{SAID} It is number {erasures}.")])
        found = memory.erasure.find(Wanted(text=TEXT))
        assert erased(memory, list(found.hits)).ok
        list(memory.ask(Ask("Who is Cleo?", 3)))
        erasures += 1
    written = {talk: int(said(w)[0]) for talk, w in zip(talks, writers, strict=True)}
    turns = {t.title: len(memory.turns(t.id)) for t in memory.conversations()}
    assert {talk: turns.get(talk, 0) for talk in talks} == written
    assert erasures > 0 and min(written.values()) > 0
    assert memory.search(TEXT) == []
    store = Store.open(tmp_path / "store", embedder=None, create=False)
    assert [f.problem for f in examine(store) if not f.harmless] == []


def test_a_trace_that_is_erased_while_it_runs_does_not_come_back(memory: Memory) -> None:
    run = memory.ask(Ask(f"Who knows {TEXT}?", 5))
    events = iter(run)
    next(events)
    assert erased(memory, [Hit(run.header.id, "trace", "whole", "trace")]).ok
    for _ in events:
        pass
    assert run.header.id not in [t.id for t in memory.traces()]
