"""A memory with secrets in it at different sensitivities, and everything a viewer can get out of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from memcore.access.permissions import Viewer
from memcore.editing import Set, Who
from memcore.errors import MemcoreError
from memcore.events import Ran
from memcore.llm.offline.facts import find_facts
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import AgentRun, Content, Record, RunMark, RunStep, Turn, new_id
from memcore.view.clusters import clusters
from memcore.view.near_names import pairs
from memcore.view.neighbourhood import Filters, around, hubs
from memcore.view.node_panel import needed, panel
from memcore.view.overview import overview
from memcore.view.quality import Source, quality
from memcore.view.recurrence_graph import Sieve
from memcore.view.recurrence_graph import nodes as recurrence_nodes
from memcore.view.recurrence_graph import sentence as recurrence_sentence
from memcore.view.recurrence_labels import labels
from memcore.view.recurrence_timeline import members, triggers
from memcore.view.similar import similar
from memcore.view.steps import sentences
from memcore.view.trace import trace_graph

ANN = Who("ann", "it says zqreason")
STRATEGIES = ("active", "dense", "bm25", "fusion", "priors", "nhop", "graph", "recmem")
SECRET = re.compile(r"zq\w+", re.IGNORECASE)
QUESTIONS = ("What does Ann like about pottery?", "Who knows zqpottery1 or zqchess2 and Quillfeather?")


def viewer(clearance: int) -> Viewer:
    return Viewer("somebody", clearance)


def turn_of(memory: Memory, word: str) -> Turn:
    """The turn in which a word stands."""
    found = memory.get(i for i, _ in memory.search(word, kinds=("turn",)))
    return next(r for r in found.values() if isinstance(r, Turn) and word in r.text)


def contents_of(memory: Memory, turn: str) -> list[Content]:
    """All contents that rest on a turn, the turn itself first."""
    graph = memory.snapshot().graph
    ids = [graph.columns.content_ids[i] for i in graph.contents_of_turn(turn)]
    found = memory.get(ids)
    return [r for i in ids if isinstance(r := found[i], Content)]


def mark(memory: Memory, record: Record, sensitivity: int) -> None:
    """Say by hand how sensitive a content, a unit or a step is."""
    memory.edit(Set(record.kind, (record.id,), "sensitivity", sensitivity), ANN)


def run_of(title: str, observation: str, sensitivity: int = 0, parent: str = "") -> list[Record]:
    """A run of two steps and a mark, of which the second step has this sensitivity."""
    run = AgentRun(new_id(), "", title, "", f"the task of {title}", steps=2, parent_run=parent)
    steps = [
        RunStep(new_id(), run.id, 1, "look", "nothing there"),
        RunStep(new_id(), run.id, 2, "look again", observation, sensitivity=sensitivity),
    ]
    return [run, *steps, RunMark(new_id(), run.id, 2, "compress", summary=f"found {observation}")]


def stored_run(memory: Memory, records: list[Record]) -> str:
    memory._scope.commit(Ran(records[0].id, len(records)), inserts=records)
    return records[0].id


def outputs(memory: Memory, words: Iterable[str] = ()) -> Iterator[tuple[str, Any]]:
    """Everything that can be asked of a memory, by what was asked; errors with their text."""
    graph = memory.snapshot().graph
    everything = memory._scope.items.read(["id"]).column("id").to_pylist()
    asked: dict[str, Callable[[], Any]] = {
        "graph": lambda: graph.columns,
        "count": memory.count,
        "get": lambda: memory.get(everything),
        "texts": lambda: memory.texts(everything),
        "files": memory.files,
        "talks": memory.conversations,
        "turns": lambda: [memory.turns(c.id) for c in memory.conversations()],
        "contents": lambda: [memory._scope.contents(c.id) for c in memory.conversations()],
        "names": lambda: [memory._scope.names(kind) for kind in ("cue", "tag")],
        "relations": lambda: memory.relations(*everything),
        "corrections": lambda: memory.corrections().all,
        "changes": lambda: memory.changes(1_000),
        "units": memory.recurrence.units,
        "derived": memory._scope.derived,
        "versions": memory._scope.all_versions,
        "ledger": memory.recurrence.ledger,
        "foreseen": lambda: memory.recurrence.foresee(memory.recurrence.thresholds),
        "runs": memory.runs.all,
        "whole runs": lambda: [memory.runs.get(r.id) for r in memory.runs.all()],
        "traces": lambda: [memory.trace(h.id) for h in memory.traces(1_000)],
        "held": lambda: list(memory._scope.holdings()),
        "exported": lambda: list(memory.exported()),
        "erasure": lambda: memory.erasure,
        "disk": memory._scope.bytes,
        "undo": memory.undo,
        **{f"search {w}": lambda w=w: memory.search(w, ("turn", "content", "step")) for w in words},
        **{f"named {w}": lambda w=w: memory._scope.named("cue", [w.lower()]) for w in words},
    }
    for name, ask in asked.items():
        yield name, answered(ask)


def asked_of(memory: Memory, strategies: Iterable[str] = STRATEGIES) -> Iterator[tuple[str, Any]]:
    """All strategies over all questions."""
    for strategy in strategies:
        for question in QUESTIONS:
            yield f"{strategy}: {question}", list(memory.events(Ask(question, 6, strategy=strategy)))  # type: ignore[arg-type]


def answered(ask: Callable[[], Any]) -> Any:
    """What came, or what was said in its place."""
    try:
        return ask()
    except MemcoreError as error:
        return f"{type(error).__name__}: {error}"


def strings(value: Any) -> Iterator[str]:
    """Every string in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, of in value.items():
            yield from strings(key)
            yield from strings(of)
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from strings(getattr(value, f.name))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for of in value:
            yield from strings(of)


def drawn(memory: Memory) -> Iterator[tuple[str, Any]]:
    """The view models of the pages."""
    graph, asked = memory.snapshot().graph, memory.recurrence
    c = graph.columns
    units, episodes = asked.units(), [e for e in asked.episodes() if e.units]
    found = clusters(units, {e.id: e.units for e in episodes}, asked.thresholds)
    texts = memory.texts([t for u in units for t in u.origin])
    said = {u.id: " ".join(texts.get(t, "") for t in u.origin) for u in units}
    names = labels(found.found, {u.id: u.label for u in units if u.label}, said)
    by_id = {u.id: u for u in units}
    nodes = [*c.cue_ids, *c.tag_ids, *c.content_ids]
    yield "clusters", (found, names, [recurrence_sentence(k) for k in found.found])
    yield "cluster graph", (recurrence_nodes(found.found, names, by_id, Sieve()), triggers(units))
    yield "members", [members(k, by_id) for k in found.found]
    yield "near names", [(c.cue_names[p.first], c.cue_names[p.second], p.why) for p in pairs(graph)]
    yield "similar", [similar(graph, node) for node in nodes]
    yield "overview", overview(graph)
    yield "hubs", hubs(graph)
    yield "around", around(graph, hubs(graph), Filters())
    yield (
        "quality",
        quality(
            Source(graph, memory.files(), memory.conversations(), memory.texts, memory.turns, find_facts)
        ),
    )
    records = memory.get(i for node in nodes for i in needed(graph, node))
    yield "panels", [panel(graph, node, records) for node in nodes]
    for name, events in asked_of(memory, ("active", "fusion")):
        yield name, (sentences(events, graph), trace_graph(events, graph, memory.texts(nodes)))
