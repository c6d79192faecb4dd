"""The sample memories that ship with the project, so that a first start has something to show.

`python -m memcore.samples` records vectors anew: of the first one, and of those in which topics recur.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memcore.errors import NotFound
from memcore.importing import FileReport
from memcore.installed import installed
from memcore.intake.conversations import Progress
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.samples.recorded import Recorded, Recorder


class Sample(NamedTuple):
    """A sample memory: the name of its scope, its file, and its file of agent runs if it has one."""

    name: str
    stem: str
    runs: str = ""


SAMPLES = (
    Sample("Harbour Street", "harbour_street", "quartet_runs"),
    Sample("서울 일기", "seoul_diary", "gangneung_runs"),
    Sample("Study assistant", "study_assistant"),
    Sample("Clue tree", "clue_tree"),
    Sample("Weeknight helper", "weeknight_helper"),
    Sample("돌아오는 이야기", "returning_diary"),
)
# A first start waits for the first one; the last two live by how near their texts are to each other.
RECORDED = (SAMPLES[0], *SAMPLES[-2:])
EXAMPLES = 3


def folder() -> Path:
    """Where the sample files lie: in a checkout beside the package, else inside it.

    Raises NotFound when neither is there.
    """
    if questions := installed("sample_data/questions.json"):
        return questions.parent
    raise NotFound("The sample memories are not part of this installation.")


def vectors(sample: Sample) -> Path:
    """Where the recorded vectors of a sample lie, if there are any."""
    return folder() / f"{sample.stem}.npz"


def load(memories: Memories) -> Iterator[Progress | FileReport]:
    """Import every sample that is not there yet and that who has the store in hand may enter, each into a
    memory of its own."""
    for sample in SAMPLES:
        if sample.name not in memories.scopes() and memories.viewer.may_enter(sample.name):
            scope = memories.store.create_scope(sample.name)
            embedder = Recorded(memories.embedder, vectors(sample))
            memory = Memory(scope, embedder, memories.settings)
            yield from memory.import_path(folder() / f"{sample.stem}.jsonl")
            if sample.runs:
                for _ in memory.runs.import_path(folder() / f"{sample.runs}.jsonl"):
                    pass


def questions(name: str) -> list[dict[str, Any]]:
    """The questions written for a sample memory; none for any other."""
    stem = next((s.stem for s in SAMPLES if s.name == name), "")
    return json.loads((folder() / "questions.json").read_text("utf-8")).get(stem, [])


def examples(name: str) -> list[str]:
    """Questions to begin with: a few that ask for one thing, then a few chains. Of both kinds `questions`
    has first those that rules answer well."""
    asked = questions(name)
    chains = [q["question"] for q in asked if q["kind"] == "chain"]
    others = [q["question"] for q in asked if q["kind"] != "chain"]
    return [*others[:EXAMPLES], *chains[:EXAMPLES]]


def record() -> None:
    """Record the vectors of the samples that ship with them."""
    with tempfile.TemporaryDirectory() as place:
        opened = Memories.open(place, embedder="multilingual")
        for sample in RECORDED:
            recorder = Recorder(opened.embedder)
            memory = Memory(opened.store.create_scope(sample.name), recorder, opened.settings)
            list(memory.import_path(folder() / f"{sample.stem}.jsonl"))
            recorder.save(vectors(sample))


if __name__ == "__main__":
    record()
