"""A process that says what it is about to do, and is killed while it does it.

`rehearse` lets one run to its end and notes when each stage began and ended; `kill_in` starts another
and kills it (SIGKILL) at a random moment of a stage. What the process said last tells what it was
killed in. Nothing of the product is replaced: the store's own methods are only announced.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.settings import Settings

SCOPE = "killed"
SMALL = Settings(import_batch=12, optimize_every=5)  # many commits and compactions in a short run
ATTEMPTS = 10
_KILLED = 1 if sys.platform == "win32" else -9
_ROOT = Path(__file__).resolve().parents[2]
_CHILD = """
import sys
sys.path.insert(0, {root!r})
from memcore.evaluation.killing import child
child(*sys.argv[1:])
"""


@dataclass(frozen=True, slots=True)
class Work:
    """What the process does in the store: "import" the file, or "ask" the question `times` times."""

    what: str
    given: str
    times: int = 1


class Mark(NamedTuple):
    """A line of the process ("+commit" begins, "-commit" ends) and the seconds until the next."""

    line: str
    seconds: float


def opened(folder: Path) -> Memory:
    """The memory that is worked on, without a model, made if it is not there."""
    return _opened(folder)[0]


def rehearse(folder: Path, work: Work) -> list[Mark]:
    """Every mark of an undisturbed run. Raises RuntimeError when the process fails."""
    process = _start(folder, work)
    lines = [(line, time.perf_counter()) for line in _said(process)]
    if process.wait():
        raise RuntimeError("the process to be killed failed by itself")
    ends = [at for _, at in lines[1:]] + [time.perf_counter()]
    return [Mark(line, end - at) for (line, at), end in zip(lines, ends, strict=True)]


def kill_in(stage: str, folder: Path, work: Work, marks: Sequence[Mark], rng: random.Random) -> str:
    """Kill a new process in this stage ("between": after any) and say in which it really was.

    One that was quicker than the kill is begun again, an import in a new store, and killed sooner.
    Raises RuntimeError when the process is always quicker than the kill, or fails by itself.
    """
    fit = [i for i, mark in enumerate(marks) if mark.line == f"+{stage}"]
    fit = fit or [i for i, mark in enumerate(marks) if mark.line.startswith("-")]
    for attempt in range(ATTEMPTS):
        number = rng.choice(fit)
        process = _start(folder, work)
        lines = _said(process)
        said = [line for line, _ in zip(lines, range(number + 1), strict=False)]
        time.sleep(rng.uniform(0, marks[number].seconds / 2**attempt))
        process.kill()
        said += list(lines)
        if (code := process.wait()) == _KILLED:
            return _innermost(said)
        if code:
            raise RuntimeError("the process to be killed failed by itself")
        if work.what == "import":
            shutil.rmtree(folder)
    raise RuntimeError("the process ended before it could be killed")


def child(folder: str, what: str, given: str, times: str) -> None:
    """The process itself."""
    _say("+opening")
    memory, scope = _opened(Path(folder))
    _say("-opening")
    _announce(scope)
    if what == "import":
        list(memory.import_path(given))
    else:
        for _ in range(int(times)):
            list(memory.ask(Ask(given, 20)))


def _opened(folder: Path) -> tuple[Memory, Any]:
    memories = Memories.open(folder, embedder="none", settings=SMALL)
    scope = memories.store.create_scope(SCOPE)
    return Memory(scope, memories.embedder, SMALL), scope


def _start(folder: Path, work: Work) -> subprocess.Popen[str]:
    argv = [str(folder), work.what, work.given, str(work.times)]
    code = _CHILD.format(root=str(_ROOT))
    return subprocess.Popen([sys.executable, "-c", code, *argv], stdout=subprocess.PIPE, text=True)


def _said(process: subprocess.Popen[str]) -> Iterator[str]:
    if process.stdout is not None:
        with process.stdout as lines:
            yield from (line.rstrip("\n") for line in lines)


def _innermost(said: Sequence[str]) -> str:
    """The stage that had begun last and not ended; "between" for none."""
    open_stages: list[str] = []
    for line in said:
        if line.startswith("+"):
            open_stages.append(line[1:])
        elif open_stages and line == f"-{open_stages[-1]}":
            open_stages.pop()
    return open_stages[-1] if open_stages else "between"


def _announce(scope: Any) -> None:
    """Every method that writes says when it begins and ends."""
    _announced(scope, "commit", "commit")
    _announced(scope, "append_events", "trace append")
    _announced(scope, "finish_trace", "trace end")
    _announced(scope.items, "tidy", "compaction")
    _announced(scope.runs.table, "tidy", "compaction")


def _announced(owner: Any, method: str, stage: str) -> None:
    original: Callable[..., Any] = getattr(owner, method)

    def call(*args: Any, **named: Any) -> Any:
        _say(f"+{stage}")
        done = original(*args, **named)
        _say(f"-{stage}")
        return done

    setattr(owner, method, call)


def _say(line: str) -> None:
    print(line, flush=True)
