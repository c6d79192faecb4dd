"""The verbs: what happened. A closed union per algorithm, saved and loaded by the literal `kind`.

An event holds ids, revisions, numbers and reason codes, never memory text: text is looked up when
it is shown, so erasing a memory need not rewrite history. Nested values are NamedTuples, saved as
plain lists.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from memcore.errors import StoreMismatch
from memcore.events.changes import (
    ChangeEvent,
    EditAction,
    Edited,
    Erased,
    Imported,
    Lifted,
    Ran,
    Reconsolidated,
    Redone,
    Reextracted,
    Repaired,
    RunsImported,
    Undone,
)
from memcore.events.parts import (
    TIERS,
    Action,
    ActionKind,
    Activated,
    Candidate,
    KeptNode,
    Limit,
    Match,
    Mode,
    ModelRole,
    PrunedNode,
    PrunedWhy,
    QueryCue,
    Sentence,
    Shown,
    ShownPart,
    Strategy,
    Tier,
    Window,
)
from memcore.events.reconstruction import (
    ActionsChosen,
    Answered,
    Asked,
    Judged,
    ModelAsked,
    Opened,
    Overridden,
    QueryRead,
    Ranked,
    RoleFailed,
    Routed,
    Stopped,
    TraceEvent,
    Traversed,
    Woken,
)
from memcore.events.tree import (
    Compressed,
    GaveUp,
    Grown,
    KnownPath,
    Maintained,
    Refused,
    RefusedWhy,
    Revised,
    RunStarted,
    TreeEvent,
    TreeOperation,
)

__all__ = [
    "EVENTS_VERSION",
    "TIERS",
    "Action",
    "ActionKind",
    "ActionsChosen",
    "Activated",
    "Answered",
    "Asked",
    "Candidate",
    "ChangeEvent",
    "Compressed",
    "EditAction",
    "Edited",
    "Erased",
    "Event",
    "GaveUp",
    "Grown",
    "Imported",
    "Judged",
    "KeptNode",
    "KnownPath",
    "Lifted",
    "Limit",
    "Maintained",
    "Match",
    "Mode",
    "ModelAsked",
    "ModelRole",
    "Opened",
    "Overridden",
    "PrunedNode",
    "PrunedWhy",
    "QueryCue",
    "QueryRead",
    "Ran",
    "Ranked",
    "Reconsolidated",
    "Redone",
    "Reextracted",
    "Refused",
    "RefusedWhy",
    "Repaired",
    "Revised",
    "RoleFailed",
    "Routed",
    "RunStarted",
    "RunsImported",
    "Sentence",
    "Shown",
    "ShownPart",
    "Stopped",
    "Strategy",
    "Tier",
    "TraceEvent",
    "Traversed",
    "TreeEvent",
    "TreeOperation",
    "Undone",
    "Window",
    "Woken",
    "dump",
    "load",
    "revived",
]

EVENTS_VERSION = 1

Event = TraceEvent | ChangeEvent | TreeEvent

_KINDS: dict[str, type[Any]] = {t.__dataclass_fields__["kind"].default: t for t in get_args(Event)}


def dump(event: Event) -> dict[str, Any]:
    """A JSON-ready dict; NamedTuples and tuples become lists when it is encoded."""
    return {f.name: getattr(event, f.name) for f in fields(event)}


def load(saved: dict[str, Any]) -> Event:
    """The event that `dump` saved.

    Raises StoreMismatch for a kind this version does not know.
    """
    kind = saved.get("kind")
    found = _KINDS.get(str(kind))
    if found is None:
        raise StoreMismatch(f"This trace holds an event of kind {kind!r}, written by a newer version.")
    hints = _hints(found)
    return found(**{k: revived(hints[k], v) for k, v in saved.items() if k in hints})


@cache
def _hints(event_class: type[Any]) -> dict[str, Any]:
    return get_type_hints(event_class)


def revived(hint: Any, value: Any) -> Any:
    """Lists back into the tuples and NamedTuples that the type hint names."""
    revive = _reviver(hint)
    return value if revive is None else revive(value)


_Reviver = Callable[[Any], Any]


@cache
def _reviver(hint: Any) -> _Reviver | None:
    """How a value of this type is read back; None where JSON keeps it as it is.

    Found once for each type: a page reads ten thousand decisions.
    """
    if hasattr(hint, "_fields"):
        return _fields_of(hint, [_reviver(of) for of in _hints(hint).values()])
    if get_origin(hint) is tuple:
        return _items_of(get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        inner = _reviver(next(a for a in get_args(hint) if a is not type(None)))
        return None if inner is None else lambda value: None if value is None else inner(value)
    return None


def _fields_of(made: Callable[..., Any], parts: list[_Reviver | None]) -> _Reviver:
    """A NamedTuple; fields that a saved one does not have yet keep their defaults."""
    return lambda value: made(
        *(v if part is None else part(v) for part, v in zip(parts, value, strict=False))
    )


def _items_of(args: tuple[Any, ...]) -> _Reviver:
    if len(args) == 2 and args[1] is Ellipsis:
        inner = _reviver(args[0])
        return tuple if inner is None else lambda value: tuple(map(inner, value))
    parts = [_reviver(a) for a in args]
    return lambda value: tuple(v if part is None else part(v) for part, v in zip(parts, value, strict=True))
