"""A run that says what was kept back from it: how many memories its traversals would have reached, and which.

Who asks never sees more than their clearance: the graph they reconstruct from does not hold what is withheld,
so nothing of it is scored, ranked or opened. This adds to what happened only that something was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from memcore.events import Action, PrunedNode, Routed, TraceEvent


class Beside(Protocol):
    """Where withheld contents lie (see store.beside): from a cue, tag or content, and all of them."""

    @property
    def of(self) -> Mapping[str, tuple[str, ...]]: ...

    @property
    def all(self) -> tuple[str, ...]: ...


def saying_what_was_withheld(
    events: Iterator[TraceEvent], clearance: int, beside: Beside, most: int
) -> Iterator[TraceEvent]:
    """The events of a run that was asked with this clearance; `most` withheld contents are named, the others
    are counted. A search of the whole memory comes upon all of them."""
    reached: dict[str, None] = {}
    known = 0
    for event in events:
        if event.kind == "asked":
            yield replace(event, clearance=clearance)
        elif event.kind == "actions_chosen":
            reached |= {content: None for action in event.actions for content in _behind(action, beside)}
            yield event
        elif event.kind == "routed":
            yield _with(event, [*reached][known:], max(0, most - known))
            known = len(reached)
        else:
            yield event


def asked_by(clearance: int, past: Sequence[TraceEvent]) -> list[TraceEvent]:
    """Events of an earlier run, taken on by somebody else: what follows they were allowed to see."""
    return [replace(e, clearance=clearance) if e.kind == "asked" else e for e in past]


def _with(event: Routed, new: list[str], room: int) -> Routed:
    named = tuple(PrunedNode(content, "content", "withheld", 0.0) for content in new[:room])
    return replace(event, pruned=(*event.pruned, *named), withheld=len(new) - len(named))


def _behind(action: Action, beside: Beside) -> tuple[str, ...]:
    """What a traversal would have reached from where it starts."""
    start = action.cue_id or action.tag_id or action.content_id
    return beside.of.get(start, ()) if start else beside.all
