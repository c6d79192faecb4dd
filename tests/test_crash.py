"""kill -9 at any moment: the store opens, the doctor finds nothing, and a second import completes it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from building import TOWN, own_lines, write_lines

from memcore.access.permissions import OWNER
from memcore.evaluation.bench import Options, run
from memcore.evaluation.clue_tree import as_lines, clue_tree
from memcore.evaluation.crash import completed, looked_over
from memcore.evaluation.killing import Mark, Work, kill_in, opened, rehearse
from memcore.events import Imported
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import new_id
from memcore.settings import Settings
from memcore.store.doctor import examine, repair

HERE = Path(__file__).parent
KILLS = 12
SMALL = Settings(import_batch=40, optimize_every=9)

_START = """
import sys
sys.path[:0] = {paths!r}
from memcore.memories import Memories
from memcore.settings import Settings
memories = Memories.open({folder!r}, embedder="none", settings=Settings(import_batch=40, optimize_every=9))
memory = memories.scope("mine", create=True)
print("ready", flush=True)
"""
_IMPORT = "for step in memory.import_path({path!r}): print(step.turns_written, flush=True)\n"


def test_what_is_killed_at_random_moments_leaves_a_sound_store_and_every_kill_is_counted() -> None:
    """By the benchmark, which aims at every stage of importing and of asking."""
    imports, asks, sums = run("crash", options=Options(kills=KILLS))
    assert (sums["kills"], sums["with something wrong"], sums["what"]) == (KILLS, 0, [])
    for row, stages in (
        (imports, ("opening", "commit", "compaction")),
        (asks, ("trace append", "compaction")),
    ):
        assert row["kills"] == KILLS // 2
        assert sum(row["during"].get(stage, 0) for stage in stages) >= KILLS // 4, row["during"]


def test_the_check_sees_a_lost_and_a_doubled_turn(tmp_path: Path) -> None:
    tree = clue_tree(depth=2, seed=3, turns=0)
    file = write_lines(tmp_path / "story.jsonl", [json.dumps(line) for line in as_lines(tree)])
    memory = opened(tmp_path / "store")
    list(memory.import_path(file))
    assert list(completed(memory, file, tree)) == []
    assert looked_over(tmp_path / "store") == ((), ())
    scope = Memories.open(tmp_path / "store", embedder="none").store.scope(memory.name, OWNER)
    (talk,) = memory.conversations()
    first, last = memory.turns(talk.id)[0], memory.turns(talk.id)[-1]
    scope.commit(Imported(talk.id, 1), inserts=[replace(first, id=new_id())])
    assert any("instead of" in wrong for wrong in completed(memory, file, tree))
    scope.commit(Imported(talk.id, 0), deletes=[last.id])
    left, wrong = looked_over(tmp_path / "store")
    assert "lost_origin" in left and "found lost_origin" in wrong


def test_a_process_that_fails_by_itself_is_no_kill(tmp_path: Path) -> None:
    work = Work("import", str(tmp_path / "missing.jsonl"))
    with pytest.raises(RuntimeError, match="by itself"):
        rehearse(tmp_path / "store", work)
    after_its_end = [*[Mark("-commit", 0.0)] * 50, Mark("+commit", 0.0)]
    with pytest.raises(RuntimeError, match="by itself"):
        kill_in("commit", tmp_path / "store", work, after_its_end, Random(3))


def child(folder: Path, body: str) -> subprocess.Popen[str]:
    """A process that has opened the memory and goes on with `body`."""
    code = _START.format(paths=[str(HERE.parent)], folder=str(folder)) + body
    started = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None and started.stdout.readline() == "ready\n"
    return started


def long_file(path: Path, talk: str, count: int) -> Path:
    said = [(TOWN[i % 12][0], f"{TOWN[i % 12][1]} It was the number {i} of {talk}.") for i in range(count)]
    return write_lines(path, own_lines(said, talk))


def mine(folder: Path) -> Memory:
    return Memories.open(folder, embedder="none", settings=SMALL).scope("mine", create=True)


def test_two_processes_importing_at_once_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    mine(folder)
    shared = long_file(tmp_path / "shared.jsonl", "shared", 300)
    own = [long_file(tmp_path / f"{name}.jsonl", name, 300) for name in ("one", "two")]
    bodies = [_IMPORT.format(path=str(p)) + _IMPORT.format(path=str(shared)) for p in own]
    going = [child(folder, body) for body in bodies]
    assert [g.wait(60) for g in going] == [0, 0] and [g.communicate() for g in going]
    memory = mine(folder)
    said = [t.text for talk in memory.conversations() for t in memory.turns(talk.id)]
    assert len(said) == len(set(said)) == 900
    assert sorted(talk.turns for talk in memory.conversations()) == [300, 300, 300]
    columns = memory.snapshot().graph.columns
    assert len(columns.cue_keys) == len(set(columns.cue_keys))
    assert len(columns.tag_keys) == len(set(columns.tag_keys))
    store = Memories.open(folder, embedder="none").store
    assert [f for f in repair(store) if not f.harmless] == [] == [f for f in examine(store) if not f.harmless]
    assert list(memory.events(Ask("Who is Felix?", 5)))
