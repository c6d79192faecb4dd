"""What a person can decide at a step of a run, and what was decided, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memcore.events import Overridden
from memcore.graph import Graph
from memcore.run_state import State
from memcore.view.naming import counted, cue_phrase
from memcore.words import normalise

NAMES_SHOWN = 3


class Choice(NamedTuple):
    """A memory that can be kept or left behind: whether it is evidence now, what became of it, its score."""

    content_id: str
    kept: bool
    fate: str
    score: float


def choices(state: State) -> list[Choice]:
    """What the run came upon and a person can decide on: evidence first, then candidates, best first."""
    ranked = state.ranked.candidates if state.ranked else ()
    kept = sorted(state.evidence.values(), key=lambda k: -k.score)
    rows = [Choice(k.content_id, True, f"kept, step {state.kept_at[k.content_id]}", k.score) for k in kept]
    others = [c for c in ranked if c.content_id not in state.evidence]
    return [*rows, *(Choice(c.content_id, False, _fate(state, c.content_id), c.total) for c in others)]


def decided(event: Overridden, graph: Graph) -> str:
    """ "By hand: kept 2 memories, left 1 behind, followed Admiral, 4 more turns to read."."""
    kept, left = len(event.kept), len(event.pruned)
    cues = [cue_phrase(graph, a.id) for a in event.cues]
    more = f" and {len(cues) - NAMES_SHOWN:,} more" if len(cues) > NAMES_SHOWN else ""
    parts = [
        f"kept {counted(kept, 'memory', 'memories')}" if kept else "",
        f"left {counted(left, 'memory', 'memories')} behind" if left else "",
        f"followed {', '.join(cues[:NAMES_SHOWN])}{more}" if cues else "",
        f"{counted(event.more, 'more turn')} to read" if event.more else "",
    ]
    return f"By hand: {', '.join(filter(None, parts)) or 'went on from here'}."


def cues_named(names: Iterable[str], graph: Graph) -> tuple[list[str], list[str]]:
    """The ids of the cues of these names, and the names that are no cue's."""
    found = {name: graph.cue_keys.get(normalise(name)) for name in names}
    ids = [graph.columns.cue_ids[at] for at in found.values() if at is not None]
    return ids, [name for name, at in found.items() if at is None]


def _fate(state: State, content_id: str) -> str:
    if content_id in state.barred:
        return "left by hand"
    return "read, not kept" if content_id in state.opened else "not read"
