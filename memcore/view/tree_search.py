"""Finding words in the steps of a run, and where two runs of the same task part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memcore.records import RunStep
from memcore.state_tree import same

MOST = 500


def search(steps: Mapping[int, RunStep], text: str) -> list[int]:
    """Positions of the steps that hold all these words, in action, observation or thought."""
    words = text.casefold().split()
    if not words:
        return []
    found = [
        position
        for position, step in sorted(steps.items())
        if all(word in f"{step.action}\n{step.observation}\n{step.thought}".casefold() for word in words)
    ]
    return found[:MOST]


class Parting(NamedTuple):
    """Where two runs part: the first position at which they differ, and in what.

    `position` is None where neither has a step that the other has not.
    """

    position: int | None
    why: str


def parting(one: Mapping[int, RunStep], other: Mapping[int, RunStep]) -> Parting:
    """Step by step, white space aside; a run that ends earlier parts at its end."""
    for position in range(1, max(len(one), len(other)) + 1):
        a, b = one.get(position), other.get(position)
        if a is None or b is None:
            return Parting(position, "one of them ends before it")
        if " ".join(a.action.split()) != " ".join(b.action.split()):
            return Parting(position, "they do different things")
        if not same(a, b):
            return Parting(position, "they do the same and see something else")
    return Parting(None, "they do and see the same")
