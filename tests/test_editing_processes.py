"""Two processes edit one store at once: nothing is written over silently, and all of it can be undone."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Cue
from memcore.store.doctor import Finding, examine

EDITS = 20
WRITERS = ("Ann", "Bo")

_WRITER = """
import json, sys
sys.path[:0] = {paths!r}
from memcore.editing import Set, Who
from memcore.errors import Stale
from memcore.memories import Memories

memory = Memories.open({folder!r}, embedder="none", create=False).scope("mine")
author, seen, looks_again = {author!r}, {seen!r}, {looks_again!r}
print("ready", flush=True)
sys.stdin.readline()
for at, (id_, revision) in enumerate(seen.items()):
    said = {{"id": id_, "name": f"{{author}} {{at}}", "refused": 0, "group": ""}}
    while not said["group"]:
        try:
            edit = Set("cue", (id_,), "name", said["name"])
            said["group"] = memory.edit(edit, Who(author), {{id_: revision}})
        except Stale as stale:
            assert list(stale.ids) == [id_]
            said["refused"] += 1
            if not looks_again:
                break
            revision = memory.get([id_])[id_].revision
    print(json.dumps(said), flush=True)
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    found = Memories.open(tmp_path / "store", embedder="none").scope("mine", create=True)
    list(found.import_path(samples.folder() / "harbour_street.jsonl"))
    return found


def cues(memory: Memory, ids: list[str]) -> dict[str, Cue]:
    return {i: c for i, c in memory.get(ids).items() if isinstance(c, Cue)}


def content_of(memory: Memory) -> dict[str, Any]:
    """Every record that the edits could concern, as it is; a number of revisions is no content."""
    c = memory.snapshot().graph.columns
    found = memory.get([*c.cue_ids, *c.tag_ids, *c.content_ids])
    found |= {r.id: r for r in memory.relations(*c.content_ids)}
    return {i: replace(r, revision=0) for i, r in found.items()} | {"corrections": memory.corrections().all}  # type: ignore[type-var]


def at_once(folder: Path, seen: dict[str, dict[str, int]], *, looks_again: bool) -> list[dict[str, Any]]:
    """Each writer renames its cues one after the other, in a process of its own; both begin together."""
    running = [_started(folder, author, seen[author], looks_again) for author in seen]
    for process in running:
        assert process.stdout and process.stdout.readline().strip() == "ready"
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120) for process in running]
    assert [p.returncode for p in running] == [0, 0], said
    return [json.loads(line) for out, _ in said for line in out.splitlines()]


def _started(folder: Path, author: str, seen: dict[str, int], looks_again: bool) -> subprocess.Popen[str]:
    names = {"paths": sys.path, "folder": str(folder), "author": author, "seen": seen}
    code = _WRITER.format(**names, looks_again=looks_again)
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def journalled(memory: Memory) -> list[int]:
    return sorted(seq for change in memory.changes(10_000) for seq in change.seqs)


def wrong_with(folder: Path) -> list[Finding]:
    return [f for f in examine(Memories.open(folder, embedder="none").store) if not f.harmless]


def test_what_two_processes_rename_at_once_is_never_written_over_silently(
    memory: Memory, tmp_path: Path
) -> None:
    before, last = content_of(memory), max(journalled(memory))
    c = memory.snapshot().graph.columns
    both, own = c.cue_ids[: EDITS // 2], {"Ann": c.cue_ids[20:30], "Bo": c.cue_ids[40:50]}
    now = {i: cue.revision for i, cue in cues(memory, [*both, *own["Ann"], *own["Bo"]]).items()}
    # every other node is one of both writers', in the same order, so that they meet on it
    seen = {a: {i: now[i] for pair in zip(both, own[a], strict=True) for i in pair} for a in WRITERS}
    said = at_once(tmp_path / "store", seen, looks_again=False)

    saved = {line["id"]: line for line in said if line["group"]}
    refused = [line["id"] for line in said if line["refused"]]
    assert len(said) == 2 * EDITS and len(saved) + len(refused) == 2 * EDITS
    assert sorted(refused) == sorted(both)  # on each of these the second was told
    found = cues(memory, [*saved])
    assert {i: cue.name for i, cue in found.items()} == {i: line["name"] for i, line in saved.items()}
    assert {cue.revision - now[i] for i, cue in found.items()} == {1}

    assert journalled(memory) == list(range(1, last + len(saved) + 1))
    edits = {change.group for change in memory.changes() if change.events[-1].kind == "edited"}
    assert edits == {line["group"] for line in saved.values()}
    assert wrong_with(tmp_path / "store") == []
    for line in saved.values():  # not in the order in which they were made
        memory.undo(line["group"])
    assert content_of(memory) == before
    assert wrong_with(tmp_path / "store") == []


def test_two_processes_that_look_again_both_get_their_edits_in(memory: Memory, tmp_path: Path) -> None:
    before, last = content_of(memory), max(journalled(memory))
    now = {i: c.revision for i, c in cues(memory, memory.snapshot().graph.columns.cue_ids[:EDITS]).items()}
    said = at_once(tmp_path / "store", dict.fromkeys(WRITERS, now), looks_again=True)
    assert len(said) == 2 * EDITS and all(line["group"] for line in said)
    assert sum(line["refused"] for line in said) >= EDITS  # whoever came second on a node was told first
    assert {c.revision - now[i] for i, c in cues(memory, [*now]).items()} == {2}
    assert journalled(memory) == list(range(1, last + 2 * EDITS + 1))
    assert wrong_with(tmp_path / "store") == []
    for _ in said:  # the newest first, whoever made it
        memory.undo()
    assert content_of(memory) == before
    assert wrong_with(tmp_path / "store") == []
