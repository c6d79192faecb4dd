"""kill -9 at any moment: the store opens, the doctor finds nothing, and a second import completes it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import TOWN, own_lines, write_lines

from memcore.importing import FileReport
from memcore.memory import Memories, Memory
from memcore.reconstruction import Ask
from memcore.settings import Settings
from memcore.store.doctor import examine, repair

HERE = Path(__file__).parent
TURNS = 1_500
KILLS = 20
ASKING = 8  # of them
SMALL = Settings(import_batch=40, optimize_every=9)

_START = """
import sys
sys.path[:0] = {paths!r}
from memcore.memory import Memories
from memcore.reconstruction import Ask
from memcore.settings import Settings
memories = Memories.open({folder!r}, embedder="none", settings=Settings(import_batch=40, optimize_every=9))
memory = memories.scope("mine", create=True)
print("ready", flush=True)
"""
_IMPORT = "for step in memory.import_path({path!r}): print(step.turns_written, flush=True)\n"
_ASK = """
while True:
    for event in memory.ask(Ask("What did Felix teach Ann?", 20)):
        print(event.kind, flush=True)
"""


def child(folder: Path, body: str) -> subprocess.Popen[str]:
    """A process that has opened the memory and goes on with `body`."""
    code = _START.format(paths=[str(HERE.parent)], folder=str(folder)) + body
    started = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None and started.stdout.readline() == "ready\n"
    return started


def long_file(path: Path, talk: str, count: int = TURNS) -> Path:
    said = [(TOWN[i % 12][0], f"{TOWN[i % 12][1]} It was the number {i} of {talk}.") for i in range(count)]
    return write_lines(path, own_lines(said, talk))


def opened(folder: Path) -> Memory:
    return Memories.open(folder, embedder="none", settings=SMALL).scope("mine", create=True)


def sound(memory_folder: Path) -> None:
    """Nothing serious is left, once runs that were cut off are marked as stopped."""
    store = Memories.open(memory_folder, embedder="none", settings=SMALL).store
    found = [f for f in examine(store) if not f.harmless]
    allowed = {"running_trace", "leftover_file", "orphan_table", "missing_index"}
    assert {f.problem for f in found} <= allowed, found
    assert [f for f in repair(store) if not f.harmless] == []


def texts(memory: Memory) -> list[str]:
    return [t.text for talk in memory.conversations() for t in memory.turns(talk.id)]


def kill_moments(seed: int, count: int) -> Iterator[float]:
    """Seconds to wait: short ones hit the first commits, long ones the later and the compactions."""
    rng = random.Random(seed)
    return (rng.uniform(0.0, 0.6) for _ in range(count))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "store"
    opened(made)
    return made


def test_an_import_killed_at_random_moments_is_completed_by_the_next(folder: Path, tmp_path: Path) -> None:
    path = long_file(tmp_path / "long.jsonl", "long")
    before = 0
    for seconds in kill_moments(1, KILLS - ASKING):
        going = child(folder, _IMPORT.format(path=str(path)))
        time.sleep(seconds)
        going.kill()
        going.communicate()
        sound(folder)
        memory = opened(folder)
        count = memory.count().get("turn", 0)
        assert before <= count <= TURNS, "what was committed stays"
        assert len(texts(memory)) == count
        before = count
    (report,) = [s for s in opened(folder).import_path(path) if isinstance(s, FileReport)]
    assert report.turns_known == before
    memory = opened(folder)
    said = texts(memory)
    assert len(said) == len(set(said)) == TURNS == memory.conversations()[0].turns
    assert memory.count()["content"] >= TURNS
    sound(folder)
    assert list(memory.events(Ask("Who is Felix?", 5)))


def test_a_reconstruction_killed_at_random_moments_keeps_its_trace(folder: Path, tmp_path: Path) -> None:
    path = long_file(tmp_path / "short.jsonl", "short", 120)
    list(opened(folder).import_path(path))
    counts = opened(folder).count()
    for seconds in kill_moments(2, ASKING):
        going = child(folder, _ASK)
        time.sleep(seconds / 2)
        going.kill()
        going.communicate()
        sound(folder)
    memory = opened(folder)
    assert memory.count() == counts
    headers = memory.traces(limit=1_000)
    assert headers and {h.status for h in headers} <= {"finished", "stopped"}
    for header in headers[:50]:
        _, events = memory.trace(header.id)
        assert not events or events[0].kind == "asked"
        assert header.status == "stopped" or events[-1].kind == "answered"


def test_two_processes_importing_at_once_lose_nothing_and_double_nothing(
    folder: Path, tmp_path: Path
) -> None:
    shared = long_file(tmp_path / "shared.jsonl", "shared", 300)
    own = [long_file(tmp_path / f"{name}.jsonl", name, 300) for name in ("one", "two")]
    bodies = [_IMPORT.format(path=str(p)) + _IMPORT.format(path=str(shared)) for p in own]
    going = [child(folder, body) for body in bodies]
    assert [g.wait(60) for g in going] == [0, 0] and [g.communicate() for g in going]
    memory = opened(folder)
    said = texts(memory)
    assert len(said) == len(set(said)) == 900
    assert sorted(talk.turns for talk in memory.conversations()) == [300, 300, 300]
    columns = memory.snapshot().graph.columns
    assert len(columns.cue_keys) == len(set(columns.cue_keys))
    assert len(columns.tag_keys) == len(set(columns.tag_keys))
    sound(folder)
