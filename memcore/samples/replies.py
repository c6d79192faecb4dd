"""Replies that people wrote for some questions to the first sample memory, so that models can be shown
without one.

    python -m memcore.samples.replies        writes sample_data/replies.jsonl anew

What a script says is fixed here, by hand; which prompts it answers follows from running the questions, with
the default embedder and without one. A question, prompt or sample that is changed needs it again. Every line
is marked as scripted (see llm.recording).
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memcore import samples
from memcore.llm.asking import LLM, Check, OnText, Reply, Usage
from memcore.llm.listening import Listening
from memcore.llm.prompts import Prompt
from memcore.llm.recording import told
from memcore.llm.strict_json import Schema
from memcore.llm.tasks import Role
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.at_work import SCRIPTED, Models
from memcore.reconstruction import Ask
from memcore.samples.recorded import Recorded
from memcore.store.folder import REPLIES
from memcore.tokens import count

EMBEDDERS = ("multilingual", "none")


class Script(NamedTuple):
    """One question: its cues with their kinds, words of the paths worth taking, words of each memory that is
    evidence, the answer ("" where the memory does not hold it), and the days it asks about."""

    question: str
    cues: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]
    evidence: tuple[str, ...]
    answer: str
    days: tuple[str, str] | None = None


SCRIPTS = (
    Script(
        "Which instrument can be heard from whoever looks after Admiral when Idris travels?",
        (("instrument", "entity"), ("Admiral", "entity"), ("Idris", "people")),
        ("admiral", "travel", "solveig", "hurdy", "loud"),
        ("Solveig looks after Admiral when I travel", "Solveig played the hurdy-gurdy"),
        "The hurdy-gurdy, which Solveig plays.",
    ),
    Script(
        "What did the person who repaired Maren's bicycle give her in spring?",
        (("Maren", "people"), ("bicycle", "entity"), ("spring", "time")),
        ("allotment", "toma", "jam", "plum"),
        ("Tomas from the allotments repaired my bicycle", "Tomas pressed a jar of plum jam"),
        "A jar of plum jam with a ribbon on the lid.",
    ),
    Script(
        "How old did Admiral turn in March 2024?",
        (("Admiral", "entity"),),
        ("admiral", "asked time", "march 2024"),
        ("He turned four on Monday",),
        "Four.",
        ("2024-03-01", "2024-03-31"),
    ),
    Script(
        "Where was the neighbour keeping Maren's cat?",
        (("neighbour", "people"), ("Maren", "people"), ("cat", "entity")),
        ("cat", "fennimore", "bread bin", "kitchen"),
        ("asleep in his bread bin",),
        "In his kitchen: it was asleep in his bread bin.",
    ),
    Script(
        "What was stolen from the shop where Maren found the blue lamp with the pleated shade?",
        (("shop", "location"), ("Maren", "people"), ("blue lamp", "entity"), ("pleated shade", "entity")),
        ("lamp", "quill", "anchor", "pleated", "burglary", "weathervane"),
        ("a blue one with a pleated shade", "took the copper weathervane"),
        "The copper weathervane, off the roof of Quill and Anchor.",
    ),
    Script(
        "What did the winner of the bread contest do with the prize money?",
        (("winner", "people"), ("bread contest", "event"), ("prize money", "topic")),
        ("contest", "yusra", "prize", "kiln"),
        ("Yusra, with a saffron wreath", "second-hand kiln"),
        "Yusra bought a second-hand kiln with it.",
    ),
    Script(
        "Which name does the vessel of the colleague who taught Idris to make rye starter bear?",
        (("vessel", "entity"), ("colleague", "people"), ("Idris", "people"), ("rye starter", "entity")),
        ("rye starter", "hanneke", "boat", "sail", "second breakfast"),
        ("finally let me touch her rye starter", "a tiny boat called Second Breakfast"),
        "Second Breakfast.",
    ),
    Script(
        "Which car does Idris drive?",
        (("car", "entity"), ("Idris", "people")),
        ("drive", "car "),
        (),
        "",
    ),
)


@dataclass
class ByHand:
    """A model that answers by a script; `lines` are its replies as they are recorded."""

    script: Script
    lines: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    name: str = SCRIPTED

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """See LLM.ask."""
        value = _REPLIES[task](self.script, prompt.data, schema)
        if check:
            check(value)
        reply = Reply(value, Usage(prompt.tokens, count(json.dumps(value))), SCRIPTED, 0)
        self.lines.append(told(task, prompt, reply, scripted=True))
        return reply


class _OneScript(Models):
    """Every role is done by one script."""

    def __init__(self, script: ByHand) -> None:
        super().__init__()
        self._script = script

    def of(
        self, role: Role, run: str = "", listening: Listening | None = None, instead: str = ""
    ) -> LLM | None:
        return self._script


def written() -> Iterator[dict[str, Any]]:
    """The lines of the file, each once."""
    known: set[tuple[str, str]] = set()
    for embedder in EMBEDDERS:
        with tempfile.TemporaryDirectory() as folder:
            memories = Memories.open(folder, embedder=embedder)
            sample = samples.SAMPLES[0]
            of = Recorded(memories.embedder, samples.vectors(sample)) if embedder != "none" else None
            scope = memories.store.create_scope(sample.name)
            filled = Memory(scope, of or memories.embedder, memories.settings)
            list(filled.import_path(samples.folder() / f"{sample.stem}.jsonl"))
            for line in _asked(scope, memories):
                if (key := (line["task"], line["prompt"])) not in known:
                    known.add(key)
                    yield line


def _asked(scope: Any, memories: Memories) -> Iterator[dict[str, Any]]:
    for script in SCRIPTS:
        model = ByHand(script)
        memory = Memory(scope, memories.embedder, memories.settings, _OneScript(model))
        for _ in memory.ask(Ask(script.question, memory.settings.budget)):
            pass
        yield from model.lines


def _read(script: Script, data: str, schema: Schema) -> dict[str, Any]:
    cues: list[dict[str, Any]] = [{"name": n, "kind": k, "also": []} for n, k in script.cues]
    windows = [dict(zip(("from", "to"), script.days, strict=True))] if script.days else []
    people = [n for n, k in script.cues if k == "people" and n[0].isupper()]
    return {"cues": cues, "people": people, "windows": windows}


def _choose(script: Script, data: str, schema: Schema) -> dict[str, Any]:
    """The paths whose cue or tag says one of the words; the first where none does and one must be taken."""
    of = schema["properties"]["take"]
    offered = list(_offered(data))
    take = [n for n, words in offered if any(word in words for word in script.paths)]
    return {"take": (take or [n for n, _ in offered][: of.get("minItems", 0)])[: of["maxItems"]]}


def _route(script: Script, data: str, schema: Schema) -> dict[str, Any]:
    shown = _numbered(data, "")
    keep = [n for n, text in shown if _is_evidence(script, text)]
    return {"keep": keep, "prune": [{"memory": n, "why": "off_topic"} for n, _ in shown if n not in keep]}


def _enough(script: Script, data: str, schema: Schema) -> dict[str, Any]:
    """Once all of the evidence is there."""
    known = " ".join(text for _, text in _numbered(data, "E"))
    if script.evidence and all(words in known for words in script.evidence):
        return {"enough": True, "missing": [], "follow": []}
    follow = [
        n for n, cue in _numbered(data.partition("cues of the evidence:")[2], "") if _leads(script, cue)
    ]
    return {"enough": False, "missing": [], "follow": follow[: schema["properties"]["follow"]["maxItems"]]}


def _answer(script: Script, data: str, schema: Schema) -> dict[str, Any]:
    cites = [n for n, text in _numbered(data, "") if _is_evidence(script, text)]
    found = bool(script.answer and cites)
    return {"found": found, "answer": script.answer if found else "", "cites": cites if found else []}


def _is_evidence(script: Script, text: str) -> bool:
    return any(words in text for words in script.evidence)


def _leads(script: Script, cue: str) -> bool:
    return any(word in cue.casefold() for word in script.paths)


def _numbered(data: str, letter: str) -> list[tuple[int, str]]:
    """Lines with a number, and what stands there."""
    return [(int(n), text) for n, text in re.findall(rf"^\({letter}(\d+)\) (.*)$", data, re.M)]


def _offered(data: str) -> Iterator[tuple[int, str]]:
    """Every path with its cue and tag, in lower case."""
    for line in data.partition("\npaths:\n")[2].splitlines():
        head, _, paths = line.partition(": ")
        for number, words in re.findall(r"\((\d+)\) ([^;]*)", paths):
            yield int(number), f"{head}: {words} ".casefold()


_REPLIES = {"read": _read, "choose": _choose, "route": _route, "enough": _enough, "answer": _answer}


def main(lines: Sequence[dict[str, Any]] | None = None) -> None:
    """Writes the file that is part of the samples."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines or [*written()])
    (samples.folder() / REPLIES).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
