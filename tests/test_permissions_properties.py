"""Over random memories and viewers: nothing of what is withheld comes out, and nothing changes by it."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from recurring_memory import THETA, TOPICS, Topical, brought_in, line, settings_of
from veiled_memory import (
    STRATEGIES,
    answered,
    asked_of,
    drawn,
    mark,
    outputs,
    run_of,
    stored_run,
    strings,
)

from memcore.access.permissions import Viewer
from memcore.events import Imported, TraceEvent
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.at_work import Models
from memcore.reconstruction import Ask
from memcore.records import Content, Record, Turn, Unit, new_id
from memcore.store import Store

WORD = re.compile(r"zq\w+", re.IGNORECASE)
ID = re.compile(r"[0-9a-f]{16}")


@dataclass
class Case:
    """A store with two memories, a viewer of one of them, and what they must not learn."""

    store: Memories
    memory: Memory
    low: Memory
    shown: frozenset[str]
    hidden: frozenset[str]
    reached: frozenset[str]


def case(folder: Path, seed: int, clearance: int) -> Case:
    """Ann's memory and Bo's in one store; some of Ann's contents, units and steps are marked."""
    drawn_by = random.Random(seed)
    chosen = settings_of(THETA)
    models = Models(base=chosen)
    store = Memories(Store.open(folder / "store", embedder=Topical(), settings=chosen), Topical(), models)
    memory, other = store.scope("Ann", create=True), store.scope("Bo zqbo", create=True)
    for talk in range(2):
        topics = drawn_by.choices(TOPICS[:3], k=drawn_by.randint(3, 5))
        brought_in(memory, folder / f"zqfile{talk}x", list(_said(topics, f"zqtalk{talk}x", talk * 100)))
    brought_in(other, folder / "files", [line("Bo", "I know Zqother1x well.", "zqtheirs", "1")])
    list(memory.ask(Ask("Who is zqasked?", 4)))
    for record in drawn_by.sample(_markable(memory), k=drawn_by.randint(1, 3)):
        mark(memory, record, drawn_by.randint(0, 3))
    for n in range(2):
        stored_run(memory, run_of(f"zqrun{n}x", f"zqseen{n}x", drawn_by.randint(0, 3)))
    viewer = Viewer("somebody", clearance, frozenset({"Ann"}))
    gone = withheld(memory, clearance)
    low = store.scope("Ann", viewer=viewer)
    shown = _words(r for i, r in _records(memory).items() if i not in gone and isinstance(r, Turn))
    steps = [s for run in memory.runs.all() for s in memory.runs.get(run.id).steps]
    marked = {s.run_id for s in steps if s.sensitivity > clearance}
    runs = [memory.runs.get(run.id) for run in memory.runs.all() if run.id not in marked]
    whole = {c.title for c in memory.conversations() if not {t.id for t in memory.turns(c.id)} & gone}
    whole |= {c.source for c in memory.conversations() if c.title in whole}
    shown |= _words([*runs, *whole])
    contents = frozenset(i for i in gone if isinstance(_records(memory)[i], Content))
    return Case(store, memory, low, shown, gone | marked, contents)


def _said(topics: Iterable[str], talk: str, first: int) -> Iterator[str]:
    """Each turn names somebody nobody else names."""
    for n, topic in enumerate(topics, first):
        yield line("Ann", f"I like {topic} with Zqa{n}x in Lisbon.", talk, f"{n}.0", f"s{n}")
        yield line("Bo", f"Does Zqb{n}x still do {topic} in Porto?", talk, f"{n}.1", f"s{n}")


def _markable(memory: Memory) -> list[Record]:
    found = _records(memory).values()
    return sorted((r for r in found if isinstance(r, (Content, Unit))), key=_by_words)


def _by_words(record: Record) -> str:
    return f"{record.kind} {getattr(record, 'text', '')} {getattr(record, 'order', '')}"


def _records(memory: Memory) -> dict[str, Record]:
    return memory.get(memory._scope.items.read(["id"]).column("id").to_pylist())


