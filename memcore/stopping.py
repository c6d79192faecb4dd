"""What long work asks between two steps: whether somebody wants it stopped."""

from __future__ import annotations

from collections.abc import Callable

Stop = Callable[[], bool]


def never() -> bool:
    """Nobody does."""
    return False
