"""A run that goes on otherwise from one of its steps: what a person decides there, and what is kept of it.

The fork is a run of its own: it begins with the events up to that step, then what was decided, then what
came of it. Both stay, and name each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from memcore.errors import InputError, Stale
from memcore.events import Activated, Asked, KeptNode, Overridden, PrunedNode, TraceEvent
from memcore.graph import Graph
from memcore.reconstruction import Ask
from memcore.records import Moment, TraceHeader
from memcore.run_state import State


@dataclass(frozen=True, slots=True)
class Override:
    """What a person decides at a step, by ids: contents to keep and to prune, cues to follow next.

    `more` are turns that may be read beyond the budget.
    """

    kept: tuple[str, ...] = ()
    pruned: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    more: int = 0


def up_to(events: Sequence[TraceEvent], step: int) -> list[TraceEvent]:
    """The events of a run up to the end of this step; step 0 ends when the question was read.

    Raises InputError where the run has no such step.
    """
    for i, event in enumerate(events):
        read = event.kind == "query_read" and step == 0
        if read or (event.kind == "judged" and event.step == step):
            return list(events[: i + 1])
    raise InputError("This run has no such step, or it was not finished.")


def ask_of(header: TraceHeader, event: TraceEvent) -> Ask:
    """What was asked, as a run began with it. Raises InputError for a run that no step can be added to."""
    if not isinstance(event, Asked) or event.strategy != "active":
        raise InputError("Only an active reconstruction takes steps, so only that can be continued.")
    return asked_again(header, event)


def asked_again(header: TraceHeader, event: Asked) -> Ask:
    """What was asked, to be asked once more."""
    return Ask(
        header.question,
        header.budget,
        event.strategy,
        auto_budget=event.auto_budget,
        mode=event.mode,
        reverse=event.reverse,
        use_time=event.use_time,
        use_speaker=event.use_speaker,
        seeded=event.seeded,
        tiers=event.tiers,
        asked=_on(event.asked_on),
        model=event.model,
        without=event.without,
    )


def overridden(override: Override, state: State, graph: Graph) -> Overridden:
    """The event of a decision on this state.

    Raises InputError for a content that the run did not come upon, or one both kept and pruned; NotFound
    for a cue that is none.
    """
    ranked = {c.content_id: c.total for c in state.ranked.candidates} if state.ranked else {}
    scores = ranked | {p.id: p.score for p in state.pruned.values() if p.node == "content"}
    scores |= {k.content_id: k.score for k in state.evidence.values()}
    known = scores.keys() | state.opened.keys()
    if not known >= {*override.kept, *override.pruned}:
        raise InputError("Only memories that the run came upon can be kept or pruned.")
    if {*override.kept} & {*override.pruned}:
        raise InputError("A memory cannot be both kept and pruned.")
    if not graph.cue_index.keys() >= {*override.cues}:
        raise InputError("There is no such cue in this memory.")
    kept = tuple(_kept(content, max(scores.get(content, 0.0), 1.0), graph) for content in override.kept)
    pruned = tuple(PrunedNode(c, "content", "by_hand", scores.get(c, 0.0)) for c in override.pruned)
    cues = tuple(Activated(c, "by_hand", 1.0) for c in override.cues)
    return Overridden(state.step, kept, pruned, cues, _read(override.kept, state, graph), override.more)


def still_there(events: Iterable[TraceEvent], graph: Graph) -> None:
    """Raises Stale where something that a run rests on is not in the memory any more."""
    there = (graph.content_index, graph.cue_index, graph.tag_index)
    gone = {id_ for id_ in _named(events) if not any(id_ in index for index in there)}
    if gone:
        raise Stale("What this run rests on was changed or erased since: ask the question again.", gone)


def _named(events: Iterable[TraceEvent]) -> Iterator[str]:
    """The ids of all cues, tags and contents that a run came upon."""
    for event in events:
        if event.kind == "woken":
            yield from (a.id for a in (*event.cues, *event.tags))
        elif event.kind == "actions_chosen":
            ends = (id_ for a in event.actions for id_ in (a.cue_id, a.tag_id, a.content_id))
            yield from (id_ for id_ in ends if id_ and ":" not in id_)  # days are no tag
        elif event.kind == "ranked":
            yield from (c.content_id for c in event.candidates)
        elif event.kind == "opened":
            yield from event.content_ids


def _kept(content: str, score: float, graph: Graph) -> KeptNode:
    return KeptNode(content, int(graph.columns.revisions[graph.content_index[content]]), score)


def _read(contents: Iterable[str], state: State, graph: Graph) -> tuple[str, ...]:
    """The turns that are read with these contents, where they were not before."""
    turns = [t for c in contents for t in graph.turns_of(graph.content_index[c])]
    return tuple(t for t in dict.fromkeys(turns) if t not in state.turns)


def _on(ordinal: int) -> Moment:
    if not ordinal:
        return Moment()
    day = date.fromordinal(ordinal)
    return Moment(datetime.combine(day, time(), UTC), datetime.combine(day, time.max, UTC), "day")
