"""Where a memory's units are, and how near anything is to recurring, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from memcore.records import Thresholds, Unit
from memcore.view.clusters import Clusters, needed
from memcore.view.naming import counted


def summary(found: Clusters, units: int, episodes: int) -> str:
    """How many units are in which state."""
    states = list(found.standing.states.values())
    raw = states.count("live")
    parts = [
        f"{raw:,} raw",
        f"{states.count('consolidated'):,} consolidated",
        f"{states.count('merged'):,} merged",
    ]
    if waiting := states.count("pending"):
        parts.append(f"{waiting:,} waiting to be merged")
    growing = sum(c.state in ("growing", "triggered") for c in found.found)
    return (
        f"**{counted(units, 'unit')}**, each an exchange of two turns: {', '.join(parts)}. "
        f"{counted(episodes, 'episode')}; {counted(growing, 'cluster')} growing."
    )


_APART = {
    "uncovered": "their script is one that the embedder was not trained on, and it finds unrelated sentences "
    "in it alike",
    "empty": "nothing was said in them",
    "no_embedder": "they arrived while there was no embedder",
}


def left_raw(units: Iterable[Unit]) -> list[str]:
    """Why units were never compared with others, one sentence for each reason."""
    found = Counter(u.decision.why for u in units if u.decision is not None and u.decision.why)
    return [
        f"{counted(number, 'unit')} {'is' if number == 1 else 'are'} left raw: {_APART[why]}."
        for why, number in found.items()
    ]


def reached(units: Iterable[Unit]) -> float | None:
    """The highest similarity between two units that any decision recorded; None where none was."""
    decisions = [u.decision for u in units if u.decision is not None]
    kept = [n.score for d in decisions for n in d.neighbours]
    below = [d.below.score for d in decisions if d.below is not None]
    return max((*kept, *below), default=None)


def nearest_pair(best: float | None, t: Thresholds) -> str:
    """How far the nearest two units are from being neighbours."""
    if best is None:
        return "No unit was compared with another one yet: the second one that arrives will be."
    return (
        f"The two units nearest to each other are at {best:.3f}; they are neighbours above "
        f"{t.theta_sim:.3g}, and {needed(t)} units must recur before anything is consolidated. Thresholds "
        "depend on the embedder and on what is talked about: they can be chosen for this memory."
    )
