"""A memory in which one secret lies in every form at once, and the ways in which it can have got there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from building import TOWN, own_lines, write_lines
from by_name import cue

from memcore.editing import Merge, Relate, Set, Who
from memcore.erasure import MARK, Hit, Progress, Receipt, Wanted
from memcore.events import RunsImported
from memcore.importing import DraftTurn
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import AgentRun, Content, RunMark, RunStep, new_id
from memcore.settings import Settings
from memcore.store import Store
from memcore.store.doctor import examine
from memcore.store.folder import REPLIES

TEXT, TAG, CUE, KOREAN = "zqxwobble", "glimmerfrotz", "quibblenook", "은하수탐험"
WORDS = (TEXT, TAG, CUE, KOREAN)
SAID = f"The code that opens the shed is {TEXT}."
SAID_IN_KOREAN = f"우리는 {KOREAN}을 시작했다."
OFFICER = Who("officer", "a request by post")
SETTINGS = Settings(optimize_every=1_000)


@dataclass(frozen=True)
class Numbers:
    """An embedder of sixteen numbers, drawn from the hash of a text: equal texts only are near."""

    name: str = "numbers"
    fingerprint: str = "1"
    dimension: int = 16

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [self._drawn(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self.dimension)

    def covers(self, text: str) -> bool:
        return bool(text.strip())

    def _drawn(self, text: str) -> npt.NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        drawn = np.random.default_rng(seed).normal(size=self.dimension).astype(np.float32)
        return drawn / np.linalg.norm(drawn)


def opened(folder: Path) -> Memory:
    """The memory of these tests, made if it is not there."""
    store = Store.open(folder / "store", embedder=Numbers(), settings=SETTINGS)
    return Memory(store.create_scope("mine"), Numbers(), SETTINGS)


def imported(memory: Memory, folder: Path, said: Sequence[tuple[str, str]], mode: str = "lazy") -> None:
    """These turns as a file."""
    path = write_lines(folder / "said.jsonl", own_lines(said))
    list(memory.import_path(path, mode=mode))  # type: ignore[arg-type]


def content_of(memory: Memory, word: str) -> Content:
    """The raw content in which a word stands."""
    found = memory.get(i for i, _ in memory.search(word, kinds=("content",)))
    return next(c for c in found.values() if isinstance(c, Content) and word in c.text and c.layer == "turn")


def handled(memory: Memory) -> None:
    """The secret cue and tag, related by hand to the secret turn and to nothing else."""
    memory.edit(Relate(content_of(memory, TEXT).id, CUE, TAG), Who("ann", f"it is {CUE}"))


def secret_vector(memory: Memory) -> list[bytes]:
    """The vector of the secret turn as it lies on disk, in slices."""
    content = content_of(memory, TEXT)
    return vector_slices(content.spoken)


def vector_slices(text: str) -> list[bytes]:
    packed = Numbers().embed([text])[0].astype("<f4").tobytes()
    return [packed[at : at + 12] for at in range(0, 60, 12)]


def everything(memory: Memory) -> list[Hit]:
    """What a person finds who looks for each of the secret words."""
    return [hit for word in WORDS for hit in memory.erasure.find(Wanted(text=word)).hits]


def erased(memory: Memory, hits: Sequence[Hit] | None = None) -> Receipt:
    """Erase these hits, or everything secret, and give the receipt."""
    *_, last = steps(memory, hits)
    assert last.receipt is not None
    return last.receipt


def redacted(memory: Memory, hits: Sequence[Hit] | None = None, put: str = MARK) -> Receipt:
    """Put a mark in place of the words of these hits, or of everything secret, and give the receipt."""
    *_, last = redacting(memory, hits, put)
    assert last.receipt is not None
    return last.receipt


def redacting(memory: Memory, hits: Sequence[Hit] | None = None, put: str = MARK) -> Iterator[Progress]:
    planned = memory.erasure.redaction(everything(memory) if hits is None else hits, put)
    return memory.erasure.erase(planned, OFFICER)


def sound(memory: Memory) -> bool:
    """Whether the doctor finds nothing wrong with the store."""
    store = Store.open(memory.erasure.scope.receipts.parent, embedder=None, create=False)
    return [f.problem for f in examine(store) if not f.harmless] == []


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it."""


def dies(*_: object) -> None:
    raise Killed


