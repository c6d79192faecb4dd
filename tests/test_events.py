"""Events are the whole record of a run: they come back from JSON as they were, and hold no memory text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from building import TOWN, own_lines, write_lines

from memcore.errors import StoreMismatch
from memcore.events import (
    Action,
    ActionsChosen,
    Activated,
    Answered,
    Asked,
    Candidate,
    Compressed,
    Edited,
    Erased,
    Event,
    GaveUp,
    Grown,
    Imported,
    Judged,
    KeptNode,
    KnownPath,
    Lifted,
    Maintained,
    ModelAsked,
    Opened,
    Overridden,
    PrunedNode,
    QueryCue,
    QueryRead,
    Ran,
    Ranked,
    Reconsolidated,
    Redone,
    Reextracted,
    Refused,
    Repaired,
    Revised,
    RoleFailed,
    Routed,
    RunsImported,
    RunStarted,
    Sentence,
    Shown,
    Stopped,
    TraceEvent,
    Traversed,
    Undone,
    Window,
    Woken,
    dump,
    load,
)
from memcore.memories import Memories
from memcore.reconstruction import Ask
from memcore.run_state import State, fold

A, B = "00000000000000aa", "00000000000000bb"
ONE_OF_EACH: list[Event] = [
    Asked("active", 20, False, "ctc", 7, 100, True),
    QueryRead((QueryCue(0, 4, "people"),), (Window(738000, 738001, "day"),), (A,)),
    Woken(1, (Activated(A, "exact", 1.0), Activated(B, "reverse", 0.5, A)), (Activated(B, "nearest", 0.1),)),
    ActionsChosen(1, (Action("pair_contents", cue_id=A), Action("window_contents", tag_id="1:2"))),
    Traversed(1, 2, 3, 4, ((A, 900, 400),)),
    Ranked(1, (Candidate(A, 0.9, dense=0.4, lexical=0.5, via_cue=B),), 3),
    Opened(1, (A,), (B,), 1),
    Routed(1, (KeptNode(A, 1, 0.9),), (PrunedNode(B, "content", "weak", 0.1),)),
    Judged(1, False, 20, (QueryCue(5, 9, "entity"),), 0.4),
    ModelAsked(
        1, "choose", "local/m", "ab" * 32, (Shown("pair_contents", A, B, many=2),), 200, 9, 8, 7, 6, 2, "ok"
    ),
    Overridden(1, (KeptNode(A, 1, 1.0),), (PrunedNode(B, "content", "by_hand", 0.1),), (), (B,), 2),
    RoleFailed(2, "router", "ModelUnavailable", "answered from evidence"),
    Stopped(2, "router_failed", 1),
    Answered((Sentence(A, 0, 12, 0.8),), "rule"),
    Imported(A, 12),
    Edited("set", "cue", "name", (A, B), 5_000, "ann", "a spelling mistake"),
    Reextracted(A, 3, 2, 1),
    RunsImported(A, 3, 40),
    Erased((("turn", 2), ("content", 3)), 1, 0, 1),
    Lifted(A, 2),
    Ran(A, 1),
    Reconsolidated(0.69, 5, 0.71, "counts_new_unit", "before_gate", 1, 100, 3, 7, 2, 0.3),
    Undone(B),
    Redone(B),
    RunStarted(A),
    Grown(1, 0, A, 12),
    KnownPath(3, 1, B, 12),
    Compressed(2, 1, 0, (1, 2), A, "agent", 7),
    Maintained(2, 1, False, 0, B, "verifier", 9),
    Maintained(2, 1, True, None, B, "verifier", 0),
    Revised(2, 2, 0, 0, A, "maintain"),
    Refused(2, "revise", "no_boundary", 5, A),
    GaveUp(2, 0, A),
    Repaired((("dangling_relation", 2),)),
]


def test_there_is_an_example_of_every_kind() -> None:
    assert {type(e) for e in ONE_OF_EACH} == set(get_args(Event))


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda e: e.kind)
def test_an_event_comes_back_from_json_as_it_was(event: Event) -> None:
    back = load(json.loads(json.dumps(dump(event))))
    assert back == event
    assert _shape(back) == _shape(event)


def test_a_field_of_a_newer_version_is_left_out_and_a_missing_one_has_its_default() -> None:
    saved = dump(ONE_OF_EACH[0]) | {"mood": "sunny"}
    del saved["seeded"]
    assert load(saved) == Asked("active", 20, False, "ctc", 7, 100)


@pytest.mark.parametrize("kind", ["dreamt", "", None, 3])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    with pytest.raises(StoreMismatch, match="newer version"):
        load({"kind": kind})


def test_kinds_are_unique_literals() -> None:
    kinds = [get_args(get_type_hints(t)["kind"])[0] for t in get_args(Event)]
    assert len(set(kinds)) == len(kinds)
    assert kinds == [t.__dataclass_fields__["kind"].default for t in get_args(Event)]


@pytest.mark.parametrize("kind", get_args(TraceEvent), ids=lambda t: t.__name__)
def test_every_trace_event_changes_the_state(kind: type) -> None:
    event = next(e for e in ONE_OF_EACH if type(e) is kind)
    state = State()
    assert state.apply(event) is event  # type: ignore[arg-type]
    assert state != State()


def test_a_change_is_no_part_of_a_run() -> None:
    with pytest.raises(KeyError):
        fold([Undone(B)])  # type: ignore[list-item]


CODE = re.compile(r"[0-9a-f]{16}|[a-z][a-z_]*|bm25|\d+:\d+|ModelUnavailable|")


@pytest.mark.parametrize("strategy", ["active", "graph", "dense", "bm25", "fusion", "priors", "nhop"])
def test_no_event_of_a_run_holds_memory_text(tmp_path: Path, strategy: Any) -> None:
    memory = Memories.open(tmp_path / "store", embedder="none").scope("town", create=True)
    list(memory.import_path(write_lines(tmp_path / "town.jsonl", own_lines())))
    events = list(memory.ask(Ask("When did Felix teach Ann to glaze a bowl?", 6, strategy=strategy)))
    strings = [s for event in events for s in _strings(json.loads(json.dumps(dump(event))))]
    assert [s for s in strings if not CODE.fullmatch(s)] == []
    words = {w.strip(".,!?'").casefold() for _, text in TOWN for w in text.split() if len(w) > 5}
    assert not words & set(strings)
    kinds = {e.kind for e in events}
    assert {"asked", "query_read", "ranked", "opened", "routed", "stopped", "answered"} <= kinds


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [s for v in inner for s in _strings(v)]


def _shape(value: Any) -> Any:
    """Types all the way down: a list that should be a NamedTuple is equal to it and still wrong."""
    if isinstance(value, tuple):
        return type(value).__name__, [_shape(v) for v in value]
    if hasattr(value, "__dataclass_fields__"):
        return [_shape(getattr(value, name)) for name in value.__dataclass_fields__]
    return type(value).__name__
