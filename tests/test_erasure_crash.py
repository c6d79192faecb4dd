"""kill -9 at any moment of erasing or redacting: the next open completes it, and nothing else is lost."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from building import TOWN
from secrets_said import (
    CUE,
    SAID,
    SAID_IN_KOREAN,
    TAG,
    TEXT,
    WORDS,
    Killed,
    erased,
    everything,
    handled,
    imported,
    opened,
    redacted,
    steps,
)

from memcore.errors import StoreFull
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.store import Store, purging, removal
from memcore.store.doctor import examine

HERE = Path(__file__).parent
KILLS = 12
Left = dict[str, Any]
WAYS = {"steps": erased, "redacting": redacted}
_ERASING = """
import sys
sys.path[:0] = {paths!r}
from pathlib import Path
from secrets_said import opened, redacting, steps
sys.stdin.readline()
for step in {way}(opened(Path({folder!r}))):
    print(step.doing, flush=True)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with secrets, never touched: each test takes a copy."""
    folder = tmp_path_factory.mktemp("whole")
    memory = opened(folder)
    said = [*TOWN, ("Ann", SAID), ("Bo", SAID_IN_KOREAN)]
    imported(memory, folder, said, mode="eager")
    handled(memory)
    list(memory.ask(Ask(f"Who knows {TEXT}?", 5)))
    list(memory.ask(Ask("Who is Felix?", 5)))
    return folder


@pytest.fixture(scope="module")
def expected(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Left]:
    """What is left when nothing goes wrong, by what was done."""
    found: dict[str, Left] = {}
    for way, done in WAYS.items():
        memory = opened(copied(whole, tmp_path_factory.mktemp("expected") / "copy"))
        assert done(memory).ok
        found[way] = left(memory)
    return found


def copied(whole: Path, to: Path) -> Path:
    shutil.copytree(whole, to)
    return to


def left(memory: Memory) -> Left:
    """Everything that must be the same whether or not the process was killed; ids are random."""
    talk = memory.conversations()[0]
    columns = memory.snapshot().graph.columns
    return {
        "count": memory.count(),
        "turns": [t.text for t in memory.turns(talk.id)],
        "contents": sorted(c.text for c in memory.erasure.scope.contents(talk.id)),
        "cues": sorted(columns.cue_names),
        "tags": sorted(columns.tag_names),
        "relations": len(columns.relation_cue),
        "traces": sorted(t.question for t in memory.traces()),
    }


def looked_over(memory: Memory) -> list[str]:
    """What is wrong with a store after an erasure; nothing may be."""
    scope = memory.erasure.scope
    folder = scope.receipts.parent
    needles = [word.encode() for word in WORDS]
    wrong = [*scope.scan_files(needles).found, *scope.scan_columns(needles).found]
    wrong += [name for name, count in scope.leftovers().items() if count]
    wrong += [name for name in removal.SIDE_FILES if (folder / name).exists()]
    store = Store.open(folder, embedder=None, create=False)
    return wrong + [f.problem for f in examine(store) if not f.harmless]


def child(folder: Path, way: str) -> subprocess.Popen[str]:
    code = _ERASING.format(paths=[str(HERE.parent), str(HERE)], folder=str(folder), way=way)
    return subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1, text=True)


def killed(process: subprocess.Popen[str], after: int, chance: random.Random) -> bool:
    """Kill an erasure at a random moment after so many of its steps; False when it was done before."""
    assert process.stdout is not None and process.stdin is not None
    with process.stdin as ask:
        ask.write("go\n")
    with process.stdout as said:
        for _ in zip(range(after), said, strict=False):
            pass
        time.sleep(chance.uniform(0, 0.02))
        process.kill()
        said.read()
    return process.wait() != 0


@pytest.mark.parametrize("way", WAYS)
def test_what_is_killed_at_random_moments_is_completed_by_the_next_open(
    tmp_path: Path, whole: Path, expected: dict[str, Left], way: str
) -> None:
    chance, begun, kills = random.Random(6), 0, 0
    folders = [copied(whole, tmp_path / f"copy {number}") for number in range(KILLS)]
    waiting = [child(folders[0], way)]
    for number, folder in enumerate(folders):
        waiting += [child(following, way) for following in folders[number + 1 : number + 2]]
        kills += killed(waiting[number], 1 + number * 24 // KILLS, chance)
        memory = opened(folder)
        receipts = memory.erasure.receipts()
        if receipts and not everything(memory):
            begun += 1
            assert memory.erasure.verify(receipts[0], WORDS).ok
        else:
            assert memory.count()["turn"] == 14  # killed before the intent: nothing has begun
            assert WAYS[way](memory).ok
        assert looked_over(memory) == []
        assert left(memory) == expected[way]
        shutil.rmtree(folder)
    assert kills > KILLS // 2 and begun > KILLS // 2


def _dies_at(number: int, calls: list[str], original: Any, name: str) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        calls.append(name)
        if len(calls) == number:
            raise Killed
        return original(*args, **named)

    return call


@pytest.mark.parametrize("number", range(1, 9))
def test_an_end_between_any_two_steps_is_made_good(
    tmp_path: Path,
    whole: Path,
    expected: dict[str, Left],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    folder = copied(whole, tmp_path / "copy")
    memory, calls = opened(folder), list[str]()
    with monkeypatch.context() as patch:
        for module, name in (
            (removal, "_write"),
            (removal, "_take_out"),
            (removal, "purge"),
            (purging, "_drop_names"),
            (purging, "_drop_versions"),
            (removal, "_forget_replies"),
            (removal, "_remove"),
        ):
            patch.setattr(module, name, _dies_at(number, calls, getattr(module, name), name))
        with pytest.raises(Killed):
            erased(memory)
    again = opened(folder)
    if number == 1:  # the rows that stay were laid down, the intent was not
        assert everything(again) != []
        assert erased(again).ok
    assert looked_over(again) == []
    assert left(again) == expected["steps"]


def test_a_full_disk_before_the_intent_changes_nothing(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(whole, tmp_path / "copy")
    memory = opened(folder)
    before = left(memory)

    def full(*_: Any) -> Iterator[None]:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(removal, "_write_rows", full)
        with pytest.raises(StoreFull):
            list(steps(memory))
    assert left(opened(folder)) == before
    assert erased(opened(folder)).ok
    assert TAG not in before["cues"] and CUE in before["cues"]


def test_a_writer_that_was_open_already_completes_it_before_it_writes(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(whole, tmp_path / "copy")
    other = opened(folder)
    memory = opened(folder)
    with monkeypatch.context() as patch:
        patch.setattr(removal, "_take_out", _dies_at(1, [], removal._take_out, "_take_out"))
        with pytest.raises(Killed):
            erased(memory)
    assert everything(other) != []
    other.tidy()
    assert everything(other) == []
    assert looked_over(other) == []
