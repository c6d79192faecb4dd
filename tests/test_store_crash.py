"""What happens when several write, when a writer is killed, when the disk is full: nothing is lost."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from store_records import Named, cue, memory

from memcore.access.permissions import OWNER
from memcore.errors import StoreBusy, StoreDamaged, StoreError, StoreFull
from memcore.events import Imported
from memcore.settings import Settings
from memcore.store import Scope, Store
from memcore.store.doctor import examine
from memcore.store.lance_errors import lance_errors

HERE = Path(__file__).parent
IMPORTED = Imported("00000000", 1)
KILLS = 12

_WRITER = """
import resource, sys
sys.path[:0] = {paths!r}
from store_records import Named, memory
from memcore.errors import MemcoreError
from memcore.events import Imported
from memcore.settings import Settings
from memcore.store import Store

scope = Store.open({folder!r}, embedder=Named(), settings=Settings(optimize_every=7)).create_scope("mine")
print("ready", flush=True)
{body}
"""
_LOOP = """
for _ in range({times}):
    print(scope.commit(Imported("00000000", 1), upserts=memory()), flush=True)
"""
_HOLD = """
with scope.writing():
    print("held", flush=True)
    sys.stdin.read()
"""
_FULL = """
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    scope.commit(Imported("00000000", 1), upserts=[r for _ in range(3_000) for r in memory("lake " * 30)])
except MemcoreError as error:
    print(type(error).__name__, str(error))
"""


def starting(folder: Path, body: str) -> subprocess.Popen[str]:
    """A process that opens the memory "mine" and goes on with `body`."""
    code = _WRITER.format(paths=[str(HERE.parent), str(HERE)], folder=str(folder), body=body)
    return subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1, text=True)


def ready(child: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """The same once it has opened the memory."""
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def start(folder: Path, body: str) -> subprocess.Popen[str]:
    return ready(starting(folder, body))


def said(child: subprocess.Popen[str]) -> Sequence[str]:
    """The rest of what a process printed, once it has ended."""
    return child.communicate(timeout=60)[0].split("\n")[:-1]


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return Store.open(tmp_path / "store", embedder=Named()).create_scope("mine")


def test_two_processes_writing_at_once_lose_nothing(scope: Scope, tmp_path: Path) -> None:
    children = [start(tmp_path / "store", _LOOP.format(times=15)) for _ in range(2)]
    seqs = [int(line) for child in children for line in said(child)]
    assert sorted(seqs) == list(range(1, 31))
    assert scope.seq() == 30
    assert set(scope.count().values()) == {30}


def test_threads_writing_at_once_lose_nothing(scope: Scope) -> None:
    def write() -> None:
        for _ in range(5):
            scope.commit(IMPORTED, upserts=[cue()])

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scope.count() == {"cue": 20, "change": 20}
    assert scope.seq() == 20


def test_reading_goes_on_while_another_process_writes_and_compacts(scope: Scope, tmp_path: Path) -> None:
    child = start(tmp_path / "store", _LOOP.format(times=30))
    while child.poll() is None:
        columns = scope.columns()
        assert len(columns.content_ids) == len(columns.relation_cue) == columns.seq
    assert len(said(child)) == 30


def test_a_second_writer_is_told_and_refused_after_a_time(scope: Scope, tmp_path: Path) -> None:
    impatient = Store.open(tmp_path / "store", embedder=Named(), settings=Settings(lock_seconds=0.2))
    waited: list[str] = []
    child = start(tmp_path / "store", _HOLD)
    assert child.stdout is not None
    child.stdout.readline()
    with pytest.raises(StoreBusy, match=r"over 0\.2 seconds"):
        impatient.scope("mine", OWNER).commit(IMPORTED, upserts=[cue()])
    with pytest.raises(StoreBusy), impatient.scope("mine", OWNER).writing(lambda: waited.append("waiting")):
        pass
    assert waited == ["waiting"]
    assert scope.columns().cue_ids == []
    child.kill()
    child.communicate()
    scope.commit(IMPORTED, upserts=[cue()])


def test_reading_and_committing_inside_writing_is_one_turn(scope: Scope, tmp_path: Path) -> None:
    impatient = Store.open(tmp_path / "store", embedder=Named(), settings=Settings(lock_seconds=0.1))
    refused: list[StoreError] = []

    def intrude() -> None:
        try:
            impatient.scope("mine", OWNER).commit(IMPORTED, upserts=[cue()])
        except StoreBusy as error:
            refused.append(error)

    with scope.writing():
        scope.commit(IMPORTED, upserts=[cue()])
        thread = threading.Thread(target=intrude)
        thread.start()
        thread.join()
        assert scope.commit(IMPORTED, upserts=[cue()]) == 2
    assert len(refused) == 1


def test_a_killed_writer_leaves_whole_commits_only(tmp_path: Path) -> None:
    chance, last = random.Random(7), 0
    body = "sys.stdin.readline()" + _LOOP.format(times=10_000)
    following = starting(tmp_path / "store", body)
    for number in range(KILLS):
        child = ready(following)
        if (
            number + 1 < KILLS
        ):  # starts while this one is killed and looked over, and writes only when told to
            following = starting(tmp_path / "store", body)
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
        time.sleep(chance.uniform(0.0, 0.25))
        child.kill()
        told = [int(line) for line in said(child) if line.isdigit()]
        store = Store.open(tmp_path / "store", embedder=Named())
        scope = store.scope("mine", OWNER)
        assert examine(store) == []
        assert scope.seq() >= max(told, default=last)
        last = scope.seq()
        assert set(scope.count().values()) <= {last}
    assert last > 3
    scope.undo()
    assert len(scope.search("running", kinds=("turn",), limit=last)) == last - 1


def test_a_full_disk_is_said_and_changes_nothing(scope: Scope, tmp_path: Path) -> None:
    scope.commit(IMPORTED, upserts=memory())
    (answer,) = said(start(tmp_path / "store", _FULL))
    assert answer.startswith("StoreFull The disk is full")
    assert scope.seq() == 1
    scope.commit(IMPORTED, upserts=memory())
    assert set(scope.count().values()) == {2}


@pytest.mark.parametrize(
    ("raised", "ours"),
    [
        (OSError(28, "No space left on device"), StoreFull),
        (RuntimeError("LanceError(IO): ... No space left on device (os error 28)"), StoreFull),
        (PermissionError(13, "Permission denied"), StoreFull),
        (OSError(30, "Read-only file system"), StoreFull),
        (RuntimeError("Not found: /x/data/1.lance"), StoreDamaged),
        (ValueError("Table 'items' was not found"), StoreDamaged),
    ],
)
def test_errors_of_the_disk_are_sentences_without_paths(raised: Exception, ours: type[StoreError]) -> None:
    with pytest.raises(ours) as caught, lance_errors():
        raise raised
    assert caught.value.__cause__ is raised
    assert "/x/" not in str(caught.value)
