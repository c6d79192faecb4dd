"""What a detector hands on, and the limits within which all of them look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memcore.detecting.actions import Act


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the rules look; all of them chosen here, on runs of coding and service agents."""

    shortest: int = 3
    """Steps that an inferred subgoal has at least; a declared one may have a single one."""
    longest: int = 12
    """Steps after which a segment ends in any case (MAGE's threshold for Compress)."""
    most_characters: int = 8_000
    """Characters after which it ends in any case: about MAGE's 2,000 tokens."""
    nearby: int = 2
    """A boundary that length or a change suggests gives way to another one this close behind it."""
    retry: int = 3
    """Steps within which the same action is a retry of a failed one, with nothing but looks between."""
    undo: int = 12
    """Steps within which taking back an edit rolls back what was done since."""
    stretch: int = 3
    """Steps of one kind before and after that make a change of kind."""


class Boundary(NamedTuple):
    """A subgoal seems to end after the step `after`. A declared one counts whatever its length."""

    after: int
    rule: str
    evidence: tuple[int, ...]
    declared: bool = False
    says: str = ""


class Return(NamedTuple):
    """The agent seems to go back after the step `after`.

    `before` is the first step that is rolled back; where a file states the step gone back to it is
    `target`, and `before` is not used.
    """

    after: int
    rule: str
    evidence: tuple[int, ...]
    before: int = 0
    target: int | None = None
    note: str = ""


FindsBoundaries = Callable[[Sequence[Act], Limits], Iterator[Boundary]]
FindsReturns = Callable[[Sequence[Act], Limits], Iterator[Return]]
