"""How long it takes to erase for good and to prove it in a large memory; and kill -9 while that goes on.

The memory is that of `scale`: one turn of it is erased, then a tenth of all, each with what rests on them,
indexes built anew and everything verified. The kills fall at random moments of erasures and redactions of a
small memory; whoever opens it next completes them, and nothing else may be lost.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memcore.editing import Who
from memcore.erasure import Hit, Progress, Receipt, Wanted
from memcore.evaluation.clue_tree import as_lines, clue_tree
from memcore.evaluation.limits import limit
from memcore.evaluation.rows import Row
from memcore.evaluation.scale import peak_memory, write
from memcore.importing import DraftTurn
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.store.doctor import examine

SCOPE = "scale"
WHO = Who("bench", "measured")
BUDGET = 10.0  # seconds for one memory of 100,000
MOST_TIMES = 3.0  # that for a tenth of them
WORD = "zqxwobble"
SAID = (f"The code that opens the shed is {WORD}.", f"Nobody but me knows the word {WORD}.")
WAYS = ("erase", "redact")
_ROOT = Path(__file__).resolve().parents[2]
_CHILD = """
import sys
sys.path.insert(0, {root!r})
from memcore.evaluation.erasing import child
child(*sys.argv[1:])
"""


def bench_erase(contents: int, kills: int) -> Iterator[Row]:
    """A row for one memory, for a tenth of all, for what both come to, and for the kills."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        write(path, contents)
        one, many = measured(path, 1), measured(path, contents // 10)
        yield from (one, many)
        times = many["in all s"] / max(one["in all s"], 1e-9)
        yield {"peak memory MB": peak_memory()}
        yield limit("one memory erased and verified, in s", one["in all s"], BUDGET)
        yield limit("a tenth of all, times as long", times, MOST_TIMES)
        yield limit("erasures not verified", sum(r["status"] != "verified" for r in (one, many)), 0)
        for row in killed(Path(folder), kills):
            yield row
            yield limit(
                f"kills while to {row['killed']} that left something wrong", row["with something wrong"], 0
            )


def measured(path: Path, turns: int) -> Row:
    """Seconds to plan, to carry out and to verify the erasure of so many turns, drawn at random."""
    memory = Memories.open(path).scope(SCOPE)
    ids = [t.id for talk in _talks(memory) for t in memory.turns(talk)]
    drawn = random.Random(5).sample(ids, turns)
    began = time.perf_counter()
    planned = memory.erasure.plan([Hit(i, "turn", "whole", "named") for i in drawn])
    plan = time.perf_counter() - began
    *_, last = memory.erasure.erase(planned, WHO)
    total = time.perf_counter() - began
    receipt = _of(last)
    steps = dict(receipt.steps)
    verifying = steps.pop("verifying", 0.0)
    return {
        "erased": turns, "of": len(ids), "in all s": round(total, 2), "plan s": round(plan, 2),
        "written anew s": round(sum(steps.values()), 2), "verified s": round(verifying, 2),
        "status": receipt.status,
    }  # fmt: skip


def killed(folder: Path, kills: int, seed: int = 6) -> Iterator[Row]:
    """So many kills, half of them in redactions: how many fell where, and what was wrong (nothing may be)."""
    chance, whole = random.Random(seed), folder / "whole"
    _small(whole)
    for way in WAYS:
        share = kills // 2 if way == "redact" else kills - kills // 2
        expected, seconds = _undisturbed(whole, folder / "copy", way)
        wrong: list[str] = []
        done = begun = 0
        for _ in range(share):
            copy = folder / "copy"
            ended = _killed(whole, copy, way, chance.uniform(0, seconds))
            began, found = _after(copy, way, expected)
            done, begun, wrong = done + ended, begun + began, wrong + found
            shutil.rmtree(copy)
        yield {
            "killed": way, "kills": share, "after it was begun": begun, "too late": done,
            "with something wrong": len(wrong), "what": wrong[:5],
        }  # fmt: skip


def child(folder: str, way: str) -> None:
    """The process that is killed: says when it begins, and does it."""
    memory = _opened(Path(folder))
    print("begins", flush=True)
    for _ in _steps(memory, way):
        pass


def _small(folder: Path) -> None:
    file = folder.with_suffix(".jsonl")
    lines = as_lines(clue_tree(depth=2, seed=6, turns=0))
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    memory = _opened(folder)
    list(memory.import_path(file))
    memory.absorb("aside", [DraftTurn("Ann", "user", said) for said in SAID])


def _opened(folder: Path) -> Memory:
    return Memories.open(folder, embedder="none").scope("killed", create=True)


def _talks(memory: Memory) -> list[str]:
    """The conversations; those of a made-up memory have no record of their own."""
    talks = [c.id for c in memory.conversations()]
    return talks or list(dict.fromkeys(memory.snapshot().graph.columns.conversation_ids))


def _steps(memory: Memory, way: str) -> Iterator[Progress]:
    hits = memory.erasure.find(Wanted(text=WORD)).hits
    planned = memory.erasure.redaction(hits) if way == "redact" else memory.erasure.plan(hits)
    return memory.erasure.erase(planned, WHO, wanted=[WORD])


def _undisturbed(whole: Path, copy: Path, way: str) -> tuple[dict[str, int], float]:
    """What is left when nothing goes wrong, and how long that takes."""
    shutil.copytree(whole, copy)
    memory, began = _opened(copy), time.perf_counter()
    for _ in _steps(memory, way):
        pass
    seconds = time.perf_counter() - began
    left = memory.count()
    shutil.rmtree(copy)
    return left, seconds


def _killed(whole: Path, copy: Path, way: str, after: float) -> bool:
    """Kill a process so many seconds after it began; whether it was done by then."""
    shutil.copytree(whole, copy)
    code = _CHILD.format(root=str(_ROOT))
    argv = [sys.executable, "-c", code, str(copy), way]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    if process.stdout is not None:
        with process.stdout as said:
            said.readline()
            time.sleep(after)
            process.kill()
    return process.wait() == 0


def _after(copy: Path, way: str, expected: dict[str, int]) -> tuple[bool, list[str]]:
    """Whether the erasure had begun, and what is wrong once the store was opened again."""
    memory = _opened(copy)
    begun = not memory.erasure.find(Wanted(text=WORD)).hits
    if begun:
        receipt = memory.erasure.verify(memory.erasure.receipts()[0], [WORD])
    else:
        *_, last = _steps(memory, way)
        receipt = _of(last)
    wrong = [f"a check found something: {c.name}" for c in receipt.standing if not c.ok]
    wrong += [f"{name}: {n} are left over" for name, n in memory.erasure.scope.leftovers().items() if n]
    wrong += ["something else is lost"] if memory.count() != expected else []
    store: Any = Memories.open(copy, embedder="none").store
    return begun, wrong + [f"found {f.problem}" for f in examine(store) if not f.harmless]


def _of(last: Progress) -> Receipt:
    if last.receipt is None:
        raise RuntimeError("the erasure ended without a receipt")
    return last.receipt
