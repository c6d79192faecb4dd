"""A trace is stored step by step and once more at the end, and read back each event once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from store_records import Named

from memcore.access.permissions import OWNER
from memcore.errors import NotFound
from memcore.events import Asked, Candidate, Judged, QueryCue, QueryRead, Ranked, Stopped, TraceEvent, Window
from memcore.recorded_run import read
from memcore.records import TraceHeader, new_id, now
from memcore.settings import Settings
from memcore.store import Scope, Store

EVENTS: list[TraceEvent] = [
    Asked("active", 20, True, "cte", 3, 100),
    QueryRead((QueryCue(0, 3, "people"),), (Window(738000, 738001, "day"),), ("Ann",)),
    Ranked(1, (Candidate("00000000aaaaaaaa", 0.5, dense=0.25, via_cue="00000000bbbbbbbb"),), 7),
    Judged(1, True, 20, (), 0.25),
    Stopped(1, "sufficient", 4),
]


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return Store.open(tmp_path / "store", embedder=Named()).create_scope("mine")


def header(**changed: Any) -> TraceHeader:
    begun = TraceHeader(new_id(), "Where did Ann run?", "active", 20, now(), "running", seq=3)
    return replace(begun, **changed)


def test_a_run_reads_back_as_it_happened(scope: Scope) -> None:
    run = header(parent=new_id(), parent_step=2)
    scope.save_trace(run)
    for index, event in enumerate(EVENTS):
        scope.append_events(run.id, index, [event])
    done = replace(run, status="finished", ended=now())
    scope.finish_trace(done, EVENTS, read(done, EVENTS))
    assert scope.trace(run.id) == (replace(done, events=5), EVENTS)
    assert scope.traces() == [replace(done, events=5)]


def test_finishing_writes_only_what_is_missing(scope: Scope) -> None:
    run = header()
    scope.save_trace(run)
    scope.append_events(run.id, 0, EVENTS[:2])
    scope.finish_trace(replace(run, status="stopped"), EVENTS, read(run, EVENTS))
    scope.finish_trace(replace(run, status="finished"), EVENTS, read(run, EVENTS))
    assert len(scope.runs.table.read(["id"], "kind = 'event'")) == len(EVENTS)
    found, events = scope.trace(run.id)
    assert (found.status, events) == ("finished", EVENTS)


def test_an_event_stored_twice_is_read_once(scope: Scope) -> None:
    run = header()
    scope.save_trace(run)
    for _ in range(2):
        scope.append_events(run.id, 0, EVENTS)
    assert scope.trace(run.id)[1] == EVENTS


def test_a_run_that_was_cut_off_keeps_its_steps(scope: Scope) -> None:
    run = header()
    scope.save_trace(run)
    scope.append_events(run.id, 0, EVENTS[:3])
    assert scope.trace(run.id) == (replace(run, events=3), EVENTS[:3])


def test_traces_are_listed_newest_first(scope: Scope) -> None:
    runs = [header(started=now() - timedelta(minutes=m)) for m in (3, 1, 2)]
    for run in runs:
        scope.save_trace(run)
    assert [t.id for t in scope.traces()] == [runs[1].id, runs[2].id, runs[0].id]
    assert [t.id for t in scope.traces(limit=1, offset=1)] == [runs[2].id]


@pytest.mark.parametrize("trace_id", ["ffffffffffffffff", "x' OR '1'='1", ""])
def test_an_unknown_trace_is_not_found(scope: Scope, trace_id: str) -> None:
    scope.save_trace(header())
    with pytest.raises(NotFound):
        scope.trace(trace_id)


def test_many_steps_are_compacted(tmp_path: Path) -> None:
    settings = Settings(optimize_every=4)
    scope = Store.open(tmp_path / "s", embedder=Named(), settings=settings).create_scope("mine")
    run = header()
    for index, event in enumerate(EVENTS):
        scope.append_events(run.id, index, [event])
    scope.finish_trace(run, EVENTS, read(run, EVENTS))
    assert scope.runs.table.fragments() == 1
    assert scope.trace(run.id)[1] == EVENTS


def test_a_trace_needs_no_writer_lock(scope: Scope, tmp_path: Path) -> None:
    other = Store.open(tmp_path / "store", embedder=Named(), settings=Settings(lock_seconds=0.1)).scope(
        "mine", OWNER
    )
    run = header()
    with scope.writing():
        other.save_trace(run)
        other.finish_trace(run, EVENTS, read(run, EVENTS))
    assert scope.trace(run.id)[1] == EVENTS
