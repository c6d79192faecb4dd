"""Who follows the calls of models in a run, and can stop them; unasked, nobody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memcore.llm.asking import Called
from memcore.llm.patience import Wait
from memcore.stopping import Stop, never


def _unseen(wait: Wait) -> None:
    """Nobody follows the waiting."""


def _unread(role: str, text: str) -> None:
    """Nobody reads along."""


def _uncounted(called: Called) -> None:
    """Nobody counts."""


class Listening(NamedTuple):
    """Who follows the calls of a run: the countdown before a call is made again, and who can stop it.

    `on_text` is given the role and its whole reply so far; `called` every call that was made, also one that
    failed (see asking.Tallied).
    """

    waiting: Callable[[Wait], None] = _unseen
    cancelled: Stop = never
    on_text: Callable[[str, str], None] = _unread
    called: Callable[[Called], None] = _uncounted