def withheld(memory: Memory, clearance: int) -> frozenset[str]:
    """Ids of turns, units, contents and versions, one by one and from the records alone."""
    records = _records(memory)
    of: dict[type, list[Any]] = {
        k: [r for r in records.values() if isinstance(r, k)] for k in (Turn, Unit, Content)
    }
    degree = {t.id: t.sensitivity for t in of[Turn]}
    for unit in of[Unit]:
        for turn in unit.origin:
            degree[turn] = max(degree[turn], unit.sensitivity)
    for content in of[Content]:
        if len(content.origin) == 1:
            degree[content.origin[0]] = max(degree[content.origin[0]], content.sensitivity)
    for unit in of[Unit]:
        degree[unit.id] = max(degree[t] for t in unit.origin)
    for content in of[Content]:
        degree[content.id] = max(
            [content.sensitivity, *(degree[i] for i in (*content.origin, *content.units))]
        )
    for content in of[Content]:
        degree[content.id] = max(degree[content.id], degree.get(content.episode_id, 0))
    gone = {i for i, d in degree.items() if d > clearance}
    return frozenset(gone | {v.id for v in memory._scope.all_versions() if v.content_id in gone})


def _words(values: Any) -> frozenset[str]:
    return frozenset(w.lower() for text in strings(list(values)) for w in WORD.findall(text))


@given(st.integers(0, 10_000), st.integers(0, 2))
@settings(max_examples=5, deadline=None)
def test_nothing_of_what_is_withheld_and_nothing_of_another_memory_comes_out(
    seed: int, clearance: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = case(Path(folder), seed, clearance)
        asked = {f"zq{who}{n}x" for who in "ab" for n in (0, 1, 2, 100, 101)} | {"zqother1x Lisbon"}
        said = [*outputs(made.low, sorted(asked)), *drawn(made.low), *asked_of(made.low)]
        list(made.low.ask(Ask("Who likes pottery and chess in Lisbon?", 6)))
        said += [("own traces", [made.low.trace(h.id) for h in made.low.traces()])]
        said += [("store", (made.store.scopes(made.low.viewer), made.store.only_scope(made.low.viewer)))]
        said += [("other", answered(lambda: made.store.scope("Bo zqbo", viewer=made.low.viewer)))]
        said += [("none", answered(lambda: made.store.scope("Nobody", viewer=made.low.viewer)))]
        assert said[-1][1] == said[-2][1]
        for name, of in said:
            texts = list(strings(of))
            words = _words(texts) - made.shown
            assert not words, f"{name} tells of {sorted(words)}"
            ids = {i for text in texts for i in ID.findall(text)} & made.hidden
            assert ids <= made.reached if "asked" in name or ":" in name or "traces" in name else not ids, (
                name
            )
        for events in (of for name, of in said if ":" in name and isinstance(of, list)):
            elsewhere = [_without(e) for e in events]
            assert made.hidden.isdisjoint(i for t in strings(elsewhere) for i in ID.findall(t))


@given(st.integers(0, 10_000), st.integers(0, 2))
@settings(max_examples=4, deadline=None)
def test_a_view_is_as_if_what_is_withheld_had_never_been_there(seed: int, clearance: int) -> None:
    """What is shown, in a store of its own, gives the same answers, scores and pictures."""
    with tempfile.TemporaryDirectory() as folder:
        made = case(Path(folder), seed, clearance)
        low, chosen = made.low, settings_of(THETA)
        records = list(_records(low).values())
        talks = [c.id for c in low.conversations()]
        records.sort(key=lambda r: talks.index(r.id) if r.id in talks else -1)
        store = Store.open(Path(folder) / "plain", embedder=Topical(), settings=chosen)
        plain = Memories(store, Topical(), Models(base=chosen)).scope("Ann", create=True)
        plain._scope.commit(Imported(new_id(), 0), inserts=records)
        assert {k: n for k, n in plain.count().items() if k != "change"} == low.count()
        for (name, seen), (_, told) in zip(asked_of(low), asked_of(plain), strict=True):
            assert [_without(e) for e in seen] == [_without(e) for e in told], name
        for (name, seen), (_, told) in zip(_pictures(low), _pictures(plain), strict=True):
            assert repr(seen) == repr(told), name
        assert len(STRATEGIES) == 8


def _pictures(memory: Memory) -> Iterator[tuple[str, Any]]:
    return ((name, of) for name, of in drawn(memory) if ":" not in name)


def _without(event: TraceEvent) -> TraceEvent:
    """The event without what it says of who asks and of what was withheld."""
    if event.kind == "asked":
        return replace(event, clearance=0, seq=0)
    if event.kind == "routed":
        return replace(event, pruned=tuple(p for p in event.pruned if p.why != "withheld"), withheld=0)
    return event