def steps(memory: Memory, hits: Sequence[Hit] | None = None) -> Iterator[Progress]:
    planned = memory.erasure.plan(everything(memory) if hits is None else hits)
    return memory.erasure.erase(planned, OFFICER, wanted=WORDS)


def fresh(memory: Memory, folder: Path) -> None:
    imported(memory, folder, [*TOWN, ("Ann", SAID), ("Bo", SAID_IN_KOREAN)])
    handled(memory)


def edited_before(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    content = content_of(memory, TEXT)
    memory.edit(Set("content", (content.id,), "text", "The code is no longer known."), OFFICER)
    memory.edit(Set("cue", (cue(memory, CUE),), "name", "shed key"), OFFICER)


def merged(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    memory.edit(Merge("cue", (cue(memory, CUE),), cue(memory, "Felix")), OFFICER)


def consolidated(memory: Memory, folder: Path) -> None:
    imported(memory, folder, [*TOWN[:2], ("Ann", SAID), ("Bo", SAID_IN_KOREAN), *TOWN[2:]], mode="eager")
    handled(memory)


def in_a_small_fragment(memory: Memory, folder: Path) -> None:
    imported(memory, folder, TOWN)
    memory.absorb("town", [DraftTurn("Ann", "user", SAID), DraftTurn("Bo", "user", SAID_IN_KOREAN)])
    handled(memory)


def in_a_large_fragment(memory: Memory, folder: Path) -> None:
    many = [(TOWN[i % 12][0], f"{TOWN[i % 12][1]} It was number {i}.") for i in range(240)]
    imported(memory, folder, [*many[:120], ("Ann", SAID), ("Bo", SAID_IN_KOREAN), *many[120:]])
    handled(memory)
    memory.tidy()


def after_undo(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    memory.edit(Set("cue", (cue(memory, CUE),), "name", "shed key"), OFFICER)
    memory.edit(Set("content", (content_of(memory, TEXT).id,), "text", f"Nobody says {TEXT} now."), OFFICER)
    memory.undo()
    memory.undo()
    memory.redo()
    memory.undo()


def in_a_trace(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    question = f"Who knows {TEXT}, {TAG}, {CUE} and {KOREAN}?"
    list(memory.ask(Ask(question, 5)))
    list(memory.ask(Ask("What opens the shed?", 5)))


def in_an_agent_run(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    run = AgentRun(new_id(), "", f"the run about {CUE}", "run-1", f"find {KOREAN}", steps=2)
    step = RunStep(new_id(), run.id, 1, f"open {TEXT}", f"saw {TAG}", thought=f"I want {CUE}", tool=TAG)
    other = RunStep(new_id(), run.id, 2, "go home", "at home")
    mark = RunMark(new_id(), run.id, 1, "compress", summary=f"opened {TEXT}", note=f"{KOREAN} is left")
    scope = memory.erasure.scope
    scope.commit(RunsImported("", 1, 2), inserts=[run, step, other, mark])
    scope.commit(RunsImported("", 0, 0), upserts=[replace(run, outcome=f"found {TAG}", revision=2)])


def in_a_named_version(memory: Memory, folder: Path) -> None:
    """Somebody named a version of the table with Lance, so that it is kept."""
    fresh(memory, folder)
    table = memory.erasure.scope.items.newest()
    table.tags.create("kept", table.version)


def in_a_branch(memory: Memory, folder: Path) -> None:
    """Somebody branched the table off with Lance, and wrote to the branch."""
    fresh(memory, folder)
    table = memory.erasure.scope.items.newest()
    table.branches.create("aside").add(table.search().where("kind = 'turn'").to_arrow())


def in_a_recorded_reply(memory: Memory, folder: Path) -> None:
    fresh(memory, folder)
    reply = {"task": "answer", "value": f"{SAID} {SAID_IN_KOREAN} {TAG} {CUE}"}
    (folder / "store" / REPLIES).write_text(json.dumps(reply, ensure_ascii=False), "utf-8")


SITUATIONS: Mapping[str, Callable[[Memory, Path], None]] = {
    of.__name__: of
    for of in (
        fresh, edited_before, merged, consolidated, in_a_small_fragment, in_a_large_fragment, after_undo,
        in_a_trace, in_an_agent_run, in_a_named_version, in_a_branch, in_a_recorded_reply,
    )
}  # fmt: skip
