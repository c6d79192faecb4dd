"""What can become of a correction that is carried over, and the reasons why nothing is done about one."""

from __future__ import annotations

from typing import Literal, NamedTuple

from memcore.editing.portable import Line

State = Literal["applied", "already", "not_found", "collides", "refused"]


class Outcome(NamedTuple):
    """What became of one line (counted from 1): `says` is a sentence; `line` is None if unreadable."""

    number: int
    state: State
    says: str
    line: Line | None


class Settled(Exception):
    """Why a line leads to no edit."""

    def __init__(self, state: State, says: str) -> None:
        super().__init__(says)
        self.state: State = state


def known() -> Settled:
    """Nothing has to be done."""
    return Settled("already", "It is already that way.")


def missing(says: str) -> Settled:
    """What the line is about is not here."""
    return Settled("not_found", says)


def another(says: str) -> Settled:
    """Somebody corrected the same place to something else."""
    return Settled("collides", says)
