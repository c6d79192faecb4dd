"""Boundary: the agent reports to the person after it has done something, or hands a task to an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits

REPORTED, HANDED_OVER = "reported", "handed_over"
_HANDS_OVER = "(->"  # how a log of several agents writes "to whom" into the speaker's name


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """After a message that follows deeds, and before an instruction to another agent."""
    deeds: list[int] = []
    for act in acts:
        if _HANDS_OVER in act.step.tool and act.position > 1:
            yield Boundary(act.position - 1, HANDED_OVER, (act.position,))
        if act.family != "say":
            deeds.append(act.position)
        elif deeds:
            yield Boundary(act.position, REPORTED, (deeds[-1], act.position))
            deeds = []
